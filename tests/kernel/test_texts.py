from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone
from typing import Any

import duckdb
import pytest
from pydantic import TypeAdapter, ValidationError

from servers.kernel import (
    Clock,
    Day,
    Minutes,
    Moment,
    Rejected,
    Zone,
    between,
    bounded,
    day_of,
    few,
    few_of,
    has_words,
    moment,
    one_line,
    ordinal,
    required,
    to_minute,
    worded,
    zone,
)


def test_empty_texts_are_named_all_at_once() -> None:
    with pytest.raises(Rejected, match=r"^title and body must not be empty\.$"):
        required(title="", recipient="ada@x.example", body="")


def test_texts_that_are_all_there_pass() -> None:
    required(title="Hello", body=" ")


def test_a_text_that_is_too_long_is_named_with_what_would_do() -> None:
    bounded(4, title="abcd", body="")

    with pytest.raises(Rejected, match=r"^body has 1,001 characters; it may have 1,000\.$"):
        bounded(1_000, title="abcd", body="x" * 1_001)


@pytest.mark.parametrize("text", ["\r\n", "Hello\n", "Hello\u2028there"])
def test_a_line_break_anywhere_makes_more_than_one_line(text: str) -> None:
    with pytest.raises(Rejected, match=r"^title has a line break; write it in one line\.$"):
        one_line(title=text)


@pytest.mark.parametrize(("text", "word"), [("cafe\u0301", "CAF\u00c9"), ("CAF\u00c9", "cafe\u0301")])
def test_a_word_is_found_however_its_accents_are_encoded(text: str, word: str) -> None:
    has, params = worded(word, "text")

    assert duckdb.execute(f"SELECT {has} FROM (SELECT ? AS text)", [*params, text]).fetchone() == (True,)
    assert has_words(word, "", text)


def test_each_word_has_to_be_in_one_of_the_texts_and_no_word_is_in_all() -> None:
    assert has_words("50% [A", "b [a]", "50% off")
    assert not has_words("50% [A", "b [a]", "50 off")
    assert has_words(" ")


@pytest.mark.parametrize("text", ["2025-03-13 09:30:00", "2025-03-13T09:30:00", "2025-03-13 09:30"])
def test_a_moment_may_be_written_in_several_ways(text: str) -> None:
    assert moment(text) == datetime(2025, 3, 13, 9, 30)


def test_a_date_is_its_midnight() -> None:
    assert moment("2025-03-13") == datetime(2025, 3, 13)


@pytest.mark.parametrize("text", ["", "tomorrow", "2025-02-30", "13.03.2025", "2025-03-13 09:30:00+01:00"])
def test_what_is_not_a_time_is_no_moment(text: str) -> None:
    assert moment(text) is None


def test_of_many_texts_the_first_are_shown_and_how_many_more_there_are() -> None:
    assert few(["a", "b", "c", "d"], 2) == ["a", "b", "and 2 more"]
    assert few_of(iter("abcd"), 2) == "a, b and 2 more"
    assert (few(["a", "b"], 2), few_of("ab", 2), few([], 2), few_of([], 2)) == (["a", "b"], "a, b", [], "")


def test_a_day_is_a_date_without_a_time_of_day() -> None:
    assert day_of("2026-03-12") == date(2026, 3, 12)
    assert day_of("2026-03-12 09:30") is None
    assert day_of("tomorrow") is None


def test_a_time_is_shown_as_it_may_be_written() -> None:
    assert to_minute(datetime(2026, 3, 12, 9, 30, 59)) == "2026-03-12 09:30"


def test_the_first_and_the_last_day_are_days_to_look_at() -> None:
    first, last = date(2026, 3, 12), date(2026, 3, 14)

    assert [day for day in range(10, 17) if between(date(2026, 3, day), first, last)] == [12, 13, 14]
    assert between(first, None, None)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (Day, "2026-03-12", date(2026, 3, 12)),
        (Moment, "2026-03-12 09:30", datetime(2026, 3, 12, 9, 30)),
        (Moment, "2026-03-12T09:30:00", datetime(2026, 3, 12, 9, 30)),
        (Moment, "2026-03-12T09:30+02:00", datetime(2026, 3, 12, 9, 30, tzinfo=timezone(timedelta(hours=2)))),
        (Clock, "09:30", time(9, 30)),
        (Clock, "9:30", time(9, 30)),
        (Clock, "09:30:00", time(9, 30)),
        (Minutes, 90, 90),
        (Minutes, "90", 90),
        (Zone, "Europe/Lisbon", "Europe/Lisbon"),
    ],
)
def test_days_times_lengths_and_zones_are_read_as_they_are_mostly_written(
    kind: Any, text: object, value: object
) -> None:
    assert TypeAdapter(kind).validate_python(text) == value


@pytest.mark.parametrize(
    ("kind", "text", "hint"),
    [
        (Day, "tomorrow", "'tomorrow' is not a day; write YYYY-MM-DD, such as 2026-03-12"),
        (Day, "2026-03-12 09:30", "'2026-03-12 09:30' is not a day"),
        (Day, 12, "12 is not a day"),
        (Moment, "soon", "'soon' is not a time; write YYYY-MM-DD HH:MM, such as 2026-03-12 09:30"),
        (Clock, "half past nine", "'half past nine' is not a time of day; write HH:MM, such as 09:30"),
        (Clock, "09:30:10", "'09:30:10' is not a time of day"),
        (Clock, "T09:30", "'T09:30' is not a time of day"),
        (Clock, 930, "930 is not a time of day"),
        (Minutes, "1 hour", "'1 hour' is not a number of minutes; write 90 for an hour and a half"),
        (Minutes, True, "true is not a number of minutes"),
        (Minutes, 1.5, "1.5 is not a number of minutes"),
        (Zone, "Lisbon", "'Lisbon' is not a time zone; write its IANA name, such as Europe/Lisbon"),
    ],
)
def test_what_is_none_is_refused_with_an_example(kind: Any, text: object, hint: str) -> None:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(kind).validate_python(text)

    assert hint in str(caught.value)


def test_the_schema_of_minutes_has_their_bounds_and_both_hold() -> None:
    adapter = TypeAdapter(Minutes)

    assert adapter.json_schema() == {"type": "integer", "minimum": 1, "maximum": 60 * 24 * 366}
    for beyond in (0, "0", 60 * 24 * 366 + 1):
        with pytest.raises(ValidationError, match=r"Input should be (greater|less) than or equal to"):
            adapter.validate_python(beyond)


def test_no_zone_is_utc_and_one_that_is_not_there_is_refused() -> None:
    assert zone("").key == "UTC"
    with pytest.raises(Rejected, match="'Mars/Base' is not a time zone"):
        zone("Mars/Base")


def test_an_ordinal_ends_as_it_is_said() -> None:
    assert [ordinal(n) for n in (1, 2, 3, 4)] == ["1st", "2nd", "3rd", "4th"]
    assert [ordinal(n) for n in (11, 12, 13, 111)] == ["11th", "12th", "13th", "111th"]
    assert [ordinal(n) for n in (21, 22, 23, 101)] == ["21st", "22nd", "23rd", "101st"]


@pytest.mark.parametrize("kind", [Day, Moment, Clock, Minutes, Zone])
def test_what_is_none_of_a_kind_is_not_repeated_at_any_length(kind: Any) -> None:
    with pytest.raises(ValidationError, match=rf" '{'x' * 200} \[\.\.\. 4,800 more characters\]' is not a "):
        TypeAdapter(kind).validate_python("x" * 5_000)
