"""Which kind of task goes wrong most: failed trials by template, the worst first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from harness.core.config import RunConfig
from harness.core.suite import Scored, Suite, Table
from harness.report.cells import Cell
from harness.report.users import labels
from harness.report.verdicts import accuracy, verdict

__all__ = ("WORST", "Worst", "templates")

WORST: Final = 15
"""Rows that are shown."""


class Worst(Table):
    """Rows that go wrong most first: people are shown the first ones, and data have all."""

    @property
    def shown(self) -> Table:
        """The worst rows, and how many others there are."""
        if len(self.rows) <= WORST:
            return self
        more = f"rows not shown, none with more failed trials than these: {len(self.rows) - WORST}"
        return Table(self.title, self.columns, self.rows[:WORST], [*self.notes, more])


def templates(title: str, cells: Sequence[Cell], config: RunConfig, suite: Suite) -> list[Table]:
    """Templates with a failed trial: those with most first, of equals the less accurate.

    Where there are several agents or conditions, a first table is over all of them, without an accuracy where they
    could ask different users, and a second one by agent and condition. Accuracy as in the outcomes
    (`harness.report.verdicts.accuracy`). Nothing where the tasks are of fewer than two templates, or none has failed.
    """
    of = {task.id: task.template for task in suite.tasks}
    rows = [
        {"agent": cell.agent, "condition": cell.condition, **row}
        for cell in cells
        for row in _rows(cell.trials, of, suite)
    ]
    if not rows or len({name for name in of.values() if name}) < 2:
        return []
    if len(cells) == 1:
        return [_table(f"{title}: by template", rows)]
    total = list(_rows([scored for cell in cells for scored in cell.trials], of, suite))
    labelled = labels(config)
    if len({label for cell in cells if (label := labelled.get(cell.condition))}) > 1:
        total = [{name: value for name, value in row.items() if name != "accuracy"} for row in total]
    return [
        _table(f"{title}: by template", total, "over all agents and conditions of these results"),
        _table(f"{title}: by template, agent and condition", rows),
    ]


def _rows(trials: Iterable[Scored], of: Mapping[str, str], suite: Suite) -> Iterator[dict[str, Any]]:
    """A row for each template with a failed trial."""
    found: defaultdict[str, list[Scored]] = defaultdict(list)
    failed: Counter[str] = Counter()
    for scored in trials:
        name, ended = of.get(scored.trajectory.task, ""), verdict(scored)
        if ended in ("correct", "failed"):
            found[name].append(scored)
            failed[name] += ended == "failed"
    for name, own in found.items():
        if name and failed[name]:
            share = accuracy(own, suite).value
            yield {"template": name, "trials": len(own), "failed": failed[name], "accuracy": share}


def _table(title: str, rows: Sequence[Mapping[str, Any]], *more: str) -> Table:
    """These rows, the worst first."""
    ordered = sorted(rows, key=lambda row: (-row["failed"], row.get("accuracy", 0.0), row["template"]))
    notes = ["template: the kind of task; trials: those that are correct or failed; most failed first", *more]
    return Worst(title, list(ordered[0]), ordered, notes)
