"""Earlier tries of a trial, and what its model calls took."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.view import View
from harness.view.folder import write_folder
from harness.view.trials import PIECE
from tests.view import scene
from tests.view.test_data import V1

ONE = "00000000"


def model_call(turn: int, purpose: str = "agent", **more: Any) -> dict[str, Any]:
    return {
        "kind": "model_call", "session": 0, "turn": turn, "purpose": purpose, "request": {}, "response": {},
        "usage": {"prompt_tokens": 100 + turn, "completion_tokens": turn}, "duration": turn / 2, **more,
    }  # fmt: skip


@pytest.fixture
def tried(tmp_path: Path) -> View:
    """A trial with two tries given up, the second of them long."""
    first = scene.record(
        events=[scene.call(0, scene.write(ONE, "In Review")), scene.call(1, status="garbled", text="turnip")],
        status="crashed", reason="the last action could not be read", changes=[scene.change(ONE, "In Review")],
    ).trajectory  # fmt: skip
    many = [scene.call(n) for n in range(PIECE + 5)]
    second = scene.record(events=many, status="crashed", reason="again").trajectory
    run = scene.empty(tmp_path / "run")
    run.write(scene.record(events=[scene.call(0)], tries=[first, second]))
    return scene.view(run.folder)


def test_a_trial_names_its_earlier_tries_with_what_they_came_to_and_why(tried: View) -> None:
    told = tried.value(f"trial-0-{scene.only(tried)}")["tries"]

    assert [(each["number"], each["status"], each["reason"], each["calls"], each["changes"]) for each in told] == [
        (1, "crashed", "the last action could not be read", 2, 1),
        (2, "crashed", "again", PIECE + 5, 0),
    ]


def test_an_earlier_try_is_opened_like_the_trial_with_what_it_changed_and_no_score(tried: View) -> None:
    key = scene.only(tried)

    told = tried.value(f"try-0-{key}-1")

    assert told.keys() >= tried.value(f"trial-0-{key}").keys()
    assert told["attempt"] == {"number": 1, "of": 2}
    assert [event["text"] for event in told["first"]] == ["Done.", "turnip"]
    assert told["first"][0]["changed"][0]["fields"]["list_name"] == [scene.row(ONE)["list_name"], "In Review"]
    assert (told["scores"], told["siblings"], told["forks"], told["parent"]) == ([], [], [], None)
    assert (told["row"]["verdict"], told["row"]["calls"]) == ("given up", 2)


def test_a_long_try_comes_in_pieces(tried: View) -> None:
    key = scene.only(tried)

    assert len(tried.value(f"try-0-{key}-2")["first"]) == PIECE
    assert [event["at"] for event in tried.value(f"try-0-{key}-2-1")["events"]] == list(range(PIECE, PIECE + 5))


def test_a_try_that_there_was_not_has_no_value(tried: View) -> None:
    key = scene.only(tried)

    for name in (f"try-0-{key}", f"try-0-{key}-0", f"try-0-{key}-3", f"try-0-{key}-3-0", f"try-0-{key}-1-1"):
        assert tried.value(name) is None, name


def test_a_folder_has_every_try_with_its_pieces(tried: View, tmp_path: Path) -> None:
    key = scene.only(tried)

    write_folder(tried, tmp_path / "out")

    for name in (f"try-0-{key}-1", f"try-0-{key}-2", f"try-0-{key}-2-1"):
        text = (tmp_path / "out" / "data" / f"{name}.js").read_text()
        value = json.loads(text.removeprefix(f'harnessData("{name}", ').removesuffix(");\n"))
        assert value == json.loads(json.dumps(tried.value(name)))


def test_the_tries_of_a_run_of_version_1_are_shown() -> None:
    view = scene.view(V1 / "resampled", read_only=True)
    keys = [row["key"] for row in scene.rows(view) if "tries" in row["flags"]]

    told = [view.value(f"try-0-{key}-1") for key in keys]

    assert told
    assert all(each["first"][-1]["kind"] in ("call", "message") for each in told)


def test_turns_are_told_over_all_events_whatever_piece_they_are_in(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    calls = [scene.call(n) for n in range(PIECE)]
    run.write(scene.record(events=[model_call(1), *calls, model_call(7, "user"), model_call(2)]))
    view = scene.view(run.folder)

    told = view.value(f"trial-0-{scene.only(view)}")["turns"]

    assert told == {
        "at": [0, PIECE + 2], "step": [0, PIECE], "tokens_in": [101, 102], "tokens_out": [1, 2], "seconds": [0.5, 1.0],
    }  # fmt: skip
