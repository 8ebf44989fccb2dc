"""The tables of an LHAW report: `Calibration` for instruments, `Clarification` for models, never both in one.

docs/benchmarks/lhaw-tables.md says what each has, and which of the paper's it corresponds to.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.lhaw import dials, flags, metrics
from benchmarks.lhaw.conditions import USUAL, Conditions, pairings
from benchmarks.lhaw.tables.distribution import distribution
from benchmarks.lhaw.tables.factors import (
    before_asking,
    by_condition,
    by_persona,
    by_strategy,
    calls_by_class,
    manners,
)
from benchmarks.lhaw.tables.group import Agents, Group, bare
from benchmarks.lhaw.tables.overall import (
    asking,
    averages,
    information,
    overall,
    worth,
    worth_in_checkpoints,
    worth_in_pass,
)
from benchmarks.lhaw.tables.splits import KINDS, by_class, by_dimension, by_segments, by_severity, fidelity
from harness.report import INSTRUMENTS, heard
from harness.report.users import titled
from harness.suite import Scored, Suite, Table

__all__ = ("report",)


def report(suite: Suite, agents: Agents, scored: Sequence[Scored]) -> Sequence[Table]:
    """All tables, instruments first. `agents` maps a name to its config; `kind` decides where it belongs.

    Conditions are those of the run (`harness.report.Agents`), found by what they are; without them they are those of
    `USUAL`. Titles name the users of the conditions that a table is made from. Tables without rows are left out.
    """
    conditions: Conditions = getattr(agents, "conditions", USUAL)
    found = metrics.arms(suite.tasks, scored)
    instruments = {name: config for name, config in agents.items() if config.get("kind") in INSTRUMENTS}
    models = {name: config for name, config in agents.items() if name not in instruments}
    tables: list[Table] = []
    for title, chosen in (("Calibration", instruments), ("Clarification", models)):
        if chosen:
            arms = {name: found.get(name, {}) for name in chosen}
            users = getattr(agents, "users", {})
            tables += _of(Group(title, suite, chosen, arms, conditions, users, pairings(conditions)))
    tables += flags.tables(suite, agents, scored)
    tables += distribution(suite, scored)
    return [*tables, heard.table(suite.measured)] if suite.measured else tables


def _of(group: Group) -> list[Table]:
    """A group's tables, those that matter most first. One in which every figure is a dash is named, and not shown."""
    parts = [
        *worth_in_pass(group),
        *worth_in_checkpoints(group),
        *asking(group),
        *(table for kind in KINDS for table in by_class(group, kind)),
        *(table for kind in KINDS for table in fidelity(group, kind)),
        *by_dimension(group),
        *by_segments(group),
        *by_severity(group),
        *(table for kind in KINDS for table in by_strategy(group, kind)),
        *by_persona(group),
        *by_condition(group),
        *(table for kind in KINDS for table in calls_by_class(group, kind)),
        *before_asking(group),
        *information(group),
        *averages(group),
        *manners(group),
    ]
    empty = {table.title for table in parts if bare(table)}
    named = [table.title for table in parts if table.title in empty]
    told = [table for table in parts if table.title not in empty]
    return [*overall(group), *worth(group, named), *_dials(group), *told]


def _dials(group: Group) -> list[Table]:
    """Of instruments with dials, what they are set to beside what was seen."""
    if not any(map(dials.has, group.agents.values())):
        return []
    arms = {name: group.four(name)[2:] for name in group.agents}
    asking = group.conditions.get(group.main.lacking_ask, {})
    table = dials.table(group.title, group.agents, arms, asking)
    return [table._replace(title=titled(table.title, [group.users.get(name, "") for name in group.main.main]))]
