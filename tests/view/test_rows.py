"""Rows and requests of the list that the page is given."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.view import scene


def test_an_index_has_each_request_that_was_played_once(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    for agent in ("oracle", "null"):
        run.write(scene.record(agent=agent))
    view = scene.view(run.folder)

    task = scene.TASKS[0]
    assert view.value("index-0")["requests"] == {task.id: {"original": task.sessions[0].requests["original"]}}


def test_checks_of_others_have_rows_too(tmp_path: Path) -> None:
    suite = replace(scene.suite(), checks={})
    run = scene.empty(tmp_path / "run", suite)
    run.write(scene.record(scores=False))

    (row,) = scene.rows(scene.view(run.folder, load=lambda *_: suite))

    assert (row["verdict"], row["score"], row["ckpt"], row["side_effects"]) == ("unscored", None, None, None)
