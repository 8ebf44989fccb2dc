"""The toy board with checks that are too weak, too strict, or broken."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.audit import Certificate, audit
from harness.audit.trying import Result
from harness.score import Score, Verdicts, outcome
from harness.suite import Check, Suite
from harness.task import Call, Compare, End, Expected, Task
from harness.trajectory import Trajectory
from tests.harness import toy

__all__ = (
    "accepts_everything", "create", "inserted", "load", "made", "nothing", "of", "only", "outcomes",
    "same_calls_in_order", "suite", "two_moves", "update", "updated", "variants", "waiting",
)  # fmt: skip

LISTED = {"assigned_to_email": "ines@example.test", "list_name": "Backlog", "due_date": "2025-03-20", "board": "Design"}


def accepts_everything(task: Task, trajectory: Trajectory, verdicts: Verdicts) -> Score:
    return Score(value=1.0, reason="It looks fine.")


def same_calls_in_order(task: Task, trajectory: Trajectory, verdicts: Verdicts) -> Score:
    made = [(call.tool, call.arguments) for call in trajectory.calls]
    wanted = [(call.tool, dict(call.arguments)) for call in task.solution]
    return Score(value=float(made == wanted), reason="The calls are compared one by one.")


def update(id: str, field: str, value: str) -> Call:
    return Call(app="projects", tool="update_task", arguments={"task_id": id, "field": field, "new_value": value})


def create(name: str, bind: str = "", **other: str) -> Call:
    return Call(app="projects", tool="create_task", arguments={"task_name": name, **LISTED, **other}, bind=bind)


def inserted(name: str, **other: str) -> Expected:
    return Expected(op="insert", app="projects", table="tasks", values={"task_name": name, **LISTED, **other})


def updated(id: str, **values: str) -> Expected:
    return Expected(op="update", app="projects", table="tasks", id=id, values=values)


def made(number: int, calls: Sequence[Call], *changes: Expected, **fields: Any) -> Task:
    """A task of that solution and that one end."""
    return toy.task(number).model_copy(update={"solution": tuple(calls), "ends": (End(changes=changes),), **fields})


def nothing(number: int = 0) -> Task:
    """A task that needs nothing."""
    return made(number, [])


def two_moves(number: int = 0, **fields: Any) -> Task:
    """Two calls on two rows, which any order serves."""
    return made(
        number,
        [update("00000003", "list_name", "Completed"), update("00000004", "task_name", "Paint it")],
        updated("00000003", list_name="Completed"),
        updated("00000004", task_name="Paint it"),
        compare=Compare(text=frozenset({"projects.tasks.task_name"})),
        **fields,
    )


def suite(*tasks: Task, check: Check = outcome) -> Suite:
    return replace(toy.suite(tasks or [two_moves(0), nothing(1)]), checks={"outcome": check})


def only(*tasks: Task, check: Check = outcome) -> Certificate:
    """The audit of a suite of these tasks."""
    return audit(suite(*tasks, check=check))


def outcomes(found: Certificate, mutation: str) -> dict[str, str]:
    """What became of the mutants of one mutation, by site."""
    return {result.site: result.outcome for result in of(found, mutation)}


def of(found: Certificate, mutation: str) -> list[Result]:
    return [result for result in found.results if result.mutation == mutation]


def load(name: str) -> Suite:
    """What worker processes call."""
    return toy.suite()


def variants(name: str = "") -> Suite:
    """Tasks that have their start and solution in common with the one before or after, and others."""
    move = [update("00000003", "list_name", "Completed"), update("00000004", "task_name", "Paint it")]
    tasks = [
        two_moves(0),
        two_moves(1),
        made(2, [*move, create("New")], inserted("New"), id="toy-2"),
        two_moves(3),
        two_moves(4),
        two_moves(5),
        nothing(6),
    ]
    return suite(*tasks)


def _tells_and_waits(task: Task, trajectory: Trajectory, verdicts: Verdicts) -> Score:
    if multiprocessing.parent_process() is not None:
        (Path(os.environ["TOLD"]) / task.id).write_text(str(os.getpid()), encoding="utf-8")
        signal.pause()
    return Score(value=1.0)


def waiting(name: str = "") -> Suite:
    """In a worker its checks write down whose process they are in, and wait for its end."""
    return suite(check=_tells_and_waits)
