"""Jobs in, records out: the one function that plays trials, in this process or in several.

Whoever plays a job writes its record: what is on disk is all that a job leaves, and the word that it ended.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import anyio

from harness.core.suite import Suite, SuiteError
from harness.core.task import Task
from harness.play.arriving import Unfit, arrival_named, laid_out
from harness.play.board import Ended
from harness.play.stage import Job, Stage, Wiring
from harness.play.stopping import Terminated, cause, until_told
from harness.play.trial import play
from harness.play.workers import spread
from harness.record.canary import planted, seen
from harness.record.files import RunError
from harness.record.mending import put
from harness.record.store import Run, RunHead, TrialRecord
from harness.serving.links import Links, open_links
from harness.serving.toolsets import apps_of
from harness.serving.watchdog import FILE, WATCHDOG
from servers.kernel import App, Edit, Rejected, StateError, Toolset

__all__ = ("Playing", "check_setup", "check_worlds", "play_all", "play_jobs", "run_jobs")


class Playing(NamedTuple):
    """A job, what plays it, and what is told of its record."""

    job: Job
    play: Callable[[Stage, Job, Links], Awaitable[TrialRecord]] = play
    ended: Callable[[TrialRecord], Ended] = Ended.of


def run_jobs(
    jobs: Sequence[Job],
    run: Run,
    suite: Suite,
    wiring: Wiring,
    heard: Callable[[Ended], bool],
    *,
    concurrency: int = 8,
    workers: int = 1,
    wiring_factory: str = "",
    wiring_options: Mapping[str, Any] | None = None,
) -> None:
    """Play jobs of a run, each once, with its record in the run's folder when it has ended.

    They are played world by world, `concurrency` at a time per process; a world is loaded when its first job comes
    and let go after its last. `heard` is told of each that ended, in that order, and says whether no other shall
    start. With several `workers` each process makes its own wiring by calling `wiring_factory` (`module:function`)
    with `wiring_options`. Raises `SuiteError` (`RunError` from a worker) for a world or a setup that does not fit,
    once the trials that go on have ended, `RunError` when a worker process is lost, and `Terminated` when SIGTERM
    came and all has ended.
    """
    if workers > 1 and len(jobs) > 1:
        shared = (run.folder, run.head, concurrency, wiring_factory, wiring_options or {})
        shares = _shares(list(_by_world(jobs, suite).values()), workers)
        spread(_share, [(share, *shared) for share in shares if share], heard)
    elif jobs:
        work = partial(play_jobs, jobs, run, suite, wiring, heard, concurrency=concurrency)
        if anyio.run(until_told, work):
            raise Terminated


async def play_jobs(
    jobs: Sequence[Job], run: Run, suite: Suite, wiring: Wiring, heard: Callable[[Ended], bool], *, concurrency: int = 8
) -> None:
    """As `run_jobs`, on the event loop that runs already; raises no `Terminated`, as signals are others' there."""
    if not jobs:
        return
    over = False

    def report(ended: Ended) -> None:
        nonlocal over
        over = heard(ended) or over

    stage = Stage(run.head.config, suite, wiring)
    ordered = [Playing(job) for together in _by_world(jobs, suite).values() for job in together]
    await play_all(stage, run, ordered, concurrency, report, lambda: over)


def _by_world(jobs: Sequence[Job], suite: Suite) -> dict[str, list[Job]]:
    worlds: dict[str, list[Job]] = {}
    for job in jobs:
        worlds.setdefault(suite.task(job.task).world, []).append(job)
    return worlds


def _shares(worlds: Sequence[Sequence[Job]], workers: int) -> list[list[Job]]:
    """A share for each worker: a world of few jobs goes whole to whoever has the least, one of many is dealt out."""
    shares: list[list[Job]] = [[] for _ in range(workers)]
    few = math.ceil(sum(map(len, worlds)) / workers / 8)
    for jobs in worlds:
        if len(jobs) <= few:
            min(shares, key=len).extend(jobs)
        else:
            for number, job in enumerate(jobs):
                shares[number % workers].append(job)
    return shares


def _share(
    report: Callable[[Ended], None],
    stopped: Callable[[], bool],
    jobs: Sequence[Job],
    folder: Path,
    head: RunHead,
    concurrency: int,
    factory: str,
    options: Mapping[str, Any],
) -> bool:
    """What one worker process plays; whether it was told to end before that was done."""
    module, _, name = factory.partition(":")
    wiring: Wiring = getattr(import_module(module), name)(**options)
    suite = wiring.suite(head.config.suite, head.config.scale)
    if suite.digest != head.suite_digest:
        raise SuiteError(f"suite {suite.name} is not the same in a worker process: is it random?")
    stage = Stage(head.config, suite, wiring)
    every = [Playing(job) for job in jobs]
    return anyio.run(until_told, partial(play_all, stage, Run(folder, head), every, concurrency, report, stopped))


