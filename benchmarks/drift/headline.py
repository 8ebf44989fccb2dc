"""Drift-Bench on the first screen: what faults cost in each environment, and what asking won back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.drift import metrics
from benchmarks.drift.arms import Arms, Conditions, arms_of, asked
from benchmarks.drift.environments import named
from benchmarks.drift.trials import Arm, ByAgent, arm, by_agent
from harness.core.config import RunConfig
from harness.report.cells import Cell
from harness.report.headline import SEVERAL, UNASKED, UNASKED_NOTE, framed, limits, shown, span, unasked
from harness.report.intervals import chance, notes, points, wanting, weighed
from harness.scoring.stats import Interval
from harness.suite import Headline, Scored, Suite

__all__ = ("headline",)


def headline(config: RunConfig, suite: Suite, trials: Sequence[Scored]) -> Headline | None:
    """What faults cost in each environment; without the arms for that, how often trials were right. None of nothing."""
    conditions: Conditions = {name: each.model_dump(mode="json") for name, each in config.conditions.items()}
    roles = arms_of(conditions)
    found = shown(config, trials)
    arms = by_agent(suite.tasks, trials)
    agents = list(dict.fromkeys(cell.agent for cell in found))
    places = named(suite.tasks)

    def figures(cell: Cell) -> dict[str, Any]:
        mine = [arm(arms.get(cell.agent, {}), cell.condition, place) for place in places]
        return {
            **{
                place: f"{100 * value:.0f}" if (value := metrics.success(each).value) is not None else None
                for place, each in zip(places, mine, strict=True)
            },
            UNASKED: limits(unasked(cell, suite), bare=True),
        }

    said = ["Success in percent, in each environment for itself.", UNASKED_NOTE]
    bracketed: list[Interval] = []
    if len(agents) > SEVERAL:
        sentence = _span(agents, arms, roles, places)
    else:
        effects = [(place, agent, _effects(arms.get(agent, {}), roles, place)) for place in places for agent in agents]
        sentence = " ".join(_sentence(*each, roles) for each in effects if each[-1][0].value is not None)
        said += [asked(conditions, roles)] if "won back" in sentence else []
        bracketed = [each for *_, both in effects for each in both if each.low is not None and not chance(each)]
    sentence = sentence or _plain(found, arms, places)
    table = framed(config, suite, found, figures, said, brackets=notes(bracketed))
    return Headline(table, sentence) if sentence else None


def _plain(found: Sequence[Cell], arms: ByAgent, places: Sequence[str]) -> str:
    """How often trials were right in each environment."""
    told = []
    for place in places:
        mine = [(cell, metrics.success(arm(arms.get(cell.agent, {}), cell.condition, place)).value) for cell in found]
        known = [(f"{cell.agent}, {cell.condition}", value) for cell, value in mine if value is not None]
        if known:
            told.append(f"in {place} {span(known)}")
    return f"Trials that were right: {'; '.join(told)}." if told else ""


def _span(agents: Sequence[str], arms: ByAgent, roles: Arms, places: Sequence[str]) -> str:
    """What faults cost in each environment, from the agent that lost least to the one that lost most."""
    told = []
    for place in places:
        lost = {
            agent: metrics.difference(*(arm(arms.get(agent, {}), each, place) for each in (roles.faulty, roles.oracle)))
            for agent in agents
        }
        known = [(agent, each.value) for agent, each in lost.items() if each.value is not None]
        if known:
            told.append(f"in {place} {span(known, points)}")
    return f"Points of success that faults cost: {'; '.join(told)}." if told else ""


def _effects(arms: Mapping[str, Arm], roles: Arms, place: str) -> tuple[Interval, Interval]:
    """Success lost to faults, and won back by asking, paired by variant."""
    whole, faulty, clarify = (arm(arms, each, place) for each in (roles.oracle, roles.faulty, roles.clarify))
    return metrics.difference(faulty, whole), metrics.difference(faulty, clarify)


def _sentence(place: str, agent: str, effects: tuple[Interval, Interval], roles: Arms) -> str:
    cost, won = effects
    back = f", and asking ({roles.clarify}) won back {weighed(won)}" if won.value is not None else ""
    return f"In {place}, faults cost {agent} {weighed(cost, ' points of success')}{back}{wanting(effects)}."
