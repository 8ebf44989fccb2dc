"""A whole experiment: the grid of trials, played concurrently, resumable at any moment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.core.config import ConfigProblem, LlmConfig, ReferenceConfig, RunConfig, check_size
from harness.core.credentials import played_by
from harness.core.suite import Suite, SuiteError
from harness.core.task import Task
from harness.play.arriving import check_sessions
from harness.play.jobs import Ended, check_setup, play_jobs, run_jobs
from harness.play.sampling import few
from harness.play.stage import Job, Wiring, check_hidden, toolsets_for
from harness.play.workers import leave_to_parent
from harness.record.belonging import belonging, check_belongs
from harness.record.canary import planted
from harness.record.files import sweep
from harness.record.holding import alone
from harness.record.rows import begun
from harness.record.scores import breaks, kept, scores
from harness.record.store import Run, RunHead, TrialRecord
from harness.serving.links import apps_of

__all__ = ("Ended", "Plan", "Progress", "evaluate", "evaluate_async", "plan", "score_run", "there")


_IN_A_ROW = 8
"""Void trials of one cause that stop a run: nobody wants to see more of them, and some cost money."""

_NUMBERED = re.compile(r"\S*\d\S*")
"""Words that differ from trial to trial though the cause is one: numbers, ids, addresses."""


@dataclass(frozen=True)
class Progress:
    """Where a run stands. `cost_usd` is None once a cost is unknown, `spent_usd` what is known to have been spent.

    Both count void trials of earlier calls too, which are played again, and of which nothing else is counted. `stopped`
    says why no further trial starts though there is money left.
    """

    done: int
    total: int
    failed: int = 0
    void: int = 0
    cost_usd: float | None = 0.0
    stopped: str = ""
    spent_usd: float = 0.0

    def plus(self, ended: Ended) -> Progress:
        """One more trial."""
        return replace(
            self.paid(ended),
            done=self.done + 1,
            failed=self.failed + ended.failed,
            void=self.void + bool(ended.void),
        )

    def paid(self, ended: Ended) -> Progress:
        """The costs of a trial that is yet to be played again."""
        cost = None if ended.cost_usd is None or self.cost_usd is None else self.cost_usd + ended.cost_usd
        return replace(self, cost_usd=cost, spent_usd=self.spent_usd + ended.spent_usd)


Listener = Callable[[Progress], None]


@dataclass(frozen=True)
class Plan:
    """The trials of a run, in report order, and the run's identity."""

    jobs: Sequence[Job]
    head: RunHead


def plan(config: RunConfig, suite: Suite, *, limit: int | None = None, sample: int | None = None) -> Plan:
    """The grid: agents x conditions x tasks x trials, with the first tasks only (`limit`) or some of each template.

    Raises `ConfigProblem` for a prompt, a toolset or a program that is not there, `SuiteError` for a task and
    `UnknownApp` for an app.
    """
    every = [task for task in suite.tasks if task.id not in suite.aside]
    named = [suite.task(id) for id in config.tasks] if config.tasks else every
    tasks = few(named, limit, sample, config.seed, suite.spread)
    suite.check_apps(tasks)
    for name, condition in config.conditions.items():
        _have_prompt(name, condition.prompt, tasks)
        if config.transport == "stdio" and (condition.ask != "off" or condition.end_of_turn == "user"):
            raise ConfigProblem(f"conditions.{name}: nobody can be asked over stdio; use transport memory or http")
        served = {
            each: toolsets_for(suite, condition, task.apps, f"conditions.{name}.", needed=task.toolsets)
            for each, task in {(task.apps, task.needed): task for task in tasks}.items()
        }
        check_hidden(suite, condition, f"conditions.{name}.")
        for task in tasks:
            check_setup(task, apps_of(served[task.apps, task.needed]))
            check_sessions(task, condition, f"conditions.{name}: ", processes=config.transport == "stdio")
    for agent in config.agents:
        if isinstance(agent, ReferenceConfig):
            _have_program(agent, suite, tasks)
            _can_be_set(agent, suite)
    if config.transport == "stdio" and any(len(task.sessions) > 1 for task in tasks):
        raise ConfigProblem("transport: stdio plays tasks of one session only; use memory or http")
    check_size(config, len(tasks))
    jobs = [
        Job(agent=agent, condition=name, prompt=condition.prompt, task=task.id, trial=trial)
        for agent in config.agents
        for name, condition in config.conditions.items()
        for task in tasks
        for trial in range(config.trials)
    ]
    return Plan(jobs, RunHead.of(config, suite))


def _have_prompt(condition: str, prompt: str, tasks: Sequence[Task]) -> None:
    """A session without its request would void the trial, each time it is played."""
    asked = {task.id: [set(each.requests) for each in task.sessions if each.requests] for task in tasks}
    prompts = {id: set.intersection(*sessions) for id, sessions in asked.items() if sessions}
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


