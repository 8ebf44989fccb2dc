"""Tasks and worlds as files of a suite: `tasks/<id>.json` and `worlds/<name>/`, which `harness capture` adds to.

A task file may begin with `"$schema"`, the path of its JSON Schema, by which editors complete and check it; it is no
part of the task.
"""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from harness.core.suite import SuiteError
from harness.core.task import Task
from harness.core.task_briefs import contradictions, unknown_names
from harness.core.writing import create
from servers.kernel import StateError, World, first_amiss

__all__ = ("TASK_SCHEMA", "calls_path", "read_tasks", "read_world", "schema", "schema_of", "task_path", "write")

TASK_SCHEMA: Final = "task.schema.json"
"""Name of the schema's copy in the folder of a suite."""

_ROOT: Final = Path(__file__).parents[2]


def task_path(folder: Path, id: str) -> Path:
    return folder / "tasks" / f"{id}.json"


def calls_path(folder: Path, id: str) -> Path:
    """Every call that was made while the task was captured, one record a line."""
    return folder / "tasks" / f"{id}.calls.jsonl"


def schema() -> dict[str, Any]:
    """The JSON Schema of a task file, made from `Task`."""
    found = Task.model_json_schema()
    del found["$defs"]["Session"]["properties"]["now"]["anyOf"][0]["format"]  # of JSON Schema: with a time zone
    named = {"type": "string", "description": "Path of this schema, for editors; no part of the task."}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:workplace-harness:task:1",
        **found,
        "title": "Task",
        "properties": {"$schema": named, **found["properties"]},
    }


def schema_of(folder: Path) -> Path:
    """Where the schema lies for the task files of a suite's folder: in that folder, or once for all that are ours."""
    ours = folder.resolve().is_relative_to(_ROOT / "benchmarks")
    return _ROOT / "harness" / "schemas" / "task.json" if ours else folder / TASK_SCHEMA


def read_tasks(folder: Path | str) -> tuple[Task, ...]:
    """The tasks that lie in a suite's folder, by file name; none is fine.

    Raises `SuiteError` naming file and field, also where slots, withheld values, briefs or ends contradict each other.
    """
    return tuple(map(_read, sorted(Path(folder, "tasks").glob("*.json"))))


def read_world(folder: Path | str, name: str) -> World:
    """A world that lies in a suite's folder. Raises `SuiteError`."""
    worlds = Path(folder, "worlds")
    path = worlds / name
    if not (path / "world.json").is_file():
        there = sorted(each.parent.name for each in worlds.glob("*/world.json"))
        raise SuiteError(f"there is no world {name!r}; in {worlds} there is {', '.join(there) or 'none'}")
    try:
        return World.read(path)
    except (OSError, StateError) as error:
        raise SuiteError(str(error)) from None


def write(folder: Path, task: Task) -> Path:
    """Add a task, and the schema that its file names if that is not there. Raises FileExistsError."""
    path, described = task_path(folder, task.id), schema_of(folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    named = Path(os.path.relpath(described.resolve(), path.parent.resolve())).as_posix()
    body = {"$schema": named, **task.model_dump(mode="json", exclude_defaults=True)}
    create(path, to_json(body, indent=2).decode() + "\n")
    if not described.exists():
        create(described, json.dumps(schema(), indent=2) + "\n")
    return path


def _read(path: Path) -> Task:
    try:
        text = path.read_bytes().decode("utf-8")
        found = from_json(text)
        task = Task.model_validate({k: v for k, v in found.items() if k != "$schema"} if type(found) is dict else found)
    except (OSError, UnicodeDecodeError) as error:
        raise SuiteError(f"{path} cannot be read: {error}") from None
    except ValidationError as error:
        raise SuiteError(f"{path} does not fit the task format: {first_amiss(error, 'file')}") from None
    except ValueError as error:
        raise SuiteError(f"{path} is not JSON: {error}") from None
    json.loads(text, object_pairs_hook=partial(_once, path))
    if task.id != path.stem:
        raise SuiteError(f"{path} holds task {task.id!r}; a task's file is named after its id")
    if wrong := [*contradictions(task), *unknown_names(task)]:
        raise SuiteError(f"{path} contradicts itself: {'; '.join(wrong)}")
    return task


def _once(path: Path, pairs: list[tuple[str, Any]]) -> None:
    """Raises `SuiteError` for an object that has a field twice: JSON readers keep the last and say nothing."""
    names = [name for name, _ in pairs]
    if len({*names}) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise SuiteError(f"{path} has {twice!r} twice in one object: keep one of them")
