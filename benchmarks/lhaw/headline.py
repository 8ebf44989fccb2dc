"""LHAW on the first screen: what taking information away cost, and what asking won back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.lhaw import metrics
from benchmarks.lhaw.conditions import Conditions, Pairing, conditions_of, described, pairings
from benchmarks.lhaw.metrics import Arm
from harness.core.config import RunConfig
from harness.report.cells import Cell
from harness.report.headline import SEVERAL, UNASKED, UNASKED_NOTE, framed, limits, shown, span, unasked
from harness.report.intervals import points, wanting, weighed
from harness.report.verdicts import accuracy
from harness.scoring.stats import Interval
from harness.suite import Headline, Scored, Suite

__all__ = ("headline",)


def headline(config: RunConfig, suite: Suite, trials: Sequence[Scored]) -> Headline | None:
    """None without the arms that are held against each other: the whole request, the lacking one, and asking.

    Conditions are found by what they are; where a run has several ways to ask the sentence is of the main one.
    Of a sample the sentence says so, of tasks that the config names how many there are, and where templates are too few
    for an interval that they are. Of agents that asked nothing it says so: what they gained is not by asking.
    """
    conditions = conditions_of(config)
    pairing = pairings(conditions)[0]
    found = shown(config, trials)
    arms = metrics.arms(suite.tasks, trials)
    agents = list(dict.fromkeys(cell.agent for cell in found))
    effects = {name: _effects(arms.get(name, {}), pairing) for name in agents}
    told = {name: each for name, each in effects.items() if each[0].value is not None or each[1].value is not None}
    if not told:
        return None
    asked = {name: metrics.questions_per_trial(arms[name].get(pairing.lacking_ask, {})) for name in told}
    silent = [name for name, mean in asked.items() if mean == 0]

    def figures(cell: Cell) -> dict[str, Any]:
        questions = metrics.questions_per_trial(arms[cell.agent].get(cell.condition, {}))
        asks = cell.condition in config.conditions and config.conditions[cell.condition].asks
        return {
            "accuracy": accuracy(cell.trials, suite),
            "questions a trial": f"{questions:.2f}" if asks and questions is not None else None,
            UNASKED: limits(unasked(cell, suite), bare=True),
        }

    notes = [
        "Underspecified: one or two values are withheld from the request; +ask: there is a user to ask for them.",
        UNASKED_NOTE,
        *_several(pairing, conditions),
    ]
    sentence = _sentence(told, silent)
    if part := _part(suite, trials):
        on = f"On {part}" if config.tasks else f"On a sample, {part}"
        sentence = f"{on}: {sentence[:1].lower()}{sentence[1:]}"
    return Headline(framed(config, suite, found, figures, notes), sentence)


def _effects(arms: Mapping[str, Arm], pairing: Pairing) -> tuple[Interval, Interval]:
    """Accuracy lost without the information, and won back by asking, paired by variant; shares of 1."""
    original, lacking, asking = (arms.get(name, {}) for name in pairing.main)
    return metrics.gain(lacking, original, 1), metrics.gain(lacking, asking, 1)


def _several(pairing: Pairing, conditions: Conditions) -> Iterator[str]:
    if len(pairings(conditions)) > 1:
        yield f"The sentence is of: {described(pairing.lacking_ask, conditions)}."


def _part(suite: Suite, trials: Sequence[Scored]) -> str:
    """How many of how many variants were played, where these are not all."""
    played = {each.trajectory.task for each in trials}
    every = {task.id for task in suite.tasks if task.id not in suite.aside}
    return f"{len(played & every)} of {len(every)} variants" if every - played else ""


def _sentence(told: dict[str, tuple[Interval, Interval]], silent: Sequence[str]) -> str:
    costs = {name: cost for name, (cost, _) in told.items() if cost.value is not None}
    won = {name: back for name, (_, back) in told.items() if back.value is not None and name not in silent}
    if len(told) > SEVERAL:
        parts = [
            f"{what} {span([(name, each.value) for name, each in found.items()], points)}"
            for what, found in (("removing information cost", costs), ("asking won back", won))
            if found
        ]
        if silent:
            parts.append(f"nothing was asked by {_named(silent)}")
        return f"In points of accuracy, {'; '.join(parts)}."
    parts = []
    for name in told:
        if name not in costs:
            parts.append(
                f"asking won {name} back {weighed(won[name], ' points of accuracy')}"
                if name in won
                else f"nothing was asked by {name}"
            )
            continue
        back = f", and asking won back {weighed(won[name])}" if name in won else ""
        back = ", and it asked nothing" if name in silent else back
        parts.append(f"removing information cost {name} {weighed(costs[name], ' points of accuracy')}{back}")
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}{wanting([*costs.values(), *won.values()])}."


def _named(names: Sequence[str]) -> str:
    """As `span` names those that are alike: the first, and how many more."""
    return f"{names[0]} and {len(names) - 1} more" if len(names) > 1 else names[0]
