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


def test_a_row_says_how_what_the_agent_said_last_begins(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    said = ("Moved,  and\nthe team knows. " + "So it is. " * 40, "")
    for trial, reply in enumerate(said):
        sessions = [
            {"request": "Move job 0.", "now": "2025-03-13T00:00:00", "reply": reply, "changes": [], "digest": ""}
        ]
        run.write(scene.record(trial=trial, sessions=sessions))

    first, second = (row["last_words"] for row in scene.rows(scene.view(run.folder)))

    assert first.startswith("Moved, and the team knows. So it is.")
    assert len(first) == 160
    assert second == ""
