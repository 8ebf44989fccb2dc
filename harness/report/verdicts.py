"""Verdicts of many trials: how many are correct, and which have side effects."""

from __future__ import annotations

from collections.abc import Sequence

from harness.core.suite import Scored, Suite
from harness.record.verdicts import TrialVerdict, primary, verdict_of
from harness.scoring.stats import Interval, clusters, rate

__all__ = ("TrialVerdict", "accuracy", "primary", "side_effects", "verdict", "withdrew")


def verdict(scored: Scored) -> TrialVerdict:
    """Void, unscored, failed or correct (docs/architecture.md, A trial). One that hit a limit or crashed has failed."""
    return verdict_of(scored.trajectory, scored.scores)


def side_effects(scored: Scored) -> bool:
    """Whether the check says so: for `outcome`, something changed and the end is no accepted one."""
    score = primary(scored.scores)
    return score is not None and bool(score.detail.get("side_effects"))


def withdrew(scored: Scored) -> bool:
    """Whether the check says that rows which the trial made were removed again."""
    score = primary(scored.scores)
    return score is not None and bool(score.detail.get("withdrawn"))


def accuracy(trials: Sequence[Scored], suite: Suite) -> Interval:
    """Share of correct among scored trials, clustered at the highest level that the tasks declare."""
    templates = {task.id: task.template for task in suite.tasks}
    verdicts = [(scored.trajectory.task, verdict(scored)) for scored in trials]
    return rate(
        *clusters(
            (templates.get(task, ""), task, float(found == "correct"))
            for task, found in verdicts
            if found in ("correct", "failed")
        )
    )
