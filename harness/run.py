"""A whole experiment: the grid of trials, played concurrently, resumable at any moment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import anyio

from harness.belonging import belonging, check_belongs
from harness.canary import planted, seen
from harness.config import ConfigProblem, LlmConfig, ReferenceConfig, RunConfig, check_size
from harness.links import apps_of, open_links
from harness.mending import put
from harness.stage import Job, Stage, Wiring, toolsets_for
from harness.stopping import Terminated, until_told
from harness.store import Run, RunError, RunHead, TrialRecord, identity, sweep
from harness.suite import Suite, SuiteError
from harness.task import Task
from harness.trial import play
from harness.watchdog import FILE, WATCHDOG
from harness.workers import spread
from servers.kernel import StateError

__all__ = ("Ended", "Plan", "Progress", "evaluate", "plan", "score_run")


_IN_A_ROW = 8
"""Void trials of one cause that stop a run: nobody wants to see more of them, and some cost money."""

_NUMBERED = re.compile(r"\S*\d\S*")
"""Words that differ from trial to trial though the cause is one: numbers, ids, addresses."""


class Ended(NamedTuple):
    """What is told of a trial that ended. `void` says why it is void, and is empty where it is not."""

    void: str
    failed: bool
    cost_usd: float | None

    @classmethod
    def of(cls, record: TrialRecord) -> Ended:
        trajectory, outcome = record.trajectory, record.scores.get("outcome")
        void = (trajectory.reason or "no reason is given") if trajectory.status == "void" else ""
        return cls(void, outcome is not None and outcome.value == 0, trajectory.usage.cost_usd)


@dataclass(frozen=True)
class Progress:
    """Where a run stands. `cost_usd` is None once a cost is unknown.

    `stopped` says why no further trial starts though there is money left.
    """

    done: int
    total: int
    failed: int = 0
    void: int = 0
    cost_usd: float | None = 0.0
    stopped: str = ""

    def plus(self, ended: Ended) -> Progress:
        """One more trial."""
        cost = ended.cost_usd
        return replace(
            self,
            done=self.done + 1,
            failed=self.failed + ended.failed,
            void=self.void + bool(ended.void),
            cost_usd=None if cost is None or self.cost_usd is None else self.cost_usd + cost,
        )


Listener = Callable[[Progress], None]


@dataclass(frozen=True)
class Plan:
    """The trials of a run, in report order, and the run's identity."""

    jobs: Sequence[Job]
    head: RunHead


def plan(config: RunConfig, suite: Suite, *, limit: int | None = None) -> Plan:
    """The grid: agents x conditions x tasks x trials. `limit` keeps the first tasks only.

    Raises `ConfigProblem` for a prompt, a toolset or a program that is not there, `SuiteError` for a task and
    `UnknownApp` for an app.
    """
    tasks = ([suite.task(id) for id in config.tasks] if config.tasks else list(suite.tasks))[:limit]
    for name, condition in config.conditions.items():
        _have_prompt(name, condition.prompt, tasks)
        if config.transport == "stdio" and (condition.ask != "off" or condition.end_of_turn == "user"):
            raise ConfigProblem(f"conditions.{name}: nobody can be asked over stdio; use transport memory or http")
        for apps in dict.fromkeys(task.apps for task in tasks):
            toolsets_for(suite, condition, apps)
    for agent in config.agents:
        if isinstance(agent, ReferenceConfig):
            _have_program(agent, suite, tasks)
    if config.transport == "stdio" and any(len(task.sessions) > 1 for task in tasks):
        raise ConfigProblem("transport: stdio plays tasks of one session only; use memory or http")
    package = version("workplace-harness")
    check_size(config, len(tasks))
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
        for task in tasks
        for trial in range(config.trials)
    ]
    return Plan(jobs, head)


def _have_prompt(condition: str, prompt: str, tasks: Sequence[Task]) -> None:
    """A session without its request would void the trial, each time it is played."""
    prompts = {task.id: set.intersection(*(set(each.requests) for each in task.sessions)) for task in tasks}
    if lacking := [id for id, known in prompts.items() if prompt not in known]:
        common = ", ".join(sorted(set.intersection(*prompts.values())))
        raise ConfigProblem(
            f"conditions.{condition}.prompt: {len(lacking)} of {len(tasks)} tasks have no prompt {prompt!r}: "
            f"{_some(lacking)}; {f'all of them have {common}' if common else 'there is no prompt that all have'}"
        )


def _have_program(agent: ReferenceConfig, suite: Suite, tasks: Sequence[Task]) -> None:
    if lacking := [task for task in tasks if task.template not in suite.programs]:
        raise ConfigProblem(
            f"agent {agent.name}: suite {suite.name} has no program for "
            f"{_some(list(dict.fromkeys(task.template for task in lacking)))}, the templates of {len(lacking)} of "
            f"{len(tasks)} tasks: {_some([task.id for task in lacking])}; play oracle or a model"
        )


