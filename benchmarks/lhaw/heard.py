"""How well the simulated user understands what it is asked: part of every report that rests on its answers."""

from __future__ import annotations

from typing import Final

from harness.scoring.stats import ratio
from harness.suite import Table
from userssim.heard import HALVES, figures

__all__ = ("FIGURES", "table")

FIGURES: Final = {
    "recall": ("got", "wanted"),
    "precision": ("rightly", "told"),
    "leaks": ("leaks", "questions"),
    "assent to a wrong value": ("assents", "wrong"),
    "told to decide": ("declined", "questions"),
    "not understood": ("lost", "questions"),
    "contradictions": ("contradicts", "questions"),
}
"""Figures -> the sums of `userssim.heard.Heard` that each is the quotient of (docs/clarification.md)."""


def table() -> Table:
    """Each figure of each user that was measured, with a 95% interval over templates."""
    rows = []
    for user, halves in figures().items():
        for half in HALVES:
            for name, (top, bottom) in FIGURES.items():
                pairs = {each: [(float(sums[top]), float(sums[bottom]))] for each, sums in halves[half].items()}
                found = ratio(pairs, "template")
                of = sum(sums[bottom] for sums in halves[half].values())
                shares = {"%": found.value, "low": found.low, "high": found.high}
                rounded = {key: None if share is None else round(100 * share, 1) for key, share in shares.items()}
                rows.append({"user": user, "half": half, "figure": name, "of": of, **rounded})
    return Table(
        "Calibration: the simulated user on questions that players put",
        ["user", "half", "figure", "of", "%", "low", "high"],
        rows,
        ("Users are made better by looking at `tuned` alone; low and high: 95% interval over templates.",),
    )
