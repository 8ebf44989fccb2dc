"""What the checks of a suite say of a trial, whatever they do: one that breaks leaves its own score out, with why."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from pydantic_core import from_json

from harness.core.judgement import NO_VERDICTS, Verdicts
from harness.core.raised import place, raised
from harness.core.scores import Score
from harness.core.task import Task
from harness.core.trajectory import Trajectory

if TYPE_CHECKING:
    from harness.core.suite import Check
    from harness.record.store import TrialRecord

__all__ = ("BROKEN", "breaks", "kept", "scores")

BROKEN = "check broke"
"""The label of a score that its check failed to give."""


def scores(
    checks: Mapping[str, Check], task: Task, trajectory: Trajectory, verdicts: Verdicts = NO_VERDICTS
) -> dict[str, Score]:
    """What each check says of a trial, by name; unscored, labelled `BROKEN`, where it raises or gives no score."""
    return {name: _score(name, check, task, trajectory, verdicts) for name, check in checks.items()}


def kept(found: Mapping[str, Score], checks: Mapping[str, Check]) -> dict[str, Score]:
    """The scores, broken those that no record could keep."""
    return {name: _kept(name, score, checks[name]) for name, score in found.items()}


def breaks(records: Iterable[TrialRecord]) -> list[str]:
    """A line for each check that broke: on how many trials, and why in most of them."""
    why: dict[str, Counter[str]] = {}
    for record in records:
        for name, score in record.scores.items():
            if score.label == BROKEN and score.value is None:
                why.setdefault(name, Counter())[score.reason] += 1
    found = [(each.total(), *each.most_common(1)[0]) for each in why.values()]
    return [
        f"{total} trial{'s lack' if total > 1 else ' lacks'} a score{f', {times} of them' * (times < total)}: {reason}"
        for total, reason, times in found
    ]


def _score(name: str, check: Check, task: Task, trajectory: Trajectory, verdicts: Verdicts) -> Score:
    try:
        score = check(task, trajectory, verdicts)
    except Exception as error:  # noqa: BLE001 - a suite's own code: the trial was played, and counts once it is mended
        return _broken(f"check {name!r} raised {raised(error, check, kept=True)}")
    if not isinstance(score, Score):
        where = place(check, kept=True)
        return _broken(f"check {name!r}{where} gave {score!r:.80}, and a check gives a `harness.score.Score`")
    if score.value is not None and not math.isfinite(score.value):
        return _broken(f"check {name!r}{place(check, kept=True)} gave the value {score.value}, which is not finite")
    return score


def _kept(name: str, score: Score, check: Check) -> Score:
    try:
        from_json(score.model_dump_json())
    except (ValueError, RecursionError) as error:
        return _broken(f"check {name!r}{place(check, kept=True)} gave a score that cannot be stored: {error}")
    return score


def _broken(reason: str) -> Score:
    return Score(value=None, label=BROKEN, reason=reason)