def _can_be_set(agent: ReferenceConfig, suite: Suite) -> None:
    try:
        suite.set_to(agent.settings)
    except SuiteError as error:
        raise ConfigProblem(f"agent {agent.name}: {error}") from None


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
    sample: int | None = None,
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
    Raises `ConfigProblem`, `SuiteError` and `RunError` before the first trial, and what `run_jobs` raises.
    """
    if workers > 1:
        leave_to_parent()  # which holds the folder
    with _begun(config, suite, folder, limit, sample, max_cost, allow_unpriced, listener) as (run, missing, board):
        run_jobs(
            missing, run, suite, wiring, board.add, concurrency=concurrency, workers=workers,
            wiring_factory=wiring_factory, wiring_options=wiring_options or {},
        )  # fmt: skip
    return run


async def evaluate_async(
    config: RunConfig,
    suite: Suite,
    wiring: Wiring,
    folder: Path,
    *,
    limit: int | None = None,
    sample: int | None = None,
    concurrency: int = 8,
    max_cost: float | None = None,
    allow_unpriced: bool = False,
    listener: Listener | None = None,
) -> Run:
    """As `evaluate`, on the event loop that runs already. Cancelled, it leaves what has ended, to be gone on with."""
    with _begun(config, suite, folder, limit, sample, max_cost, allow_unpriced, listener) as (run, missing, board):
        await play_jobs(missing, run, suite, wiring, board.add, concurrency=concurrency)
    return run


@contextmanager
def _begun(
    config: RunConfig,
    suite: Suite,
    folder: Path,
    limit: int | None,
    sample: int | None,
    max_cost: float | None,
    allow_unpriced: bool,
    listener: Listener | None,
) -> Iterator[tuple[Run, Sequence[Job], _Board]]:
    """A run that is under way while the block runs, with what is missing of it."""
    planned = plan(config, suite, limit=limit, sample=sample)
    if max_cost is not None and not allow_unpriced:
        _refuse_unpriced(config)
    with alone(folder):
        run = Run.create(folder, planned.head)
        missing, progress = _missing(run, planned, suite)
        board = _Board(progress, max_cost, listener)
        if board.over():
            missing = []
        else:
            begun(folder, len(planned.jobs))
        yield run, missing, board


def _missing(run: Run, planned: Plan, suite: Suite) -> tuple[list[Job], Progress]:
    """The trials of a run that are not there, and how far it stands with those that are.

    Removes what processes that are gone had begun to write, and scores again what a check that broke left unscored.
    """
    folder, config = run.folder, planned.head.config
    sweep(folder)
    sweep(folder / "trials")
    planted(folder, config)
    progress = Progress(0, len(planned.jobs))
    missing: list[Job] = []
    for job in planned.jobs:
        record = _found(run, job)
        if record is not None:
            check_belongs(record.trajectory, config, suite, folder)
            if breaks([record]):  # it was played: once the check is mended, only its score is missing
                record = _scored(record, suite)
                run.write(record)
        if record is None:
            missing.append(job)
        elif record.trajectory.status == "void":
            missing.append(job)
            progress = progress.paid(Ended.of(record))
        else:
            progress = progress.plus(Ended.of(record))
    return missing, progress


def there(planned: Plan, folder: Path) -> int:
    """How many of the trials an earlier run left in a folder, save void ones, which are played again."""
    if not (folder / "run.json").exists():
        return 0
    run = Run.open(folder)
    if run.head.identity != planned.head.identity:
        return 0
    found = (_found(run, job) for job in planned.jobs)
    return sum(record is not None and record.trajectory.status != "void" for record in found)


def _found(run: Run, job: Job) -> TrialRecord | None:
    path = run.path(job.agent.name, job.condition, job.task, job.trial)
    return run.read(path) if path.exists() else None


def score_run(run: Run, suite: Suite) -> None:
    """Score a run again from disk: no agent, no sandbox.

    Raises `RunError`, before any score is written, when a task is no longer the one that was played, and where
    somebody plays this run.
    """
    with alone(run.folder):
        for record in belonging(run, suite):
            run.write(_scored(record, suite))


def _scored(record: TrialRecord, suite: Suite) -> TrialRecord:
    then = record.trajectory
    found = scores(suite.checks, suite.task(then.task), then)
    return TrialRecord.model_construct(trajectory=then, scores=kept(found, suite.checks))


class _Board:
    """Adds up what trials report, in order of completion, and says when no other one shall start."""

    def __init__(self, progress: Progress, max_cost: float | None, listener: Listener | None) -> None:
        self.progress, self._max_cost, self._listener = progress, max_cost, listener
        self._cause, self._times = "", 0
        if listener:
            listener(progress)

    def add(self, ended: Ended) -> bool:
        """One more trial; whether it was the last to start."""
        self.progress = self.progress.plus(ended)
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
        return bool(self.progress.stopped) or (self._max_cost is not None and self.progress.spent_usd >= self._max_cost)


def _refuse_unpriced(config: RunConfig) -> None:
    from harness.models.llm import price

    for each in played_by(config):
        if isinstance(each, LlmConfig) and price(each) is None:
            raise ConfigProblem(
                f"--max-cost needs a price for {each.model}, and none is known: "
                f"give the {'agent' if each in config.agents else 'model'} a `price`, or pass --allow-unpriced"
            )
