"""A run that is removed, gone on with or replaced by another one while it is looked at."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from harness.record.files import RunError
from harness.record.store import Run, RunHead
from harness.view.encoding import as_json
from tests.view import scene


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return scene.played(tmp_path / "run")


def test_a_folder_that_is_gone_is_told_of(run: Run) -> None:
    view = scene.view(run.folder)
    view.value("report-0")
    shutil.rmtree(run.folder)

    index = view.value("index-0")

    assert index["trials"] == 0
    assert index["problems"] == [{"file": str(run.folder), "text": "is not there any more"}]
    assert view.value("report-0")["heading"].endswith("0 trials")


def test_a_run_file_that_is_torn_meanwhile_is_told_of_and_the_rest_is_shown(run: Run) -> None:
    view = scene.view(run.folder)
    (run.folder / "run.json").write_text("{")

    index = view.value("index-0")

    assert index["trials"] == 4
    assert [each["file"] for each in index["problems"]] == ["run.json"]
    assert index["problems"][0]["text"].startswith("does not fit the run format")


def test_a_folder_that_comes_back_is_shown_again(run: Run) -> None:
    view = scene.view(run.folder)
    run.folder.rename(run.folder.with_name("away"))
    assert view.value("index-0")["problems"]
    run.folder.with_name("away").rename(run.folder)

    index = view.value("index-0")

    assert (index["trials"], index["problems"]) == (4, [])


def test_a_run_that_takes_the_place_of_another_is_shown_as_what_it_is(run: Run) -> None:
    view = scene.view(run.folder)
    first = view.value("index-0")
    shutil.rmtree(run.folder)
    other = scene.empty(run.folder, name="another", seed=7)

    index = view.value("index-0")

    assert (index["identity"], index["trials"]) == (other.head.identity, 0)
    assert index["identity"] != first["identity"]
    assert view.value("runs")["runs"][0]["label"] == "another"


def test_a_run_that_is_gone_on_with_stays_the_same(run: Run) -> None:
    view = scene.view(run.folder)
    before = view.runs[0]
    view.value("index-0")

    Run.create(run.folder, RunHead.of(scene.config(trials=3), scene.suite()))
    view.value("index-0")

    assert view.runs[0] is before
    assert before.run.head.config.trials == 3


def test_a_report_tells_of_the_trials_that_there_were_before_its_tables_were_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = scene.empty(tmp_path / "run")
    run.write(scene.record(scene.TASKS[0]))
    view = scene.view(run.folder)
    make = view.runs[0].tables

    def while_one_ends() -> Any:
        made = make()
        run.write(scene.record(scene.TASKS[1]))
        view.refresh()
        return made

    monkeypatch.setattr(view.runs[0], "tables", while_one_ends)
    told = view.value("report-0")

    assert (told["trials"], told["read"], told["heading"].rsplit(", ")[-1]) == (1, 1, "1 trial")
    assert view.value("index-0")["total"] == 2


def test_a_report_tells_a_trial_that_was_played_again_from_the_one_before(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    run.write(scene.record(status="void"))
    view = scene.view(run.folder)
    before = view.value("report-0")

    run.write(scene.record(reason="played again"))

    assert (before["trials"], before["read"]) == (1, 1)
    assert view.value("index-0")["total"] == 2


def test_an_index_says_how_many_trials_there_are_in_all(run: Run) -> None:
    view = scene.view(run.folder)
    total = view.value("index-0")["total"]
    scene.files(run)[0].unlink()

    index = view.value("index-0", total)

    assert (index["columns"]["key"], index["trials"]) == ([], 3)


def test_names_of_files_that_are_no_text_hide_nothing(run: Run) -> None:
    (run.folder / "trials" / "\udcff.json").write_text("{}")
    view = scene.view(run.folder)

    assert b"\\\\udcff.json" in as_json(view.value("runs"))


def test_the_remedy_for_a_torn_run_file_is_one_that_helps(run: Run) -> None:
    (run.folder / "run.json").write_text("")

    with pytest.raises(RunError, match="with --fresh starts over"):
        Run.open(run.folder)


def test_records_that_cannot_be_listed_are_not_taken_for_none(run: Run) -> None:
    shutil.rmtree(run.folder / "trials")
    (run.folder / "trials").write_text("")

    told = scene.view(run.folder).value("index-0")["problems"]

    assert told == [{"file": "trials/", "text": "cannot be read: Not a directory"}]
    with pytest.raises(RunError, match="trials cannot be read: Not a directory"):
        list(run.records())


def test_an_annotation_that_cannot_be_written_speaks_of_no_command_that_goes_on(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = scene.view(run.folder, author="anna")
    key = scene.rows(view)[0]["key"]
    (run.folder / "annotations").mkdir()
    monkeypatch.setattr("os.fsync", _full)

    with pytest.raises(RunError, match=r"json cannot be written: No space left on device$"):
        view.annotate({"run": 0, "key": key, "kind": "note", "text": "x"})


def _full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
