"""The published formats: of run folders, and of task files."""

from __future__ import annotations

import json
import runpy
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from harness import schemas
from harness.scaffold import scaffold
from harness.suite import SuiteError
from harness.task_files import TASK_SCHEMA, read_tasks, task_path, write
from tests.cli.conftest import Call
from tests.harness import toy


@pytest.mark.parametrize("name", schemas.MODELS)
def test_published_schemas_are_current(name: str) -> None:
    assert json.loads(schemas.published(name)) == schemas.schema(name), "run `python -m harness.schemas`"


def test_what_a_run_leaves_on_disk_fits_the_published_schemas(call: Call, config: Path, tmp_path: Path) -> None:
    call("eval", config, "--output", "here", "--limit", 3)
    files = {"run": [tmp_path / "here" / "run.json"], "trial": sorted((tmp_path / "here" / "trials").iterdir())}

    assert len(files["trial"]) == 12
    for name, paths in files.items():
        validator = Draft202012Validator(json.loads(schemas.published(name)))
        for path in paths:
            assert [error.message for error in validator.iter_errors(json.loads(path.read_text()))] == []


def test_schemas_carry_their_version() -> None:
    assert [schemas.schema(name)["$id"] for name in schemas.MODELS] == [
        "urn:workplace-harness:run:2", "urn:workplace-harness:trial:2", "urn:workplace-harness:task:1",
    ]  # fmt: skip


PROGRAM = str(Path(schemas.__file__).with_name("__main__.py"))


def problems(task: Mapping[str, Any]) -> list[str]:
    return [error.message for error in Draft202012Validator(schemas.schema("task")).iter_errors(task)]


def undescribed(node: Any, at: str = "task") -> Iterator[str]:
    """Fields of which an editor could say nothing."""
    if isinstance(node, Mapping):
        for name, field in node.get("properties", {}).items():
            if not field.get("description"):
                yield f"{at}.{name}"
        for name, each in node.items():
            yield from undescribed(each, name)


def test_every_field_of_a_task_file_is_described() -> None:
    assert [*undescribed(schemas.schema("task"))] == []


def test_a_task_file_names_its_schema_fits_it_and_is_the_same_task(tmp_path: Path) -> None:
    task = toy.task(3, ask=True)
    path = write(tmp_path, task)
    written = json.loads(path.read_text(encoding="utf-8"))
    named = (path.parent / written["$schema"]).resolve()

    assert problems(written) == []
    assert named == tmp_path / TASK_SCHEMA
    assert json.loads(named.read_text(encoding="utf-8")) == schemas.schema("task")
    assert [each.hash for each in read_tasks(tmp_path)] == [task.hash]


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"apps": "gmail"}, "is not of type 'array'"),
        ({"session": []}, "'session' was unexpected"),
        ({"ends": [{"changes": [{"op": "added", "app": "gmail", "table": "emails"}]}]}, "'added' is not one of"),
    ],
)
def test_an_editor_finds_what_reading_refuses(changed: dict[str, Any], problem: str, tmp_path: Path) -> None:
    wrong = toy.task(0).model_dump(mode="json", exclude_defaults=True) | changed
    path = task_path(tmp_path, wrong["id"])
    path.parent.mkdir()
    path.write_text(json.dumps(wrong), encoding="utf-8")

    assert problem in problems(wrong)[0]
    with pytest.raises(SuiteError, match="does not fit the task format"):
        read_tasks(tmp_path)


@pytest.mark.parametrize("text", ["", "{", '{"id": "a",}', "[]", '"a"', "null", "\x00"])
def test_a_file_that_holds_no_task_is_named(text: str, tmp_path: Path) -> None:
    path = task_path(tmp_path, "a")
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")

    with pytest.raises(SuiteError, match=r"a\.json (is not JSON|does not fit the task format)"):
        read_tasks(tmp_path)


def test_a_new_suite_has_the_schema(tmp_path: Path) -> None:
    scaffold("suite", "chair-jobs", tmp_path)
    path = tmp_path / "chair-jobs" / "chair_jobs_suite" / TASK_SCHEMA

    assert json.loads(path.read_text(encoding="utf-8")) == schemas.schema("task")


def test_a_schema_is_printed_by_its_name(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["harness.schemas", "task"])
    runpy.run_path(PROGRAM, run_name="__main__")

    assert json.loads(capsys.readouterr().out) == schemas.schema("task")
    monkeypatch.setattr(sys, "argv", ["harness.schemas", "tasks"])
    with pytest.raises(SystemExit, match="there is no schema 'tasks'; there are run, trial, task"):
        runpy.run_path(PROGRAM, run_name="__main__")
