"""Which kind of task goes wrong most: failed trials by template, the worst first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from harness.core.config import RunConfig
from harness.core.suite import Scored, Suite, Table
from harness.report.cells import Cell
from harness.report.verdicts import accuracy, verdict

__all__ = ("WORST", "templates")

WORST: Final = 15
"""Rows that are shown."""


def templates(title: str, cells: Sequence[Cell], config: RunConfig, suite: Suite) -> list[Table]:
    """Of each agent and condition, templates with a failed trial: those with most first, of equals the less accurate.

    Accuracy as in the outcomes (`harness.report.verdicts.accuracy`). Nothing where the tasks are of fewer than two
    templates, or none has failed.
    """
    of = {task.id: task.template for task in suite.tasks}
    rows: list[dict[str, Any]] = []
    for cell in cells:
        found: defaultdict[str, list[Scored]] = defaultdict(list)
        for scored in cell.trials:
            if verdict(scored) in ("correct", "failed"):
                found[of.get(scored.trajectory.task, "")].append(scored)
        rows += [
            {
                "agent": cell.agent,
                "condition": cell.condition,
                "template": name,
                "trials": len(trials),
                "failed": failed,
                "accuracy": accuracy(trials, suite).value,
            }
            for name, trials in found.items()
            if name and (failed := sum(verdict(each) == "failed" for each in trials))
        ]
    if not rows or len({name for name in of.values() if name}) < 2:
        return []
    rows.sort(key=lambda row: (-row["failed"], row["accuracy"]))
    notes = ["template: the kind of task; trials: those that are correct or failed; most failed first"]
    if len(rows) > WORST:
        notes.append(f"rows not shown, none with more failed trials than these: {len(rows) - WORST}")
    return [Table(f"{title}: by template", list(rows[0]), rows[:WORST], notes)]
