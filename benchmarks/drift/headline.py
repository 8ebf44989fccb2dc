"""Drift-Bench on the first screen: what faults cost in each environment, and what asking won back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.drift import metrics
from benchmarks.drift.arms import Arms, Conditions, arms_of, asked
from benchmarks.drift.environments import SERVICE, STATE, named
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
    every = named(suite.tasks)
    places = [place for place in every if any(arm(arms.get(cell.agent, {}), cell.condition, place) for cell in found)]

    def figures(cell: Cell) -> dict[str, Any]:
        mine = [arm(arms.get(cell.agent, {}), cell.condition, place) for place in places]
        return {
            **{
                place: points(value) if (value := metrics.success(each).value) is not None else None
                for place, each in zip(places, mine, strict=True)
            },
            UNASKED: limits(unasked(cell, suite), bare=True),
        }

    said = ["Success in percent, in each environment for itself.", UNASKED_NOTE]
    if left := [place for place in every if place not in places]:
        said.append(f"No task of {' or '.join(left)} is among those played.")
    gaps = _gaps(agents, arms, roles, places)
    bracketed: list[Interval] = []
    if len(agents) > SEVERAL:
        sentence = _span(agents, arms, roles, places)
    else:
        effects = [(place, agent, _effects(arms.get(agent, {}), roles, place)) for place in places for agent in agents]
        sentence = " ".join(_sentence(*each, roles) for each in effects if each[-1][0].value is not None)
        bracketed = [each for *_, both in effects for each in both if each.low is not None and not chance(each)]
        bracketed += [each for _, of in gaps for _, each in of if each.low is not None and not chance(each)]
    sentence = " ".join(filter(None, [sentence or _plain(found, arms, places), _paradox(gaps)]))
    said += [asked(conditions, roles)] if gaps or "won back" in sentence else []
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


def _gaps(
    agents: Sequence[str], arms: ByAgent, roles: Arms, places: Sequence[str]
) -> list[tuple[str, list[tuple[str, Interval]]]]:
    """Gain(state) - Gain(service) of each agent, for each two such environments in which asking was played."""
    pairs = [(one, other) for one in places if one in STATE for other in places if other in SERVICE]
    found = []
    for one, other in pairs:
        of = [
            (agent, metrics.gap(*(
                [arm(arms.get(agent, {}), each, place) for each in (roles.faulty, roles.clarify)]
                for place in (one, other)
            )))
            for agent in agents
        ]  # fmt: skip
        if known := [(agent, each) for agent, each in of if each.value is not None]:
            found.append((f"in {one}, less what it did in {other}:", known))
    return found


def _paradox(gaps: Sequence[tuple[str, Sequence[tuple[str, Interval]]]]) -> str:
    """What was won back where state can be looked at, less what was in services; of many agents from least to most."""
    told = [
        f"{where} {span([(agent, each.value) for agent, each in of], points)}"
        if len(of) > SEVERAL
        else f"{where} {', '.join(f'{agent} {weighed(each)}' for agent, each in of)}"
        for where, of in gaps
    ]
    return f"What asking won back {'; '.join(told)}." if told else ""


def _effects(arms: Mapping[str, Arm], roles: Arms, place: str) -> tuple[Interval, Interval]:
    """Success lost to faults, and won back by asking, paired by variant."""
    whole, faulty, clarify = (arm(arms, each, place) for each in (roles.oracle, roles.faulty, roles.clarify))
    return metrics.difference(faulty, whole), metrics.difference(faulty, clarify)


def _sentence(place: str, agent: str, effects: tuple[Interval, Interval], roles: Arms) -> str:
    cost, won = effects
    back = f", and asking ({roles.clarify}) won back {weighed(won)}" if won.value is not None else ""
    return f"In {place}, faults cost {agent} {weighed(cost, ' points of success')}{back}{wanting(effects)}."
