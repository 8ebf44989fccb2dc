"""Series: one of them changed, those that follow, all; across summer time and seen from other zones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from servers.calendar import app
from servers.kernel import Engine, World
from tests.apps.desk import Desk
from tests.apps.test_calendar_default import HANA, NOW, Office, office, row

# Lisbon and Paris begin summer time on 29 March 2026, New York on 8 March, Phoenix never.
S = "00000001"


@pytest.fixture
def calendar() -> Iterator[Office]:
    """A weekly meeting on Mondays at 09:30 in Lisbon, until the end of April."""
    events = [
        row(1, "Stand-up", "2026-03-16 09:30:00", recurrence="FREQ=WEEKLY", until="2026-04-30", location="Room 4")
    ]
    with office({"events": events}) as calls:
        yield calls


def test_a_series_is_found_day_by_day(calendar: Office) -> None:
    items = calendar("find_events", after="2026-03-16", before="2026-04-05")["items"]

    assert [(each["id"], each["start"], each["repeats"]) for each in items] == [
        (f"{S}@2026-03-16", "2026-03-16 09:30", "FREQ=WEEKLY;UNTIL=20260430"),
        (f"{S}@2026-03-23", "2026-03-23 09:30", "FREQ=WEEKLY;UNTIL=20260430"),
        (f"{S}@2026-03-30", "2026-03-30 09:30", "FREQ=WEEKLY;UNTIL=20260430"),
    ]
    assert len(calendar.found()) == 7


@pytest.mark.parametrize(
    ("zone", "starts"),
    [
        ("Europe/Lisbon", ["2026-03-23 09:30", "2026-03-30 09:30"]),
        ("Europe/Paris", ["2026-03-23 10:30", "2026-03-30 10:30"]),
        ("America/New_York", ["2026-03-23 05:30", "2026-03-30 04:30"]),
        ("America/Phoenix", ["2026-03-23 02:30", "2026-03-30 01:30"]),
        ("Pacific/Auckland", ["2026-03-23 22:30", "2026-03-30 21:30"]),
    ],
)
def test_a_series_keeps_its_time_on_the_wall_when_summer_time_begins(
    calendar: Office, zone: str, starts: list[str]
) -> None:
    assert calendar.starts(after="2026-03-23", before="2026-03-30", zone=zone) == starts


def test_a_series_in_another_zone_moves_for_the_user(calendar: Office) -> None:
    made = calendar(
        "create_event", title="Call", start="2026-03-23 09:30", zone="America/New_York", repeats="FREQ=WEEKLY;COUNT=2"
    )

    assert calendar.starts(query="call") == ["2026-03-23 13:30", "2026-03-30 14:30"]
    assert made["there"] == "2026-03-23 09:30 America/New_York"
    assert [each["there"] for each in calendar("find_events", query="call", before="2027-03-15")["items"]] == [
        "2026-03-23 09:30 America/New_York",
        "2026-03-30 09:30 America/New_York",
    ]


def test_a_series_late_at_night_goes_by_the_days_of_its_own_zone(calendar: Office) -> None:
    calendar(
        "create_event", title="Late", start="2026-03-16 22:00", zone="America/New_York", repeats="FREQ=DAILY;COUNT=3"
    )

    assert calendar.found(query="late", after="2026-03-18", before="2026-03-18") == ["2@2026-03-17"]
    assert calendar.starts(query="late", after="2026-03-18", before="2026-03-18") == ["2026-03-18 02:00"]


def test_a_time_that_summer_time_skips_is_an_hour_later(calendar: Office) -> None:
    calendar("create_event", title="Night", start="2026-03-28 01:30", repeats="FREQ=DAILY;COUNT=3")

    assert calendar.starts(query="night") == ["2026-03-28 01:30", "2026-03-29 02:30", "2026-03-30 01:30"]


def test_one_day_is_moved_alone(calendar: Office) -> None:
    moved = calendar("update_event", event_id=f"{S}@2026-03-30", start="2026-03-31 14:00")

    assert (moved["id"], moved["start"], moved["end"]) == (f"{S}@2026-03-30", "2026-03-31 14:00", "14:30")
    assert calendar.starts(after="2026-03-16", before="2026-04-06") == [
        "2026-03-16 09:30",
        "2026-03-23 09:30",
        "2026-03-31 14:00",
        "2026-04-06 09:30",
    ]
    (change,) = calendar.layer.changes()
    assert (change.op, change.fields["series"], change.fields["original"], change.fields["recurrence"]) == (
        "insert",
        S,
        "2026-03-30",
        "",
    )
    again = calendar("update_event", event_id=f"{S}@2026-03-30", start="2026-03-31 14:00")
    assert (again["start"], len(calendar.layer.changes())) == ("2026-03-31 14:00", 1)
    assert calendar("get_event", event_id="00000002")["id"] == f"{S}@2026-03-30"
    assert calendar("get_event", event_id=S)["changed"] == [f"{S}@2026-03-30"]


def test_without_a_last_day_a_series_is_listed_once_by_its_next_day(calendar: Office) -> None:
    calendar("update_event", event_id=f"{S}@2026-03-16", start="2026-03-17 14:00")
    items = calendar("find_events", query="stand-up", after="2026-03-14")["items"]

    assert [(each["id"], each["start"]) for each in items] == [(f"{S}@2026-03-16", "2026-03-17 14:00")]


def test_one_day_says_that_it_is_one_of_a_series_and_of_which(calendar: Office) -> None:
    rule = calendar("get_event", event_id=S)["repeats"]

    assert calendar("get_event", event_id=f"{S}@2026-03-30")["repeats"] == f"one of a series: {rule}"


def test_those_that_follow_are_changed_and_those_before_stay(calendar: Office) -> None:
    new = calendar("update_event", event_id=f"{S}@2026-03-30", scope="following", start="2026-03-30 11:00", minutes=45)

    assert (new["id"], new["repeats"]) == ("00000002", "FREQ=WEEKLY;UNTIL=20260430")
    assert calendar.starts() == [
        "2026-03-16 09:30",
        "2026-03-23 09:30",
        "2026-03-30 11:00",
        "2026-04-06 11:00",
        "2026-04-13 11:00",
        "2026-04-20 11:00",
        "2026-04-27 11:00",
    ]
    rows = calendar.rows()
    assert (str(rows[S].until), rows[S].duration, rows["00000002"].duration) == ("2026-03-29", "30", "45")


def test_all_are_renamed_and_moved_those_changed_alone_too(calendar: Office) -> None:
    calendar("update_event", event_id=f"{S}@2026-03-30", start="2026-03-31 14:00", title="Stand-up (late)")
    calendar("update_event", event_id=f"{S}@2026-04-06", location="Room 9")

    calendar("update_event", event_id=f"{S}@2026-03-23", scope="all", title="Daily", start="2026-03-23 10:00")

    assert [
        (each["title"], each["start"], each["location"])
        for each in calendar("find_events", before="2027-03-15")["items"]
    ] == [
        ("Daily", "2026-03-16 10:00", "Room 4"),
        ("Daily", "2026-03-23 10:00", "Room 4"),
        ("Daily", "2026-03-31 14:00", "Room 4"),  # moved alone: it keeps its time
        ("Daily", "2026-04-06 10:00", "Room 9"),
        ("Daily", "2026-04-13 10:00", "Room 4"),
        ("Daily", "2026-04-20 10:00", "Room 4"),
        ("Daily", "2026-04-27 10:00", "Room 4"),
    ]


def test_a_day_moved_alone_takes_the_new_start_of_all_and_the_others_move_from_where_it_stood(calendar: Office) -> None:
    calendar("update_event", event_id=f"{S}@2026-03-23", start="2026-03-24 11:00")
    changed = calendar("update_event", event_id=f"{S}@2026-03-23", scope="all", start="2026-03-24 14:00")

    assert calendar.starts(before="2026-04-06") == [
        "2026-03-16 14:00",
        "2026-03-24 14:00",
        "2026-03-30 14:00",
        "2026-04-06 14:00",
    ]
    assert changed["note"] == (
        f"The start shown is that of the first day by the rule; {S}@2026-03-23, which stands on its own, "
        "has the one given."
    )
    calendar("update_event", event_id=f"{S}@2026-03-23", scope="all", start="2026-03-25 15:00")
    assert calendar.starts(before="2026-04-01") == ["2026-03-17 15:00", "2026-03-25 15:00", "2026-03-31 15:00"]


def test_a_day_moved_alone_takes_the_new_start_of_those_that_follow(calendar: Office) -> None:
    made = calendar("create_event", title="Course", start="2026-03-23 09:00", repeats="FREQ=DAILY;COUNT=4")["id"]
    calendar("update_event", event_id=f"{made}@2026-03-24", start="2026-03-27 12:00")
    for _ in range(2):  # the day is named as it was, by the series it is of now
        new = calendar("update_event", event_id=f"{made}@2026-03-24", scope="following", start="2026-03-27 15:00")
        made = new["id"]

    assert calendar.starts(query="course") == [
        "2026-03-23 09:00",
        "2026-03-25 15:00",
        "2026-03-26 15:00",
        "2026-03-27 15:00",
    ]


def test_other_days_moved_alone_keep_their_time_when_one_of_them_is_named(calendar: Office) -> None:
    calendar("update_event", event_id=f"{S}@2026-03-23", start="2026-03-24 11:00")
    calendar("update_event", event_id=f"{S}@2026-03-30", start="2026-03-31 16:00")
    calendar("update_event", event_id=f"{S}@2026-03-23", scope="all", start="2026-03-24 14:00")

    assert calendar.starts(before="2026-04-01") == ["2026-03-16 14:00", "2026-03-24 14:00", "2026-03-31 16:00"]


def test_a_day_moved_alone_to_another_zone_moves_the_others_by_the_clock_of_theirs(calendar: Office) -> None:
    calendar("update_event", event_id=f"{S}@2026-03-23", start="2026-03-24 02:00", zone="Asia/Tokyo")  # Monday 17:00
    calendar("update_event", event_id=f"{S}@2026-03-23", scope="all", start="2026-03-24 03:00")

    assert calendar.starts(before="2026-03-30") == ["2026-03-16 18:00", "2026-03-23 18:00", "2026-03-30 18:00"]


def test_a_day_that_was_made_a_whole_day_moves_the_others_by_days_alone(calendar: Office) -> None:
    calendar("update_event", event_id=f"{S}@2026-03-23", all_day=True)
    calendar("update_event", event_id=f"{S}@2026-03-23", scope="all", start="2026-03-24")

    assert calendar.starts(before="2026-03-31") == ["2026-03-17 09:30", "2026-03-24", "2026-03-31 09:30"]


def test_a_day_whose_length_was_changed_alone_takes_the_new_length_if_it_is_named(calendar: Office) -> None:
    calendar("update_event", event_id=f"{S}@2026-03-30", minutes=90)
    calendar("update_event", event_id=f"{S}@2026-04-06", minutes=60)
    new = calendar("update_event", event_id=f"{S}@2026-03-30", scope="following", minutes=15)

    found = calendar("find_events", after="2026-03-23", before="2026-04-13")["items"]
    assert [each["end"] for each in found] == ["10:00", "09:45", "10:30", "09:45"]
    assert (new["minutes"], new.get("note")) == (15, None)


def test_the_scenario_of_a_series_from_beginning_to_end(calendar: Office) -> None:
    calendar("update_event", event_id=f"{S}@2026-03-23", start="2026-03-24 16:00")
    calendar("update_event", event_id=f"{S}@2026-04-13", scope="following", start="2026-04-14 11:00")
    calendar("update_event", event_id=S, scope="all", title="Sync")
    calendar("delete_event", event_id=f"{S}@2026-03-30")

    assert [
        (each["id"], each["title"], each["start"]) for each in calendar("find_events", before="2027-03-15")["items"]
    ] == [
        (f"{S}@2026-03-16", "Sync", "2026-03-16 09:30"),
        (f"{S}@2026-03-23", "Sync", "2026-03-24 16:00"),
        (f"{S}@2026-04-06", "Sync", "2026-04-06 09:30"),
        ("00000003@2026-04-14", "Stand-up", "2026-04-14 11:00"),
        ("00000003@2026-04-21", "Stand-up", "2026-04-21 11:00"),
        ("00000003@2026-04-28", "Stand-up", "2026-04-28 11:00"),
    ]


def test_days_of_the_week_move_along_with_a_series(calendar: Office) -> None:
    made = calendar("create_event", title="Gym", start="2026-03-16 18:00", repeats="FREQ=WEEKLY;BYDAY=MO,FR;COUNT=4")
    calendar("delete_event", event_id=f"{made['id']}@2026-03-20")
    calendar("update_event", event_id=f"{made['id']}@2026-03-23", scope="all", start="2026-03-25 19:00")

    assert calendar.starts(query="gym") == ["2026-03-18 19:00", "2026-03-25 19:00", "2026-03-29 19:00"]
    assert calendar("get_event", event_id=made["id"])["repeats"] == "FREQ=WEEKLY;COUNT=4;BYDAY=WE,SU"


def test_a_series_of_a_certain_number_is_split_into_what_is_left(calendar: Office) -> None:
    made = calendar("create_event", title="Course", start="2026-03-17 18:00", repeats="FREQ=WEEKLY;COUNT=5")
    rest = calendar("update_event", event_id=f"{made['id']}@2026-03-31", scope="following", title="Course II")

    assert rest["repeats"] == "FREQ=WEEKLY;COUNT=3"
    assert [each["title"] for each in calendar("find_events", query="course", before="2027-03-15")["items"]] == [
        "Course", "Course", "Course II", "Course II", "Course II",
    ]  # fmt: skip


def test_what_was_changed_or_deleted_later_goes_along_with_those_that_follow(calendar: Office) -> None:
    calendar("update_event", event_id=f"{S}@2026-04-13", title="Special")
    calendar("delete_event", event_id=f"{S}@2026-04-20")
    calendar("delete_event", event_id=f"{S}@2026-03-23")
    calendar("update_event", event_id=f"{S}@2026-04-06", scope="following", start="2026-04-07 09:30")

    assert [(each["id"], each["title"]) for each in calendar("find_events", before="2027-03-15")["items"]] == [
        (f"{S}@2026-03-16", "Stand-up"),
        (f"{S}@2026-03-30", "Stand-up"),
        ("00000003@2026-04-07", "Stand-up"),
        ("00000003@2026-04-14", "Special"),
        ("00000003@2026-04-28", "Stand-up"),
    ]


def test_a_new_rule_says_what_it_lost(calendar: Office) -> None:
    calendar("update_event", event_id=f"{S}@2026-03-23", title="Special")
    calendar("update_event", event_id=f"{S}@2026-03-30", title="Kept")
    changed = calendar("update_event", event_id=S, scope="all", repeats="FREQ=WEEKLY;INTERVAL=2;UNTIL=20260415")

    assert changed["note"] == "1 that had been changed alone are on no day of the new rule, and gone."
    assert [each["title"] for each in calendar("find_events", before="2027-03-15")["items"]] == [
        "Stand-up",
        "Kept",
        "Stand-up",
    ]


def test_the_first_and_those_that_follow_are_all(calendar: Office) -> None:
    assert calendar("update_event", event_id=f"{S}@2026-03-16", scope="following", title="New")["id"] == S
    assert {each["title"] for each in calendar("find_events", before="2027-03-15")["items"]} == {"New"}


def test_a_single_event_becomes_a_series(calendar: Office) -> None:
    calendar("create_event", title="Review", start="2026-03-18 09:00")
    made = calendar("update_event", event_id="00000002", repeats="RRULE:FREQ=MONTHLY;BYDAY=3WE;COUNT=3")

    assert (made["repeats"], made["coming"]) == (
        "FREQ=MONTHLY;COUNT=3;BYDAY=3WE",
        ["00000002@2026-03-18", "00000002@2026-04-15", "00000002@2026-05-20"],
    )


def test_a_repetition_is_ended_and_its_first_day_stays(calendar: Office) -> None:
    calendar("update_event", event_id=f"{S}@2026-03-30", title="Special")
    single = calendar("update_event", event_id=S, scope="all", repeats="none", title="Kick-off")

    assert (single["id"], single["title"], single["start"]) == (S, "Kick-off", "2026-03-16 09:30")
    assert "repeats" not in single
    assert single["note"] == "It does not repeat any more; the days after it are gone."
    (left,) = calendar.rows().values()
    assert (left.recurrence, left.until, left.skipped, left.series, left.original) == ("", None, [], "", None)
    assert "note" not in calendar("update_event", event_id=S, scope="all", repeats="none")


def test_of_a_repetition_that_is_ended_the_first_day_that_is_left_stays_as_it_was_changed(calendar: Office) -> None:
    calendar("delete_event", event_id=f"{S}@2026-03-16")
    calendar("update_event", event_id=f"{S}@2026-03-23", start="2026-03-24 11:00", location="Room 9")
    calendar("update_event", event_id=f"{S}@2026-04-06", scope="all", repeats="None")

    (left,) = calendar.rows().values()
    assert (left.id, left.event_start, left.location, left.series) == (S, "2026-03-24 11:00:00", "Room 9", "")


def test_a_repetition_is_ended_on_a_day_that_stays_after_those_before(calendar: Office) -> None:
    calendar("update_event", event_id=f"{S}@2026-03-30", scope="following", repeats="none", start="2026-03-31 10:00")

    assert calendar.starts() == ["2026-03-16 09:30", "2026-03-23 09:30", "2026-03-31 10:00"]


def test_a_repetition_is_ended_on_a_day_that_its_rule_would_not_have(calendar: Office) -> None:
    rule = "FREQ=MONTHLY;BYDAY=3WE"
    made = calendar("create_event", title="Review", start="2026-03-18 09:00", repeats=rule)["id"]
    given = {"scope": "all", "repeats": "none", "start": "2026-03-19 10:00"}

    assert calendar.refusal("update_event", event_id=f"{made}@2026-04-15", **given) == (
        f"start: only the first day, {made}@2026-03-18, stays; give its id."
    )
    calendar("update_event", event_id=f"{made}@2026-03-18", **given)
    assert calendar.starts(query="review") == ["2026-03-19 10:00"]


def test_an_event_that_is_to_repeat_not_at_all_is_single(calendar: Office) -> None:
    made = calendar("create_event", title="Review", start="2026-03-18 09:00", repeats="none")

    assert "repeats" not in made
    assert calendar.found(query="review") == ["2"]
    assert "or none for a single event" in calendar.refusal("update_event", event_id=S, scope="all", repeats="")


def test_one_day_those_that_follow_or_all_are_deleted(calendar: Office) -> None:
    assert calendar("delete_event", event_id=f"{S}@2026-03-23") == (
        f"{S}@2026-03-23 (Stand-up) is deleted; the other days of the series stay."
    )
    assert calendar("get_event", event_id=S)["skipped"] == ["2026-03-23"]
    calendar("update_event", event_id=f"{S}@2026-04-13", title="Special")
    calendar("delete_event", event_id=f"{S}@2026-04-13")
    assert calendar.found() == ["1@2026-03-16", "1@2026-03-30", "1@2026-04-06", "1@2026-04-20", "1@2026-04-27"]
    calendar("update_event", event_id=f"{S}@2026-04-20", title="Special")
    calendar("delete_event", event_id=f"{S}@2026-04-06", scope="following")
    assert calendar.found() == ["1@2026-03-16", "1@2026-03-30"]
    calendar("update_event", event_id=f"{S}@2026-03-30", title="Special")
    calendar("delete_event", event_id=S, scope="all")
    assert calendar.rows() == {}


def test_a_series_without_days_is_gone(calendar: Office) -> None:
    made = calendar("create_event", title="Twice", start="2026-03-18 09:00", repeats="FREQ=DAILY;COUNT=2")["id"]
    calendar("delete_event", event_id=f"{made}@2026-03-18")
    calendar("delete_event", event_id=f"{made}@2026-03-19")

    assert [*calendar.rows()] == [S]


def test_one_day_or_all_of_an_invitation_are_answered(calendar: Office) -> None:
    calendar("respond_to_event", event_id=f"{S}@2026-03-23", response="declined")
    assert [each.get("response") for each in calendar("find_events", before="2027-03-15")["items"]][:3] == [
        None,
        "declined",
        None,
    ]
    calendar("respond_to_event", event_id=S, response="accepted", scope="all")
    assert {each["response"] for each in calendar("find_events", before="2027-03-15")["items"]} == {"accepted"}


def test_people_and_zone_change_for_all(calendar: Office) -> None:
    calendar("update_event", event_id=f"{S}@2026-03-30", location="Room 9")
    calendar("update_event", event_id=S, scope="all", zone="Europe/Paris", invite=["mei@harbor.example"], minutes=60)

    items = calendar("find_events", after="2026-03-23", before="2026-03-30")["items"]
    assert [(each["start"], each["end"], each["people"][1]) for each in items] == [
        ("2026-03-23 08:30", "09:30", "mei@harbor.example"),
        ("2026-03-30 08:30", "09:30", "mei@harbor.example"),
    ]


def test_a_series_that_overlaps_says_on_which_days(calendar: Office) -> None:
    made = calendar("create_event", title="Other", start="2026-04-06 09:45", repeats="FREQ=WEEKLY;COUNT=2")

    assert made["overlaps"] == [
        f"Stand-up ({S}@2026-04-06), 2026-04-06 09:30 to 10:00",
        f"Stand-up ({S}@2026-04-13), 2026-04-13 09:30 to 10:00",
    ]


def test_the_old_surface_sees_a_series_as_its_first_day(calendar: Office) -> None:
    calendar("update_event", event_id=f"{S}@2026-03-30", start="2026-03-31 14:00")
    paper = Desk(app, calendar.layer)

    assert [each["event_start"] for each in paper("search_events", query="stand-up")] == [
        "2026-03-16 09:30:00",
        "2026-03-31 14:00:00",
    ]
    paper("delete_event", event_id=S)  # what was changed alone stands alone now
    assert calendar.found() == ["2"]


def test_a_series_moves_with_its_world() -> None:
    events = [
        row(1, "Sync", "2026-03-16 09:30:00", recurrence="FREQ=WEEKLY", until="2026-04-06", skipped=["2026-03-23"]),
        row(2, "Sync (late)", "2026-03-31 14:00:00", series=S, original="2026-03-30"),
    ]
    engine = Engine()
    layer = engine.layer(engine.load(World("office", NOW, {"calendar": {"events": events}}, owner=HANA).moved(70)))
    items = Office(app, layer)("find_events", before="2027-03-15")["items"]
    layer.close()
    engine.close()

    assert [(each["id"], each["start"]) for each in items] == [
        (f"{S}@2026-05-25", "2026-05-25 09:30"),
        (f"{S}@2026-06-08", "2026-06-09 14:00"),
        (f"{S}@2026-06-15", "2026-06-15 09:30"),
    ]


def test_an_old_series_costs_no_more_than_a_new_one() -> None:
    events = [row(1, "Old", "1999-01-04 09:30:00", recurrence="FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE")]
    with office({"events": events}) as calendar:
        assert calendar.found(after="2026-03-16", before="2026-03-29") == ["1@2026-03-23", "1@2026-03-25"]


BAD: list[tuple[str, dict[str, Any], str]] = [
    (
        "update_event",
        {"event_id": S, "title": "x"},
        f"give the id of one day of it, such as {S}@2026-03-16, or scope all",
    ),
    ("update_event", {"event_id": S, "title": "x", "scope": "following"}, "or scope all"),
    ("delete_event", {"event_id": S}, "or scope all"),
    ("respond_to_event", {"event_id": S, "response": "accepted"}, "or scope all"),
    (
        "get_event",
        {"event_id": f"{S}@2026-03-24"},
        f"event {S} is not on 2026-03-24; the nearest are {S}@2026-03-23 and {S}@2026-03-30",
    ),
    ("get_event", {"event_id": f"{S}@9999-12-31"}, f"event {S} is not on 9999-12-31"),
    ("get_event", {"event_id": f"{S}@0001-01-01"}, f"event {S} is not on 0001-01-01"),
    ("delete_event", {"event_id": "00000099@2026-03-30"}, "No event has the id '00000099@2026-03-30'"),
    ("update_event", {"event_id": f"{S}@2026-03-30", "repeats": "FREQ=DAILY"}, "give scope following or all"),
    ("update_event", {"event_id": S, "scope": "all", "repeats": "FREQ=WEEKLY;BYDAY=TU"}, "start it on 2026-03-17"),
]


def test_what_a_call_refuses_leaves_the_series_as_it_was(calendar: Office) -> None:
    for tool, arguments, text in BAD:
        assert text in calendar.refusal(tool, **arguments), (tool, arguments)
    calendar("delete_event", event_id=f"{S}@2026-03-30")
    assert "event 00000001 is not on 2026-03-30" in calendar.refusal("get_event", event_id=f"{S}@2026-03-30")


def test_a_change_to_a_series_without_a_day_suggests_the_next_one() -> None:
    series = row(1, "Standup", "2025-01-06 09:00:00", recurrence="FREQ=WEEKLY", skipped=["2026-03-16"])
    with office({"events": [series]}) as calendar:
        refusal = calendar.refusal("update_event", event_id="1", title="Daily")

    assert "such as 00000001@2026-03-23, or scope all." in refusal
