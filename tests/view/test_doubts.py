"""Signs that a user misunderstood a question, told from the record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.core.task import Slot
from harness.view.doubts import is_yes_or_no
from tests.harness import toy
from tests.view import scene

TASK = toy.task(0).model_copy(
    update={
        "withheld": {"original": ("list",)},
        "slots": (Slot(name="list", kind="board", text="In Review"),),
    }
)


def exchange(n: int, text: str, answer: str, *parts: tuple[str, str], **more: Any) -> list[dict[str, Any]]:
    """A question that call `n` asks, its answer in parts (kind, target), and the call."""
    return [
        {"kind": "question", "session": 0, "step": n, "text": text},
        {
            "kind": "answer", "session": 0, "step": n, "text": answer,
            "parts": [{"kind": kind, "target": target} for kind, target in parts],
            "revealed": [target for kind, target in parts if kind in ("given", "confirmed", "corrected") and target],
            "targets": [target for _, target in parts if target], **more,
        },
        scene.call(n),
    ]  # fmt: skip


def doubts(tmp_path: Path, *exchanges: list[dict[str, Any]], **config: Any) -> list[list[tuple[str, list[str]]]]:
    """Of each question, the signs with what they are about."""
    suite = toy.suite([TASK])
    run = scene.empty(tmp_path / "run", suite, **config)
    run.write(scene.record(TASK, events=[event for each in exchanges for event in each]))
    found = scene.view(run.folder, load=lambda *_: suite).value("questions-0")["questions"]
    return [[(doubt["kind"], list(doubt["about"])) for doubt in each["doubts"]] for each in found]


def test_a_read_back_that_is_answered_with_a_bare_value_is_told_again_without_yes_or_no(tmp_path: Path) -> None:
    found = doubts(
        tmp_path,
        exchange(0, "How long?", "Half an hour.", ("given", "list")),
        exchange(1, "So it is 13:00 to 13:30, right?", "Half an hour.", ("given", "list")),
    )

    assert found == [[], [("told_again", ["list"]), ("bare_value", ["list"]), ("asked_twice", ["list"])]]


def test_a_value_told_before_that_is_denied_is_told_again(tmp_path: Path) -> None:
    found = doubts(
        tmp_path,
        exchange(0, "How long?", "Half an hour.", ("given", "list")),
        exchange(1, "13:00 to 13:30 then?", "No, half an hour.", ("corrected", "list")),
    )

    assert ("told_again", ["list"]) in found[1]


def test_a_read_back_that_is_confirmed_is_in_no_doubt(tmp_path: Path) -> None:
    found = doubts(
        tmp_path,
        exchange(0, "Which list?", "In Review.", ("given", "list")),
        exchange(1, "In Review, right?", "Yes, In Review.", ("confirmed", "list")),
    )

    assert found == [[], []]


def test_an_answer_that_tells_what_the_question_was_not_taken_to_ask_for_is_beside_it(tmp_path: Path) -> None:
    found = doubts(tmp_path, exchange(0, "When?", "In Review.", ("given", "list"), targets=["day"]))

    assert found == [[("beside", ["list"])]]


def test_an_answer_about_what_the_request_states_is_not_beside_the_question(tmp_path: Path) -> None:
    stated = exchange(0, "Is the day Friday?", "Yes, as I wrote.", ("confirmed", "day"), targets=[], revealed=[])

    assert doubts(tmp_path, stated) == [[]]


def test_an_answer_about_what_is_stated_is_in_doubt_where_the_question_does_not_name_it(tmp_path: Path) -> None:
    named, other = (
        exchange(0, text, "That's in what I wrote.", ("given", "due_day"), targets=[], revealed=[])
        for text in ("What is the day?", "Where does it go?")
    )

    assert doubts(tmp_path / "named", named) == [[]]
    assert doubts(tmp_path / "other", other) == [[("stated", ["due_day"])]]


def test_an_answer_that_tells_nothing_while_something_is_withheld_is_in_doubt_and_later_ones_are_not(
    tmp_path: Path,
) -> None:
    found = doubts(
        tmp_path,
        exchange(0, "Where does it go?", "I leave that to you.", ("no_preference", "")),
        exchange(1, "Which list?", "In Review.", ("given", "list")),
        exchange(2, "Anything else?", "I leave that to you.", ("no_preference", "")),
    )

    assert found == [[("told_nothing", ["list"])], [], []]


def test_what_is_asked_for_again_right_after_nothing_was_told_of_it_is_said_on_the_first_question(
    tmp_path: Path,
) -> None:
    found = doubts(
        tmp_path,
        exchange(0, "Which list?", "I leave that to you.", ("no_preference", "list")),
        exchange(1, "I mean the name of the list?", "In Review.", ("given", "list")),
    )

    assert found == [[("asked_again", ["list"])], [("asked_twice", ["list"])]]


def test_a_user_who_wants_to_be_asked_again_has_not_misunderstood(tmp_path: Path) -> None:
    found = doubts(tmp_path, exchange(0, "Which list?", "One moment.", ("put_off", "list")))

    assert found == [[]]


def test_a_user_who_never_answers_has_not_misunderstood(tmp_path: Path) -> None:
    empty = [exchange(n, "Which list?", "Hm.", ("not_understood", ""), targets=["list"]) for n in range(2)]
    placebo = {"default": {"ask": "ask_user", "user": {"kind": "placebo"}}}

    assert doubts(tmp_path / "heard", *empty)[0] == [("not_understood", []), ("asked_again", ["list"])]
    assert doubts(tmp_path / "placebo", *empty, conditions=placebo) == [[], [("asked_twice", ["list"])]]


def test_a_value_and_a_refusal_in_one_answer_are_a_contradiction(tmp_path: Path) -> None:
    found = doubts(tmp_path, exchange(0, "Which list and day?", "?", ("given", "list"), ("not_understood", "")))

    assert found == [[("not_understood", []), ("contradiction", [])]]


def test_the_answer_of_a_trial_says_the_same_in_its_stream(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    run.write(scene.record(events=exchange(0, "Hm?", "What?", ("not_understood", ""))))
    view = scene.view(run.folder)

    events = view.value(f"trial-0-{scene.only(view)}")["first"]

    assert [event.get("doubts") for event in events] == [None, [{"kind": "not_understood", "about": []}], None]


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("So it's 3 pm, right?", True),
        ("Thanks. Should I book Samira at 10:00 all the same?", True),
        ("Won surprises me a little - do you really want all three set to Won?", True),
        ("It is 13:00 to 13:30. All right like that?", True),
        ("It is 13:00 to 13:30, yes?", True),
        ("Should I book her at 10:00, or at another time?", False),
        ("Can you tell me the duration?", False),
        ("Do you know which board it is?", False),
        ("Is there a deadline?", False),
        ("Do you have a board in mind?", False),
        ("How long should it be?", False),
        ("Right, the duration please.", False),
    ],
)
def test_a_question_that_yes_or_no_would_answer_is_told_by_its_words(text: str, closed: bool) -> None:
    assert is_yes_or_no(text) is closed
