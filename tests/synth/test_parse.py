from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from harness.agents.parse import defers, parse

NOW = datetime(2025, 3, 13)  # a Thursday
BOARDS = {"Back end": "Back end", "Front end": "Front end", "Design": "Design"}
PLOTS = {"bar chart": "bar", "bar": "bar", "line plot": "line", "scatter plot": "scatter"}
PEOPLE = {"noor": "noor", "oskar": "oskar"}


@pytest.mark.parametrize(
    ("kind", "reply", "value"),
    [
        ("person", 'The recipient is "Oskar".', "oskar"),
        ("person", "Oskar", "oskar"),
        ("person", "Send it to Oskar, please.", "oskar"),
        ("person", "oskar.lindqvist@tarnwick.example", "oskar"),
        ("person", "nobody in particular", None),
        ("customer", "I mean Elspeth Jessop.", "Elspeth Jessop"),
        ("customer", 'The customer is "Elspeth Jessop".', "Elspeth Jessop"),
        ("date", "March 20", "2025-03-20"),
        ("date", "the 20th of March, please", "2025-03-20"),
        ("date", "On Mar 3rd.", "2025-03-03"),
        ("date", "December 20", "2024-12-20"),
        ("date", "December 20, 2025", "2025-12-20"),
        ("date", "2025-04-01", "2025-04-01"),
        ("date", "February 30", None),
        ("date", "tomorrow", "2025-03-14"),
        ("date", "the day after tomorrow", "2025-03-15"),
        ("date", "yesterday", "2025-03-12"),
        ("date", "in two weeks", "2025-03-27"),
        ("date", "on Friday", "2025-03-14"),
        ("date", "next Friday", "2025-03-21"),
        ("date", "next Monday", "2025-03-17"),
        ("date", "on Thursday", "2025-03-20"),
        ("date", "last Monday", "2025-03-10"),
        ("date", "maybe 3 of them", None),
        ("date", "soon", None),
        ("due_date", 'The due date is "March 27".', "2025-03-27"),
        ("time", "13:30", "13:30:00"),
        ("time", "half the day, from 3 pm", "15:00:00"),
        ("time", "3:15 p.m.", "15:15:00"),
        ("time", "12 am", "00:00:00"),
        ("time", "at noon", "12:00:00"),
        ("time", "25:10", None),
        ("duration", "30 minutes", 30),
        ("duration", 'The duration is "45-minute".', 45),
        ("duration", "half an hour", 30),
        ("duration", "an hour and a half", 90),
        ("duration", "1.5 hours", 90),
        ("duration", "one hour", 60),
        ("duration", "1 hour 15 minutes", 75),
        ("duration", "not long", None),
        ("period", "10 days", 10),
        ("period", "the last two weeks", 14),
        ("period", "a fortnight", 14),
        ("period", "the past week", 7),
        ("period", "recently", None),
        ("threshold", 'The threshold is "seven".', 7),
        ("threshold", "12", 12),
        ("threshold", "more than 2.5", 2.5),
        ("threshold", "a lot", None),
        ("body", 'The message is "Let\'s meet. Soon?".', "Let's meet. Soon?"),
        ("body", "It should say: see you there", "see you there"),
        ("title", "Call it 'Open points'.", "Open points"),
        ("subject", "something about money", None),
    ],
)
def test_a_reply_gives_the_value_of_its_kind(kind: str, reply: str, value: Any) -> None:
    assert parse(kind, reply, now=NOW) == value


@pytest.mark.parametrize(
    ("kind", "reply", "words", "value"),
    [
        ("board", 'The board is "Front end".', BOARDS, "Front end"),
        ("board", "the front end one", BOARDS, "Front end"),
        ("board", "the frontend", BOARDS, None),
        ("plot_type", "A line plot, please", PLOTS, "line"),
        ("plot_type", "bars", PLOTS, None),
        ("person", "Noor should get it", PEOPLE, "noor"),
        ("person", "The Director", PEOPLE, None),
    ],
)
def test_a_choice_is_the_option_that_the_reply_names(kind: str, reply: str, words: dict[str, str], value: Any) -> None:
    assert parse(kind, reply, now=NOW, words=words) == value


@pytest.mark.parametrize(
    "reply",
    [
        "Please use your best judgment.",
        "Use your judgement, maybe March 20.",
        "I don't know.",
        "I don\u2019t know.",
        "It's up to you, Oskar would do.",
        "Sorry, I am not sure about that.",
        "I couldn't tell you.",
        "Please decide that yourself.",
        "I leave that to you.",
    ],
)
@pytest.mark.parametrize("kind", ["person", "date", "body", "threshold"])
def test_a_deferral_is_no_answer(reply: str, kind: str) -> None:
    assert defers(reply)
    assert parse(kind, reply, now=NOW) is None


def test_words_of_deferral_inside_quotation_marks_are_an_answer() -> None:
    assert parse("body", 'The message is "I don\'t know yet."', now=NOW) == "I don't know yet."


def test_of_two_facts_the_one_with_the_role_counts() -> None:
    reply = 'The sender is "Noor". The recipient is "Oskar".'

    assert parse("person", reply, now=NOW, role="sender", words=PEOPLE) == "noor"
    assert parse("person", reply, now=NOW, role="recipient", words=PEOPLE) == "oskar"


def test_a_fact_that_comes_with_a_deferral_of_another_is_an_answer() -> None:
    reply = 'The recipient is "Oskar". Please decide that yourself, using your best judgment.'

    assert parse("person", reply, now=NOW, role="recipient", words=PEOPLE) == "oskar"
