"""What runs, and calls of no tool, are called."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.view.folder import write_folder
from tests.view import scene


def test_runs_are_named_by_as_much_of_their_paths_as_tells_them_apart(tmp_path: Path) -> None:
    runs = [scene.empty(tmp_path / place) for place in ("monday/a", "tuesday/a", "tuesday/b")]
    folders, identity = [run.folder for run in runs], runs[0].head.identity[:6]

    told = scene.view(*folders).value("runs")["runs"]
    turned = scene.view(*reversed(folders)).value("runs")["runs"]
    alone = scene.view(folders[0]).value("runs")["runs"]

    names = [f"monday/a.{identity}", f"tuesday/a.{identity}", f"b.{identity}"]
    assert [one["name"] for one in told] == names
    assert [one["name"] for one in turned] == names[::-1]
    assert [one["name"] for one in alone] == [f"a.{identity}"]


def test_a_folder_that_is_named_by_its_run_is_its_name_and_another_run_in_a_folder_has_another(tmp_path: Path) -> None:
    first, second = (scene.empty(tmp_path / f"{n}" / "a", seed=n) for n in range(2))
    first.folder.rename(tmp_path / f"a-{first.head.identity}")

    (named,) = scene.view(tmp_path / f"a-{first.head.identity}").value("runs")["runs"]
    (other,) = scene.view(second.folder).value("runs")["runs"]

    assert named["name"] == f"a-{first.head.identity}"
    assert other["name"] == f"a.{second.head.identity[:6]}" != f"a.{first.head.identity[:6]}"


def test_a_run_is_told_by_where_it_lies_however_it_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = scene.empty(tmp_path / "monday" / "a")
    monkeypatch.chdir(run.folder.parent)

    (told,) = scene.view(Path("a")).value("runs")["runs"]

    assert (told["folder"], told["path"]) == ("a", run.folder.resolve().as_posix())


def test_a_folder_of_the_page_says_no_more_of_where_its_run_lay_than_links_need(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "monday" / "a")
    write_folder(scene.view(run.folder), tmp_path / "out")

    assert '"path":"monday/a"' in (tmp_path / "out" / "data" / "runs.js").read_text(encoding="utf-8")


def test_a_call_of_no_tool_is_in_the_outline_as_what_it_is(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    calls = [
        scene.call(0, status="unknown", app="", tool="no_such_foo", text="There is no such tool."),
        scene.call(1, status="garbled", app="", tool="", text="This is no call."),
        scene.call(2, status="invalid", text="`at` is missing."),
    ]
    run.write(scene.record(events=calls))
    view = scene.view(run.folder)

    outline = view.value(f"trial-0-{scene.only(view)}")["outline"]

    assert [(each["kind"], each["label"]) for each in outline] == [
        ("unknown", "no_such_foo: There is no such tool."),
        ("garbled", "This is no call."),
        ("failed", "projects.update_task: `at` is missing."),
    ]
