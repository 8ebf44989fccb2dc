"""The same work through other surfaces: conditions that differ in nothing but toolsets and overlays, side by side.

Who writes an MCP server reads here which names, descriptions and tools serve better, and what they cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from harness.core.config import Condition, ConfigProblem, RunConfig
from harness.core.counts import counted
from harness.core.suite import Scored, Suite, Table
from harness.report.cells import Cell
from harness.report.pairs import Side, flipped, rates_of, side_by_side
from harness.report.texts import percent, rounded
from harness.report.users import titled, user_of
from harness.report.verdicts import verdict
from harness.scoring.stats import clusters, rate
from servers import catalog
from servers.kernel import canonical

__all__ = ("Surface", "over_runs", "surfaces")

Pair = tuple[Side, Side]


class Surface(NamedTuple):
    """One agent under one condition, with its trials; `run` is the run's label where there are several.

    `left_out` counts tasks that others beside it have, or it alone has.
    """

    run: str
    side: Side
    config: RunConfig
    suite: Suite
    trials: Sequence[Scored]
    left_out: int = 0

    @property
    def condition(self) -> Condition | None:
        return self.config.conditions.get(self.side.condition)

    @property
    def shown(self) -> bytes:
        """What makes it another surface."""
        return canonical(self.condition and self.condition.model_dump(mode="json", include={"toolsets", "overlays"}))

    @property
    def rest(self) -> bytes:
        """All else that its trials hang on, but for their seeds."""
        agent = next((agent for agent in self.config.agents if agent.name == self.side.agent), None)
        unasked = set() if self.condition and self.condition.asks else {"user"}
        condition = self.condition and self.condition.model_dump(
            mode="json", exclude={"toolsets", "overlays", *unasked}
        )
        limits = self.config.limits.model_dump(mode="json")
        here = [self.config.suite, self.config.transport, limits]
        return canonical([agent and agent.model_dump(mode="json"), condition, here])


def surfaces(title: str, cells: Sequence[Cell], config: RunConfig, suite: Suite) -> list[Table]:
    """Those of one run, the first of each group against the others; nothing where no two differ in that alone."""
    found = []
    for agent, condition, trials in cells:
        user = user_of(config.conditions.get(condition))
        side = Side(f"{agent}, {condition}", agent, condition, user, rates_of(trials))
        found.append(Surface("", side, config, suite, trials))
    groups = _groups(found)
    pairs = [(a.side, b.side) for group in groups for a, b in _against_the_first(group)]
    return _tables(title, groups, pairs, {task.id: task.template for task in suite.tasks})


def over_runs(title: str, found: Sequence[Surface], known: Iterable[Pair], templates: Mapping[str, str]) -> list[Table]:
    """Those that several runs have together, unless one run has them all.

    Pairs within one run, and `known` ones, are shown elsewhere.
    """
    paired = {(first.name, second.name) for first, second in known}
    groups = []
    for group in _groups(found):
        alone = [{each.shown for each in group if each.run == run} for run in {each.run for each in group}]
        if {each.shown for each in group} not in alone:
            groups.append(group)
    pairs = [
        (a.side, b.side)
        for group in groups
        for a, b in _against_the_first(group)
        if a.run != b.run and (a.side.name, b.side.name) not in paired
    ]
    return _tables(title, groups, pairs, templates)


def _groups(found: Iterable[Surface]) -> list[list[Surface]]:
    """Surfaces that may be compared, each with the trials of those tasks alone that all of its group have."""
    alike: dict[bytes, list[Surface]] = {}
    for each in found:
        alike.setdefault(each.rest, []).append(each)
    return [_on_the_same(group) for group in alike.values() if len({each.shown for each in group}) > 1]


def _on_the_same(group: Sequence[Surface]) -> list[Surface]:
    played = [set(each.side.rates) for each in group if each.side.rates]
    common = set.intersection(*played) if played else set()
    made = []
    for each in group:
        rates = {task: found for task, found in each.side.rates.items() if task in common}
        trials = [
            scored
            for scored in each.trials
            if scored.trajectory.task in common and verdict(scored) in ("correct", "failed")
        ]
        left_out = len(set().union(*played)) - len(common)
        made.append(each._replace(side=each.side._replace(rates=rates), trials=trials, left_out=left_out))
    return made


def _against_the_first(group: Sequence[Surface]) -> list[tuple[Surface, Surface]]:
    """Pairs of those that have trials to compare."""
    there = [each for each in group if each.side.rates]
    return [(there[0], other) for other in there[1:] if other.shown != there[0].shown]


def _tables(
    title: str, groups: Sequence[Sequence[Surface]], pairs: Sequence[Pair], templates: Mapping[str, str]
) -> list[Table]:
    rows = [_row(each, templates) for group in groups for each in group]
    if not rows:
        return []
    if not any(row["tokens"] for row in rows):
        rows = [{name: value for name, value in row.items() if name != "tokens"} for row in rows]
    users = [each.side.user for group in groups for each in group]
    left_out = [
        f"{counted(n, 'task')} {'is' if n == 1 else 'are'} left out, which not all of "
        f"{', '.join(each.side.name for each in group)} have"
        for group in groups
        if (n := group[0].left_out)
    ]
    notes = [
        "conditions that differ in toolsets and overlays alone, on the tasks that count for all of them; low and high: "
        "95% interval",
        "calls, errors and tokens (those of a user's model among them): means per trial that is correct or failed; "
        "definitions: about how many tokens the tools on offer are, as they are installed now",
        *left_out,
    ]
    # Of one run these have a column `condition`, and get their users' names with all other tables that do.
    name = f"{title}: surfaces"
    found = [Table(titled(name, users) if rows[0].get("run") else name, list(rows[0]), rows, notes)]
    by_user: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_user.setdefault(pair[0].user, []).append(pair)  # a group has one user
    for user, those in by_user.items():
        found.append(side_by_side(titled(f"{title}: surfaces side by side", [user]), [user], those, templates))
    return found + [table for pair in pairs if (table := flipped(title, *pair, templates)).rows]


def _row(each: Surface, templates: Mapping[str, str]) -> dict[str, Any]:
    rates, played = each.side.rates, [scored.trajectory for scored in each.trials]
    accuracy = rate(*clusters((templates.get(task, ""), task, value) for task in rates for value in rates[task]))
    return {
        **({"run": each.run} if each.run else {}),
        "agent": each.side.agent,
        "condition": each.side.condition,
        "tasks": len(rates),
        "accuracy %": percent(accuracy.value),
        "low": percent(accuracy.low),
        "high": percent(accuracy.high),
        "calls": _mean([t.tool_calls for t in played]),
        "errors": _mean([sum(call.status != "ok" for call in t.calls) for t in played]),
        "tokens": _mean([t.usage.prompt_tokens + t.usage.completion_tokens for t in played]),
        "definitions": _definitions(each),
    }


def _definitions(each: Surface) -> float | None:
    """Tokens of the definitions on offer, a mean over tasks; None where apps or tools are no longer what they were."""
    from harness.play.stage import offered, toolsets_for  # brings all of play and of MCP, which no other table needs
    from harness.serving.cost import cost

    if each.condition is None:
        return None
    tasks = {task.id: task for task in each.suite.tasks}
    if not each.side.rates.keys() <= tasks.keys():
        return None
    known: dict[tuple[tuple[str, ...], tuple[tuple[str, str], ...]], int] = {}
    try:
        given = {
            task: (offered(each.suite, each.condition, tasks[task]), tasks[task].needed) for task in each.side.rates
        }
        for apps, needed in set(given.values()):
            served = toolsets_for(each.suite, each.condition, apps, needed=dict(needed))
            known[apps, needed] = cost(*served.values()).tokens
    except (ConfigProblem, catalog.UnknownApp, catalog.BrokenApp):
        return None
    return _mean([known[alike] for alike in given.values()])


def _mean(values: Sequence[float]) -> float | None:
    return rounded(sum(values) / len(values), 3) if values else None
