"""Whole slots, each with its LHAW record, that several templates share; `slots` has what they are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from benchmarks.workbench.synth.templates import find
from benchmarks.workbench.synth.templates.base import SlotSpec
from benchmarks.workbench.synth.templates.slots import (
    BOARDS,
    MORE_OR_LESS,
    OPEN_LISTS,
    PLOT_TYPES,
    PRODUCTS,
    choice,
    clock,
    colleague,
    customer,
    day,
    duration,
    metric,
    number,
    period,
    person,
    quoted,
)
from harness.agents.reference import Worker

__all__ = (
    "ASSIGNEE", "BOARD", "COMPARISON", "CUSTOMER", "DURATION", "LIMIT", "LIST_WITH_LATE", "METRIC", "NEW_CUSTOMER",
    "NEW_OWNER", "NEW_PRODUCT", "NEW_TITLE", "OWN_BOARD", "SENDER", "SINCE", "STAND_IN", "body", "coming_day", "figure",
    "how_long_ago", "meeting_length", "meeting_title", "participant", "past_day", "plot_type", "recipient", "stretch",
    "task_owner", "title", "with_late_tasks", "working_hour",
)  # fmt: skip


# Days and times


def past_day(days: Sequence[int], **record: Any) -> SlotSpec:
    """A day so many days ago."""
    return day(
        "date",
        lambda office: [office.ago(n) for n in days],
        dimension="constraint",
        subdimension="temporal",
        why="Any past day might be meant.",
        **record,
    )


def coming_day(count: int, *, why: str = "Any coming day might be meant.", **record: Any) -> SlotSpec:
    """One of the next so many working days."""
    return day(
        "date",
        lambda office: office.workdays(count),
        dimension="constraint",
        subdimension="temporal",
        why=why,
        **record,
    )


def working_hour(*times: str) -> SlotSpec:
    """When a meeting is to start."""
    return clock(
        times,
        dimension="constraint",
        subdimension="temporal",
        why="Any working hour might be meant.",
    )


SINCE = past_day((1, 2, 3, 4, 6, 8, 10, 13, 16, 20, 24, 31), complete_without=True)
"""From when on figures are looked up."""


def stretch(days: Sequence[int]) -> SlotSpec:
    """The last so many days."""
    return period(
        days,
        dimension="constraint",
        subdimension="temporal",
        why="Any stretch of time might be meant.",
    )


def how_long_ago(days: Sequence[int], *, complete_without: bool = True) -> SlotSpec:
    """A stretch of days after which somebody is out of touch."""
    return period(
        days,
        dimension="constraint",
        subdimension="temporal",
        why="How long is too long is the user's own view.",
        complete_without=complete_without,
    )


# Texts


def title(kind: str, *options: str) -> SlotSpec:
    """What a meeting, a task or a mail is to be called."""
    return quoted(kind, "goal", "content", options, why="Nothing in the workplace tells what to call it.")


def meeting_title(*options: str) -> SlotSpec:
    """What a meeting is to be called."""
    why = "Nothing in the workplace tells what to call the meeting."
    return quoted("event_name", "goal", "content", options, why=why)


def body(*options: str) -> SlotSpec:
    """What a mail is to say."""
    return quoted("body", "goal", "content", options, why="The wording of a mail is the user's own.")


# Mail

SENDER = colleague(
    "sender",
    dimension="input",
    subdimension="source",
    why="Every colleague writes now and then.",
    complete_without=True,
)
"""Whose mails are meant: without a name, those of anybody."""


def recipient(what: str = "is to get the mail") -> SlotSpec:
    """Any colleague, as the goal of a mail."""
    return colleague(
        "recipient",
        dimension="goal",
        subdimension="target",
        why=f"Nothing in the workplace tells who {what}.",
    )


# Calendar


def participant(why: str = "Any colleague might be meant.") -> SlotSpec:
    """Any colleague whom one meets. Wordings go on to speak of "them" or "us", so that one misses a name."""
    return colleague(
        "participant",
        dimension="input",
        subdimension="identifier",
        why=why,
    )


NEW_TITLE = quoted(
    "title",
    "goal",
    "content",
    (
        "Lessons learned",
        "Open questions",
        "Kick-off, second try",
        "Plans for the summer",
        "Handover",
        "Ask me anything",
        "Numbers and next steps",
        "Farewell breakfast",
    ),
    role="new title",
    why="Nothing in the workplace tells what to call the meeting from now on.",
)
"""What a meeting is to be called from now on."""

DURATION = duration(
    (20, 30, 45, 60),
    dimension="constraint",
    subdimension="numeric_bound",
    guessability=0.5,
    why="Half an hour is common.",
)


async def _usual_length(worker: Worker) -> int | None:
    """How long the latest meeting with the participant took."""
    who = await find.address(worker, await worker.slot("participant"))
    past = await find.events(worker, who, worker.now - timedelta(days=120), worker.now)
    return int(past[-1]["duration"]) if past else None


def meeting_length(*minutes: int) -> SlotSpec:
    """How long to meet the participant, where there may have been meetings with them before."""
    return duration(
        minutes,
        dimension="constraint",
        subdimension="numeric_bound",
        guessability=0.5,
        why="Half an hour is common, and earlier meetings with the same colleague hint at it.",
        explore=_usual_length,
    )


# Website


METRIC = metric(
    dimension="input",
    subdimension="identifier",
    why="Seven figures are counted.",
)
"""A figure to look up."""


def figure(role: str = "") -> SlotSpec:
    """A figure to plot."""
    found = metric(
        role=role,
        dimension="goal",
        subdimension="target",
        why="Seven figures could be plotted.",
    )
    return replace(found, asks=(role,)) if role else found


def plot_type(why: str = "A line plot is the usual choice for figures over time.") -> SlotSpec:
    return choice(
        "plot_type",
        PLOT_TYPES,
        dimension="goal",
        subdimension="format",
        guessability=0.5,
        why=why,
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

# Projects

BOARD = choice(
    "board",
    BOARDS,
    dimension="context",
    subdimension="tool_knowledge",
    why="Three boards are in use.",
)
OWN_BOARD = choice(
    "board",
    BOARDS,
    dimension="constraint",
    subdimension="selection",
    why="Most colleagues have tasks on several boards.",
    complete_without=True,
)
"""One of the boards on which somebody has tasks."""

LIST_WITH_LATE = choice(
    "list",
    OPEN_LISTS,
    dimension="constraint",
    subdimension="selection",
    why="Tasks are late in each of the three lists.",
    complete_without=True,
)
STAND_IN = person(
    "assignee",
    lambda office: office.staff,
    dimension="goal",
    subdimension="target",
    why="Nothing in the workplace tells who is to take over.",
)
"""Who gets somebody else's tasks."""

