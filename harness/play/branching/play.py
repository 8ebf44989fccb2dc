"""Play branches into a run folder of their own; the run that they go on from is only read."""

from __future__ import annotations

from copy import copy
from functools import partial
from pathlib import Path

import anyio

from harness.core.credentials import played_by
from harness.core.suite import Suite
from harness.play.board import Board, Ended, Listener, check_priced, standing
from harness.play.branching.plan import Branch, Planned
from harness.play.branching.terms import OnTerms
from harness.play.jobs import Playing, play_all
from harness.play.stage import Job, Stage, Wiring
from harness.play.stopping import Terminated, until_told
from harness.play.trial import play
from harness.record.belonging import check_belongs
from harness.record.files import RunError, sweep
from harness.record.holding import alone
from harness.record.rows import begun
from harness.record.store import Run, TrialRecord
from harness.serving.links import Links

__all__ = ("missing", "play_branches")

_TRIES = 2
"""Of a continuation that ends void; after that its question is incomplete."""

_STOPPED = "{times} void continuations in a row, the last because: {why}"


def missing(planned: Planned, suite: Suite, folder: Path) -> list[Branch]:
    """The branches that have no valid record in a folder yet, in order; all of them where there is no such folder.

    Raises `RunError` where it holds something else.
    """
    if not (folder / "run.json").exists():
        return list(planned.branches)
    run = Run.open(folder)
    return [
        branch for branch in planned.branches if (found := _kept(run, planned, suite, branch)) is None or _void(found)
    ]


def play_branches(
    planned: Planned,
    suite: Suite,
    wiring: Wiring,
    folder: Path,
    *,
    concurrency: int = 8,
    max_cost: float | None = None,
    listener: Listener | None = None,
) -> Run:
    """Play what is missing and return the run.

    Branches on disk are kept, save void ones. A void one is tried twice. At `max_cost` US dollars, which leave out
    what is repeated from records, or after eight void ones in a row no further one starts. Raises `ConfigProblem`,
    `RunError`, and `Terminated` when SIGTERM came.
    """
    if max_cost is not None:
        check_priced(played_by(planned.parent.head.config), "use --max-trials")
    with alone(folder):
        run = Run.create(folder, planned.head)
        sweep(folder)
        sweep(folder / "trials")
        wanted, progress = standing(planned.branches, partial(_kept, run, planned, suite), _ended)
        board = Board(progress, max_cost, listener, stopped=_STOPPED)
        if wanted and not board.over():
            begun(folder, len(planned.branches))
            stage = Stage(planned.parent.head.config, suite, wiring)
            every = [Playing(each.job, partial(_play, each), partial(_ended, each)) for each in wanted]
            if anyio.run(until_told, partial(play_all, stage, run, every, concurrency, board.add, board.over)):
                raise Terminated
    return run


def _kept(run: Run, planned: Planned, suite: Suite, branch: Branch) -> TrialRecord | None:
    """The record of a branch, if there is one. Raises `RunError` where it went on from something else."""
    path = run.path(*branch.key)
    if not path.exists():
        return None
    record = run.read(path)
    check_belongs(record.trajectory, planned.head.config, suite, run.folder)
    parent, then = record.trajectory.parent, branch.prefix
    if parent is None or then is None or branch.parent is None:
        return record
    same = (parent.trial, parent.step) == (branch.parent.trial, branch.parent.step)
    shared = 0 if _void(record) else parent.step
    if not same or record.trajectory.steps[:shared] != then.trajectory.steps[:shared]:
        raise RunError(
            f"{path} continues a version of {parent.trial} of {parent.run} that no longer exists: remove the "
            "folder, or give another --output"
        )
    return record


def _void(record: TrialRecord) -> bool:
    return record.trajectory.status == "void"


def _ended(branch: Branch, record: TrialRecord) -> Ended:
    paid = branch.paid(record)
    return Ended.of(record)._replace(cost_usd=paid, spent_usd=paid or 0.0)


async def _play(branch: Branch, stage: Stage, job: Job, links: Links) -> TrialRecord:
    """One branch, as its record is filed."""
    for _ in range(_TRIES):
        own = copy(stage)
        own.wiring = OnTerms(stage.wiring, branch.terms())
        record = await play(own, job, links, branch.prefix)
        if not _void(record):
            break
    then = record.trajectory
    then.condition, then.trial, then.parent = branch.condition, branch.number, branch.parent
    return record
