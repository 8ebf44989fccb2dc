"""Scores, and the outcome check: did the state end right, and was anything else touched?"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from harness.task import Task
from harness.trajectory import Trajectory

__all__ = ("Score", "outcome")


class Score(BaseModel):
    """What a check says of a trial.

    `value` is a number (1.0 and 0.0 for right and wrong), or None for *unscored*: void, or a judge
    that could not say. `label` is a short class, `reason` one sentence. `detail` holds what tables
    are made of; for `outcome`: `correct`, `side_effects`, `matched`, `expected`, `unexpected`,
    `precision` and `missing`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: float | None
    label: str = ""
    reason: str = ""
    detail: dict[str, Any] = {}


def outcome(task: Task, trajectory: Trajectory) -> Score:
    """Compare the normalised delta with the expected one (DESIGN section 7)."""
    raise NotImplementedError
