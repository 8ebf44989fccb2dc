"""PROBE on the first screen: how much of the evidence was found, of the bottleneck named, and what was resolved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.probe.report import is_timed, level_of
from harness.core.config import RunConfig
from harness.report.cells import Cell
from harness.report.headline import SEVERAL, check_share, framed, limits, named, percent, scored_share, shown, span
from harness.scoring.stats import Interval
from harness.suite import Headline, Scored, Suite

__all__ = ("headline",)

_CHECKS = {"found": "search_f1", "named": "identification", "resolved": "execution"}


def headline(config: RunConfig, suite: Suite, trials: Sequence[Scored]) -> Headline | None:
    """None where nothing but controls was played, or nothing is scored."""
    found = shown(config, trials)
    shares = {
        named(cell, found): {name: check_share(cell, suite, check) for name, check in _CHECKS.items()} for cell in found
    }
    told = {name: each for name, each in shares.items() if each["found"].value is not None}
    if not told:
        return None
    every = [each for cell in found for each in cell.trials]
    controls, timed = any(map(_is_control, every)), any(map(is_timed, every))
    prompt = {
        named(cell, found): scored_share(cell, suite, lambda each: float(_prompt(each)) if is_timed(each) else None)
        for cell in found
    }

    def figures(cell: Cell) -> dict[str, Any]:
        row: dict[str, Any] = {**shares[named(cell, found)]}
        if timed:
            row["in time"] = limits(prompt[named(cell, found)], bare=True)
        if controls:
            alarms = scored_share(cell, suite, lambda each: float(_alarm(each)) if _is_control(each) else None)
            row["false alarms"] = limits(alarms, bare=True)
        return row

    notes = [
        "Found: evidence (F1); named: what is blocked, by whom and why; resolved: by the right action. 1 is all.",
        *(["In time: share of trials that first acted on the day that shows the bottleneck."] if timed else []),
        *(["False alarms: share of acts where nothing was to be done."] if controls else []),
        *_levels(every),
    ]
    return Headline(framed(config, suite, found, figures, notes), _sentence(told, prompt))


def _sentence(told: dict[str, dict[str, Interval]], prompt: dict[str, Interval]) -> str:
    """`prompt` has a value for those who played tasks over days."""
    acting = [(name, value) for name in told if (value := prompt[name].value) is not None]
    if len(told) > SEVERAL:
        parts = {part: [(name, each[part].value) for name, each in told.items()] for part in _CHECKS}
        timely = f"; acted in time: {span(acting)}" if acting else ""
        return (
            f"Evidence found: {span(parts['found'])}; bottleneck named: {span(parts['named'])}; "
            f"resolved: {span(parts['resolved'])}{timely}."
        )
    besides = {name: f", acting in time in {percent(value)} of tasks over days" for name, value in acting}
    return "; ".join(_worded(name, each) + besides.get(name, "") for name, each in told.items()) + "."


def _levels(trials: Sequence[Scored]) -> list[str]:
    """That samples are not the grammar's, if any are; the report has a table for each level."""
    every = [level_of(each) for each in trials]
    others = sorted({*every} - {"grammar"})
    return [f"Of level {each}: {every.count(each)} of {len(every)} trials." for each in others]


def _worded(name: str, each: dict[str, Interval]) -> str:
    found, named, resolved = (
        "an unknown share" if (value := each[part].value) is None else percent(value) for part in _CHECKS
    )
    return f"{name} found {found} of the evidence, named {named} of the bottleneck and resolved {resolved}"


def _is_control(each: Scored) -> bool:
    return bool("strict" in each.scores and each.scores["strict"].detail.get("control"))


def _prompt(each: Scored) -> bool:
    """Whether the first act came on the day of the arrival."""
    return bool(each.scores["strict"].detail["timing"] == "on time")


def _alarm(each: Scored) -> bool:
    return bool(each.scores["strict"].detail.get("acts"))
