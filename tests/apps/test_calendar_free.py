"""Times that several people have, over several zones, and what is known of whom."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from tests.apps.test_calendar_default import Office, office, row

MEI, TOM = "mei@harbor.example", "tom@harbor.example"
ROWS: dict[str, list[dict[str, Any]]] = {
    "calendars": [{"id": "C1", "name": "Tom", "owner": TOM, "zone": "America/New_York"}],
    "busy": [{"id": "B1", "person": MEI, "start": "2026-03-16T15:30:00", "minutes": 30}],
    "events": [
        row(1, "Own", "2026-03-16 14:00:00", 60, with_=""),
        row(2, "Tom's", "2026-03-17 09:00:00", 60, with_="", calendar="C1", zone="America/New_York"),
        row(3, "With Mei", "2026-03-17 15:00:00", 30, with_=MEI),
        row(4, "Declined", "2026-03-16 16:00:00", 60, with_="", response="declined"),
        row(5, "Birthday", "2026-03-16 00:00:00", 1440, with_="", all_day=True, free=True),
        row(6, "Away", "2026-03-19 00:00:00", 1440, with_="", all_day=True),
    ],
}


@pytest.fixture
def calendar() -> Iterator[Office]:
    with office(ROWS) as calls:
        yield calls


def times(found: Any) -> list[tuple[str, str]]:
    return [(each["start"], each["end"]) for each in found["items"]]


def test_three_people_over_two_zones_find_a_time(calendar: Office) -> None:
    """New York is four hours behind Lisbon in these days: 09:00 to 17:00 of both are 13:00 to 17:00 in Lisbon."""
    found = calendar("find_free_times", minutes=30, people=["mei", TOM], after="2026-03-16", before="2026-03-17")

    assert times(found) == [
        ("2026-03-16 13:00", "14:00"),
        ("2026-03-16 15:00", "15:30"),
        ("2026-03-16 16:00", "17:00"),
        ("2026-03-17 14:00", "15:00"),
        ("2026-03-17 15:30", "17:00"),
    ]
    assert found["items"][0]["there"] == ["2026-03-16 09:00 to 10:00 America/New_York: tom@harbor.example"]
    assert (found["shown"], found["days"], found["zone"], found.get("note")) == (
        "1 to 5 of 5",
        "2026-03-16 to 2026-03-17",
        "Europe/Lisbon",
        None,
    )


def test_hours_of_others_are_those_of_their_zone_on_the_day(calendar: Office) -> None:
    """Between 8 and 29 March New York is four hours behind Lisbon, else five."""
    days = [
        calendar("find_free_times", minutes=240, people=[TOM], after=day, before=day)
        for day in ("2026-03-27", "2026-03-30")
    ]

    assert [times(day) for day in days] == [[("2026-03-27 13:00", "17:00")], []]


def test_only_times_that_are_long_enough_are_given(calendar: Office) -> None:
    found = calendar("find_free_times", minutes=90, people=["mei", TOM], after="2026-03-16", before="2026-03-17")

    assert times(found) == [("2026-03-17 15:30", "17:00")]


def test_what_is_past_is_no_free_time(calendar: Office) -> None:
    found = calendar("find_free_times", minutes=30, before="2026-03-13")

    assert times(found) == [("2026-03-12 10:45", "17:00"), ("2026-03-13 09:00", "17:00")]
    assert times(calendar("find_free_times", minutes=30, after="2026-03-09", before="2026-03-11")) == []


def test_weekends_are_left_out_unless_they_are_asked_for(calendar: Office) -> None:
    weekend = {"minutes": 60, "after": "2026-03-14", "before": "2026-03-15"}

    assert calendar("find_free_times", **weekend)["shown"] == "nothing found"
    assert times(calendar("find_free_times", **weekend, weekends=True, earliest="10:00", latest="11:00")) == [
        ("2026-03-14 10:00", "11:00"),
        ("2026-03-15 10:00", "11:00"),
    ]


def test_all_day_events_take_the_day_unless_they_are_free(calendar: Office) -> None:
    found = calendar("find_free_times", minutes=480, after="2026-03-18", before="2026-03-20")

    assert times(found) == [("2026-03-18 09:00", "17:00"), ("2026-03-20 09:00", "17:00")]


def test_times_are_shown_in_the_zone_that_is_asked_for(calendar: Office) -> None:
    found = calendar(
        "find_free_times", minutes=60, after="2026-03-18", before="2026-03-18", people=[TOM], zone="Asia/Tokyo"
    )

    assert times(found) == [("2026-03-18 22:00", "2026-03-19 02:00")]
    assert found["items"][0]["day"] == "Wed"


def test_the_result_says_of_whom_little_is_known(calendar: Office) -> None:
    with office(
        {**ROWS, "events": [*ROWS["events"], row(7, "x", "2026-03-23 09:00:00", with_="ines@harbor.example")]}
    ) as desk:
        found = desk("find_free_times", minutes=60, people=["ines", "mei"], after="2026-03-23", before="2026-03-23")

    assert found["note"] == "Of ines@harbor.example only what is in the user's calendars is known."
    assert times(found) == [("2026-03-23 09:30", "17:00")]


def test_of_an_address_that_the_calendar_does_not_know_the_result_says_so(calendar: Office) -> None:
    ask = {"minutes": 60, "after": "2026-03-23", "before": "2026-03-23"}
    alone, both = (calendar("find_free_times", people=who, **ask) for who in ([], ["Someone@new.example", "mei"]))

    assert both["note"] == "It is not known when someone@new.example can come."
    assert times(both) == times(alone)


def test_who_declined_is_free(calendar: Office) -> None:
    people = [{"address": MEI, "response": "declined"}, {"address": TOM, "response": "accepted"}]
    events = [row(1, "x", "2026-03-18 09:00:00", 480, with_=MEI, attendees=people, response="declined")]
    with office({**ROWS, "events": events}) as desk:
        day = {"minutes": 60, "after": "2026-03-18", "before": "2026-03-18"}
        assert times(desk("find_free_times", people=["mei"], **day)) == [("2026-03-18 09:00", "17:00")]
        assert times(desk("find_free_times", people=[TOM], **day)) == []


def test_a_found_time_can_be_taken_and_is_taken_then(calendar: Office) -> None:
    ask = {"minutes": 60, "people": ["mei", TOM], "after": "2026-03-17", "before": "2026-03-17"}
    first = calendar("find_free_times", **ask)["items"][0]
    made = calendar("create_event", title="Kick-off", start=first["start"], minutes=60, people=["mei", TOM])

    assert "overlaps" not in made
    assert first["start"] not in [start for start, _ in times(calendar("find_free_times", **ask))]


def test_a_world_that_says_nothing_of_its_owner_is_in_utc() -> None:
    with office({"events": []}, owner=None, now=datetime(2026, 3, 16, 8)) as desk:
        found = desk("find_free_times", minutes=60, before="2026-03-16")

    assert (found["zone"], times(found)) == ("UTC", [("2026-03-16 09:00", "17:00")])


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        ({"after": "2026-03-14", "before": "2026-03-15"}, "These days are a weekend, which weekends=true includes."),
        ({"after": "2026-03-09", "before": "2026-03-11"}, "These days are past; today is 2026-03-12."),
        (
            {"minutes": 300, "earliest": "13:00"},
            "300 minutes do not fit between 13:00 and 17:00; give less, or another earliest or latest.",
        ),
    ],
)
def test_where_nothing_can_be_free_the_result_says_why(calendar: Office, arguments: dict[str, Any], note: str) -> None:
    found = calendar("find_free_times", **{"minutes": 60, **arguments})

    assert (found["shown"], found["note"]) == ("nothing found", note)
