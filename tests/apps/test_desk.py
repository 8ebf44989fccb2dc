"""The desk: what is written to the person, what is put off and until when, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from typing import Any

import anyio
import pytest

from servers.desk import Entry, app, due
from servers.desk.pi import pi
from servers.desk.pi_subagents import pi_subagents
from servers.kernel import Engine, InvalidArguments, Owner, Rejected, World
from tests.apps.desk import NOW, Desk, desk
from tests.contracts.rows_desk import DESK


class Assistant(Desk):
    """Calls the tools of `pi`."""

    toolset = "pi"

    def add(self, what: str, at: str, **arguments: Any) -> Any:
        return self("schedule_task", action="add", what=what, at=at, **arguments)

    def listed(self, **arguments: Any) -> Any:
        return self("schedule_task", action="list", **arguments)


@pytest.fixture
def assistant() -> Iterator[Assistant]:
    with desk(app, DESK, kind=Assistant) as calls:
        yield calls


@pytest.fixture
def empty() -> Iterator[Assistant]:
    with desk(app, {}, kind=Assistant) as calls:
        yield calls


def entry(at: str, repeat: str = "once") -> Entry:
    return Entry.from_json({"id": "E1", "what": "x", "due": at, "repeat": repeat, "made": "2023-01-01T00:00:00"})


def times(each: Entry, after: str, until: str) -> list[str]:
    found = due(each, datetime.fromisoformat(after), datetime.fromisoformat(until))
    return [time.isoformat(" ", "minutes") for time in found]


def test_a_message_says_when_it_was_written_and_is_kept(assistant: Assistant) -> None:
    assert assistant("send_message", text="Both are booked.", title="Rooms") == {
        "id": "M3",
        "written": "2023-11-30 08:15",
    }
    (change,) = assistant.layer.changes()
    assert (change.op, change.table, change.id, change.fields) == (
        "insert",
        "messages",
        "M3",
        {"title": "Rooms", "text": "Both are booked.", "written": "2023-11-30T08:15:00"},
    )


def test_a_message_needs_no_title(empty: Assistant) -> None:
    empty("send_message", text="Done.")

    assert empty.layer.changes()[0].fields["title"] == ""


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_message_that_says_nothing_is_refused(assistant: Assistant, text: str) -> None:
    assert assistant.refusal("send_message", text=text) == "text must not be empty."


def test_what_is_too_long_for_a_message_is_refused_by_its_name(assistant: Assistant) -> None:
    assert assistant.refusal("send_message", text="x" * 20_001).endswith(
        "'text': string should have at most 20000 characters."
    )
    assert assistant.refusal("send_message", text="x", title="x" * 201).endswith(
        "'title': string should have at most 200 characters."
    )


def test_a_title_is_of_one_line(assistant: Assistant) -> None:
    refusal = assistant.refusal("send_message", text="x", title="a\nb")

    assert refusal == "title has a line break; write it in one line."


def test_a_task_is_scheduled_once_unless_said_otherwise(empty: Assistant) -> None:
    assert empty.add("Send the figures", "2023-12-01 09:30") == {
        "id": "E1",
        "what": "Send the figures",
        "repeat": "once",
        "next": "2023-12-01 09:30",
    }
    assert empty.layer.changes()[0].fields == {
        "what": "Send the figures",
        "due": "2023-12-01T09:30:00",
        "repeat": "once",
        "made": "2023-11-30T08:15:00",
    }


def test_a_task_of_weekdays_that_begins_on_a_saturday_comes_on_monday(empty: Assistant) -> None:
    assert empty.add("Read the news", "2023-12-02 07:00", repeat="weekday")["next"] == "2023-12-04 07:00"


@pytest.mark.parametrize("at", ["2023-11-30 08:15", "2023-11-30 08:14", "2023-11-30", "2022-01-01 09:00"])
@pytest.mark.parametrize("repeat", ["once", "day"])
def test_a_time_that_is_not_later_than_now_is_refused(assistant: Assistant, at: str, repeat: str) -> None:
    refusal = assistant.refusal("schedule_task", action="add", what="x", at=at, repeat=repeat)

    assert "is not later than now, 2023-11-30 08:15." in refusal


def test_a_time_with_an_offset_is_told_in_the_zone_of_the_owner() -> None:
    engine = Engine()
    owner = Owner(name="Ines", address="ines@harbor.example", zone="Europe/Lisbon")
    layer = engine.layer(engine.load(World("desk", NOW, {"desk": {}}, owner=owner)))

    assert Assistant(app, layer).add("x", "2024-07-01T12:00:00+02:00")["next"] == "2024-07-01 11:00"

    engine.close()


def test_a_time_beyond_the_calendar_is_refused(empty: Assistant) -> None:
    refusal = empty.refusal("schedule_task", action="add", what="x", at="9999-12-31T23:30:00-05:00")

    assert refusal.endswith("is beyond the calendar; write a time between the years 1 and 9999.")


@pytest.mark.parametrize("at", ["tomorrow", "2023-02-30 09:00", "09:30"])
def test_what_is_no_time_is_refused_with_an_example(assistant: Assistant, at: str) -> None:
    assert "write YYYY-MM-DD HH:MM" in assistant.refusal("schedule_task", action="add", what="x", at=at)


def test_a_task_without_a_time_or_without_words_is_refused(assistant: Assistant) -> None:
    assert assistant.refusal("schedule_task", action="add", what="x") == "Say when: at, as YYYY-MM-DD HH:MM."
    assert assistant.refusal("schedule_task", action="add", at="2024-01-01") == "what must not be empty."
    assert "what has 2,001 characters" in assistant.refusal(
        "schedule_task", action="add", what="x" * 2_001, at="2024-01-01"
    )


def test_what_is_scheduled_is_listed_soonest_first_and_what_is_over_last(assistant: Assistant) -> None:
    found = assistant.listed()

    assert found["shown"] == "1 to 4 of 4"
    assert [(each["id"], each.get("next")) for each in found["items"]] == [
        ("E2", "2023-12-01 08:15"),
        ("E3", "2023-12-03 18:00"),
        ("E4", "2024-05-01 09:00"),
        ("E1", None),
    ]


def test_listing_changes_nothing(assistant: Assistant) -> None:
    assistant.listed()

    assert not assistant.layer.changes()


def test_many_are_listed_twenty_at_a_time(empty: Assistant) -> None:
    for number in range(25):
        empty.add(f"Task {number}", "2023-12-01 09:30")

    assert empty.listed()["next"] == "skip=20"
    assert [each["what"] for each in empty.listed(skip=20)["items"]] == [f"Task {number}" for number in range(20, 25)]


def test_a_task_that_is_scheduled_twice_is_said_to_be(empty: Assistant) -> None:
    assert "note" not in empty.add("Water the fern", "2023-12-01 09:30")
    assert empty.add("Water the fern", "2023-12-01 09:30")["note"] == "E1 is the same, so that it comes back twice."
    assert "note" not in empty.add("Water the fern", "2023-12-01 09:30", repeat="day")


def test_a_task_that_is_removed_comes_back_no_more(assistant: Assistant) -> None:
    assert assistant("schedule_task", action="remove", entry_id="E3") == "Removed E3, 'Water the fern (again)'."
    assert [each["id"] for each in assistant.listed()["items"]] == ["E2", "E4", "E1"]


def test_removing_nothing_is_refused_and_what_is_not_there_is_named(assistant: Assistant) -> None:
    assert assistant.refusal("schedule_task", action="remove").startswith("Say which one to remove: entry_id")
    assert assistant.refusal("schedule_task", action="remove", entry_id="E9") == "No entry has the id 'E9'."


@pytest.mark.parametrize("action", ["list", "remove"])
@pytest.mark.parametrize("extra", [{"what": "x"}, {"at": "2024-01-01"}, {"repeat": "day"}])
def test_what_belongs_to_a_new_task_is_refused_elsewhere(
    assistant: Assistant, action: str, extra: dict[str, str]
) -> None:
    given = {"entry_id": "E1"} if action == "remove" else {}

    assert assistant.refusal("schedule_task", action=action, **given, **extra) == (
        f"what, at and repeat go with add, not with {action}."
    )


@pytest.mark.parametrize("action", ["add", "list"])
def test_an_id_goes_with_removing_alone(assistant: Assistant, action: str) -> None:
    refusal = assistant.refusal("schedule_task", action=action, entry_id="E1")

    assert refusal == f"entry_id goes with remove, not with {action}."


def test_more_than_fifty_tasks_to_come_are_refused_and_those_that_are_over_do_not_count() -> None:
    over = {"what": "x", "due": "2023-11-01T09:00:00", "made": "2023-10-01T09:00:00"}
    ahead = {**over, "due": "2024-01-01T09:00:00"}
    with desk(
        app, {"entries": [{"id": f"E{n}", **(ahead if n < 50 else over)} for n in range(1, 60)]}, kind=Assistant
    ) as assistant:
        assistant.add("The fiftieth", "2023-12-24 18:00")
        refusal = assistant.refusal("schedule_task", action="add", what="One more", at="2023-12-25 18:00")

    assert refusal == "50 tasks are scheduled, which is as many as there may be; remove one first."


def test_an_entry_is_due_once_at_its_time() -> None:
    once = entry("2026-04-14T09:30:00")

    assert times(once, "2026-04-13", "2026-04-15") == ["2026-04-14 09:30"]
    assert times(once, "2026-04-15", "2026-04-16") == []
    assert times(once, "2026-04-12", "2026-04-13") == []


def test_a_span_has_its_end_and_not_its_beginning() -> None:
    for repeat in ("once", "day", "weekday", "week"):
        each = entry("2026-04-14T09:30:00", repeat)

        assert times(each, "2026-04-14 09:29", "2026-04-14 09:30") == ["2026-04-14 09:30"]
        assert times(each, "2026-04-14 09:30", "2026-04-14 09:31") == []


def test_an_entry_of_every_day_is_due_at_its_time_of_each() -> None:
    assert times(entry("2026-04-01T18:00:00", "day"), "2026-04-17 18:30", "2026-04-20 18:00") == [
        "2026-04-18 18:00",
        "2026-04-19 18:00",
        "2026-04-20 18:00",
    ]


def test_an_entry_of_weekdays_leaves_saturday_and_sunday_out() -> None:
    assert times(entry("2026-04-01T08:00:00", "weekday"), "2026-04-16 12:00", "2026-04-21 12:00") == [
        "2026-04-17 08:00",
        "2026-04-20 08:00",
        "2026-04-21 08:00",
    ]


def test_an_entry_of_every_week_keeps_its_day_of_the_week() -> None:
    assert times(entry("2026-04-01T08:00:00", "week"), "2026-04-07", "2026-04-30") == [
        "2026-04-08 08:00",
        "2026-04-15 08:00",
        "2026-04-22 08:00",
        "2026-04-29 08:00",
    ]


@pytest.mark.parametrize("repeat", ["day", "weekday", "week"])
def test_nothing_is_due_before_the_first_time(repeat: str) -> None:
    assert times(entry("2026-04-14T09:30:00", repeat), "2026-01-01", "2026-04-14 10:00") == ["2026-04-14 09:30"]


@pytest.mark.parametrize("repeat", ["once", "day", "weekday", "week"])
def test_spans_that_follow_on_one_another_have_each_time_once(repeat: str) -> None:
    each = entry("2026-04-14T09:30:00", repeat)
    cuts = ["2026-04-10 00:00", "2026-04-14 09:30", "2026-04-19 12:00", "2026-04-24 09:30", "2026-05-03 01:00"]
    parts = [time for after, until in pairwise(cuts) for time in times(each, after, until)]

    assert parts == times(each, cuts[0], cuts[-1])


def test_a_span_that_ends_before_it_begins_has_nothing() -> None:
    assert times(entry("2026-04-14T09:30:00", "day"), "2026-04-20", "2026-04-15") == []


@pytest.mark.parametrize("repeat", ["day", "weekday", "week"])
def test_times_end_with_the_calendar(repeat: str) -> None:
    last = entry("9999-12-31T09:30:00", repeat)

    assert due(last, datetime(9999, 12, 1), datetime.max) == (datetime(9999, 12, 31, 9, 30),)
    assert due(last, datetime(9999, 12, 31, 10), datetime.max) == ()


def test_no_login_is_wanted() -> None:
    assert {table.table_name for table in app.tables} == {"messages", "entries", "subagents"}


class Colleague:
    """Reports a task back."""

    async def work(self, task: str) -> str:
        return f"Done: {task}"


def hand_on(assistant: Assistant, **arguments: Any) -> Any:
    state = assistant.layer.state(assistant.app)
    return anyio.run(pi_subagents.tool("spawn_subagent").delegate, state, Colleague(), arguments).data


def test_what_a_subagent_did_is_kept_with_its_report(assistant: Assistant) -> None:
    assert hand_on(assistant, task="Count the 12 files.", title="Files") == {"result": "Done: Count the 12 files."}
    (change,) = assistant.layer.changes()
    assert (change.op, change.table, change.id, change.after) == (
        "insert",
        "subagents",
        "S3",
        {
            "title": "Files",
            "task": "Count the 12 files.",
            "report": "Done: Count the 12 files.",
            "started": "2023-11-30T08:15:00",
        },
    )


@pytest.mark.parametrize(
    "given", [{"task": " "}, {"task": "x" * 20_001}, {"task": "x", "title": "y" * 201}, {"task": "x", "title": "y\nz"}]
)
def test_a_task_that_says_nothing_or_too_much_is_refused(assistant: Assistant, given: dict[str, str]) -> None:
    with pytest.raises((Rejected, InvalidArguments)):
        hand_on(assistant, **given)
    assert assistant.layer.changes() == []


def test_subagents_are_on_offer_only_to_those_who_name_that_toolset() -> None:
    assert app.default is pi
    assert [*pi.tools] == ["send_message", "schedule_task"]
    assert [*pi_subagents.tools] == [*pi.tools, "spawn_subagent"]
