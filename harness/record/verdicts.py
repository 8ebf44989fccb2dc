"""What became of a trial: told from its status and the score that decides."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from harness.core.scores import Score
from harness.core.trajectory import Trajectory

__all__ = ("TrialVerdict", "deciding", "primary", "verdict_of")

TrialVerdict = Literal["void", "unscored", "failed", "correct"]
"""What became of a trial; exactly one holds. Only `failed` and `correct` enter an accuracy."""


def deciding(checks: Collection[str]) -> str | None:
    """The check that decides whether a trial is correct: `outcome`, else the suite's first."""
    return "outcome" if "outcome" in checks else next(iter(checks), None)


def primary(scores: Mapping[str, Score]) -> Score | None:
    """The score that decides whether a trial is correct."""
    name = deciding(scores)
    return None if name is None else scores[name]


def verdict_of(trajectory: Trajectory, scores: Mapping[str, Score]) -> TrialVerdict:
    """Void, unscored, failed or correct (docs/architecture.md, A trial). One that hit a limit or crashed has failed."""
    if trajectory.status == "void":
        return "void"
    score = primary(scores)
    if score is None or score.value is None:
        return "unscored"
    return "correct" if score.right and trajectory.status == "finished" else "failed"
