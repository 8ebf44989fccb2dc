"""Cells of an experiment, each one agent under one condition, and what is counted in each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

from harness.core.config import RunConfig
from harness.core.suite import Scored, Suite
from harness.report.order import digest
from harness.report.verdicts import accuracy, side_effects, verdict

__all__ = ("Cell", "cells", "meant", "totals")


class Cell(NamedTuple):
    """All trials of one agent under one condition, in task order."""

    agent: str
    condition: str
    trials: list[Scored]

    def tasks(self) -> list[list[Scored]]:
        """The trials of each task."""
        return [list(found) for _, found in groupby(self.trials, key=lambda scored: scored.trajectory.task)]


def cells(trials: Sequence[Scored]) -> list[Cell]:
    """Trials in report order, by cell."""

    def cell(scored: Scored) -> tuple[str, str]:
        return scored.trajectory.agent, scored.trajectory.condition

    return [Cell(*key, list(found)) for key, found in groupby(trials, key=cell)]


def meant(config: RunConfig, suite: Suite) -> int:
    """How many tasks a whole run of this config has: those that it names, else all that are not set aside."""
    return len(config.tasks) or sum(task.id not in suite.aside for task in suite.tasks)


def totals(trials: Sequence[Scored], suite: Suite) -> dict[str, Any]:
    """The verdicts counted, and what follows from them, under the names of docs/reports.md.

    Side effects are of the trials that an accuracy is of: correct and failed ones.
    """
    verdicts = Counter(map(verdict, trials))
    return {
        "trials": len(trials),
        "void": verdicts["void"],
        "unscored": verdicts["unscored"],
        "failed": verdicts["failed"],
        "correct": verdicts["correct"],
        "side_effects": sum(side_effects(each) for each in trials if verdict(each) in ("correct", "failed")),
        "accuracy": accuracy(trials, suite)._asdict(),
        "digest": digest(trials),
    }
