"""Slots that several templates across apps share."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.workbench.synth import names
from benchmarks.workbench.synth.templates.base import SlotSpec
from benchmarks.workbench.synth.templates.slots import (
    MORE_OR_LESS,
    choice,
    day,
    duration,
    metric,
    number,
    period,
    person,
    quoted,
)

__all__ = (
    "BOARD", "COMPARISON", "DURATION", "HIGHER_OR_LOWER", "LEADS_OF", "LIMIT", "METRIC", "PAST_DAY", "PERCENT",
    "SINCE", "assignee", "body", "how_long_ago", "participant", "title",
)  # fmt: skip

METRIC = metric(
    dimension="input",
    subdimension="identifier",
    why="Seven figures are counted.",
)
COMPARISON = choice(
    "comparison",
    MORE_OR_LESS,
    dimension="constraint",
    subdimension="selection",
    why="A worry may be about too much or too little.",
)
LIMIT = number(
    (1, 2, 3, 4, 6, 8, 10, 12, 15, 18, 22, 26),
    dimension="constraint",
    subdimension="numeric_bound",
    why="What counts as much is the user's own view.",
)
SINCE = day(
    "date",
    lambda office: [office.ago(days) for days in (1, 2, 3, 4, 6, 8, 10, 13, 16, 20, 24, 31)],
    dimension="constraint",
    subdimension="temporal",
    why="Any past day might be meant.",
    complete_without=True,
)

HIGHER_OR_LOWER = choice(
    "comparison",
    {"higher": "higher", "lower": "lower", "more": "higher", "less": "lower"},
    dimension="constraint",
    subdimension="selection",
    why="A worry may be about growth or about decline.",
)
PERCENT = number(
    (5, 10, 15, 20, 25, 30, 40, 50, 75, 90),
    dimension="constraint",
    subdimension="numeric_bound",
    why="What counts as a great change is the user's own view.",
    complete_without=True,
)
PAST_DAY = day(
    "date",
    lambda office: [office.ago(days) for days in (3, 4, 5, 6, 7, 8, 9, 10, 13, 15, 20)],
    dimension="constraint",
    subdimension="temporal",
    why="Any past day might be meant.",
)

BOARD = choice(
    "board",
    {name: name for name in names.BOARDS},
    dimension="context",
    subdimension="tool_knowledge",
    why="Three boards are in use.",
)
DURATION = duration(
    (20, 30, 45, 60),
    dimension="constraint",
    subdimension="numeric_bound",
    guessability=0.5,
    why="Half an hour is common.",
)
LEADS_OF = person(
    "owner",
    lambda office: office.sales,
    dimension="input",
    subdimension="source",
    why="Five colleagues have leads.",
    complete_without=True,
)


def participant() -> SlotSpec:
    """Any colleague, to look up and to get in touch with."""
    return person(
        "participant",
        lambda office: list(office.people),
        dimension="input",
        subdimension="identifier",
        why="Any colleague might be meant.",
    )


def assignee() -> SlotSpec:
    """Somebody of those who have project tasks."""
    return person(
        "assignee",
        lambda office: office.staff,
        dimension="goal",
        subdimension="target",
        why="Fifteen colleagues take tasks.",
    )


def how_long_ago(days: Sequence[int]) -> SlotSpec:
    """A stretch of days after which somebody is out of touch."""
    return period(
        days,
        dimension="constraint",
        subdimension="temporal",
        why="How long is too long is the user's own view.",
        complete_without=True,
    )


def title(kind: str, *options: str) -> SlotSpec:
    """What a meeting, a task or a mail is to be called."""
    return quoted(kind, "goal", "content", options, why="Nothing in the workplace tells what to call it.")


def body(*options: str) -> SlotSpec:
    """What a mail is to say."""
    return quoted("body", "goal", "content", options, why="The wording of a mail is the user's own.")
