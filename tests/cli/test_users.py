"""`harness users try`: questions from a file to a simulated user."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Call

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
        "status": {"day": "given"},
    }
    assert (second["targets"], second["revealed"], second["status"]) == ([], [], {"": "no_preference"})


def test_settings_of_the_user_count(call: Call, tmp_path: Path) -> None:
    file = written(tmp_path, {**LINE, "question": "Is there anything else I should know?"})

    assert "else: not_understood" in call("users", "try", file).out
    assert "day: given" in call("users", "try", file, "--user", '{"probe": "lenient"}').out


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", ":1: : Invalid JSON"),
        ({"intent": "x"}, ":1: question: Field required"),
        ({**LINE, "withheld": [{"id": "a"}]}, ":1: withheld.0.value: Field required"),
    ],
)
def test_a_line_that_is_none_is_named(call: Call, tmp_path: Path, line: Any, told: str) -> None:
    found = call("users", "try", written(tmp_path, line))

    assert (found.status, f"asked.jsonl{told}" in found.err) == (2, True)


@pytest.mark.parametrize(
    ("user", "told"),
    [("{", "--user is not JSON"), ('{"kind": "oracular"}', "--user: kind: "), ('{"prob": 1}', "--user: ")],
)
def test_settings_that_are_none_are_told(call: Call, tmp_path: Path, user: str, told: str) -> None:
    found = call("users", "try", written(tmp_path, LINE), "--user", user)

    assert (found.status, told in found.err) == (2, True)


def test_a_file_that_is_not_there_is_told(call: Call, tmp_path: Path) -> None:
    found = call("users", "try", tmp_path / "nowhere.jsonl")

    assert (found.status, "nowhere.jsonl cannot be read" in found.err) == (2, True)