async def play_all(
    stage: Stage,
    run: Run,
    every: Sequence[Playing],
    concurrency: int,
    report: Callable[[Ended], object],
    stopped: Callable[[], bool],
) -> None:
    """Play jobs in their order, at most `concurrency` at a time, each written to disk as it ends.

    A world is let go after its last job, so few are held where jobs come world by world. Raises as `run_jobs` does.
    """
    suite, tasks = stage.suite, [stage.suite.task(each.job.task) for each in every]
    used: dict[Toolset, None] = {}
    watched = bool(planted(run.folder, stage.config))
    left = Counter(task.world for task in tasks)
    untried = _wanted(stage, [each.job for each in every])
    for task, (job, *_) in zip(tasks, every, strict=True):
        used.update(dict.fromkeys(stage.toolsets(job.condition, task).values()))
    problems: list[SuiteError] = []
    waiting: Iterator[tuple[Playing, Task]] = iter(zip(every, tasks, strict=True))

    async def work() -> None:
        for each, task in waiting:
            if stopped() or problems:
                return
            if task.world in untried:
                try:
                    _set_up(stage, task.world, untried.pop(task.world))
                except SuiteError as error:
                    problems.append(error)
                    return
            record = await each.play(stage, each.job, links)
            record.trajectory.canary = watched and seen(record.trajectory)
            report(each.ended(put(run, record, task, suite.checks)))
            left[task.world] -= 1
            if not left[task.world]:
                stage.release(task.world)

    WATCHDOG.notes.append(run.folder / FILE)
    try:
        async with (
            open_links(stage.config.transport, list(used)) as links,
            anyio.create_task_group() as group,
        ):
            for _ in range(min(concurrency, len(every))):
                group.start_soon(work)
    except BaseExceptionGroup as group:
        refused = group.subgroup((RunError, KeyboardInterrupt))
        raise (cause(refused) if refused else group) from None
    finally:
        WATCHDOG.notes.remove(run.folder / FILE)
        stage.engine.close()
        await stage.wiring.aclose()
    if problems:
        raise problems[0]


def check_worlds(jobs: Sequence[Job], stage: Stage) -> None:
    """Load and try the world of every job, one after the other, as is otherwise done when its first job comes.

    Raises `SuiteError`. The stage's engine is closed.
    """
    try:
        for world, wanted in _wanted(stage, jobs).items():
            _set_up(stage, world, wanted)
            stage.release(world)
    finally:
        stage.engine.close()


class _Wanted(NamedTuple):
    """What jobs want of one world: the apps that they use, and tasks with a setup or arrivals, with a condition."""

    apps: dict[App, None]
    setups: dict[str, tuple[Task, str]]


def _wanted(stage: Stage, jobs: Iterable[Job]) -> dict[str, _Wanted]:
    """By world, in the order of the jobs."""
    found: dict[str, _Wanted] = {}
    for job in jobs:
        task = stage.suite.task(job.task)
        apps, setups = found.setdefault(task.world, _Wanted({}, {}))
        apps.update(dict.fromkeys(apps_of(stage.toolsets(job.condition, task))))
        if task.setup or task.arrivals:
            setups[task.id] = (task, job.condition)
    return found


def _set_up(stage: Stage, world: str, wanted: _Wanted) -> None:
    """Load a world and try its rows, each setup of its tasks once, and what arrives: a misfit would void trials.

    Raises `SuiteError`.
    """
    try:
        base = stage.base(world)
        stage.suite.check_rows(base.world, wanted.apps)
    except SuiteError:
        raise
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        raise SuiteError(f"suite {stage.suite.name}: world {world!r} cannot be loaded: {problem}") from error
    for task, condition in wanted.setups.values():
        try:
            laid_out(stage.engine, base, task, apps_of(stage.toolsets(condition, task))).close()
        except Unfit as error:
            raise SuiteError(f"task {task.id}: {error}") from error
        except StateError as error:
            raise SuiteError(f"task {task.id}: its setup does not fit world {task.world!r}: {error}") from error


def check_setup(task: Task, apps: Sequence[App]) -> None:
    """Refuse a setup or an arrival that fits no world, whatever its rows. Raises `SuiteError` naming the step."""
    _check_edits(task.setup, apps, f"task {task.id}: its setup does not fit world {task.world!r}: setup step")
    for number, session in enumerate(task.sessions):
        for place, arrival in enumerate(session.arrivals):
            _check_edits(arrival.edits, apps, f"task {task.id}: {arrival_named(number, place)}, step")


def _check_edits(edits: Sequence[Edit], apps: Sequence[App], what: str) -> None:
    there = {app.name: app for app in apps}
    for step, edit in enumerate(edits):
        try:
            if edit.app not in there:
                raise ValueError(f"there is no app {edit.app!r} here, only {', '.join(there) or 'none'}")
            table = there[edit.app].table(edit.table)
            if edit.op == "add":
                table.from_json({**edit.values, "id": edit.id})
            elif strange := edit.values.keys() - {column.name for column in table.columns}:
                raise ValueError(f"{edit.table} has no field {', '.join(sorted(strange))}")
        except (LookupError, ValueError, Rejected) as error:
            named = f"{what} {step} ({edit.op} {edit.app}.{edit.table} {edit.id})"
            raise SuiteError(f"{named} does not fit: {error}") from None
