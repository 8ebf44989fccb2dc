"""A whole run as one JSON object."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from harness.core.config import RunConfig
from harness.core.suite import Scored, Suite, Table
from harness.record.store import Run, TrialRecord
from harness.report.cells import cells, totals
from harness.report.order import ordered
from harness.report.tables import tables
from harness.report.users import labels
from harness.scoring.stats import Interval

__all__ = ("summary",)


def summary(
    run: Run, suite: Suite, records: Iterable[TrialRecord], found: Sequence[Table] | None = None
) -> dict[str, Any]:
    """A whole run as one JSON object (docs/reports.md): totals, the same per cell, and every table's rows.

    `found` are the run's tables where they are there already.
    """
    config = run.head.config
    trials = ordered(records, config, suite)
    found = tables(config, suite, trials) if found is None else found
    return {
        "run": str(run.folder),
        "identity": run.head.identity,
        "suite": run.head.suite,
        "suite_version": run.head.suite_version,
        **_overall(trials, suite, config),
        "conditions": [
            {"agent": cell.agent, "condition": cell.condition, **totals(cell.trials, suite)} for cell in cells(trials)
        ],
        "tables": {table.title: [dict(row) for row in table.rows] for table in found},
    }


def _overall(trials: Sequence[Scored], suite: Suite, config: RunConfig) -> dict[str, Any]:
    """The totals of all trials, without an accuracy where they are of several agents or conditions: it is of none."""
    found = totals(trials, suite)
    played = cells(trials)
    if len(played) < 2:
        return found
    users, conditions = labels(config), {cell.condition for cell in played}
    differ = ["agents"] if len({cell.agent for cell in played}) > 1 else []
    if len(conditions) > 1:
        differ.append("users" if len({users.get(each, "") for each in conditions} - {""}) > 1 else "conditions")
    note = f"{' and '.join(differ)} differ and are not pooled: see `conditions`"
    return found | {"accuracy": Interval(None, None, None, 0, 0, found["accuracy"]["level"], note)._asdict()}
