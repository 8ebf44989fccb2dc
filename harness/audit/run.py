"""A whole suite audited, in one process or several."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from typing import Any, TypeVar

import anyio

from harness.audit.asking import MakesUser, Slotted, Understood, listen, withheld
from harness.audit.certificate import Certificate
from harness.audit.checks import examine
from harness.audit.play import Player, alike
from harness.audit.starts import unplayable
from harness.audit.trying import Finding, TaskAudit, audit_task
from harness.audit.workplace import Workplaces
from harness.core.suite import Suite, SuiteError
from harness.core.task import Task
from harness.play.workers import leave_to_parent, spread

__all__ = ("audit",)

Found = TypeVar("Found")


def audit(
    suite: Suite,
    *,
    limit: int | None = None,
    task: str = "",
    seed: int = 0,
    workers: int = 1,
    loader: str = "",
    name: str = "",
    user: MakesUser | None = None,
) -> Certificate:
    """Audit the first `limit` tasks of a suite, or one. The certificate is the same for any number of workers.

    Worker processes load the suite themselves: by calling `loader` (`module:function`) with `name`, the
    suite's own by default. `user` makes whoever is asked for withheld values; without, nobody is.

    What can be told without playing comes first. A task that cannot be opened or judged is not played.

    Raises `SuiteError` where there are no tasks, when a worker loads another suite than this, for a world with rows
    that do not fit, for a task that the suite lacks, and for one whose check waits for a judge; with several workers
    what `spread` raises too.
    """
    if not suite.tasks:
        raise SuiteError(f"suite {suite.name} has no tasks: nothing would be audited")
    if workers > 1:
        leave_to_parent()
    chosen = [suite.task(task)] if task else suite.tasks[:limit]
    findings = unplayable(suite, chosen)
    broken = {finding.task for finding in findings}
    numbers = [n for n, each in enumerate(chosen) if each.id not in broken]
    tasks = _solved(suite, [chosen[n] for n in numbers])
    findings += examine(suite, tasks, Workplaces(suite))
    if suite.examined:
        findings += [Finding(id, rule, "problem", text) for id, rule, text in suite.examined(tasks)]
    workers = min(workers, len(tasks))
    if workers > 1:
        audits = _spread(tasks, numbers, suite.digest, seed, workers, loader, name or suite.name)
    else:
        audits = anyio.run(_audit_all, suite, tasks, seed)
    understood = _ask(withheld(suite, tasks), user, workers) if user else []
    played = iter(audits)
    every = [TaskAudit(each.id, (), (), False, False) if each.id in broken else next(played) for each in chosen]
    return Certificate(suite, seed, every, findings, understood)


def _solved(suite: Suite, tasks: Sequence[Task]) -> list[Task]:
    """The tasks with their reference calls, which a suite may work out only when they are wanted."""
    if suite.solved is None:
        return list(tasks)
    return [
        task
        if task.solution
        else task.model_copy(update={"solution": tuple(suite.solved(task, {**suite.toolsets, **task.toolsets}))})
        for task in tasks
    ]


async def _audit_all(suite: Suite, tasks: Sequence[Task], seed: int) -> list[TaskAudit]:
    player, places = Player(suite), Workplaces(suite)
    try:
        return [await audit_task(player, places, task, seed) for task in tasks]
    finally:
        player.close()


def _spread(
    tasks: Sequence[Task], numbers: Sequence[int], digest: str, seed: int, workers: int, loader: str, name: str
) -> list[TaskAudit]:
    """Every worker takes some tasks of each template, since those are alike and some cost more.

    `numbers` are the places of the tasks in the suite.
    """
    shares = _shares(tasks, workers)
    work = partial(_share, digest=digest, seed=seed, loader=loader, name=name)
    audits = _in_processes(work, [[numbers[n] for n in share] for share in shares])
    found = {n: each for share, own in zip(shares, audits, strict=True) for n, each in zip(share, own, strict=True)}
    return [found[n] for n in range(len(tasks))]


def _shares(tasks: Sequence[Task], workers: int) -> list[list[int]]:
    """Numbers of tasks, nearly as many for each worker; of those that are alike in a row one does all."""
    shares: list[list[int]] = [[] for _ in range(workers)]
    for _, group in groupby(range(len(tasks)), lambda n: alike(tasks[n])):
        min(shares, key=len).extend(group)
    return [share for share in shares if share]


def _ask(asked: Sequence[Slotted], user: MakesUser, workers: int) -> list[Understood]:
    """What the user hears of each slot, in their order."""
    workers = min(workers, len(asked))
    if workers < 2:
        return anyio.run(listen, asked, user)
    found = _in_processes(partial(_hear, user=user), [asked[first::workers] for first in range(workers)])
    return [found[n % workers][n // workers] for n in range(len(asked))]


def _hear(asked: Sequence[Slotted], *, user: MakesUser) -> list[Understood]:
    return anyio.run(listen, asked, user)


def _share(numbers: Sequence[int], *, digest: str, seed: int, loader: str, name: str) -> list[TaskAudit]:
    module, _, function = loader.partition(":")
    suite: Suite = getattr(importlib.import_module(module), function)(name)
    if suite.digest != digest:
        raise SuiteError(f"suite {suite.name} is not the same in a worker process: is it random?")
    return anyio.run(_audit_all, suite, _solved(suite, [suite.tasks[n] for n in numbers]), seed)


def _in_processes(work: Callable[[Any], list[Found]], shares: Sequence[Any]) -> list[list[Found]]:
    """What comes of each share, done by a process of its own. Raises `SuiteError` as `work` does."""
    found: dict[int, list[Found]] = {}

    def heard(report: tuple[int, list[Found] | SuiteError]) -> bool:
        number, outcome = report
        if isinstance(outcome, SuiteError):
            raise outcome
        found[number] = outcome
        return False

    spread(partial(_report, work), list(enumerate(shares)), heard)
    return [found[number] for number in range(len(shares))]


def _report(
    work: Callable[[Any], list[Found]],
    report: Callable[[tuple[int, list[Found] | SuiteError]], object],
    stopped: Callable[[], bool],
    number: int,
    share: Any,
) -> bool:
    """One share, which is one report: nothing is started between."""
    try:
        report((number, work(share)))
    except SuiteError as problem:
        report((number, problem))
    return False
