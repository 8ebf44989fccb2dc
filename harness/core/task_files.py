"""Tasks and worlds as files of a suite: `tasks/<id>.json` and `worlds/<name>/`, which `harness capture` adds to."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from harness.core.suite import SuiteError
from harness.core.task import Task
from servers.kernel import StateError, World

__all__ = ("calls_path", "read_tasks", "read_world", "task_path", "write")


def task_path(folder: Path, id: str) -> Path:
    return folder / "tasks" / f"{id}.json"


def calls_path(folder: Path, id: str) -> Path:
    """Every call that was made while the task was captured, one record a line."""
    return folder / "tasks" / f"{id}.calls.jsonl"


def read_tasks(folder: Path) -> tuple[Task, ...]:
    """The tasks that lie in a suite's folder, by file name; none is fine. Raises `SuiteError` naming file and field."""
    return tuple(map(_read, sorted((folder / "tasks").glob("*.json"))))


def read_world(folder: Path, name: str) -> World:
    """A world that lies in a suite's folder. Raises `SuiteError`."""
    path = folder / "worlds" / name
    if not (path / "world.json").is_file():
        there = sorted(each.parent.name for each in (folder / "worlds").glob("*/world.json"))
        raise SuiteError(f"there is no world {name!r}; in {folder / 'worlds'} there is {', '.join(there) or 'none'}")
    try:
        return World.read(path)
    except (OSError, StateError) as error:
        raise SuiteError(str(error)) from None


def write(folder: Path, task: Task) -> Path:
    """Add a task. Raises FileExistsError."""
    path = task_path(folder, task.id)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(task.model_dump_json(indent=2, exclude_defaults=True) + "\n")
    return path


def _read(path: Path) -> Task:
    try:
        task = Task.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SuiteError(f"{path} cannot be read: {error}") from None
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(map(str, problem["loc"])) or "file"
        raise SuiteError(f"{path} does not fit the task format: {where}: {problem['msg']}") from None
    if task.id != path.stem:
        raise SuiteError(f"{path} holds task {task.id!r}; a task's file is named after its id")
    return task
