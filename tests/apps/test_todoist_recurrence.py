"""When tasks come back."""

from __future__ import annotations

from datetime import date

import pytest

from servers.kernel import Rejected
from servers.todoist.recurrence import recurrence


def day(text: str) -> date:
    return date.fromisoformat(text)


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("every day", "every day"),
        ("  Every  DAY ", "every day"),
        ("daily", "every day"),
        ("every 1 day", "every day"),
        ("every 3 days", "every 3 days"),
        ("every other week", "every 2 weeks"),
        ("every! 2 months", "every! 2 months"),
        ("every year", "every year"),
        ("every monday", "every Monday"),
        ("every fri, tue", "every Tuesday, Friday"),
        ("every Tuesday and Friday", "every Tuesday, Friday"),
        ("every mon, wed, and fri", "every Monday, Wednesday, Friday"),
        ("every weekday", "every weekday"),
        ("every other tuesday", "every 2 weeks on Tuesday"),
        ("every 2 weeks on tue and thu", "every 2 weeks on Tuesday, Thursday"),
        ("every week on Monday", "every Monday"),
        ("every! 3 weeks on Fri", "every! 3 weeks on Friday"),
        ("every 2 weeks on mon, tue, wed, thu, fri", "every 2 weeks on Monday, Tuesday, Wednesday, Thursday, Friday"),
        ("every mon, tue, wed, thu, fri", "every weekday"),
        ("every 2nd", "every month on the 2nd"),
        ("every month on the 11th", "every month on the 11th"),
        ("every 3 months on the 23rd", "every 3 months on the 23rd"),
        ("every last day", "every month on the last day"),
        ("every month on the 31st", "every month on the last day"),
    ],
)
def test_what_people_say_is_written_in_one_way(said: str, written: str) -> None:
    assert str(recurrence(said)) == written
    assert recurrence(written) == recurrence(said)


@pytest.mark.parametrize(
    "said",
    [
        "", "every", "monday", "every 0 days", "every 1000 days", "every mo", "every moon", "every 32nd", "every 0th",
        "every week on the 15th", "every day at 9", "every -1 days", "every other weekday", "every 2 weeks on weekday",
        "every 0 weeks on Monday", "every 2 months on Monday", "every monday,", "every monday until May",
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_examples(said: str) -> None:
    with pytest.raises(Rejected, match=r"recurrence: .* is not understood; write such as 'every day'"):
        recurrence(said)


@pytest.mark.parametrize(
    ("said", "due", "today", "days"),
    [
        ("every day", "2024-02-28", "2024-02-20", "2024-02-29 2024-03-01"),
        ("every 3 days", "2024-02-25", "2024-02-25", "2024-02-28 2024-03-02"),
        ("every 3 days", "2024-02-01", "2024-02-12", "2024-02-13 2024-02-16"),  # overdue: its days stay its days
        ("every! 3 days", "2024-02-01", "2024-02-12", "2024-02-15 2024-02-15"),
        ("every 2 weeks", "2024-02-15", "2024-02-29", "2024-03-14 2024-03-28"),
        ("every month", "2024-01-31", "2024-01-31", "2024-02-29 2024-03-29"),
        ("every month on the last day", "2024-01-31", "2024-01-31", "2024-02-29 2024-03-31"),
        ("every month on the 30th", "2023-01-30", "2023-01-30", "2023-02-28 2023-03-30"),
        ("every 3 months on the 15th", "2023-12-15", "2023-12-15", "2024-03-15 2024-06-15"),
        ("every month on the 15th", "2024-03-10", "2024-03-10", "2024-03-15 2024-04-15"),
        ("every month on the 15th", "2023-03-15", "2024-03-20", "2024-04-15 2024-05-15"),
        ("every year", "2024-02-29", "2024-02-29", "2025-02-28 2026-02-28"),
        ("every year", "1999-05-01", "2024-05-01", "2025-05-01 2026-05-01"),
        ("every weekday", "2024-03-01", "2024-03-01", "2024-03-04 2024-03-05"),
        ("every Monday, Thursday", "2024-02-29", "2024-02-29", "2024-03-04 2024-03-07"),
        ("every Monday", "2024-03-11", "2024-03-08", "2024-03-18 2024-03-25"),  # done early: the one after
        ("every 2 weeks on Tuesday", "2024-03-05", "2024-03-05", "2024-03-19 2024-04-02"),
        ("every 2 weeks on Tuesday", "2024-03-05", "2024-03-13", "2024-03-19 2024-04-02"),
        ("every 2 weeks on Monday, Friday", "2024-03-04", "2024-03-05", "2024-03-08 2024-03-18"),
        ("every! Monday", "2024-03-11", "2024-03-08", "2024-03-18 2024-03-25"),
        ("every! 2 weeks on Tuesday", "2024-03-05", "2024-03-13", "2024-03-26 2024-04-09"),
        ("every! 3 months on the 15th", "2024-01-15", "2024-03-20", "2024-06-15 2024-09-15"),
    ],
)
def test_the_next_days_are_those_of_the_calendar(said: str, due: str, today: str, days: str) -> None:
    rule, next = recurrence(said), day(due)
    found = []
    for _ in range(2):
        next = rule.after(next, day(today))
        found.append(next)

    assert found == [day(each) for each in days.split()]


@pytest.mark.parametrize(
    ("said", "due", "days", "written"),
    [
        ("every month", "2023-01-30", "2023-02-28 2023-03-30", "every month on the 30th"),
        ("every year", "2026-02-28", "2027-02-28 2028-02-28", "every year"),
        ("every year", "2024-02-29", "2025-02-28 2026-02-28 2027-02-28 2028-02-29", "every 12 months on the 29th"),
        ("every 3 years", "2024-02-29", "2027-02-28 2030-02-28 2033-02-28 2036-02-29", "every 36 months on the 29th"),
        ("every 4 years", "2024-02-29", "2028-02-29", "every 4 years"),
        ("every! year", "2024-02-29", "2025-02-28 2026-02-28", "every! year"),
    ],
)
def test_a_day_that_a_month_was_too_short_for_comes_back_where_there_is_one(
    said: str, due: str, days: str, written: str
) -> None:
    rule, next = recurrence(said), day(due)
    for each in days.split():
        found = rule.after(next, next)
        rule, next = recurrence(str(rule.kept(next, found))), found
        assert next == day(each)
    assert str(rule) == written


@pytest.mark.parametrize(
    ("said", "start", "first"),
    [
        ("every 3 days", "2024-02-28", "2024-02-28"),
        ("every Thursday", "2024-02-29", "2024-02-29"),
        ("every weekday", "2024-03-02", "2024-03-04"),
        ("every month on the 15th", "2024-03-16", "2024-04-15"),
        ("every month on the last day", "2024-02-03", "2024-02-29"),
    ],
)
def test_it_begins_on_the_first_day_that_fits(said: str, start: str, first: str) -> None:
    assert recurrence(said).first(day(start)) == day(first)
    assert recurrence(said).first(day(first)) == day(first)


@pytest.mark.parametrize("said", ["every day", "every Monday", "every month", "every 12th", "every year"])
def test_where_the_calendar_ends_there_is_no_next_day(said: str) -> None:
    with pytest.raises(Rejected, match="before the year 10000"):
        recurrence(said).after(date.max, date.max)
    with pytest.raises(Rejected, match="before the year 10000"):
        recurrence("every Monday, Tuesday").first(date.max)
