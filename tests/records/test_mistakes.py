"""What a trial made with another value, told from its score's detail."""

from __future__ import annotations

from typing import Any

import pytest

from harness.record.mistakes import mistake
from harness.scoring.outcome import outcome
from tests.view import scene

WON = ['update crm.customers 00000001: status="Won"', 'update crm.customers 00000002: status="Won"']
LOST = [each.replace("Won", "Lost") for each in WON]


def told(missing: list[str], extra: list[str]) -> str:
    return mistake({"missing": missing, "extra": extra})


def test_the_same_difference_in_several_rows_is_told_once() -> None:
    assert told(WON, LOST) == "status Lost instead of Won"


def test_a_new_row_is_held_against_the_one_most_like_it() -> None:
    wanted = ['insert calendar.events: duration=30, name="Review", who="Noor"']
    made = ['insert calendar.events: duration=60, name="Lunch"', 'insert calendar.events: duration=60, name="Review"']

    assert told(wanted, made) == "duration 60 instead of 30"


def test_more_differences_than_are_told_are_counted() -> None:
    assert told(["insert a.b: f=1, g=2, h=3, i=4, j=5"], ["insert a.b: f=0, g=0, h=0, i=0, j=0"]) == (
        "f 0 instead of 1; g 0 instead of 2; h 0 instead of 3; and 2 more"
    )


def test_values_of_several_words_are_quoted_and_those_that_were_cut_say_so() -> None:
    wanted = [f'insert gmail.emails: body="{"x" * 30} {"y" * 25}..., subject="Hi there", to=null']
    made = ['insert gmail.emails: body="Line one\\nline two", subject="Bye", to="noor@example.com"']

    assert told(wanted, made) == (
        f'body "Line one line two" instead of {"x" * 30}…; subject Bye instead of "Hi there"; '
        "to noor@example.com instead of nothing"
    )


@pytest.mark.parametrize(
    ("missing", "extra"),
    [
        (WON, []),
        ([], LOST),
        (WON, [each.replace("0000000", "1111111") for each in LOST]),
        (["delete crm.customers 00000001"], ["update crm.customers 00000001: status=1"]),
        (["no description"], ["no description"]),
    ],
)
def test_what_is_missing_or_unexpected_alone_is_no_mistake_of_values(missing: list[str], extra: list[str]) -> None:
    assert told(missing, extra) == ""


@pytest.mark.parametrize("detail", [{}, {"missing": 3, "extra": None}, {"missing": "update a.b 1: c=1", "extra": [1]}])
def test_a_detail_of_another_check_says_nothing(detail: dict[str, Any]) -> None:
    assert mistake(detail) == ""


def test_the_descriptions_of_the_outcome_check_are_read() -> None:
    record = scene.record(changes=[scene.change("00000000", "Completed")])
    task = scene.TASKS[0]
    (change,) = task.ends[0].changes

    found = mistake(outcome(task, record.trajectory).detail)

    assert change.values["list_name"] == "In Progress"
    assert found == 'list_name Completed instead of "In Progress"'
