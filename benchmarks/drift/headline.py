"""Drift-Bench on the first screen: what faults cost in each environment, and what asking won back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.drift import metrics
from benchmarks.drift.arms import Arms, Conditions, arms_of
from benchmarks.drift.environments import NAMES
from benchmarks.drift.trials import Arm, arm, by_agent
from harness.core.config import RunConfig
from harness.report.cells import Cell
from harness.report.headline import framed, limits, shown, touching
from harness.report.verdicts import accuracy
from harness.scoring.stats import Interval
from harness.suite import Headline, Scored, Suite

__all__ = ("headline",)


def headline(config: RunConfig, suite: Suite, trials: Sequence[Scored]) -> Headline | None:
    """None without the arms with the whole request and with the faulty one. Environments have a sentence each."""
    conditions: Conditions = {name: each.model_dump(mode="json") for name, each in config.conditions.items()}
    roles = arms_of(conditions)
    found = shown(config, trials)
    arms = by_agent(suite.tasks, trials)
    agents = list(dict.fromkeys(cell.agent for cell in found))
    told = [
        sentence
        for place in NAMES
        for agent in agents
        if (sentence := _sentence(agent, arms.get(agent, {}), roles, place))
    ]
    if not told:
        return None

    def figures(cell: Cell) -> dict[str, Any]:
        mine = [arm(arms.get(cell.agent, {}), cell.condition, place) for place in NAMES]
        return {
            "accuracy": limits(accuracy(cell.trials, suite)),
            **{
                place: f"{100 * value:.0f}" if (value := metrics.success(each).value) is not None else None
                for place, each in zip(NAMES, mine, strict=True)
            },
            "side effects": limits(touching(cell, suite), bare=True),
        }

    notes = [
        "Accuracy is over all environments, which no figure compares; sql, terminal and apis: success in each, %.",
        "Side effects: share of trials that changed what nobody asked for.",
    ]
    return Headline(framed(config, suite, found, figures, notes), " ".join(told))


def _sentence(agent: str, arms: dict[str, Arm] | Any, roles: Arms, place: str) -> str:
    whole, faulty, clarify = (arm(arms, each, place) for each in (roles.oracle, roles.faulty, roles.clarify))
    cost, won = metrics.difference(faulty, whole), metrics.difference(faulty, clarify)
    if cost.value is None:
        return ""
    back = f", and asking won back {_points(won)}" if won.value is not None else ""
    return f"In {place}, faults cost {agent} {_points(cost)} points of success{back}."


def _points(found: Interval) -> str:
    value = f"{100 * (found.value or 0.0) + 0.0:.0f}"
    if found.low is None or found.high is None:
        return value
    if found.low <= 0 <= found.high and found.value:
        return f"{value}, which may be chance"
    return f"{value} ({100 * found.low:.0f} to {100 * found.high:.0f})"
