"""Play branches into a run folder of their own; the run that they go on from is only read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from pathlib import Path

import anyio

from harness.core.config import ConfigProblem, LlmConfig
from harness.core.credentials import played_by
from harness.core.suite import Suite
from harness.play.branching.plan import Branch, Planned
from harness.play.branching.terms import OnTerms
from harness.play.jobs import Ended
from harness.play.run import Progress
from harness.play.stage import Stage, Wiring
from harness.play.stopping import Terminated, cause, until_told
from harness.play.trial import play
from harness.record.belonging import check_belongs
from harness.record.files import RunError, sweep
from harness.record.holding import alone
from harness.record.mending import put
from harness.record.rows import begun
from harness.record.store import Run, TrialRecord
from harness.serving.links import Links, open_links

__all__ = ("missing", "play_branches")

_TRIES = 2
"""Of a continuation that ends void; after that its question is incomplete."""

_IN_A_ROW = 8
"""Void continuations in a row after which no other starts."""


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
    listener: Callable[[Progress], None] | None = None,
) -> Run:
    """Play what is missing and return the run.

    Branches on disk are kept, save void ones. A void one is tried twice. At `max_cost` US dollars, which leave out
    what is repeated from records, or after eight void ones in a row no further one starts. Raises `ConfigProblem`,
    `RunError`, and `Terminated` when SIGTERM came.
    """
    if max_cost is not None:
        _refuse_unpriced(planned)
    with alone(folder):
        run = Run.create(folder, planned.head)
        sweep(folder)
        sweep(folder / "trials")
        progress = Progress(0, len(planned.branches))
        wanted: list[Branch] = []
        for branch in planned.branches:
            record = _kept(run, planned, suite, branch)
            if record is None:
                wanted.append(branch)
            elif _void(record):
                wanted.append(branch)
                progress = progress.paid(_ended(branch, record))
            else:
                progress = progress.plus(_ended(branch, record))
        board = _Board(progress, max_cost, listener)
        if wanted and not board.over():
            begun(folder, len(planned.branches))
            if anyio.run(until_told, partial(_play_all, planned, suite, wiring, run, wanted, board, concurrency)):
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


class _Board:
    """Adds up what branches report, and says when no other one shall start."""

    def __init__(self, progress: Progress, max_cost: float | None, listener: Callable[[Progress], None] | None) -> None:
        self.progress, self._max_cost, self._listener = progress, max_cost, listener
        self._void = 0
        self._tell()

    def add(self, ended: Ended) -> None:
        self.progress = self.progress.plus(ended)
        self._void = self._void + 1 if ended.void else 0
        if self._void == _IN_A_ROW:
            why = f"{_IN_A_ROW} void continuations in a row, the last because: {' '.join(ended.void.split()):.300}"
            self.progress = replace(self.progress, stopped=why)
        self._tell()

    def over(self) -> bool:
        return bool(self.progress.stopped) or (self._max_cost is not None and self.progress.spent_usd >= self._max_cost)

    def _tell(self) -> None:
        if self._listener:
            self._listener(self.progress)


async def _play_all(
    planned: Planned,
    suite: Suite,
    wiring: Wiring,
    run: Run,
    branches: Sequence[Branch],
    board: _Board,
    concurrency: int,
) -> None:
    stage = Stage(planned.parent.head.config, suite, wiring)
    left = Counter(suite.task(branch.job.task).world for branch in branches)
    waiting: Iterator[Branch] = iter(branches)
    toolsets = {
        toolset: None
        for branch in branches
        for toolset in stage.toolsets(branch.job.condition, suite.task(branch.job.task)).values()
    }

    async def work(links: Links) -> None:
        for branch in waiting:
            if board.over():
                return
            record = await _play(stage, branch, links)
            task = suite.task(branch.job.task)
            board.add(_ended(branch, put(run, record, task, suite.checks)))
            left[task.world] -= 1
            if not left[task.world]:
                stage.release(task.world)

    try:
        async with open_links(stage.config.transport, list(toolsets)) as links, anyio.create_task_group() as group:
            for _ in range(min(concurrency, len(branches))):
                group.start_soon(work, links)
    except BaseExceptionGroup as group:
        refused = group.subgroup((RunError, KeyboardInterrupt))
        raise (cause(refused) if refused else group) from None
    finally:
        stage.engine.close()
        await wiring.aclose()


async def _play(stage: Stage, branch: Branch, links: Links) -> TrialRecord:
    """One branch, as its record is filed."""
    for _ in range(_TRIES):
        own = copy(stage)
        own.wiring = OnTerms(stage.wiring, branch.terms())
        record = await play(own, branch.job, links, branch.prefix)
        if not _void(record):
            break
    then = record.trajectory
    then.condition, then.trial, then.parent = branch.condition, branch.number, branch.parent
    return record


def _refuse_unpriced(planned: Planned) -> None:
    from harness.models.llm import price

    for each in played_by(planned.parent.head.config):
        if isinstance(each, LlmConfig) and price(each) is None:
            raise ConfigProblem(f"--max-cost needs a price for {each.model}, and none is known: use --max-trials")
