"""What runs, and calls of no tool, are called."""

from __future__ import annotations

from pathlib import Path

from tests.view import scene


def test_runs_are_named_by_as_much_of_their_paths_as_tells_them_apart(tmp_path: Path) -> None:
    folders = [scene.empty(tmp_path / place).folder for place in ("monday/a", "tuesday/a", "tuesday/b")]

    told = scene.view(*folders).value("runs")["runs"]
    turned = scene.view(*reversed(folders)).value("runs")["runs"]
    alone = scene.view(folders[0]).value("runs")["runs"]

    assert [one["name"] for one in told] == ["monday/a", "tuesday/a", "b"]
    assert [one["name"] for one in turned] == ["b", "tuesday/a", "monday/a"]
    assert [one["name"] for one in alone] == ["a"]


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
