"""A whole experiment: the grid of trials, played concurrently, resumable at any moment."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import queue
import signal
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import anyio

from harness.canary import planted, seen
from harness.config import ConfigProblem, LlmConfig, RunConfig
from harness.links import open_links
from harness.mending import put
from harness.stage import Job, Stage, Wiring, toolsets_for
from harness.store import Run, RunError, RunHead, TrialRecord, identity
from harness.suite import Suite, SuiteError
from harness.trial import play

__all__ = ("Plan", "Progress", "evaluate", "plan", "score_run")


@dataclass(frozen=True)
class Progress:
    """Where a run stands. `cost_usd` is None once a cost is unknown."""

    done: int
    total: int
    failed: int = 0
    void: int = 0
    cost_usd: float | None = 0.0

    def plus(self, record: TrialRecord) -> Progress:
        """One more trial."""
        trajectory = record.trajectory
        outcome = record.scores.get("outcome")
        cost = trajectory.usage.cost_usd
        return Progress(
            self.done + 1,
            self.total,
            self.failed + (outcome is not None and outcome.value == 0),
            self.void + (trajectory.status == "void"),
            None if cost is None or self.cost_usd is None else self.cost_usd + cost,
        )


Listener = Callable[[Progress], None]

_GRACE = 30.0
"""Seconds that worker processes have to end in order."""


@dataclass(frozen=True)
class Plan:
    """The trials of a run, in report order, and the run's identity."""

    jobs: Sequence[Job]
    head: RunHead


def plan(config: RunConfig, suite: Suite, *, limit: int | None = None) -> Plan:
    """The grid: agents x conditions x tasks x trials. `limit` keeps the first tasks only.

    Raises `ConfigProblem` for a prompt or a toolset that is not there, `SuiteError` for a task.
    """
    tasks = [suite.task(id) for id in config.tasks] if config.tasks else list(suite.tasks)
    prompts = {prompt for task in tasks for session in task.sessions for prompt in session.requests}
    for name, condition in config.conditions.items():
        if tasks and condition.prompt not in prompts:
            raise ConfigProblem(
                f"conditions.{name}.prompt: suite {suite.name} has no prompt {condition.prompt!r}; "
                f"it has {', '.join(sorted(prompts))}"
            )
        if config.transport == "stdio" and (condition.ask != "off" or condition.end_of_turn == "user"):
            raise ConfigProblem(f"conditions.{name}: nobody can be asked over stdio; use transport memory or http")
        for apps in dict.fromkeys(task.apps for task in tasks):
            toolsets_for(suite, condition, apps)
    if config.transport == "stdio" and any(len(task.sessions) > 1 for task in tasks):
        raise ConfigProblem("transport: stdio plays tasks of one session only; use memory or http")
    package = version("workplace-harness")
    head = RunHead(
        identity=identity(config, suite.digest, package),
        config=config,
        suite=suite.name,
        suite_version=suite.version,
        suite_digest=suite.digest,
        package=package,
    )
    jobs = [
        Job(agent=agent, condition=name, prompt=condition.prompt, task=task, trial=trial)
        for agent in config.agents
        for name, condition in config.conditions.items()
        for task in tasks[:limit]
        for trial in range(config.trials)
    ]
    return Plan(jobs, head)


def evaluate(
    config: RunConfig,
    suite: Suite,
    wiring: Wiring,
    folder: Path,
    *,
    limit: int | None = None,
    concurrency: int = 8,
    workers: int = 1,
    max_cost: float | None = None,
    allow_unpriced: bool = False,
    wiring_factory: str = "",
    wiring_options: Mapping[str, Any] | None = None,
    listener: Listener | None = None,
) -> Run:
    """Play what is missing of a run and return it.

    Trials already on disk are kept, save void ones, which are played again.
    `workers` > 1 plays in that many processes, each of which makes its own wiring by calling
    `wiring_factory` (`module:function`) with `wiring_options`. At `max_cost` US dollars no further
    trial starts; the run can be resumed. Raises `ConfigProblem` and `RunError` before the first trial.
    """
    planned = plan(config, suite, limit=limit)
    if max_cost is not None and not allow_unpriced:
        _refuse_unpriced(config)
    run = Run.create(folder, planned.head)
    planted(folder, config)
    progress = Progress(0, len(planned.jobs))
    missing: list[int] = []
    for number, job in enumerate(planned.jobs):
        path = run.path(job.agent.name, job.condition, job.task.id, job.trial)
        record = run.read(path) if path.exists() else None
        if record is None or record.trajectory.status == "void":
            missing.append(number)
        else:
            progress = progress.plus(record)
    board = _Board(progress, max_cost, listener)
    if workers > 1 and len(missing) > 1:
        _spread(
            config, suite, folder, limit, missing, concurrency, workers, (wiring_factory, wiring_options or {}), board
        )
    elif missing:
        jobs = [planned.jobs[number] for number in missing]
        anyio.run(_play_all, Stage(config, suite, wiring), run, jobs, concurrency, board.add, board.spent)
    return run


def score_run(run: Run, suite: Suite) -> None:
    """Score a run again from disk: no agent, no sandbox.

    Raises `RunError` when a task is no longer the one that was played.
    """
    for record in run.records():
        task = suite.task(record.trajectory.task)
        if task.hash != record.trajectory.task_hash:
            raise RunError(f"{run.folder}: task {task.id} is not the one that was played; its content has changed")
        record.scores = {name: check(task, record.trajectory) for name, check in suite.checks.items()}
        run.write(record)


