"""What went wrong between agent and user in trials that failed: it may be the user's doing that they did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.core.config import RunConfig
from harness.core.suite import Suite, Table
from harness.core.trajectory import Trajectory
from harness.record.troubles import Trouble, questions, troubles
from harness.report.cells import Cell
from harness.report.heard import lines
from harness.report.users import labels
from harness.report.verdicts import verdict
from harness.scoring.stats import clusters, rate

__all__ = ("Trouble", "dialogue", "told_apart", "troubles")

_UNKNOWN = "not told apart"


def told_apart(trajectory: Trajectory) -> bool:
    """Whether every answer says in parts what it does about each thing: `grounded@1` never did."""
    return all(asked.parts for _, asked in questions(trajectory))


def dialogue(title: str, cells: Sequence[Cell], config: RunConfig, suite: Suite) -> list[Table]:
    """The share of failed trials with a trouble in the dialogue, for each cell with a user."""
    users = labels(config)
    rows = [_row(cell, suite, users[cell.condition]) for cell in cells if users.get(cell.condition)]
    if not rows:
        return []
    notes = list(lines(suite.measured, users.values())) if title == "Results" else []
    notes += [
        "share of the failed trials that hold one of the three, low and high: 95% interval, clustered as in outcomes",
        "asked twice: something withheld that two questions of a session asked for",
    ]
    notes += [
        f"{cell.agent}, {cell.condition}: nothing was asked in any trial"
        for cell in cells
        if users.get(cell.condition) and not any(scored.trajectory.questions for scored in cell.trials)
    ]
    if any(_UNKNOWN in row.values() for row in rows):
        notes.append(f"{_UNKNOWN}: the user's answers do not say what they do about each thing that was asked for")
    manners = [name for name in ("one_at_a_time", "reluctant") if any(f"({name})" in each for each in users.values())]
    if manners:
        notes.append(f"a user who is {' or '.join(manners)} has things asked for twice by nature")
    return [Table(f"{title}: failed trials with trouble in the dialogue", list(rows[0]), rows, notes)]


def _row(cell: Cell, suite: Suite, user: str) -> dict[str, Any]:
    templates = {task.id: task.template for task in suite.tasks}
    failed = [scored.trajectory for scored in cell.trials if verdict(scored) == "failed"]
    apart = all(map(told_apart, failed))
    met = [troubles(trajectory) for trajectory in failed]
    values = [(templates.get(t.task, ""), t.task, float(bool(found))) for t, found in zip(failed, met, strict=True)]
    share = rate(*clusters(values))

    def count(trouble: Trouble) -> int:
        return sum(trouble in each for each in met)

    return {
        "agent": cell.agent,
        "condition": cell.condition,
        "user": user,
        "failed": len(failed),
        "not understood": count("not understood") if apart else _UNKNOWN,
        "contradiction": count("contradiction") if apart else _UNKNOWN,
        "asked twice": count("asked twice"),
        "share": share.value if apart else _UNKNOWN,
        "low": share.low if apart else None,
        "high": share.high if apart else None,
    }
