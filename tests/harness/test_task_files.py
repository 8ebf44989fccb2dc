"""Tasks that lie in files, as a suite reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.suite import SuiteError
from harness.task_files import read_tasks
from tests.harness import toy


def written(folder: Path, text: str) -> Path:
    path = folder / "tasks" / "toy-0.json"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    return path


def test_a_folder_is_named_by_a_path_or_by_text(tmp_path: Path) -> None:
    written(tmp_path, toy.task(0).model_dump_json())

    assert read_tasks(str(tmp_path)) == read_tasks(tmp_path) == (toy.task(0),)


@pytest.mark.parametrize("field", ['"world": "other"', '"sessions": []'])
def test_a_field_that_is_there_twice_is_named(tmp_path: Path, field: str) -> None:
    name = field.partition(":")[0].strip('"')
    path = written(tmp_path, toy.task(0).model_dump_json().replace("{", f"{{{field},", 1))

    with pytest.raises(SuiteError) as refused:
        read_tasks(tmp_path)

    assert str(refused.value) == f"{path} has {name!r} twice in one object: keep one of them"


def test_what_a_field_does_not_fit_is_told_in_the_words_of_its_validator(tmp_path: Path) -> None:
    early = toy.task(0).model_dump_json().replace('"now":null', '"now":"0001-01-01T00:00:00"', 1)
    path = written(tmp_path, early)

    with pytest.raises(SuiteError) as refused:
        read_tasks(tmp_path)

    assert str(refused.value).startswith(f"{path} does not fit the task format: sessions.0.now: the time ")
