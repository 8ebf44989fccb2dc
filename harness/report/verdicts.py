"""What became of a trial, and the share of many that came out right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from harness.core.scores import Score
from harness.core.suite import Scored, Suite
from harness.scoring.stats import Interval, clusters, rate

__all__ = ("Verdict", "accuracy", "primary", "side_effects", "verdict")

Verdict = Literal["void", "unscored", "failed", "correct"]
"""What became of a trial; exactly one holds. Only `failed` and `correct` enter an accuracy."""


def primary(scores: Mapping[str, Score]) -> Score | None:
    """The score that decides whether a trial is correct: `outcome`, else the suite's first check."""
    return scores.get("outcome") or next(iter(scores.values()), None)


def verdict(scored: Scored) -> Verdict:
    """Void, unscored, failed or correct (docs/architecture.md, A trial). One that hit a limit or crashed has failed."""
    if scored.trajectory.status == "void":
        return "void"
    score = primary(scored.scores)
    if score is None or score.value is None:
        return "unscored"
    return "correct" if score.right and scored.trajectory.status == "finished" else "failed"


def side_effects(scored: Scored) -> bool:
    """Whether something changed that the task did not ask for."""
    score = primary(scored.scores)
    return score is not None and bool(score.detail.get("side_effects"))


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
