"""At what figures the instruments have to come out (specs, section 7), worked out from the sessions that they play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

from benchmarks.pi.instruments import Settings, undone
from benchmarks.pi.playing import Unit
from benchmarks.pi.session import Session

__all__ = ("Known", "Range", "known")

_FEW = 0.1
"""Proc of those that only talk, at most; and Comp of the one that knows the request alone, at least."""
_MANY = 0.7
"""Comp of the one that knows the request alone, at most."""


class Range(NamedTuple):
    """Where a figure has to lie, both ends included."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        return self.low - 1e-9 <= value <= self.high + 1e-9

    def __str__(self) -> str:
        return f"{self.low:.2f}" if self.low == self.high else f"{self.low:.2f}-{self.high:.2f}"


class Known(NamedTuple):
    """What Proc, Comp and the maximum of Comp over hand-overs have to be; None where nothing is known beforehand."""

    proc: Range | None
    comp: Range | None
    maximum: Range | None


def known(
    kind: str,
    settings: Mapping[str, Any],
    units: Sequence[Unit],
    *,
    most: int | None = None,
    remembers: bool = True,
    reminded: bool = False,
) -> Known | None:
    """Of an instrument over the units of its trials; None of an agent that is not one.

    `most` is how many questions its user answers at a hand-over; `remembers` says whether there is anything to learn
    from of earlier sessions: tools to remember with, or what was said in them. `reminded`: requests quote all evidence.
    """
    one, none = Range(1, 1), Range(0, 0)
    if kind == "oracle":
        return Known(one, one, one)
    if kind == "idle":
        return Known(none, none, none)
    if kind != "reference":
        return None
    dials = Settings.model_validate(settings)
    match dials.plays:
        case "asker":
            return Known(one, one, one)
        case "passive":
            return Known(none, one, one)
        case "dial":
            intents = sum(len(session.intents) for unit in units for session in unit.sessions)
            half = 1.96 * sqrt(dials.p * (1 - dials.p) / intents)
            return Known(Range(max(0, dials.p - half), min(1, dials.p + half)), one, one)
        case "undo":
            left = _mean([_mean([1 - _undone(session) for session in unit.sessions]) for unit in units])
            return Known(one, Range(left, left), one)
        case "able" | "shotgun" | "forgetful":
            lost = dials.plays == "forgetful" or not remembers
            read = 1 if reminded else _mean([1 - _lead_only(unit) * (lost or bool(unit.left_out)) for unit in units])
            return Known(Range(read, read), one, one)
        case "questionnaire":
            return Known(Range(1 - _FEW, 1) if most is None else None, one, one)
        case "lister" | "copyist":
            return Known(Range(0, _FEW), none, none)
        case "literal":
            return Known(none, Range(_FEW, _MANY), None)


def _undone(session: Session) -> float:
    return sum(session.ruled.get(id, 0) for id in undone(session).fails) / sum(session.ruled.values())


def _lead_only(unit: Unit) -> float:
    intents = [intent for session in unit.sessions for intent in session.intents]
    return sum(intent.lead_only for intent in intents) / len(intents)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
