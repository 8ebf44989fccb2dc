"""The surface of the calendar for models at work, over rows of its own and over those of old worlds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import pytest

from servers.calendar import Event, app
from servers.kernel import Engine, Layer, NotFound, Owner, World
from tests.apps.desk import Desk
from tests.apps.test_calendar import EVENTS

NOW = datetime(2026, 3, 12, 10, 37)  # a Thursday
HANA = Owner(name="Hana Ito", address="hana@harbor.example", zone="Europe/Lisbon")
Rows = Mapping[str, Sequence[Mapping[str, Any]]]


class Office(Desk):
    """Calls the tools of `default`."""

    def __call__(self, tool: str, **arguments: Any) -> Any:
        data = self.app.toolset("default").tool(tool).call(self.layer.state(self.app), arguments).data
        return data.get("result", data)

    def rows(self) -> dict[str, Event]:
        return {event.id: event for event in self.layer.state(app).find(Event)}

    def found(self, **arguments: Any) -> list[str]:
        """Ids, shortened."""
        return [each["id"].lstrip("0") for each in self("find_events", **arguments)["items"]]

    def starts(self, **arguments: Any) -> list[str]:
        return [each["start"] for each in self("find_events", **arguments)["items"]]


@contextmanager
def office(rows: Rows, owner: Owner | None = HANA, now: datetime = NOW) -> Iterator[Office]:
    engine = Engine()
    layer: Layer = engine.layer(engine.load(World("office", now, {"calendar": rows}, owner=owner)))
    yield Office(app, layer)
    layer.close()
    engine.close()


def row(number: int, title: str, start: str, minutes: int = 30, **more: Any) -> dict[str, Any]:
    address = more.pop("with_", "tariq.lund@harbor.example")
    return {
        "id": f"{number:08d}",
        "event_name": title,
        "participant_email": address,
        "event_start": start,
        "duration": str(minutes),
        **more,
    }


TARIQ = {"address": "tariq.lund@harbor.example", "name": "Tariq Lund", "response": "accepted"}
MEI = {"address": "mei@harbor.example", "name": "Mei Novak", "response": "needs action"}
ROWS: dict[str, list[dict[str, Any]]] = {
    "calendars": [
        {"id": "C1", "name": "Launch", "zone": "America/New_York", "colour": "red"},
        {"id": "C2", "name": "Tariq", "owner": "tariq.lund@harbor.example", "zone": "Asia/Tokyo"},
    ],
    "events": [
        row(1, "Budget", "2026-03-13 09:30:00", attendees=[TARIQ, MEI], location="Room 4", description="Figures of Q1"),
        row(2, "Dentist", "2026-03-12 15:00:00", 60, with_=""),
        row(3, "Go-to-market", "2026-03-16 10:00:00", 45, calendar="C1", zone="America/New_York"),
        row(4, "Tariq's review", "2026-03-13 18:00:00", calendar="C2", zone="Asia/Tokyo", with_=""),
        row(5, "Board", "2026-03-17 14:00:00", 90, organizer="ines@harbor.example", response="needs action"),
        row(6, "Offsite", "2026-03-19 00:00:00", 2880, all_day=True),
        row(7, "Old times", "2025-01-10 09:00:00", with_="mei@harbor.example"),
    ],
}


@pytest.fixture
def calendar() -> Iterator[Office]:
    with office(ROWS) as calls:
        yield calls


def test_coming_events_are_found_soonest_first(calendar: Office) -> None:
    found = calendar("find_events")

    assert [each["id"].lstrip("0") for each in found["items"]] == ["2", "1", "3", "5", "6"]
    assert (found["shown"], found["days"], found["zone"]) == (
        "1 to 5 of 5",
        "2026-03-12 to 2027-03-12",
        "Europe/Lisbon",
    )
    assert found["items"][1] == {
        "id": "00000001",
        "title": "Budget",
        "day": "Fri",
        "start": "2026-03-13 09:30",
        "end": "10:00",
        "people": ["tariq.lund@harbor.example", "mei@harbor.example"],
        "location": "Room 4",
    }


def test_an_event_in_another_zone_is_shown_in_the_users_with_the_time_there(calendar: Office) -> None:
    (event,) = calendar("find_events", query="market")["items"]

    assert (event["start"], event["end"], event["there"]) == (
        "2026-03-16 14:00",
        "14:45",
        "2026-03-16 10:00 America/New_York",
    )
    (event,) = calendar("find_events", query="market", zone="Asia/Tokyo")["items"]
    assert (event["start"], event["end"]) == ("2026-03-16 23:00", "23:45")


@pytest.mark.parametrize(
    ("arguments", "ids"),
    [
        ({"query": "BUDGET"}, ["1"]),
        ({"query": "room figures"}, ["1"]),
        ({"query": "novak"}, ["1"]),
        ({"query": "address"}, []),
        ({"query": "%"}, []),
        ({"person": "mei"}, ["1"]),
        ({"person": "Tariq Lund"}, ["1", "3", "5", "6"]),
        ({"person": "ines@harbor.example"}, ["5"]),
        ({"person": "mei", "before": "2025-12-31"}, ["7"]),
        ({"after": "2026-03-13", "before": "2026-03-13"}, ["1"]),
        ({"after": "2026-03-20", "before": "2026-03-20"}, ["6"]),
        ({"after": "2026-03-21", "before": "2026-03-21"}, []),
        ({"after": "2025-01-01", "before": "2026-03-12"}, ["7", "2"]),
        ({"before": "2025-06-30"}, ["7"]),
        ({"calendar": "Launch"}, ["3"]),
        ({"calendar": "C2"}, ["4"]),
        ({"calendar": "main"}, ["2", "1", "5", "6"]),
        ({"after": "0001-01-01", "before": "1900-01-01"}, []),
        ({"after": "9999-12-31"}, []),
    ],
)
def test_events_are_found_by_words_person_days_and_calendar(
    calendar: Office, arguments: dict[str, Any], ids: list[str]
) -> None:
    assert calendar.found(**arguments) == ids


def test_days_are_those_of_the_zone_that_is_asked_for(calendar: Office) -> None:
    days = {"after": "2026-03-17", "before": "2026-03-17"}

    assert calendar.found(**days) == ["5"]
    assert calendar.found(**days, zone="Pacific/Auckland") == ["3"]


def test_a_week_is_shown_on_one_page_and_more_on_several() -> None:
    many = [
        row(number, f"Call {number}", f"2026-03-{16 + number % 5} {8 + number // 5:02d}:00:00") for number in range(45)
    ]
    with office({"events": many}) as calendar:
        first = calendar("find_events", after="2026-03-16", before="2026-03-22")
        pages = [calendar.found(after="2026-03-16", before="2026-03-22", skip=skip) for skip in (0, 20, 40)]

    assert (first["shown"], first["next"]) == ("1 to 20 of 45", "skip=20")
    assert sorted(int(id or "0") for page in pages for id in page) == list(range(45))


def test_details_are_shown_on_demand(calendar: Office) -> None:
    (event,) = calendar("find_events", query="budget", detail="detailed")["items"]

    assert event["description"] == "Figures of Q1"


def test_one_event_is_shown_whole(calendar: Office) -> None:
    event = calendar("get_event", event_id="00000001")

    assert event["guests"] == [
        {"address": "tariq.lund@harbor.example", "name": "Tariq Lund", "response": "accepted"},
        {"address": "mei@harbor.example", "name": "Mei Novak", "response": "needs action"},
    ]
    assert (event["minutes"], event["description"], event["zone"]) == (30, "Figures of Q1", "Europe/Lisbon")
    assert calendar("get_event", event_id="00000001", zone="Asia/Tokyo")["start"] == "2026-03-13 18:30"


@pytest.mark.parametrize("id", ["00000001", "1", "E1", "00000001@2026-03-13"])
def test_an_id_may_be_said_short(calendar: Office, id: str) -> None:
    assert calendar("get_event", event_id=id)["title"] == "Budget"


def test_calendars_are_listed_with_whose_they_are(calendar: Office) -> None:
    assert calendar("list_calendars") == [
        {"id": "main", "name": "Main", "zone": "Europe/Lisbon"},
        {"id": "C1", "name": "Launch", "zone": "America/New_York", "colour": "red"},
        {"id": "C2", "name": "Tariq", "zone": "Asia/Tokyo", "owner": "tariq.lund@harbor.example"},
    ]


def test_a_new_calendar_takes_events_in_its_zone(calendar: Office) -> None:
    made = calendar("create_calendar", name="Tokyo office", zone="Asia/Tokyo")
    event = calendar("create_event", title="Handover", start="2026-03-16 09:00", calendar="Tokyo office")

    assert made == {"id": "C3", "name": "Tokyo office", "zone": "Asia/Tokyo"}
    assert (event["start"], event["there"]) == ("2026-03-16 00:00", "2026-03-16 09:00 Asia/Tokyo")
    assert "there is a calendar of that name, C3" in calendar.refusal("create_calendar", name="TOKYO office")


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
    day = calendar("create_event", title="Holiday", start="2026-04-03", all_day=True)
    assert (day["start"], day.get("end"), day["minutes"]) == ("2026-04-03", None, 1440)
    hours = calendar("update_event", event_id=day["id"], all_day=False, start="2026-04-03 09:00", minutes=60)
    assert (hours["start"], hours["end"]) == ("2026-04-03 09:00", "10:00")


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
        "uninvite: 'ines@harbor.example' is nobody",
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


def test_a_name_that_several_have_is_refused_with_the_candidates() -> None:
    events = [
        row(1, "a", "2026-03-16 09:00:00", with_="tariq.lund@x.example"),
        row(2, "b", "x", with_="sam.lund@x.example"),
    ]
    with office({"events": events}) as calendar:
        refusal = calendar.refusal("find_events", person="lund")

    assert refusal == "person: 'lund' may be sam.lund@x.example, tariq.lund@x.example; say which, best by the address."


def test_rows_of_old_worlds_are_found_shown_changed_and_deleted() -> None:
    with office({"events": EVENTS}, owner=None, now=datetime(2023, 11, 30, 8, 15)) as calendar:
        assert calendar.found() == ["5", "2", "9"]
        assert calendar("list_calendars") == [{"id": "main", "name": "Main", "zone": "UTC"}]
        shown = calendar("get_event", event_id="9")
        assert (shown["guests"], shown["end"]) == ([{"address": "tariq@harbor.example"}], "10:00")
        calendar("update_event", event_id="9", start="2023-12-02 11:00")
        calendar("delete_event", event_id="2")
        changes = [(change.id, change.op, change.fields) for change in calendar.layer.changes()]

    assert changes == [
        ("00000002", "delete", {}),
        ("00000009", "update", {"event_start": "2023-12-02 11:00:00"}),
    ]


def test_rows_that_the_old_surface_made_without_sense_break_nothing() -> None:
    odd = [
        row(1, "No time", "soon", with_="a"),
        {**row(2, "No length", "2026-03-13 09:00:00"), "duration": "long"},
        row(3, "Far away", "9999-12-31 23:00:00"),
        row(4, "Nowhere", "2026-03-13 11:00:00", zone="Mars/Base"),
        row(5, "No rule", "2026-03-13 12:00:00", recurrence="every now and then"),
        row(6, "Never", "2026-03-13 12:00:00", recurrence="FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"),
        row(7, "Left", "2026-03-14 12:00:00", series="00000099", original="2026-03-13"),
    ]
    with office({"events": odd}) as calendar:
        assert calendar.found(after="2026-03-13", before="2026-03-14") == ["2", "4", "5@2026-03-13", "7"]
        assert calendar("get_event", event_id="1")["start"] == "soon"
        assert calendar("get_event", event_id="7")["id"] == "00000007"
        assert calendar("update_event", event_id="1", start="2026-03-13 15:00")["start"] == "2026-03-13 15:00"
        assert "not a time; give start too" in calendar.refusal("update_event", event_id="3", repeats="FREQ=DAILY")


def test_an_unknown_id_is_not_found(calendar: Office) -> None:
    with pytest.raises(NotFound, match="No event has the id 'E77@2026-03-30'"):
        calendar("get_event", event_id="E77@2026-03-30")
