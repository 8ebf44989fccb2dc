"""At what figures the instruments have to come out (specs, section 7), worked out from the sessions that they play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from statistics import fmean
from typing import Any, NamedTuple

from benchmarks.pi.ended import shares, weighed
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
            half = 1.96 * sqrt(dials.p * (1 - dials.p) * _scatter(units))
            return Known(Range(max(0, dials.p - half), min(1, dials.p + half)), one, one)
        case "undo":
            left = _mean(units, lambda unit, session: (_left(session), sum(session.ruled.values())))
            return Known(one, Range(left, left), one)
        case "able" | "shotgun" | "forgetful":
            lost = dials.plays == "forgetful" or not remembers
            read = _mean(
                units,
                lambda unit, session: (
                    sum(reminded or not (each.lead_only and (lost or unit.left_out)) for each in session.intents),
                    len(session.intents),
                ),
            )
            return Known(Range(read, read), one, one)
        case "questionnaire":
            return Known(Range(1 - _FEW, 1) if most is None else None, one, one)
        case "lister" | "copyist":
            return Known(Range(0, _FEW), none, none)
        case "literal":
            return Known(none, Range(_FEW, _MANY), None)


def _left(session: Session) -> float:
    """The weight of items that are met once half of the work is undone."""
    return sum(weight for id, weight in session.ruled.items() if id not in undone(session).fails)


def _mean(units: Sequence[Unit], came: Callable[[Unit, Session], tuple[float, float]]) -> float:
    """A figure over these trials: of each session so much of so much, then as in all tables (`intervals.interval`)."""
    personas: dict[str, dict[str, tuple[float, float]]] = {}
    for unit in units:
        parts = ((session, *came(unit, session)) for session in unit.sessions)
        personas.setdefault(unit.sessions[0].persona, {}).update(shares(parts))  # the same in each run
    return fmean(weighed(own.values()) or 0.0 for own in personas.values())


def _scatter(units: Sequence[Unit]) -> float:
    """The variance of that mean of all intents, as a multiple of one intent's; they are settled each by itself.

    That of a unit's runs together is of all their intents; its weight are the sessions of one run.
    """
    personas: dict[str, dict[str, list[Session]]] = {}
    for unit in units:
        own = personas.setdefault(unit.sessions[0].persona, {})
        for session in unit.sessions:
            own.setdefault(session.unit, []).append(session)
    scatters = []
    for own in personas.values():
        weights = [len({session.id for session in sessions}) for sessions in own.values()]
        intents = [sum(len(session.intents) for session in sessions) for sessions in own.values()]
        scatters.append(sum(w**2 / n for w, n in zip(weights, intents, strict=True)) / sum(weights) ** 2)
    return sum(scatters) / len(scatters) ** 2
