"""PROBE on the first screen: how much of the evidence was found, of the bottleneck named, and what was resolved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from benchmarks.probe.report import is_timed, level_of
from harness.core.config import RunConfig
from harness.report.cells import Cell
from harness.report.headline import SEVERAL, check_share, framed, limits, named, percent, scored_share, shown, span
from harness.scoring.stats import Interval
from harness.suite import Headline, Scored, Suite

__all__ = ("headline",)

_CHECKS = {"found": "search_f1", "named": "identification", "resolved": "execution"}
_OPEN = "Named and resolved are of the answers that are scored, and left out where most are not."


class _Part(NamedTuple):
    """The mean of a check, over the `scored` of all answers, `of` so many; without a value where most are unscored.

    Before a judge was asked those that are scored are the ones that a program can refute, and no sample of all.
    """

    share: Interval
    scored: int
    of: int

    @property
    def said(self) -> str:
        return "an unknown share" if self.share.value is None else percent(self.share.value)

    @property
    def over(self) -> str:
        """Of how many answers that is said, where it is not of all."""
        return "" if self.scored == self.of else f" ({self.scored} of {self.of} answers are scored)"


def headline(config: RunConfig, suite: Suite, trials: Sequence[Scored]) -> Headline | None:
    """None where nothing but controls was played, or nothing is scored."""
    found = shown(config, trials)
    shares = {
        named(cell, found): {name: _part(cell, suite, check) for name, check in _CHECKS.items()} for cell in found
    }
    told = {name: each for name, each in shares.items() if each["found"].share.value is not None}
    if not told:
        return None
    every = [each for cell in found for each in cell.trials]
    controls, timed = any(map(_is_control, every)), any(map(is_timed, every))
    prompt = {
        named(cell, found): scored_share(cell, suite, lambda each: float(_prompt(each)) if is_timed(each) else None)
        for cell in found
    }

    def figures(cell: Cell) -> dict[str, Any]:
        row: dict[str, Any] = {part: each.share for part, each in shares[named(cell, found)].items()}
        if timed:
            row["in time"] = limits(prompt[named(cell, found)], bare=True)
        if controls:
            alarms = scored_share(cell, suite, lambda each: float(_alarm(each)) if _is_control(each) else None)
            row["false alarms"] = limits(alarms, bare=True)
        return row

    notes = [
        "Found: evidence (F1); named: what is blocked, by whom and why; resolved: by the right action. 1 is all.",
        *([_OPEN] if any(each.scored < each.of for mine in shares.values() for each in mine.values()) else []),
        *(["In time: share of trials that first acted on the day that shows the bottleneck."] if timed else []),
        *(["False alarms: share of trials with any act where nothing was to be done."] if controls else []),
        *_levels(every),
    ]
    return Headline(framed(config, suite, found, figures, notes), _sentence(told, prompt))


def _part(cell: Cell, suite: Suite, check: str) -> _Part:
    share = check_share(cell, suite, check)
    unscored = sum(check in each.scores and each.scores[check].label == "unscored" for each in cell.trials)
    most = unscored > share.n
    return _Part(share._replace(value=None, low=None, high=None) if most else share, share.n, share.n + unscored)


def _sentence(told: dict[str, dict[str, _Part]], prompt: dict[str, Interval]) -> str:
    """`prompt` has a value for those who played tasks over days."""
    acting = [(name, value) for name in told if (value := prompt[name].value) is not None]
    if len(told) > SEVERAL:
        parts = {part: [(name, each[part].share.value) for name, each in told.items()] for part in _CHECKS}
        timely = f"; acted in time: {span(acting)}" if acting else ""
        return (
            f"Evidence found: {span(parts['found'])}; bottleneck named: {span(parts['named'])}; "
            f"resolved: {span(parts['resolved'])}{timely}."
        )
    besides = {name: f", acting in time in {percent(value)} of trials over days" for name, value in acting}
    return "; ".join(_worded(name, each) + besides.get(name, "") for name, each in told.items()) + "."


def _levels(trials: Sequence[Scored]) -> list[str]:
    """That samples are not the grammar's, if any are; the report has a table for each level."""
    every = [level_of(each) for each in trials]
    others = sorted({*every} - {"grammar"})
    return [f"Of level {each}: {every.count(each)} of {len(every)} trials." for each in others]


def _worded(name: str, each: dict[str, _Part]) -> str:
    found, named, resolved = (each[part] for part in _CHECKS)
    return (
        f"{name} found {found.said} of the evidence{found.over}, named {named.said} of the bottleneck{named.over} and "
        f"resolved {resolved.said}{resolved.over}"
    )


def _is_control(each: Scored) -> bool:
    return bool("strict" in each.scores and each.scores["strict"].detail.get("control"))


def _prompt(each: Scored) -> bool:
    """Whether the first act came on the day of the arrival."""
    return bool(each.scores["strict"].detail["timing"] == "on time")


def _alarm(each: Scored) -> bool:
    return bool(each.scores["strict"].detail.get("acts"))
