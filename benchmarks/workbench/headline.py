"""WorkBench on the first screen: what was done right, and what was changed that nobody asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.core.config import RunConfig
from harness.report.cells import Cell
from harness.report.headline import SEVERAL, framed, idle_share, named, percent, shown, span, touching
from harness.report.verdicts import accuracy
from harness.suite import Headline, Scored, Suite

__all__ = ("headline",)


def headline(config: RunConfig, suite: Suite, trials: Sequence[Scored]) -> Headline | None:
    """None where no trial is scored."""
    found = shown(config, trials)
    told = {
        named(cell, found): (right, touched)
        for cell in found
        if (right := accuracy(cell.trials, suite).value) is not None
        and (touched := touching(cell, suite).value) is not None
    }
    if not told:
        return None

    def figures(cell: Cell) -> dict[str, Any]:
        return {
            "right": accuracy(cell.trials, suite),
            "with side effects": touching(cell, suite),
        }

    notes = ("Side effects: something changed, and the end is not an accepted one.",)
    floor = idle_share(suite, found)
    text = f"{_sentence(told)}; doing nothing is right in {percent(floor)}." if floor else f"{_sentence(told)}."
    return Headline(framed(config, suite, found, figures, notes), text)


def _sentence(told: dict[str, tuple[float, float]]) -> str:
    if len(told) > SEVERAL:
        right, touched = ([(name, each[n]) for name, each in told.items()] for n in (0, 1))
        return f"Tasks done right: {span(right)}; with side effects: {span(touched)}"
    parts = [
        f"{name} did {percent(right)} of the tasks right and left side effects in {percent(touched)}"
        for name, (right, touched) in told.items()
    ]
    return "; ".join(parts)
