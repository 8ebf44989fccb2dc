"""Patterns of failure that the paper describes (section F.4), told from a trial's record by rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from benchmarks.pi.session import Session
from benchmarks.pi.view import TrialView

__all__ = ("PATTERNS", "SETTLED", "Of", "Played", "failures")

PATTERNS: Final[Mapping[str, str]] = {
    "prior context": "intents that earlier sessions tell, and the user said all the same",
    "hidden requirements": "sessions in which all that the request alone wants was done, and the user said an intent",
    "no question": "intents that only asking tells, and nobody asked for",
    "not looked at": "sessions that fall short, and in which something was written and not looked at again",
}
"""By their names in tables; each is counted of those that it could have happened to.

An intent that stayed open, as when a limit ended the trial before, could still have gone either way: the first three
count it nowhere, nor a session of such intents alone.
"""

SETTLED: Final = ("completed", "inferred")
"""What became of an intent that the agent brought about."""


class Of(NamedTuple):
    """How many, of how many."""

    many: int
    of: int


class Played(NamedTuple):
    """A session as it went: what became of its intents, which items with a check are met, and how it ended."""

    session: Session
    statuses: Mapping[str, str]
    met: Mapping[str, bool]
    end: TrialView


def failures(played: Sequence[Played]) -> dict[str, Of]:
    """How often each of `PATTERNS` is there."""
    closed = [each for each in played if any(status != "open" for status in each.statuses.values())]
    intents = [
        (intent, status)
        for each in closed
        for intent in each.session.intents
        if (status := each.statuses[intent.id]) != "open"
    ]
    told = [status for intent, status in intents if any(place.earlier for place in intent.evidence)]
    asked = [status for intent, status in intents if intent.ask_only]
    plain = [each for each in closed if all(each.met[item.id] for item in each.session.checklist if item.id in each.met
                                           and not item.needs)]  # fmt: skip
    short = [each for each in played if not all(each.met.values())]
    return {
        "prior context": Of(told.count("provided"), len(told)),
        "hidden requirements": Of(sum("provided" in each.statuses.values() for each in plain), len(closed)),
        "no question": Of(asked.count("provided"), len(asked)),
        "not looked at": Of(sum(_unseen(each.end) for each in short), len(short)),
    }


def _unseen(view: TrialView) -> bool:
    """Whether something was written that no later call returned."""
    return any(
        not any(read.row["id"] in text or _said(read.row, text) for text in read.returned) for read in view.reads()
    )


def _said(row: Mapping[str, object], text: str) -> bool:
    """Whether a text holds a whole value of the row that is long enough to tell it."""
    return any(isinstance(value, str) and len(value) > 20 and value[:200] in text for value in row.values())
