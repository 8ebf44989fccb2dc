from collections.abc import Iterator

import pytest

from servers.calendar import Event, app
from tests.apps.desk import Desk, desk


def event(number: int, name: str, start: str, email: str = "ines@harbor.example") -> dict[str, str]:
    return {
        "id": f"{number:08d}",
        "event_name": name,
        "participant_email": email,
        "event_start": start,
        "duration": "60",
    }


EVENTS = [
    event(5, "Roadmap", "2023-12-01 09:00:00"),
    event(2, "Budget [draft]", "2023-12-01 13:00:00"),
    event(9, "Sync", "2023-12-02 09:00:00", "tariq@harbor.example"),
]


@pytest.fixture
def calendar() -> Iterator[Desk]:
    with desk(app, {"events": EVENTS}) as calls:
        yield calls


def found(calendar: Desk, **arguments: object) -> list[str]:
    return [record["event_id"].lstrip("0") for record in calendar("search_events", **arguments)]


def test_an_event_is_shown_whole(calendar: Desk) -> None:
    assert calendar("search_events", query="sync") == [
        {
            "event_id": "00000009",
            "event_name": "Sync",
            "participant_email": "tariq@harbor.example",
            "event_start": "2023-12-02 09:00:00",
            "duration": "60",
        }
    ]


def test_one_field_is_read(calendar: Desk) -> None:
    assert calendar("get_event_information_by_id", event_id="00000005", field="event_name") == {"event_name": "Roadmap"}
    assert "'duration'" in calendar.refusal("get_event_information_by_id", event_id="00000005", field="end")


def test_a_query_is_found_in_the_name_or_the_address_regardless_of_case(calendar: Desk) -> None:
    assert found(calendar, query="BUDGET") == ["2"]
    assert found(calendar, query="Tariq") == ["9"]
    assert found(calendar, query="roadmap draft") == []


@pytest.mark.parametrize(("query", "ids"), [("[draft]", ["2"]), ("r.admap", []), ("%", []), ("(", [])])
def test_a_query_is_literal_text(calendar: Desk, query: str, ids: list[str]) -> None:
    assert found(calendar, query=query) == ids


def test_times_bound_when_an_event_starts_inclusively(calendar: Desk) -> None:
    assert found(calendar, time_min="2023-12-01 09:00:00", time_max="2023-12-01 13:00:00") == ["5", "2"]
    assert found(calendar, time_min="2023-12-01 09:00:01") == ["2", "9"]
    assert found(calendar, time_min="2023-12-01 09:30:00", time_max="2023-12-01 12:00:00") == []


def test_a_date_alone_is_its_midnight(calendar: Desk) -> None:
    assert found(calendar, time_max="2023-12-02") == ["5", "2"]
    assert found(calendar, time_min="2023-12-02T00:00:00") == ["9"]


@pytest.mark.parametrize("time", ["2023-11-31 09:00:00", "2023-12-01 24:00:00", "tomorrow", "2023-12-01T09:00:00Z"])
def test_a_time_that_does_not_parse_is_refused_by_name(calendar: Desk, time: str) -> None:
    assert f"time_max {time!r}" in calendar.refusal("search_events", time_max=time)


def test_a_search_gives_the_first_five_in_calendar_order() -> None:
    many = [event(10 - number, "Sync", f"2023-12-{10 - number:02d} 09:00:00") for number in range(1, 8)]

    with desk(app, {"events": many}) as calendar:
        assert found(calendar, query="sync") == ["9", "8", "7", "6", "5"]


def test_a_new_event_comes_last_and_returns_its_id(calendar: Desk) -> None:
    id = calendar(
        "create_event",
        event_name="Kick-off",
        participant_email="Mei@Harbor.example",
        event_start="2023-11-01 09:00:00",
        duration=45,
    )

    assert id == "00000010"
    event = calendar.layer.state(app).get(Event, id)
    assert event.model_dump(include=Event.model_fields.keys() - Event.defaults() - {"id", "until", "original"}) == {
        "event_name": "Kick-off",
        "participant_email": "mei@harbor.example",
        "event_start": "2023-11-01 09:00:00",
        "duration": "45",
    }
    assert found(calendar) == ["5", "2", "9", "10"]


def test_a_new_events_address_time_and_overlap_are_not_checked(calendar: Desk) -> None:
    id = calendar("create_event", event_name="x", participant_email="nobody", event_start="soon", duration="long")

    assert found(calendar, query="nobody") == [id.lstrip("0")]
    assert found(calendar, time_min="2000-01-01") == ["5", "2", "9"]


def test_an_empty_part_counts_as_missing(calendar: Desk) -> None:
    refusal = calendar.refusal("create_event", event_name="", participant_email="a", event_start="", duration="30")

    assert "event_name and event_start" in refusal
    assert "new_value" in calendar.refusal("update_event", event_id="00000005", field="duration", new_value="")


def test_an_update_changes_one_field(calendar: Desk) -> None:
    calendar("update_event", event_id="00000005", field="duration", new_value=90)

    (change,) = calendar.layer.changes()
    assert (change.id, change.fields) == ("00000005", {"duration": "90"})


def test_only_an_address_is_lower_cased(calendar: Desk) -> None:
    calendar("update_event", event_id="00000005", field="participant_email", new_value="Mei@Harbor.example")
    calendar("update_event", event_id="00000005", field="event_name", new_value="ROADMAP")

    event = calendar.layer.state(app).get(Event, "00000005")
    assert (event.participant_email, event.event_name) == ("mei@harbor.example", "ROADMAP")


@pytest.mark.parametrize("field", ["event_id", "id", "location"])
def test_an_update_refuses_ids_and_unknown_fields(calendar: Desk, field: str) -> None:
    assert "'event_start'" in calendar.refusal("update_event", event_id="00000005", field=field, new_value="x")


def test_a_deleted_event_is_gone_and_its_id_does_not_come_back(calendar: Desk) -> None:
    calendar("delete_event", event_id="00000009")

    assert found(calendar) == ["5", "2"]
    assert "'00000009'" in calendar.refusal("delete_event", event_id="00000009")
    assert calendar("create_event", event_name="x", participant_email="a", event_start="b", duration="1") == "00000010"
