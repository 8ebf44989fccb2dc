"""How well the simulated user understands what it is asked: part of every report that rests on its answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from harness.core.suite import Measured, Table
from harness.report.texts import percent
from harness.scoring.stats import Interval, ratio

__all__ = ("FIGURES", "lines", "table")

FIGURES: Final = {
    "recall": ("got", "wanted"),
    "precision": ("rightly", "told"),
    "precision, first told": ("first_rightly", "first"),
    "leaks": ("leaks", "questions"),
    "assent to a wrong value": ("assents", "wrong"),
    "right values denied": ("denied", "right"),
    "told to decide": ("declined", "questions"),
    "not understood": ("lost", "questions"),
    "contradictions": ("contradicts", "questions"),
}
"""Figures -> the sums of `userssim.heard.Heard` that each is the quotient of (docs/clarification.md)."""

_COUNTS: Final = ("leaks",)
"""Figures that are not shares: one answer may have several."""

_FROZEN: Final = {"frozen": "about short requests", "long": "about long ones"}
"""The halves that nothing was tuned on, and what they are about."""


def table(measured: Measured) -> Table:
    """Each figure of each user that was measured, with a 95% interval over templates."""
    rows = []
    for user, halves in measured.items():
        for half, sums in halves.items():
            for name, (_, bottom) in FIGURES.items():
                found = _figure(sums, name)
                of = sum(row[bottom] for row in sums.values())
                shares = {"%": found.value, "low": found.low, "high": found.high}
                rounded = {key: percent(share) for key, share in shares.items()}
                rows.append({"user": user, "half": half, "figure": name, "of": of, **rounded})
    return Table(
        "Calibration: the simulated user on questions that players put",
        ["user", "half", "figure", "of", "%", "low", "high"],
        rows,
        (
            "Measured on a fixed set of questions that comes with the package, not on those that were put in a run.",
            "Half of the questions: `tuned` was looked at to make users better, `earlier` in part. Nothing was tuned "
            "on `frozen` (short requests) and `long` (long ones), whose totals were looked at a few times.",
            "Low and high: 95% interval over templates; exact bounds where it is the same in all that have any.",
        ),
    )


def lines(measured: Measured, users: Iterable[str]) -> Iterator[str]:
    """How well each grounded user among these labels understood the frozen halves, in a line each; or not measured.

    A user is measured in its plain manner.
    """
    for name in dict.fromkeys(user.partition(" (")[0] for user in users if user.startswith("grounded@")):
        if name in measured:
            shares = [
                f"recall {_worded(_figure(sums, 'recall'))} and precision {_worded(_figure(sums, 'precision'))} {about}"
                for half, about in _FROZEN.items()
                if (sums := measured[name].get(half))
            ]
            yield f"On questions of players that nothing was tuned on, {name} has {', '.join(shares)}."
        else:
            yield f"{name} was not measured on questions that players put."


def _figure(sums: Mapping[str, Mapping[str, int]], name: str) -> Interval:
    """One of `FIGURES` from sums by template."""
    top, bottom = FIGURES[name]
    pairs = {each: [(float(row[top]), float(row[bottom]))] for each, row in sums.items()}
    return ratio(pairs, "template", within=None if name in _COUNTS else (0.0, 1.0))


def _worded(share: Interval) -> str:
    if share.value is None:
        return "unknown"
    limits = "" if share.low is None or share.high is None else f" ({percent(share.low)} to {percent(share.high)})"
    return f"{percent(share.value)}%{limits}"
