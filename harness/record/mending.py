"""The last resort for a record that would not read back: it is changed until it does, and says so.

What an agent sends is judged where it enters (`harness.serving.sandbox`), so this is for what nobody thought of. It is
held against the agent: were such a trial void, an agent could choose to be asked again. One unreadable record would
stop every command on its run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from harness.core.suite import Check
from harness.core.task import Task
from harness.core.trajectory import Trajectory
from harness.record.scores import kept, scores
from harness.record.store import Run, TrialRecord, Unreadable
from servers.kernel import tidied

__all__ = ("put",)


def put(run: Run, record: TrialRecord, task: Task, checks: Mapping[str, Check]) -> TrialRecord:
    """Write a trial and give what was written: where it would not read back, a crashed one with what can be kept.

    Where a score would not, it is left out for that reason and the rest stays as it is.
    """
    try:
        run.write(record)
        return record
    except Unreadable as problem:
        readable = kept(record.scores, checks)
        if any(score is not record.scores[name] for name, score in readable.items()):  # not the agent's doing
            return put(run, TrialRecord.model_construct(trajectory=record.trajectory, scores=readable), task, checks)
        record = _mended(record.trajectory, task, checks, problem)
    run.write(record)
    return record


def _mended(then: Trajectory, task: Task, checks: Mapping[str, Check], problem: Unreadable) -> TrialRecord:
    trajectory: Trajectory = _tidied(then)
    if trajectory.status != "void":
        trajectory.status = "crashed"
        trajectory.reason = f"what the agent did cannot be kept as it was: {problem.cause}"
    found = kept(scores(checks, task, trajectory), checks)
    return TrialRecord.model_construct(trajectory=trajectory, scores=found)


def _tidied(value: Any) -> Any:
    """The same with every field of every model inside tidied."""
    if isinstance(value, BaseModel):
        return value.model_copy(update={name: _tidied(getattr(value, name)) for name in type(value).model_fields})
    if isinstance(value, list) and any(isinstance(each, BaseModel) for each in value):
        return [_tidied(each) for each in value]
    if isinstance(value, tuple):
        return tuple(map(_tidied, value))
    return tidied(value)