def _some(names: Sequence[str]) -> str:
    """The first few of a list."""
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


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
    `wiring_factory` (`module:function`) with `wiring_options`. At `max_cost` US dollars, or after eight void
    trials of one cause in a row (`Progress.stopped` says which), no further trial starts; the run can be resumed.
    Raises `ConfigProblem`, `SuiteError` and `RunError` before the first trial, `RunError` when a worker process is
    lost, and `Terminated` when SIGTERM came and all has ended.
    """
    planned = plan(config, suite, limit=limit)
    if max_cost is not None and not allow_unpriced:
        _refuse_unpriced(config)
    run = Run.create(folder, planned.head)
    sweep(folder)
    sweep(folder / "trials")
    planted(folder, config)
    progress = Progress(0, len(planned.jobs))
    missing: list[int] = []
    for number, job in enumerate(planned.jobs):
        path = run.path(job.agent.name, job.condition, job.task.id, job.trial)
        record = run.read(path) if path.exists() else None
        if record is not None:
            check_belongs(record.trajectory, config, suite, folder)
        if record is None or record.trajectory.status == "void":
            missing.append(number)
        else:
            progress = progress.plus(Ended.of(record))
    board = _Board(progress, max_cost, listener)
    if board.over():
        return run
    if workers > 1 and len(missing) > 1:
        shared = (config, suite.digest, folder, limit, concurrency, wiring_factory)
        shares = [(missing[n::workers], *shared, wiring_options or {}) for n in range(min(workers, len(missing)))]
        spread(_share, shares, board.add)
    elif missing:
        jobs = [planned.jobs[number] for number in missing]
        stage = Stage(config, suite, wiring)
        if anyio.run(until_told, partial(_play_all, stage, run, jobs, concurrency, board.add, board.over)):
            raise Terminated
    return run


def score_run(run: Run, suite: Suite) -> None:
    """Score a run again from disk: no agent, no sandbox.

    Raises `RunError`, before any score is written, when a task is no longer the one that was played.
    """
    for record in belonging(run, suite):
        task = suite.task(record.trajectory.task)
        record.scores = {name: check(task, record.trajectory) for name, check in suite.checks.items()}
        run.write(record)


class _Board:
    """Adds up what trials report, in order of completion, and says when no other one shall start."""

    def __init__(self, progress: Progress, max_cost: float | None, listener: Listener | None) -> None:
        self.progress, self._max_cost, self._listener = progress, max_cost, listener
        self._known = progress.cost_usd or 0.0
        self._cause, self._times = "", 0
        if listener:
            listener(progress)

    def add(self, ended: Ended) -> bool:
        """One more trial; whether it was the last to start."""
        self.progress = self.progress.plus(ended)
        self._known += ended.cost_usd or 0.0
        cause = _NUMBERED.sub("#", ended.void)
        self._times = self._times + 1 if cause == self._cause else 1
        self._cause = cause
        if cause and self._times == _IN_A_ROW and not self.progress.stopped:
            why = f"{_IN_A_ROW} void trials in a row, each because: {' '.join(ended.void.split()):.300}"
            self.progress = replace(self.progress, stopped=why)
        if self._listener:
            self._listener(self.progress)
        return self.over()

    def over(self) -> bool:
        return bool(self.progress.stopped) or (self._max_cost is not None and self._known >= self._max_cost)


async def _play_all(
    stage: Stage,
    run: Run,
    jobs: Sequence[Job],
    concurrency: int,
    report: Callable[[Ended], object],
    stopped: Callable[[], bool],
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
            if stopped():
                return
            record = await play(stage, job, links)
            record.trajectory.canary = watched and seen(record.trajectory)
            report(Ended.of(put(run, record, job.task, stage.suite.checks)))

    WATCHDOG.notes.append(run.folder / FILE)
    try:
        _set_up(stage, jobs)
        async with (
            open_links(stage.config.transport, list(used.values())) as links,
            anyio.create_task_group() as group,
        ):
            for _ in range(min(concurrency, len(jobs))):
                group.start_soon(work)
    except BaseExceptionGroup as group:
        refused: BaseException | None = group.subgroup(RunError)
        while isinstance(refused, BaseExceptionGroup):
            refused = refused.exceptions[0]
        raise refused or group from None
    finally:
        WATCHDOG.notes.remove(run.folder / FILE)
        stage.engine.close()
        await stage.wiring.aclose()


def _set_up(stage: Stage, jobs: Sequence[Job]) -> None:
    """Load each world and try each setup once: one that does not fit would void its trials. Raises `SuiteError`."""
    suite = stage.suite
    for name in dict.fromkeys(job.task.world for job in jobs):
        try:
            stage.base(name)
        except SuiteError:
            raise
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            raise SuiteError(f"suite {suite.name}: world {name!r} cannot be loaded: {problem}") from error
    for job in {job.task.id: job for job in jobs if job.task.setup}.values():
        task = job.task
        apps = apps_of(stage.toolsets(job.condition, task.apps))
        try:
            stage.engine.layer(stage.base(task.world), task.setup, apps).close()
        except StateError as error:
            raise SuiteError(f"task {task.id}: its setup does not fit world {task.world!r}: {error}") from error


def _share(
    report: Callable[[Ended], None],
    stopped: Callable[[], bool],
    numbers: Sequence[int],
    config: RunConfig,
    suite_digest: str,
    folder: Path,
    limit: int | None,
    concurrency: int,
    factory: str,
    options: Mapping[str, Any],
) -> bool:
    """What one worker process plays; it loads worlds itself and writes its own trials."""
    module, _, name = factory.partition(":")
    wiring: Wiring = getattr(__import__(module, fromlist=[name]), name)(**options)
    suite = wiring.suite(config.suite, config.scale)
    if suite.digest != suite_digest:
        raise SuiteError(f"suite {suite.name} is not the same in a worker process: is it random?")
    planned = plan(config, suite, limit=limit)
    jobs = [planned.jobs[number] for number in numbers]
    run = Run(folder, planned.head)  # one that is read has no credentials in its config
    stage = Stage(config, suite, wiring)
    return anyio.run(until_told, partial(_play_all, stage, run, jobs, concurrency, report, stopped))


def _refuse_unpriced(config: RunConfig) -> None:
    from harness.llm import price

    for agent in config.agents:
        if isinstance(agent, LlmConfig) and price(agent) is None:
            raise ConfigProblem(
                f"--max-cost needs a price for {agent.model}, and none is known: "
                "give the agent a `price`, or pass --allow-unpriced"
            )
