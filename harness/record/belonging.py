"""Whether a record is one of its run: the one comparison for resuming, scoring, replaying, forking and reports."""

from __future__ import annotations

from pathlib import Path

from harness.core.config import RunConfig
from harness.core.suite import Suite, SuiteError
from harness.core.trajectory import Trajectory
from harness.record.files import RunError
from harness.record.seeds import seeds_of
from harness.record.store import Run, TrialRecord, trial_name

__all__ = ("belonging", "check_belongs")


def check_belongs(then: Trajectory, config: RunConfig, suite: Suite, folder: Path) -> None:
    """Refuse a trial that a run of this config on this suite did not play; `folder` is the run's, for the message.

    Raises `RunError` naming the record's file, what differs and the remedy.
    """
    if problem := _differs(then, config, suite):
        path = folder / "trials" / trial_name(then.agent, then.condition, then.task, then.trial)
        raise RunError(f"{path} does not belong to this run: {problem}. Remove the file, or play it again")


def belonging(run: Run, suite: Suite) -> list[TrialRecord]:
    """All records of a run, each of which belongs to it. Raises `RunError`."""
    records = list(run.records())
    for record in records:
        check_belongs(record.trajectory, run.head.config, suite, run.folder)
    return records


def _differs(then: Trajectory, config: RunConfig, suite: Suite) -> str:
    if then.agent not in [agent.name for agent in config.agents]:
        return f"the run has no agent {then.agent!r}"
    if then.condition not in config.conditions:
        return f"the run has no condition {then.condition!r}"
    try:
        task = suite.task(then.task)
    except SuiteError as error:
        return str(error)
    if task.hash != then.task_hash:
        return (
            f"task {task.id} is not the one that was played; its content has changed "
            f"({then.task_hash[:12]} then, {task.hash[:12]} now)"
        )
    if then.seed not in seeds_of(config.seed, then.task, then.condition, then.trial):
        return f"its seed, {then.seed}, is not one that the run's seed, {config.seed}, gives: it is of another run"
    world = suite.world_digests[task.world]
    if then.world != world and (then.world or then.status != "void"):  # a void trial may never have had one
        return (
            f"it started from another world {task.world!r} than the suite has "
            f"({then.world[:12] or 'none'} then, {world[:12]} now)"
        )
    return ""
