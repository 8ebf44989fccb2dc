"""What runs, and calls of no tool, are called."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.report.naming import run_labels
from harness.report.reading import read
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


@pytest.mark.parametrize(
    ("places", "called"),
    [
        ({"a/run": "x", "b/run": "x"}, ["a/run", "b/run"]),
        ({"a/one": "x", "a/two": "x", "a/run": "y"}, ["one", "two", "y"]),
        ({"a/x": "x", "a/old-x": "x"}, ["x", "old-x"]),
    ],
)
def test_runs_of_one_name_are_labelled_by_as_little_of_their_folders_as_tells_them_apart(
    tmp_path: Path, places: dict[str, str], called: list[str]
) -> None:
    assert run_labels([*places.values()], [tmp_path / place for place in places]) == called


def test_no_run_is_labelled_by_what_another_is_called() -> None:
    folders = [Path("/runs/one"), Path("/runs/two"), Path("/runs/three")]

    assert run_labels(["x", "x", "one"], folders) == ["/runs/one", "two", "one"]


def test_the_page_and_the_reports_label_runs_of_one_name_alike(tmp_path: Path) -> None:
    folders = [scene.played(tmp_path / name / "run", seed=n).folder for n, name in enumerate("ab")]

    shown = [run["label"] for run in scene.view(*folders).value("runs")["runs"]]

    assert shown == [each.label for each in read(folders, scene.load)] == ["a/run", "b/run"]


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