ASSIGNEE = person(
    "assignee",
    lambda office: office.staff,
    dimension="goal",
    subdimension="target",
    why="Fifteen colleagues take tasks.",
)
"""Who gets a new task: somebody of those who have some."""


def task_owner(**record: Any) -> SlotSpec:
    return person(
        "owner",
        lambda office: office.staff,
        dimension="input",
        subdimension="identifier",
        why="Fifteen colleagues have tasks.",
        **record,
    )


def with_late_tasks(role: str) -> SlotSpec:
    """Somebody whose tasks may be overdue."""
    return person(
        role,
        lambda office: office.staff,
        dimension="input",
        subdimension="identifier",
        why="Nearly everybody has overdue tasks.",
    )


# CRM

_NEWCOMERS = (
    "Odalys Brennick", "Tobias Fennimore", "Marguerite Sallow", "Leander Croft", "Ottilie Vance", "Barnaby Quill",
    "Sigrid Halloran", "Casimir Dunlop", "Perpetua Lyle", "Fabian Ashdown", "Winifred Tarrant", "Lorcan Meade",
)  # fmt: skip
"""Nobody in any world: their names are made of other parts."""


async def _placeholder(worker: Worker) -> Mapping[str, str]:
    """What there is to guess from: no tool knows somebody who is yet to be added."""
    return {"New Customer": "New Customer"}


NEW_CUSTOMER = SlotSpec(
    kind="customer",
    role="new customer",
    domain=lambda _: _NEWCOMERS,
    text=str,
    words=_placeholder,
    dimension="goal",
    subdimension="content",
    why="Nothing in the workplace tells who the new contact is.",
)
"""Somebody who is to be added, by full name."""

NEW_PRODUCT = choice(
    "product",
    PRODUCTS,
    dimension="goal",
    subdimension="content",
    why="What somebody wants who is not in the CRM yet, nobody there knows.",
    complete_without=True,
)
CUSTOMER = customer(
    dimension="input",
    subdimension="identifier",
    why="There are two hundred customers.",
)
NEW_OWNER = person(
    "assignee",
    lambda office: office.sales,
    dimension="goal",
    subdimension="target",
    why="Four other colleagues could take over.",
)
"""Who gets somebody else's customers."""
