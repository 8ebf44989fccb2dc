"""How the surface for models at work finds and shows events, over rows of its own and over those of old worlds."""

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
YEAR = "2027-03-15"
HANA = Owner(name="Hana Ito", address="hana@harbor.example", zone="Europe/Lisbon")
Rows = Mapping[str, Sequence[Mapping[str, Any]]]


class Office(Desk):
    """Calls the tools of `default`."""

    toolset = "default"

    def rows(self) -> dict[str, Event]:
        return {event.id: event for event in self.layer.state(app).find(Event)}

    def found(self, **arguments: Any) -> list[str]:
        """Ids, shortened, of each day of a series within a year."""
        given = {"before": YEAR, **arguments}
        return [each["id"].lstrip("0") for each in self("find_events", **given)["items"]]

    def starts(self, **arguments: Any) -> list[str]:
        return [each["start"] for each in self("find_events", **{"before": YEAR, **arguments})["items"]]


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


@pytest.mark.parametrize("me", ["me", "hana@harbor.example", "Hana Ito"])
def test_the_owner_takes_part_in_invitations_too_and_in_what_nobody_organizes(calendar: Office, me: str) -> None:
    assert calendar.found(person=me) == calendar.found()
    assert calendar.found(person=me, calendar="Tariq") == [], "in a colleague's calendar whoever is named takes part"


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
        ({"person": "someone@new.example"}, []),
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
        ({"after": "9999-12-31", "before": "9999-12-31"}, []),
    ],
)
def test_events_are_found_by_words_person_days_and_calendar(
    calendar: Office, arguments: dict[str, Any], ids: list[str]
) -> None:
    assert calendar.found(**arguments) == ids


def test_a_guest_is_found_by_what_stands_behind_a_quotation_mark() -> None:
    with office(
        {"events": [row(1, "Tea", "2026-03-13 09:30:00", attendees=[{**MEI, "name": 'Mei "Bee" Cho'}])]}
    ) as calls:
        assert [each["title"] for each in calls("find_events", query="cho bee")["items"]] == ["Tea"]


def test_a_last_day_in_the_past_without_a_first_one_ends_a_year_as_the_description_says(calendar: Office) -> None:
    after = app.default.tool("find_events").input_schema["properties"]["after"]["description"]

    assert calendar("find_events", before="2025-06-30")["days"] == "2024-06-30 to 2025-06-30"
    assert calendar("find_events", before="2026-04-01")["days"] == "2026-03-12 to 2026-04-01"
    assert after.endswith("Leave out for today; with `before` in the past, for a year up to it.")


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
        found = calendar.found(after="2026-03-13", before="2026-03-14")
        assert found == ["2", "4", "5@2026-03-13", "6@2026-03-13", "7"]
        assert calendar("get_event", event_id="1")["start"] == "soon"
        assert calendar("get_event", event_id="7")["id"] == "00000007"
        assert calendar("update_event", event_id="1", start="2026-03-13 15:00")["start"] == "2026-03-13 15:00"
        assert "not a time; give start too" in calendar.refusal("update_event", event_id="3", repeats="FREQ=DAILY")


def test_an_unknown_id_is_not_found(calendar: Office) -> None:
    with pytest.raises(NotFound, match="No event has the id 'E77@2026-03-30'"):
        calendar("get_event", event_id="E77@2026-03-30")
