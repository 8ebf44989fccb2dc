"""Leaks of many kinds, planted: each is caught, and its place is told."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from benchmarks.lhaw.leaks import found
from harness.task import Slot

NOW = datetime(2026, 3, 18, 8, 30)
"""A Wednesday."""

PERSON = ("person", "Priya Shah", "priya.shah@example.test")
DAY = ("date", "24 March", "2026-03-24")
LAST = ("due_date", "31 March", "2026-03-31")
TIME = ("time", "14:30", "14:30:00")
LENGTH = ("duration", "45-minute", 45)
PERIOD = ("period", "60 days", 60)
LIMIT = ("threshold", "640 EUR", 640)
LARGE = ("threshold", "10,000 EUR", 10000)
SHARE = ("threshold", "25 percent", 25)
COUNT = ("count", "12", 12)
TITLE = ("subject", '"Budget freeze"', "Budget freeze")


def slot(kind: str, text: str, value: Any) -> Slot:
    return Slot(name="x", kind=kind, text=text, value=value, dimension="goal", subdimension="target")


PLANTED = [
    # A name and what is made of it.
    (PERSON, "Write to Shah, Priya.", "priya"),
    (PERSON, "Her address is priya.shah@example.test.", "priya"),
    (PERSON, "The file is pshah_notes.txt.", "pshah"),
    (PERSON, "Ask PRIYA about it.", "priya"),
    (PERSON, "Pryia knows.", "pryia"),
    (PERSON, "Ask Pri\u0301ya.", "priya"),
    (PERSON, "Shahs' desk, or rather Shah's desk.", "shah"),
    # A day counted from another one.
    (DAY, "It has to be there on Tuesday.", "tuesday"),
    (DAY, "Next Tuesday, please.", "tuesday"),
    (DAY, "In six days, please.", "in six days"),
    (DAY, "Do it within 6 days.", "within 6 days"),
    (DAY, "Four working days from now.", "four working days from"),
    (DAY, "The round is on 23 March; have it done a day later.", "a day later ... 23 march"),
    (DAY, "Two days before the 26 March meeting.", "two days before ... 26 march"),
    (DAY, "The Tuesday after 20 March.", "tuesday"),
    (DAY, "Send it on 17 March, and again a week later.", "a week later ... 17 march"),
    (DAY, "By 24/03.", "24 03"),
    (DAY, "On the 24th.", "the 24th"),
    (LAST, "The Tuesday after 27 March.", "tuesday after 27 march"),
    (LAST, "By the end of the month.", "end of the month"),
    (LAST, "On the last day of March.", "last day of march"),
    (LAST, "At month end.", "month end"),
    (LAST, "In thirteen days.", "in thirteen days"),
    # An hour, told otherwise or counted.
    (TIME, "At half past two.", "half past two"),
    (TIME, "At 2.30 pm.", "2.30"),
    (TIME, "An hour after the one at 13:30.", "an hour after ... 13:30"),
    (TIME, "Half an hour before the call at 15:00.", "half an hour before ... 15:00"),
    # Lengths.
    (LENGTH, "Three quarters of an hour will do.", "three quarters of an hour"),
    (LENGTH, "From 10:00 to 10:45.", "10:00 ... 10:45"),
    (LENGTH, "Forty-five minutes.", "forty five minutes"),
    (PERIOD, "Two months is too long.", "two months"),
    # Numbers in other shapes, and made of others.
    (LIMIT, "Six hundred and forty euros.", "six hundred forty"),
    (LIMIT, "Above EUR 640.00.", "640.00"),
    (LIMIT, "Not more than 600 and another 40.", "600 ... 40"),
    (LIMIT, "That is 320 for each of 2 halves.", "320 ... 2"),
    (LIMIT, "Twice the 320 of last year.", "320"),
    (LARGE, "More than 10k.", "10k"),
    (LARGE, "More than 10 000.", "10000"),
    (LARGE, "Ten thousand is enough.", "ten thousand"),
    (SHARE, "By more than a quarter.", "a quarter"),
    (SHARE, "By a factor of 0.25.", "0.25"),
    (SHARE, "More than one in four.", "one in four"),
    (COUNT, "A dozen or more.", "a dozen"),
    (COUNT, "Seven from the hall and five from the yard.", "seven ... five"),
    # A text in other shapes.
    (TITLE, "Put it into budget-freeze.docx.", "budget freeze"),
    (TITLE, "The file BudgetFreeze_v2.docx has it.", "BudgetFreeze_v2.docx"),
    (TITLE, "It is about the freeze of our budget.", "freeze of our budget"),
    (TITLE, "BUDGET   FREEZE, as I said.", "budget freeze"),
    (TITLE, "#budgetfreeze", "#budgetfreeze"),
]


@pytest.mark.parametrize(("withheld", "text", "place"), PLANTED)
def test_a_planted_leak_is_caught_at_its_place(withheld: tuple[str, str, Any], text: str, place: str) -> None:
    leak = found(text, slot(*withheld), NOW)

    assert leak is not None
    assert place in leak.place
    assert leak.place in str(leak)


@pytest.mark.parametrize(
    ("withheld", "text"),
    [
        (PERSON, "Write to Priscilla about the shale."),
        (DAY, "The round is on 23 March; have it done soon."),
        (DAY, "Next week, on Friday."),
        (DAY, "In five days."),
        (LAST, "By the end of the week."),
        (TIME, "At half past three, or at 14:00."),
        (TIME, "An hour after the one at 14:30 begins, so to say.".replace("14:30", "14:00")),
        (LENGTH, "From 10:00 to 11:00."),
        (PERIOD, "For a long while."),
        (LIMIT, "There are 2 of them, 6400 and 64."),
        (SHARE, "The 25th of March."),
        (COUNT, "Seven from the hall on 5 May at 10:05."),
        (TITLE, "The budget is one thing. What we do about hiring, and whether any of it is to freeze, is another."),
        (("person", "Emeka", "it"), "Do it for us."),
        (("person", "Giulia", "sales_vp"), "Look at sales."),
    ],
)
def test_what_gives_nothing_away_is_let_through(withheld: tuple[str, str, Any], text: str) -> None:
    assert found(text, slot(*withheld), NOW) is None


def test_a_department_gives_its_person_away() -> None:
    assert found("Ask IT.", slot("person", "Emeka", "it"), NOW)
    assert found("Ask our sales VP.", slot("person", "Giulia", "sales_vp"), NOW)
