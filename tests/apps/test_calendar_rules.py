"""Rules of repetition: which are taken, what is kept of them, and their days."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr

from servers.calendar import rules
from servers.kernel import Rejected

START = datetime(2026, 3, 2, 9, 30)  # a Monday
LISBON = ZoneInfo("Europe/Lisbon")

KEPT = [
    ("FREQ=DAILY", "FREQ=DAILY", None),
    ("FREQ=DAILY;INTERVAL=1;COUNT=4", "FREQ=DAILY;COUNT=4", None),
    ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", None),
    ("RRULE:FREQ=WEEKLY;BYDAY=MO;WKST=MO", "FREQ=WEEKLY", None),
    ("freq=weekly; byday=we,mo; until=20260630", "FREQ=WEEKLY;BYDAY=WE,MO", "2026-06-30"),
    ("FREQ=WEEKLY;UNTIL=2026-06-30", "FREQ=WEEKLY", "2026-06-30"),
    ("FREQ=WEEKLY;UNTIL=20260316T093000Z", "FREQ=WEEKLY", "2026-03-16"),
    ("FREQ=WEEKLY;UNTIL=20260316T092900Z", "FREQ=WEEKLY", "2026-03-15"),
    ("FREQ=WEEKLY;UNTIL=20260330T083000Z", "FREQ=WEEKLY", "2026-03-30"),
    ("FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO,SU", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU", None),
    ("FREQ=MONTHLY;BYMONTHDAY=2", "FREQ=MONTHLY", None),
    ("FREQ=MONTHLY;BYMONTHDAY=2,-1", "FREQ=MONTHLY;BYMONTHDAY=2,-1", None),
    ("FREQ=MONTHLY;BYDAY=1MO", "FREQ=MONTHLY;BYDAY=1MO", None),
    ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1", None),
    ("FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=2", "FREQ=YEARLY", None),
    ("FREQ=YEARLY;BYMONTH=3;BYDAY=1MO", "FREQ=YEARLY;BYMONTH=3;BYDAY=1MO", None),
    ("FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=2,9", "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=2,9", None),
]


@pytest.mark.parametrize(("text", "kept", "until"), KEPT)
def test_a_rule_is_kept_without_what_its_start_says(text: str, kept: str, until: str | None) -> None:
    rule, last = rules.written(text, START, LISBON)

    assert (rule, last and str(last)) == (kept, until)
    assert rules.written(rule, START, LISBON) == (rule, None)


@pytest.mark.parametrize("text", [text for text, _, _ in KEPT if "UNTIL" not in text.upper()])
@pytest.mark.parametrize("ahead", [0, 17, 400, 3_000])
def test_days_are_those_of_the_whole_rule_from_its_start_wherever_one_looks(text: str, ahead: int) -> None:
    rule, until = rules.written(text, START, LISBON)
    first = START.date() + timedelta(days=ahead)
    last = first + timedelta(days=120)
    whole = rrulestr(text, dtstart=datetime(2026, 3, 2)).between(
        datetime.combine(first, datetime.min.time()), datetime.combine(last, datetime.min.time()), inc=True
    )

    assert rules.days(rule, START.date(), until, first, last) == [each.date() for each in whole]


WRONG = [
    ("", "is not a part of a rule"),
    ("every Monday", "is not a part of a rule"),
    ("INTERVAL=2", "FREQ is missing"),
    ("FREQ=HOURLY", "FREQ=HOURLY is not right; FREQ takes DAILY, WEEKLY, MONTHLY or YEARLY"),
    ("FREQ=WEEKLY;FREQ=DAILY", "FREQ stands twice"),
    ("FREQ=WEEKLY;INTERVAL=0", "INTERVAL=0 is not right; INTERVAL takes a number from 1 to 999"),
    ("FREQ=WEEKLY;COUNT=1000", "COUNT=1000 is not right"),
    ("FREQ=WEEKLY;BYDAY=MON", "BYDAY=MON is not right"),
    ("FREQ=WEEKLY;BYHOUR=9", "`start` says the time of day"),
    ("FREQ=WEEKLY;BYWEEKNO=9", "'BYWEEKNO' is not a part of a rule"),
    ("FREQ=WEEKLY;BYMONTHDAY=2", "BYMONTHDAY does not go with FREQ=WEEKLY"),
    ("FREQ=WEEKLY;BYDAY=1MO", "a month has a second Tuesday"),
    ("FREQ=DAILY;INTERVAL=7;BYDAY=TU", "say FREQ=WEEKLY"),
    ("FREQ=MONTHLY;BYDAY=MO;BYMONTHDAY=2", "do not go together"),
    ("FREQ=MONTHLY;BYSETPOS=1", "BYSETPOS needs BYDAY"),
    ("FREQ=YEARLY;BYDAY=1MO", "needs BYMONTH"),
    ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "BYMONTHDAY=30 is not a day of month 2"),
    ("FREQ=WEEKLY;BYDAY=TU,TH", "leaves out Monday 2026-03-02, when it starts; start it on 2026-03-03"),
    ("FREQ=MONTHLY;BYDAY=TU;BYSETPOS=5", "start it on 2026-03-31"),
    ("FREQ=WEEKLY;COUNT=3;UNTIL=20260401", "COUNT and UNTIL do not go together"),
    ("FREQ=WEEKLY;UNTIL=20260301", "it ends on 2026-03-01, before it starts on 2026-03-02"),
    ("FREQ=WEEKLY;UNTIL=20250101", "is not a day between 2026-03-02"),
    ("FREQ=WEEKLY;UNTIL=soon", "UNTIL=SOON is not a day"),
]


@pytest.mark.parametrize(("text", "why"), WRONG)
def test_what_is_no_rule_is_refused_with_one_that_is(text: str, why: str) -> None:
    with pytest.raises(Rejected) as caught:
        rules.written(text, START, LISBON)

    assert str(caught.value).startswith("repeats: ")
    assert why in str(caught.value)
    assert "such as FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20260630" in str(caught.value)


def test_what_a_row_has_that_is_no_rule_is_its_start_alone() -> None:
    start = date(2026, 3, 2)

    assert rules.days("now and then", start, None, date(2026, 1, 1), date(2026, 12, 31)) == [start]
    assert [*rules.sequence("now and then", start, None)] == [start]
    assert rules.days("now and then", start, None, date(2026, 4, 1), date(2026, 12, 31)) == []


def test_a_series_ends_with_the_calendar() -> None:
    assert [*rules.sequence("FREQ=YEARLY;INTERVAL=100", date(2026, 3, 2), None)] == [date(2026, 3, 2), date(2126, 3, 2)]
