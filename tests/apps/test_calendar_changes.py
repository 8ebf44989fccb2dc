"""How the surface for models at work makes, changes, answers and deletes events, and what it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from servers.calendar import app
from servers.kernel import Change
from tests.apps.desk import Desk
from tests.apps.test_calendar_default import ROWS, Office, office


@pytest.fixture
def calendar() -> Iterator[Office]:
    with office(ROWS) as calls:
        yield calls


def test_a_new_event_has_what_was_given_and_columns_of_the_old_surface_that_are_true(calendar: Office) -> None:
    event = calendar(
        "create_event",
        title="Hiring",
        start="2026-03-13 16:00",
        minutes="45",
        people=["Mei Novak", "New.Face@elsewhere.example", "mei@harbor.example", "hana@harbor.example"],
        location="Room 1",
    )
    made = calendar.rows()["00000008"]

    assert (event["id"], event["start"], event["end"], event["minutes"]) == (
        "00000008",
        "2026-03-13 16:00",
        "16:45",
        45,
    )
    assert (made.event_start, made.duration, made.participant_email) == (
        "2026-03-13 16:00:00",
        "45",
        "mei@harbor.example",
    )
    assert [(each.address, each.name, each.response) for each in made.attendees] == [
        ("mei@harbor.example", "Mei Novak", "needs action"),
        ("new.face@elsewhere.example", "", "needs action"),
    ]
    assert (made.organizer, made.zone, made.calendar) == ("hana@harbor.example", "", "")
    (old,) = Desk(app, calendar.layer)("search_events", query="hiring")
    assert old == {
        "event_id": "00000008",
        "event_name": "Hiring",
        "participant_email": "mei@harbor.example",
        "event_start": "2026-03-13 16:00:00",
        "duration": "45",
    }


def test_a_meeting_with_one_leaves_the_row_that_the_other_surface_leaves() -> None:
    """But for the organizer: the other surface names none."""
    left = []
    for make, move in (
        (
            {"event_name": "x", "participant_email": "New@b.example", "event_start": "2026-03-13 16:00:00"},
            {"field": "participant_email", "new_value": "other@b.example"},
        ),
        (
            {"title": "x", "people": ["New@b.example"], "start": "2026-03-13 16:00"},
            {"invite": ["other@b.example"], "uninvite": ["new@b.example"]},
        ),
    ):
        with office(ROWS) as calls:
            old = "event_name" in make
            ask = Desk(app, calls.layer) if old else calls
            ask("create_event", **make, **({"duration": "45"} if old else {"minutes": 45}))
            made = calls.layer.changes()
            ask("update_event", event_id="00000008", **move)
            left.append([_unorganized(changes) for changes in (made, calls.layer.changes())])

    assert left[0] == left[1]
    assert [row["participant_email"] for (row,) in left[1]] == ["new@b.example", "other@b.example"]


def _unorganized(changes: list[Change]) -> list[dict[str, Any]]:
    return [{**(change.after or {}), "organizer": ""} for change in changes]


def test_an_offset_is_converted_to_the_zone_of_the_event(calendar: Office) -> None:
    plain = calendar("create_event", title="a", start="2026-03-16T09:30:00+09:00")
    there = calendar("create_event", title="b", start="2026-03-16T13:30Z", zone="America/New_York")

    assert (plain["start"], plain.get("there")) == ("2026-03-16 00:30", None)
    assert (there["start"], there["there"]) == ("2026-03-16 13:30", "2026-03-16 09:30 America/New_York")
    assert calendar.rows()["00000009"].event_start == "2026-03-16 09:30:00"


def test_overlaps_are_named_and_not_refused(calendar: Office) -> None:
    event = calendar("create_event", title="Clash", start="2026-03-13 09:45", minutes=60)
    after = calendar("create_event", title="After", start="2026-03-13 10:45")
    moved = calendar("update_event", event_id=after["id"], start="2026-03-12 15:30")

    assert event["overlaps"] == ["Budget (00000001), 2026-03-13 09:30 to 10:00"]
    assert "overlaps" not in after
    assert moved["overlaps"] == ["Dentist (00000002), 2026-03-12 15:00 to 16:00"]


def test_what_is_free_declined_or_of_others_overlaps_nothing(calendar: Office) -> None:
    calendar("respond_to_event", event_id="5", response="declined")
    assert "overlaps" not in calendar("create_event", title="x", start="2026-03-17 14:00")
    assert "overlaps" not in calendar("create_event", title="x", start="2026-03-13 09:30", free=True)
    assert "overlaps" not in calendar("create_event", title="x", start="2026-03-13 09:00")  # Tariq's review


def test_more_overlaps_than_can_be_told_are_counted(calendar: Office) -> None:
    for minute in range(7):
        calendar("create_event", title=f"Call {minute}", start=f"2026-04-01 09:{minute:02d}", minutes=60)

    last = calendar("create_event", title="Call", start="2026-04-01 09:30")["overlaps"]
    assert (len(last), last[-1]) == (6, "and 2 more")


def test_busy_times_of_those_invited_are_named(calendar: Office) -> None:
    busy = {"id": "B1", "person": "mei@harbor.example", "start": "2026-03-13T12:00:00", "minutes": 60}
    with office({**ROWS, "busy": [busy]}) as known:
        event = known("create_event", title="Lunch", start="2026-03-13 12:30", people=["mei"])

    assert event["overlaps"] == ["mei@harbor.example is busy 2026-03-13 12:00 to 13:00"]


def test_an_all_day_event_is_on_its_days_in_every_zone(calendar: Office) -> None:
    event = calendar("create_event", title="Fair", start="2026-03-28", minutes=2880, all_day=True)

    assert (event["start"], event["end"], event["all_day"]) == ("2026-03-28", "2026-03-29", True)
    for zone in ("Asia/Tokyo", "America/New_York"):
        assert calendar("get_event", event_id=event["id"], zone=zone)["start"] == "2026-03-28"
        days = [(f"2026-03-{day}", f"2026-03-{day}") for day in (27, 28, 29, 30)]
        found = [calendar.starts(query="fair", after=after, before=before, zone=zone) for after, before in days]
        assert found == [[], ["2026-03-28"], ["2026-03-28"], []]
    day = calendar("create_event", title="Holiday", start="2026-04-03", all_day=True)
    assert (day["start"], day.get("end"), day["minutes"]) == ("2026-04-03", None, 1440)
    hours = calendar("update_event", event_id=day["id"], all_day=False, start="2026-04-03 09:00", minutes=60)
    assert (hours["start"], hours["end"]) == ("2026-04-03 09:00", "10:00")


def test_an_event_of_whole_days_is_moved_by_a_day_alone_and_midnight_is_a_time_of_day(calendar: Office) -> None:
    moved = calendar("update_event", event_id="6", start="2026-03-23")
    launch = calendar("create_event", title="Launch", start="2026-03-24 00:00")

    assert (moved["start"], moved["end"], moved["all_day"]) == ("2026-03-23", "2026-03-24", True)
    assert (launch["start"], launch["minutes"], launch.get("all_day")) == ("2026-03-24 00:00", 30, None)


def test_an_update_changes_what_is_given(calendar: Office) -> None:
    calendar("update_event", event_id="1", title="Budget 2026", location="", minutes=60)

    (change,) = calendar.layer.changes()
    assert change.fields == {"event_name": "Budget 2026", "location": "", "duration": "60"}


def test_a_new_start_keeps_the_length_and_a_new_zone_the_time_on_the_wall(calendar: Office) -> None:
    moved = calendar("update_event", event_id="3", start="2026-03-16 11:00")
    assert (moved["start"], moved["end"]) == ("2026-03-16 15:00", "15:45")
    moved = calendar("update_event", event_id="3", zone="Europe/Lisbon")
    assert (moved["start"], moved.get("there")) == ("2026-03-16 11:00", None)
    assert calendar.rows()["00000003"].zone == ""


def test_people_join_and_leave_an_event(calendar: Office) -> None:
    calendar("update_event", event_id="1", invite=["ines@harbor.example"], uninvite=["tariq"])
    made = calendar.rows()["00000001"]

    assert [each.address for each in made.attendees] == ["mei@harbor.example", "ines@harbor.example"]
    assert made.participant_email == "mei@harbor.example"
    calendar("update_event", event_id="3", invite=["mei"])  # it had a participant alone, as in old worlds
    assert [each.address for each in calendar.rows()["00000003"].attendees] == [
        "tariq.lund@harbor.example",
        "mei@harbor.example",
    ]
    calendar("update_event", event_id="3", uninvite=["mei", "tariq.lund@harbor.example"])
    assert (calendar.rows()["00000003"].attendees, calendar.rows()["00000003"].participant_email) == ([], "")


def test_a_participant_that_the_old_surface_changed_is_believed(calendar: Office) -> None:
    Desk(app, calendar.layer)(
        "update_event", event_id="00000001", field="participant_email", new_value="ines@harbor.example"
    )
    people = calendar("find_events", query="budget")["items"][0]["people"]

    assert people == ["ines@harbor.example", "mei@harbor.example"]


def test_an_event_moves_to_another_calendar_and_back(calendar: Office) -> None:
    assert calendar("update_event", event_id="1", calendar="Launch")["calendar"] == "C1"
    assert calendar.found(calendar="C1") == ["1", "3"]
    assert "calendar" not in calendar("update_event", event_id="1", calendar="main")


def test_an_invitation_is_answered(calendar: Office) -> None:
    answered = calendar("respond_to_event", event_id="00000005", response="accepted")

    assert (answered["response"], answered["organizer"]) == ("accepted", "ines@harbor.example")
    (change,) = calendar.layer.changes()
    assert change.fields == {"response": "accepted"}
    own = calendar("create_event", title="Mine", start="2026-03-16 09:00")["id"]
    assert "is the user's own" in calendar.refusal("respond_to_event", event_id=own, response="declined")


def test_a_deleted_event_is_gone(calendar: Office) -> None:
    assert calendar("delete_event", event_id="2") == "00000002 (Dentist) is deleted."
    assert calendar.found(before="2026-03-13") == ["1"]


def test_what_a_call_refuses_leaves_everything_as_it_was(calendar: Office) -> None:
    for tool, arguments, text in BAD:
        assert text in calendar.refusal(tool, **arguments), (tool, arguments)


MEETING = {"title": "x", "start": "2026-03-16 09:00"}
BAD: list[tuple[str, dict[str, Any], str]] = [
    ("find_events", {"person": "nobody"}, "person: 'nobody' is nobody known here"),
    ("find_events", {"person": "harbor.example"}, "person: 'harbor.example' is nobody known here"),
    ("find_events", {"after": "tomorrow"}, "'tomorrow' is not a day; write YYYY-MM-DD, such as 2026-03-12"),
    ("find_events", {"after": "2026-03-12", "before": "2026-03-11"}, "before: 2026-03-11 is earlier than 2026-03-12"),
    ("find_events", {"after": "2000-01-01", "before": "2026-03-11"}, "more than five years"),
    ("find_events", {"zone": "Lisbon"}, "write its IANA name, such as Europe/Lisbon"),
    ("find_events", {"calendar": "Nope"}, "No calendar has the id 'Nope'"),
    ("find_events", {"query": " ".join(map(str, range(33)))}, "query has 33 different words; it may have 32"),
    ("get_event", {"event_id": "99"}, "No event has the id '99'"),
    ("get_event", {"event_id": "1@2026-03-14"}, "event 00000001 does not repeat; give 00000001 alone"),
    ("get_event", {"event_id": "1@soon"}, "'1@soon' has no day behind the @; write it as 1@2026-03-30"),
    ("create_event", {"title": " ", "start": "2026-03-16 09:00"}, "title must not be empty"),
    ("create_event", {**MEETING, "start": "soon"}, "write YYYY-MM-DD HH:MM, such as 2026-03-12 09:30"),
    ("create_event", {**MEETING, "start": "2026-12-03"}, "such as 2026-12-03 09:30, or give all_day=true"),
    ("create_event", {**MEETING, "start": "2026-12-03", "all_day": False}, "start: 2026-12-03 has no time of day"),
    ("update_event", {"event_id": "1", "start": "20261203"}, "start: 2026-12-03 has no time of day"),
    ("update_event", {"event_id": "6", "start": "2026-12-03", "all_day": False, "minutes": 60}, "has no time of day"),
    ("create_event", {**MEETING, "start": "0001-01-01T00:00:00+14:00"}, "start: 0001-01-01 is not between"),
    ("create_event", {**MEETING, "start": "9999-12-31 23:59"}, "start: 9999-12-31 is not between"),
    ("create_event", {**MEETING, "minutes": "an hour"}, "write 90 for an hour and a half"),
    ("create_event", {**MEETING, "minutes": 90, "all_day": True}, "write 1440 for one, 2880 for two"),
    ("create_event", {**MEETING, "zone": "Mars/Base"}, "'Mars/Base' is not a time zone"),
    ("create_event", {**MEETING, "people": ["Zed"]}, "people: 'Zed' is nobody known here"),
    ("create_event", {**MEETING, "people": ["harbor"]}, "people: 'harbor' is nobody known here"),
    ("create_event", {**MEETING, "people": [f"p{n}@x.example" for n in range(51)]}, "people has 51 people"),
    ("create_event", {**MEETING, "calendar": "C2"}, "the calendar of tariq.lund@harbor.example, which the user can"),
    ("create_event", {**MEETING, "repeats": "weekly"}, "such as FREQ=WEEKLY;BYDAY=MO,WE"),
    ("create_event", {**MEETING, "repeats": "FREQ=WEEKLY;BYDAY=TU"}, "leaves out Monday 2026-03-16"),
    ("update_event", {"event_id": "1"}, "Nothing is to change"),
    ("update_event", {"event_id": "1", "title": ""}, "title must not be empty"),
    ("update_event", {"event_id": "4", "title": "x"}, "C2 is the calendar of tariq.lund@harbor.example"),
    (
        "update_event",
        {"event_id": "1", "uninvite": ["ines@harbor.example"]},
        "Invited are tariq.lund@harbor.example, mei@harbor.example.",
    ),
    ("update_event", {"event_id": "6", "all_day": False}, "all_day: give start, such as 2026-03-12 09:30"),
    ("update_event", {"event_id": "1", "scope": "some"}, "'this', 'following' or 'all'"),
    ("delete_event", {"event_id": "4"}, "C2 is the calendar of tariq.lund@harbor.example"),
    ("delete_event", {"event_id": ""}, "No event has the id ''"),
    ("respond_to_event", {"event_id": "5", "response": "maybe"}, "'accepted', 'declined' or 'tentative'"),
    ("create_calendar", {"name": " "}, "name must not be empty"),
    ("find_free_times", {"minutes": 30, "people": ["Zed"]}, "people: 'Zed' is nobody known here"),
    ("find_free_times", {"minutes": 30, "earliest": "9"}, "'9' is not a time of day; write HH:MM, such as 09:30"),
    ("find_free_times", {"minutes": 30, "earliest": "18:00"}, "latest: 17:00 is not after 18:00"),
    ("find_free_times", {"minutes": 30, "before": "2026-03-01"}, "before: 2026-03-01 is not within three months"),
    ("find_free_times", {"minutes": 0}, "greater than or equal to 1"),
]


def test_an_offset_that_means_the_second_of_two_equal_clock_times_is_refused(calendar: Office) -> None:
    late = {"title": "Deploy", "start": "2026-10-25 01:30+00:00"}

    assert calendar.refusal("create_event", **late) == (
        "start: clocks in Europe/Lisbon show 2026-10-25 01:30 twice, and this is the second time, which the calendar "
        "cannot keep there; give a zone whose clocks show it once, such as zone UTC."
    )
    kept = calendar("create_event", **late, zone="UTC")
    assert (kept["there"], calendar("get_event", event_id=kept["id"], zone="Asia/Tokyo")["start"]) == (
        "2026-10-25 01:30 UTC",
        "2026-10-25 10:30",
    )
    assert calendar("create_event", title="Off", start=late["start"], all_day=True)["start"] == "2026-10-25"


def test_a_start_with_seconds_is_refused(calendar: Office) -> None:
    assert calendar.refusal("create_event", title="Deploy", start="2026-10-25 09:30:15") == (
        "start: 2026-10-25 09:30:15 is not a whole minute; write such as 2026-10-25 09:30."
    )


def test_an_event_during_which_clocks_go_back_says_so(calendar: Office) -> None:
    first = calendar("create_event", title="Deploy", start="2026-10-25 01:30+01:00")

    assert (first["start"], first["end"]) == ("2026-10-25 01:30", "01:00 (clocks go back)")


def test_a_start_that_clocks_skip_is_noted(calendar: Office) -> None:
    event = calendar("create_event", title="Deploy", start="2026-03-29 01:30")

    assert (event["start"], event["note"]) == (
        "2026-03-29 02:30",
        "Clocks in Europe/Lisbon skip 01:30 on 2026-03-29: it is at 02:30.",
    )
    assert "note" not in calendar("create_event", title="Deploy", start="2026-03-29 02:30")


def test_me_is_the_owner_among_people(calendar: Office) -> None:
    alone = calendar("create_event", title="Focus", start="2026-04-08 09:00", people=["me", "mei"])

    assert [guest["address"] for guest in alone["guests"]] == ["mei@harbor.example"]
    assert calendar("find_events", person="me", query="focus")["items"][0]["id"] == alone["id"]


def test_whoever_is_not_invited_cannot_be_taken_off_and_those_who_are_are_named(calendar: Office) -> None:
    assert calendar.refusal("update_event", event_id="1", uninvite=["Ines"]) == (
        "uninvite: 'Ines' is not invited. Invited are tariq.lund@harbor.example, mei@harbor.example."
    )


def test_whoever_is_both_invited_and_taken_off_is_named(calendar: Office) -> None:
    assert calendar.refusal("update_event", event_id="1", invite=["mei"], uninvite=["Tariq", "Mei Novak"]) == (
        "mei@harbor.example is in invite and in uninvite; say which."
    )


def test_only_a_change_says_that_those_that_follow_become_a_series_of_their_own() -> None:
    tools = {each: app.toolset("default").tool(each) for each in ("update_event", "respond_to_event", "delete_event")}
    texts = {name: tool.input_schema["properties"]["scope"]["description"] for name, tool in tools.items()}

    assert {name for name, text in texts.items() if "a series of their own" in text} == {
        "update_event",
        "respond_to_event",
    }