class _Board:
    """Adds up what trials report, and says when the money is spent."""

    def __init__(self, progress: Progress, max_cost: float | None, listener: Listener | None) -> None:
        self.progress, self._max_cost, self._listener = progress, max_cost, listener
        self._known = progress.cost_usd or 0.0
        if listener:
            listener(progress)

    def add(self, record: TrialRecord) -> None:
        self.progress = self.progress.plus(record)
        self._known += record.trajectory.usage.cost_usd or 0.0
        if self._listener:
            self._listener(self.progress)

    def spent(self) -> bool:
        return self._max_cost is not None and self._known >= self._max_cost


async def _play_all(
    stage: Stage,
    run: Run,
    jobs: Sequence[Job],
    concurrency: int,
    add: Callable[[TrialRecord], None],
    stop: Callable[[], bool],
) -> None:
    """Play jobs, at most `concurrency` at a time, each written to disk as it ends."""
    used = {
        name: toolset
        for condition in stage.config.conditions
        for apps in dict.fromkeys(job.task.apps for job in jobs)
        for name, toolset in stage.toolsets(condition, apps).items()
    }
    watched = bool(planted(run.folder, stage.config))
    waiting: Iterator[Job] = iter(jobs)

    async def work() -> None:
        for job in waiting:
            if stop():
                return
            record = await play(stage, job, links)
            record.trajectory.canary = watched and seen(record.trajectory)
            add(put(run, record, job.task, stage.suite.checks))

    try:
        async with (
            open_links(stage.config.transport, list(used.values())) as links,
            anyio.create_task_group() as group,
        ):
            for _ in range(min(concurrency, len(jobs))):
                group.start_soon(work)
    finally:
        stage.engine.close()
        await stage.wiring.aclose()


def _spread(
    config: RunConfig,
    suite: Suite,
    folder: Path,
    limit: int | None,
    missing: Sequence[int],
    concurrency: int,
    workers: int,
    wiring: tuple[str, Mapping[str, Any]],
    board: _Board,
) -> None:
    """Play in several processes; each loads worlds itself and writes its own trials."""
    context = multiprocessing.get_context("spawn")
    reports: Any = context.Queue()
    stop = context.Event()
    config_json = config.model_dump_json()
    shared = (config_json, suite.digest, folder, limit, concurrency, wiring, reports, stop)
    processes = [context.Process(target=_worker, args=(missing[n::workers], *shared)) for n in range(workers)]
    for process in processes:
        process.start()
    try:
        left = len(processes)
        problem = ""
        while left:
            try:
                report = reports.get(timeout=1)
            except queue.Empty:
                dead = [p for p in processes if p.exitcode not in (None, 0)]
                if dead:
                    raise RunError(
                        f"a worker process ended with status {dead[0].exitcode}; the same command resumes the run"
                    ) from None
                continue
            if isinstance(report, TrialRecord):
                board.add(report)
                if board.spent():
                    stop.set()
            else:
                left -= 1
                problem = problem or report
        if problem:
            raise RunError(problem)
    finally:
        for process in processes:
            if process.is_alive():
                process.terminate()
        for process in processes:
            process.join(_GRACE)
            if process.is_alive():
                process.kill()
                process.join()


def _worker(
    numbers: Sequence[int],
    config_json: str,
    suite_digest: str,
    folder: Path,
    limit: int | None,
    concurrency: int,
    made_by: tuple[str, Mapping[str, Any]],
    reports: Any,
    stop: Any,
) -> None:
    """One worker process. Reports each record, then an empty string, or what went wrong."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle; it ends its workers
    problem = ""
    try:
        factory, options = made_by
        module, _, name = factory.partition(":")
        wiring: Wiring = getattr(__import__(module, fromlist=[name]), name)(**options)
        config = RunConfig.model_validate_json(config_json)
        suite = wiring.suite(config.suite, config.scale)
        if suite.digest != suite_digest:
            raise SuiteError(f"suite {suite.name} is not the same in a worker process: is it random?")
        planned = plan(config, suite, limit=limit).jobs
        jobs = [planned[number] for number in numbers]
        run = Run.open(folder)
        play_all = partial(_play_all, Stage(config, suite, wiring), run, jobs, concurrency, reports.put, stop.is_set)
        if anyio.run(_until_told, play_all):
            reports.cancel_join_thread()  # nobody reads any more, and the rest would wait for that
            return
    except Exception as error:  # noqa: BLE001 - the parent reports it; here there is nobody to read a traceback
        problem = f"a worker process failed: {type(error).__name__}: {error}"
    reports.put(problem)


async def _until_told(work: Callable[[], Awaitable[None]]) -> bool:
    """Do it, or let SIGTERM end it in order, and the programs that play with it; whether that came."""
    with anyio.CancelScope() as scope:
        if os.name == "posix":  # elsewhere a process that is ended has no say
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, scope.cancel)
        await work()
    return scope.cancelled_caught


def _refuse_unpriced(config: RunConfig) -> None:
    from harness.llm import price

    for agent in config.agents:
        if isinstance(agent, LlmConfig) and price(agent) is None:
            raise ConfigProblem(
                f"--max-cost needs a price for {agent.model}, and none is known: "
                "give the agent a `price`, or pass --allow-unpriced"
            )
