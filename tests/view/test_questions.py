"""What agents asked in a run, with what became of each question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.view import scene

PART = {"target": "list", "text": "In Review"}


def question(step: int, text: str = "Which list?") -> dict[str, Any]:
    return {"kind": "question", "session": 0, "step": step, "text": text}


def answer(step: int, *kinds: str, text: str = "In Review.", **more: Any) -> dict[str, Any]:
    parts = [{**PART, "kind": kind} for kind in kinds]
    return {"kind": "answer", "session": 0, "step": step, "text": text, "parts": parts, **more}


def listed(tmp_path: Path, *events: dict[str, Any], **changes: Any) -> list[dict[str, Any]]:
    run = scene.empty(tmp_path / "run", **changes)
    run.write(scene.record(events=list(events)))
    view = scene.view(run.folder)
    found: list[dict[str, Any]] = view.value("questions-0")["questions"]
    assert {each["key"] for each in found} <= {scene.only(view)}
    return found


def kinds(found: list[dict[str, Any]]) -> list[list[str]]:
    """Why each question may have been misunderstood."""
    return [[doubt["kind"] for doubt in each["doubts"]] for each in found]


def test_each_question_has_its_answer_its_place_and_what_became_of_it(tmp_path: Path) -> None:
    first, second = listed(
        tmp_path,
        scene.call(0), question(1), answer(1, "given", revealed=["list"]), scene.call(1),
        question(2, "Hm?"), answer(2, "not_understood", "not_understood", text="What?"), scene.call(2),
    )  # fmt: skip

    assert (first["at"], first["question"], first["answer"]) == (1, "Which list?", "In Review.")
    assert (first["became"], first["revealed"]) == (["given"], ["list"])
    assert (second["at"], second["became"]) == (4, ["not_understood"])


def test_an_answer_without_parts_is_told_by_what_it_revealed(tmp_path: Path) -> None:
    found = listed(
        tmp_path, question(0), answer(0, revealed=["list"]), scene.call(0), question(1), answer(1), scene.call(1)
    )

    assert [each["became"] for each in found] == [["given"], ["nothing"]]


def test_an_answer_that_only_says_that_the_request_states_it_told_nothing_but_pointed_there(tmp_path: Path) -> None:
    stands = {"kind": "given", "target": "list", "text": ""}
    text = "That's in what I wrote."
    pointed, told = listed(
        tmp_path,
        question(0), answer(0, text=text) | {"parts": [stands]}, scene.call(0),
        question(1), answer(1, revealed=["list"]) | {"parts": [stands]}, scene.call(1),
    )  # fmt: skip

    assert (pointed["became"], told["became"]) == (["pointed"], ["given"])


def test_what_is_asked_for_again_is_said_to_be_and_a_question_may_go_unanswered(tmp_path: Path) -> None:
    found = listed(
        tmp_path,
        question(0), answer(0, "given", targets=["list"]), scene.call(0),
        question(1), answer(1, "given", targets=["list"]), scene.call(1),
        question(2), scene.call(2),
    )  # fmt: skip

    assert [each["became"] for each in found] == [["given"], ["given"], ["unanswered"]]
    assert kinds(found) == [[], ["told_again", "asked_twice"], []]


def test_a_question_without_an_answer_is_unanswered_also_by_a_user_who_never_tells_anything(tmp_path: Path) -> None:
    placebo = {"default": {"ask": "ask_user", "user": {"kind": "placebo"}}}
    found = listed(
        tmp_path,
        question(0), answer(0, "not_understood", text="I see."), scene.call(0), question(1), scene.call(1),
        conditions=placebo,
    )  # fmt: skip

    assert [each["became"] for each in found] == [["nothing"], ["unanswered"]]


def test_a_trial_whose_user_told_the_agent_to_decide_is_flagged_so_also_where_it_is_right(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    events = [question(0), answer(0, "no_preference"), scene.call(0, scene.write("00000000", "In Progress"))]
    run.write(scene.record(events=events, changes=[scene.change("00000000", "In Progress")]))

    (row,) = scene.rows(scene.view(run.folder))

    assert (row["verdict"], row["flags"]) == ("correct", ("no_preference",))


def test_agents_of_the_same_condition_are_the_first_siblings(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    played = [("oracle", "default"), ("oracle", "other"), ("idle", "other"), ("idle", "default")]
    for agent, condition in played:
        run.write(scene.record(agent=agent, condition=condition))
    view = scene.view(run.folder)
    key = next(row["key"] for row in scene.rows(view) if (row["agent"], row["condition"]) == played[0])

    found = view.value(f"trial-0-{key}")["siblings"]

    assert (found[0]["agent"], found[0]["condition"]) == ("idle", "default")
    assert {each["condition"] for each in found[1:]} == {"other"}
