"""A whole experiment: the grid of trials, played concurrently, resumable at any moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.core.config import ConfigProblem, ReferenceConfig, RunConfig, check_size
from harness.core.credentials import played_by
from harness.core.suite import Suite, SuiteError
from harness.core.task import Task
from harness.play.arriving import check_sessions
from harness.play.board import Board, Ended, Listener, Progress, check_priced, standing
from harness.play.jobs import check_setup, check_worlds, play_jobs, run_jobs
from harness.play.sampling import few
from harness.play.stage import Job, Stage, Wiring, check_hidden, toolsets_for
from harness.play.workers import leave_to_parent
from harness.record.belonging import belonging, check_belongs
from harness.record.canary import planted
from harness.record.files import sweep
from harness.record.holding import alone
from harness.record.rows import begun
from harness.record.scores import breaks, kept, scores
from harness.record.store import Run, RunHead, TrialRecord
from harness.serving.toolsets import apps_of
from servers.kernel import few_of

__all__ = ("Ended", "Plan", "Progress", "evaluate", "evaluate_async", "plan", "score_run", "there")

_STOPPED = "{times} void trials in a row, each because: {why}"


@dataclass(frozen=True)
class Plan:
    """The trials of a run, in report order, and the run's identity."""

    jobs: Sequence[Job]
    head: RunHead


def plan(config: RunConfig, suite: Suite, *, limit: int | None = None, sample: int | None = None) -> Plan:
    """The grid: agents x conditions x tasks x trials, with the first tasks only (`limit`) or some of each template.

    Raises `ConfigProblem` for a prompt, a toolset or a program that is not there and for what the suite refuses,
    `SuiteError` for a task and where the suite breaks, and `UnknownApp` for an app.
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
    if suite.refused:
        with suite.calling(suite.refused, "its `refused` raised"):
            why = suite.refused(config, tasks)
        if why:
            raise ConfigProblem(why)
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
            f"{few_of(lacking, 3)}; {f'all of them have {common}' if common else 'there is no prompt that all have'}"
        )


def _have_program(agent: ReferenceConfig, suite: Suite, tasks: Sequence[Task]) -> None:
    if lacking := [task for task in tasks if task.template not in suite.programs]:
        raise ConfigProblem(
            f"agent {agent.name}: suite {suite.name} has no program for "
            f"{few_of(dict.fromkeys(task.template for task in lacking), 3)}, the templates of {len(lacking)} of "
            f"{len(tasks)} tasks: {few_of((task.id for task in lacking), 3)}; play oracle or a model"
        )


def _can_be_set(agent: ReferenceConfig, suite: Suite) -> None:
    try:
        suite.set_to(agent.settings)
    except SuiteError as error:
        raise ConfigProblem(f"agent {agent.name}: {error}") from None


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
    clear: Callable[[Path], object] | None = None,
) -> Run:
    """Play what is missing of a run and return it.

    Trials already on disk are kept, save void ones, which are played again.
    `workers` > 1 plays in that many processes, each of which makes its own wiring by calling
    `wiring_factory` (`module:function`) with `wiring_options`. At `max_cost` US dollars, or after eight void
    trials of one cause in a row (`Progress.stopped` says which), no further trial starts; the run can be resumed.
    A run that is in the folder is first removed by `clear`, where that is given and nothing refuses the new one.
    Raises `ConfigProblem`, `SuiteError` and `RunError` before the first trial, and what `run_jobs` raises.
    """
    if workers > 1:
        leave_to_parent()  # which holds the folder
    with _begun(
        config, suite, wiring, folder,
        limit=limit, sample=sample, max_cost=max_cost, allow_unpriced=allow_unpriced, listener=listener, clear=clear,
    ) as (run, missing, board):  # fmt: skip
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
    with _begun(
        config, suite, wiring, folder,
        limit=limit, sample=sample, max_cost=max_cost, allow_unpriced=allow_unpriced, listener=listener,
    ) as (run, missing, board):  # fmt: skip
        await play_jobs(missing, run, suite, wiring, board.add, concurrency=concurrency)
    return run


@contextmanager
def _begun(
    config: RunConfig,
    suite: Suite,
    wiring: Wiring,
    folder: Path,
    *,
    limit: int | None,
    sample: int | None,
    max_cost: float | None,
    allow_unpriced: bool,
    listener: Listener | None,
    clear: Callable[[Path], object] | None = None,
) -> Iterator[tuple[Run, Sequence[Job], Board]]:
    """A run that is under way while the block runs, with what is missing of it."""
    planned = plan(config, suite, limit=limit, sample=sample)
    if max_cost is not None and not allow_unpriced:
        remedy = "`price`, or pass --allow-unpriced"
        check_priced(config.agents, f"give the agent a {remedy}")
        check_priced(played_by(config), f"give the model a {remedy}")
    with alone(folder):
        if clear and (folder / "run.json").exists():
            check_worlds(planned.jobs, Stage(config, suite, wiring))
            clear(folder)
        run = Run.create(folder, planned.head)
        missing, progress = _missing(run, planned, suite)
        board = Board(progress, max_cost, listener, stopped=_STOPPED, of_one_cause=True)
        if board.over():
            missing = []
        else:
            begun(folder, len(planned.jobs))
        yield run, missing, board


def _missing(run: Run, planned: Plan, suite: Suite) -> tuple[list[Job], Progress]:
    """The trials of a run that are not there, and how far it stands with those that are.

    What only other calls have asked for has cost something too. Removes what processes that are gone had begun to
    write, and scores again what a check that broke left unscored.
    """
    folder, config = run.folder, planned.head.config
    sweep(folder)
    sweep(folder / "trials")
    planted(folder, config)

    def found(job: Job) -> TrialRecord | None:
        record = _found(run, job)
        if record is not None:
            check_belongs(record.trajectory, config, suite, folder)
            if breaks([record]):  # it was played: once the check is mended, only its score is missing
                record = _scored(record, suite)
                run.write(record)
        return record

    missing, progress = standing(planned.jobs, found, lambda _, record: Ended.of(record))
    wanted = {run.path(job.agent.name, job.condition, job.task, job.trial) for job in planned.jobs}
    for path in run.files():
        if path not in wanted:
            record = run.read(path)
            check_belongs(record.trajectory, config, suite, folder)
            progress = progress.paid(Ended.of(record))
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
