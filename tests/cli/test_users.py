"""`harness users`: questions put to a simulated user, from a file or those that players put."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Call
from tests.users.speaking import speaking
from userssim.heard import Put, figures, put, scenes
from userssim.wish import Known

LINE = {
    "intent": "Move the launch to Friday for Noor.",
    "sent": "Move the launch.",
    "withheld": [
        {"id": "day", "kind": "date", "value": "Friday", "colour": "red"},
        {"id": "who", "kind": "person", "role": "recipient", "value": "Noor"},
    ],
    "stated": [],
    "question": "Which day should it be?",
    "seen": "not known, and ignored",
}


def written(folder: Path, *lines: Any) -> Path:
    path = folder / "asked.jsonl"
    path.write_text("\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines))
    return path


def test_a_question_is_answered_with_what_it_was_taken_for_and_gave_away(call: Call, tmp_path: Path) -> None:
    file = written(tmp_path, LINE, "", {**LINE, "question": "Any colour?"})
    first, second = map(json.loads, call("users", "try", file, "--json").out.splitlines())

    assert first == {
        "question": "Which day should it be?",
        "answer": "Friday.",
        "targets": ["day"],
        "revealed": ["day"],
        "parts": [{"kind": "given", "target": "day"}],
        "status": {"day": "given"},
    }
    assert (second["targets"], second["revealed"], second["status"]) == ([], [], {"": "no_preference"})


def test_a_line_separator_within_a_text_ends_no_line(call: Call, tmp_path: Path) -> None:
    line = json.dumps({**LINE, "question": "Which day?\u2028Thanks."}, ensure_ascii=False)
    (told,) = map(json.loads, call("users", "try", written(tmp_path, line, ""), "--json").out.split("\n")[:-1])

    assert told["revealed"] == ["day"]


def test_lines_of_a_conversation_go_to_a_user_who_has_heard_those_before(call: Call, tmp_path: Path) -> None:
    begun = {**LINE, "conversation": "a"}
    file = written(tmp_path, begun, {"question": "And for whom?", "conversation": "a"}, {**LINE, "question": "So?"})
    first, then, alone = map(json.loads, call("users", "try", file, "--json").out.splitlines())

    assert (first["revealed"], then["revealed"]) == (["day"], ["who"])
    assert alone["status"] == {"": "not_understood"}


def test_a_line_that_goes_on_with_another_request_is_refused(call: Call, tmp_path: Path) -> None:
    begun = {**LINE, "conversation": "a"}
    found = call("users", "try", written(tmp_path, begun, {**begun, "sent": "Move it."}))

    assert found.status == 2
    assert "asked.jsonl:2: sent: not what conversation 'a' began with in line 1; leave it out" in found.err


def test_settings_of_the_user_count(call: Call, tmp_path: Path) -> None:
    file = written(tmp_path, {**LINE, "question": "Is there anything else I should know?"})

    assert "else: not_understood" in call("users", "try", file).out
    assert "day: given" in call("users", "try", file, "--user", '{"probe": "lenient"}').out


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", ":1: Invalid JSON"),
        ({"intent": "x"}, ":1: question: Field required"),
        ({**LINE, "withheld": [{"id": "a"}]}, ":1: withheld.0.value: Field required"),
    ],
)
def test_a_line_that_is_none_is_named(call: Call, tmp_path: Path, line: Any, told: str) -> None:
    found = call("users", "try", written(tmp_path, line))

    assert (found.status, f"asked.jsonl{told}" in found.err) == (2, True)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"intent": "Move it for Noor."}, """withheld "day": its value is not in intent, word for word: 'Friday'"""),
        ({"sent": "Move it to friday."}, """withheld "day": its value still stands in sent: 'Friday'"""),
        ({"stated": [{"id": "who", "value": "launch"}]}, 'stated "who": the same id as another that is withheld'),
        ({"witheld": []}, "the key 'witheld' is ignored; did you mean 'withheld'?"),
        (
            {"stated": [{"id": "a", "value": "launch", "rol": "x"}]},
            "stated \"a\": the key 'rol' is ignored; did you mean",
        ),
        (
            {"stated": [{"id": "a", "value": "launch", "kind": "persn"}]},
            "goes by the kind 'persn'; did you mean 'person'?",
        ),
    ],
)
def test_what_looks_wrong_in_a_line_is_told_and_the_question_answered(
    call: Call, tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    found = call("users", "try", written(tmp_path, LINE, {**LINE, **change}))
    (line,) = found.err.splitlines()

    assert line.startswith(f"{tmp_path / 'asked.jsonl'}:2: ")
    assert told in line
    assert (found.status, found.out.count("\nA: ")) == (0, 2)


def test_a_line_with_keys_of_ones_own_is_answered_without_a_word(call: Call, tmp_path: Path) -> None:
    assert call("users", "try", written(tmp_path, LINE)).err == ""


@pytest.mark.parametrize(
    ("user", "told"),
    [
        ("{", "--user is not JSON"),
        (
            '{"kind": "grund"}',
            "--user: kind: 'grund' is not a kind of user. Did you mean 'grounded'? Known: grounded, ",
        ),
        ('{"prob": 1}', "--user: prob: no such setting. Did you mean 'probe'? Known: "),
    ],
)
def test_settings_that_are_none_are_told(call: Call, tmp_path: Path, user: str, told: str) -> None:
    found = call("users", "try", written(tmp_path, LINE), "--user", user)

    assert (found.status, told in found.err) == (2, True)


def test_a_file_that_is_not_there_is_told(call: Call, tmp_path: Path) -> None:
    found = call("users", "try", tmp_path / "nowhere.jsonl")

    assert (found.status, "nowhere.jsonl cannot be read" in found.err) == (2, True)


def test_a_file_without_a_question_is_refused(call: Call, tmp_path: Path) -> None:
    found = call("users", "try", written(tmp_path, "", " "))

    assert (found.status, found.out, "asked.jsonl holds no question" in found.err) == (2, "", True)


def test_a_user_is_measured_on_the_questions_that_players_put(call: Call) -> None:
    found = json.loads(call("users", "measure", "--user", '{"version": 1}', "--json").out)

    assert (found["user"], found["half"]) == ("grounded@1", "frozen")
    assert found["templates"] == figures()["grounded@1"]["frozen"]


def test_what_is_measured_is_shown_with_its_intervals_and_without_a_question(call: Call) -> None:
    found = call("users", "measure", "--user", '{"version": 1}', "--half", "tuned")

    assert "51.4  45.0  57.5" in found.out
    assert not [each.question for each in put("tuned") if each.question in found.out]


def test_questions_that_had_no_answer_are_told_and_not_taken_for_understood(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = [each for each in put("tuned") if set(each.items) & {item.id for item in withheld(each)}][:2]
    monkeypatch.setattr("userssim.heard.put", lambda half: tuple(few))
    with speaking([""], [""]) as speaker:
        user = {"kind": "llm", "model": {"model": "openai/stub", "api_base": speaker.base_url}}
        found = call("users", "measure", "--half", "tuned", "--user", json.dumps(user), "--at-once", "2")

    assert "2 of 2 questions had no answer that could be used" in found.out
    assert re.search(r"recall +\d+ +0\b", found.out)


def withheld(asked: Put) -> tuple[Known, ...]:
    return scenes()[asked.scene].wish.withheld
