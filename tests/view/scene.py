"""Runs to show: of the toy suite, and records made by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.core.config import RunConfig
from harness.core.suite import Suite
from harness.play.run import evaluate
from harness.record.seeds import trial_seed
from harness.record.store import Run, RunHead, TrialRecord
from harness.scoring.outcome import outcome
from harness.task import Task
from harness.trajectory import Trajectory
from harness.view import View
from tests.harness import toy

TASKS = [toy.task(n) for n in range(4)]


def suite() -> Suite:
    return toy.suite(TASKS)


def load(name: str, scale: int) -> Suite:
    return suite()


def played(folder: Path, **changes: Any) -> Run:
    """Four tasks, done by an agent that calls what each takes."""
    return evaluate(toy.config(**changes), suite(), toy.Wiring(TASKS), folder)


def empty(folder: Path, of: Suite | None = None, **changes: Any) -> Run:
    """A run of which nothing was played yet."""
    return Run.create(folder, RunHead.of(config(**changes), of or suite()))


def config(**changes: Any) -> RunConfig:
    return toy.config(**changes)


def record(task: Task = TASKS[0], *, scores: bool = True, run_seed: int = 0, **changes: Any) -> TrialRecord:
    """A trial of the toy suite in which nothing happened but what is given."""
    given: dict[str, Any] = {
        "suite": "toy", "task": task.id, "task_hash": task.hash, "agent": "oracle", "condition": "default", "trial": 0,
        "prompt": "original", "status": "finished", "world": toy.world().digest, **changes,
    }  # fmt: skip
    seed = trial_seed(run_seed, given["task"], given["condition"], given["trial"])
    trajectory = Trajectory.model_validate({"seed": seed, **given})
    return TrialRecord(trajectory=trajectory, scores={"outcome": outcome(task, trajectory)} if scores else {})


def write(at: str, list_name: str | None, due: str = "") -> dict[str, Any]:
    """A row of the board that a call wrote: moved to a list, or removed."""
    values = None if list_name is None else {**row(at), "list_name": list_name, **({"due_date": due} if due else {})}
    return {"app": "projects", "table": "tasks", "id": at, "values": values}


def row(at: str) -> dict[str, Any]:
    found = next(each for each in toy.world().rows["projects"]["tasks"] if each["id"] == at)
    return {name: value for name, value in found.items() if name != "id"}


def change(at: str, list_name: str | None) -> dict[str, Any]:
    """The same over the whole trial."""
    return {
        "app": "projects", "table": "tasks", "id": at, "before": row(at), "after": write(at, list_name)["values"],
    }  # fmt: skip


def call(n: int, *writes: Mapping[str, Any], status: str = "ok", **more: Any) -> dict[str, Any]:
    return {
        "kind": "call", "session": 0, "n": n, "turn": 0, "app": "projects", "tool": "update_task", "arguments": {},
        "status": status, "text": "Done.", "writes": list(writes), **more,
    }  # fmt: skip


def view(*folders: Path, load: Callable[[str, int], Suite] = load, **settings: Any) -> View:
    return View(folders, load, **settings)


def only(view: View, run: int = 0) -> str:
    """The key of the one trial of a run."""
    (key,) = view.value(f"index-{run}")["columns"]["key"]
    return str(key)


def rows(view: View, run: int = 0) -> list[dict[str, Any]]:
    """An index by rows."""
    columns: Mapping[str, Sequence[Any]] = view.value(f"index-{run}")["columns"]
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def files(run: Run) -> list[Path]:
    return sorted((run.folder / "trials").glob("*.json"))


def lines(run: Run) -> list[dict[str, Any]]:
    """The index as it lies on disk."""
    return [json.loads(line) for line in (run.folder / "index.jsonl").read_text(encoding="utf-8").splitlines()]
