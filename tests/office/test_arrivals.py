"""What lies ahead in the office: rows as rendering would have them, which come to whoever works there as they would."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import anyio
import pytest

from benchmarks.office.arrivals import KINDS, arrivals
from benchmarks.office.ledger import (
    AHEAD,
    DAY,
    Busy,
    Chat,
    Comment,
    DealStep,
    Event,
    FileVersion,
    Ledger,
    Mail,
    Meeting,
    Note,
    ToDo,
)
from benchmarks.office.people import OWNER
from benchmarks.office.render import Texts, apps
from benchmarks.office.render.mailbox import mail_ids, mailbox
from benchmarks.office.world import NOW, OfficeWorld, ledger, make_world, world
from harness.service.standalone import Apps, opened
from harness.serving.sandbox import Sandbox
from servers import catalog
from servers.kernel import Coming, World
from tests.office.test_world import APPS

SERIES = "rhythm-003"
"""A meeting every other week to which the head of technology invites."""


def soon(kind: type[Any], number: int, sender: str = "planner", **values: Any) -> Any:
    """An event on the day after `now`."""
    at = values.pop("at", DAY + 600 + number)
    return kind(id=f"ahead-{number:03d}", story="ahead", at=at, sender=sender, **values)


def archived() -> Mail:
    """A mail from somebody else that ends a conversation which is archived."""
    ids = mail_ids(Texts(ledger(), NOW.date()))
    old = {row["id"] for row in world().rows["gmail"]["threads"] if row["archived"] and not row["starred"]}
    mails: Iterator[Mail] = ledger().of(Mail)
    return next(mail for mail in mails if ids[mail.id] in old and mail.sender == "it" and mail.thread is None)


def enlarged() -> Ledger:
    """The ledger with an event of each kind ahead, and some of the owner's own."""
    old = archived()
    todo = next(each for each in ledger().of(ToDo) if each.done is None and each.project == "Operations")
    file = next(each for each in ledger().of(FileVersion) if each.sender != OWNER)
    step = list(ledger().of(DealStep))[-1]
    more: list[Event] = [
        soon(Mail, 1, old.sender, to=(OWNER,), subject=old.subject, text="Once more.", thread=old.id, answers=old.id),
        soon(Mail, 2, to=(OWNER, "it"), cc=("coo",), subject="The file", text="Attached.", files=(file.id,)),
        soon(Mail, 3, OWNER, to=("planner",), subject="Mine", text="My own words."),
        soon(Mail, 4, to=(OWNER,), subject="Re: Mine", text="An answer.", thread="ahead-003", answers="ahead-003"),
        soon(Chat, 5, channel="operations", text="The cradles are in.", reactions=(("tada", "it"), ("eyes", OWNER))),
        soon(Chat, 6, "it", channel="operations", text="At last.", answers="ahead-005"),
        soon(Chat, 7, channel=f"planner+{OWNER}", text="Have you a minute?"),
        soon(Meeting, 8, title="Counting", starts=5 * DAY + 600, minutes=30, people=((OWNER, "accepted"),)),
        soon(
            Meeting, 9, "cto", title="Hardware and operations", starts=9 * DAY + 720, minutes=60, people=(),
            series=SERIES, original=next_day(), response="accepted",
        ),
        soon(ToDo, 10, text="Count the pallets", project="Operations", assignee=OWNER, due=6),
        soon(ToDo, 11, text="Paint the doors", project="Doors", assignee="facility", done=3 * DAY + 600),
        soon(DealStep, 12, "am2", deal=step.deal, stage="Won", amount=step.amount, note="They came back."),
        soon(FileVersion, 13, path="/workspace/counts/march.csv", text="shelf,count\n1,2\n"),
        soon(FileVersion, 14, file.sender, path=file.path, text="Written anew.\n"),
        soon(Comment, 16, "it", task="ahead-010", text="Which hall?"),
        soon(Busy, 17, "cto", starts=5 * DAY + 600, minutes=45),
        soon(Note, 15, OWNER, title="Mine", text="Nobody brings it."),
    ]  # fmt: skip
    events = [replace(each, done=2 * DAY, assignee="it") if each is todo else each for each in ledger().events]
    return replace(ledger(), events=sorted([*events, *more], key=lambda each: each.at))


def next_day() -> int:
    """A day of the series that lies ahead."""
    series = next(each for each in ledger().of(Meeting) if each.id == SERIES)
    first = series.starts // DAY
    return next(day for day in range(first, AHEAD * 2, 14) if day > 2)


@pytest.fixture(scope="module")
def office() -> OfficeWorld:
    return make_world(enlarged())


@contextmanager
def served(one: World, clock: Any, state: Path | None = None) -> Iterator[dict[str, Sandbox]]:
    toolsets = [catalog.app(name).default for name in APPS]
    with opened(Apps(toolsets=toolsets, world=one, now=clock, live=True, state=state)) as (boxes, _):
        yield boxes


class Days:
    """A clock that is so many days after the office's first morning."""

    def __init__(self, days: float = 0) -> None:
        self.days = days

    def __call__(self) -> datetime:
        return NOW + timedelta(weeks=30, days=self.days)


def called(boxes: dict[str, Sandbox], app: str, tool: str, **arguments: Any) -> str:
    record = anyio.run(boxes[app].call, app, tool, arguments)
    assert record.status == "ok", record.text
    return record.text


def rows_at_the_end(told: Ledger, monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """What rendering has when all that lies ahead has happened."""
    there = [each for each in told.events if not (isinstance(each, Chat) and "+" in each.channel)]
    texts = Texts(replace(told, events=there), NOW.date())
    with monkeypatch.context() as then:
        for module in ("mailbox", "apps"):
            then.setattr(import_module(f"benchmarks.office.render.{module}"), "NOW", AHEAD * DAY)
        return {name: getattr(apps, name)(texts) for name in APPS if name != "gmail"} | {"gmail": mailbox(texts)}


def edits(coming: tuple[Coming, ...], table: str) -> dict[str, dict[str, Any]]:
    return {edit.id: edit.values for each in coming for edit in each.edits if edit.table == table and edit.op == "add"}


def test_every_kind_of_event_can_come() -> None:
    assert KINDS.keys() == set(get_args(Event))


@pytest.mark.parametrize("table", ["emails", "envelopes"])
def test_a_mail_comes_as_the_row_that_it_would_have_been(
    office: OfficeWorld, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    whole = {row["id"]: row for row in rows_at_the_end(enlarged(), monkeypatch)["gmail"][table]}
    found = edits(tuple(office.arrivals), table)

    assert len(found) >= 6
    for id, values in found.items():
        kept = whole.get(id, values)  # spam may be in the trash by the end
        assert {"id": id, **values} == {"id": id, **kept}


def test_what_others_write_and_do_comes_as_rendering_has_it(
    office: OfficeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = rows_at_the_end(enlarged(), monkeypatch)
    coming = tuple(office.arrivals)
    said = {row["text"]: row for row in whole["chat"]["messages"]}
    (deal,) = [edit for each in coming for edit in each.edits if edit.table == "deals"]
    files = {row["path"]: row for row in whole["filesystem"]["entries"]}
    tasks = {row["content"]: row for row in whole["todoist"]["tasks"]}

    for values in [each for each in edits(coming, "messages").values() if each["text"] in said]:
        assert [values[name] for name in ("author_id", "sent", "channel_id")] == [
            said[values["text"]][name] for name in ("author_id", "sent", "channel_id")
        ]
    assert deal.values.items() <= next(row for row in whole["crm"]["deals"] if row["id"] == deal.id).items()
    for path, values in edits(coming, "entries").items():
        assert {"id": path, **values} == files[path]
    for values in edits(coming, "tasks").values():
        row = tasks[values["content"]]
        assert [values[name] for name in ("due_date", "assignee", "priority")] == [
            row[name] for name in ("due_date", "assignee", "priority")
        ]


def test_what_the_owner_would_do_does_not_come_and_neither_do_answers_to_it(office: OfficeWorld) -> None:
    told = " ".join(each.model_dump_json() for each in office.arrivals)

    assert "My own words" not in told
    assert "An answer." not in told
    assert "Nobody brings it" not in told
    assert '"emoji":"tada"' in told
    assert '"emoji":"eyes"' not in told


def test_arrivals_are_in_order_all_ahead_and_within_two_weeks() -> None:
    moments = [each.at for each in world().arrivals]

    assert moments == sorted(moments)
    assert len(moments) >= 5
    assert NOW < moments[0] <= moments[-1] <= NOW + timedelta(days=AHEAD + 1)


@pytest.mark.parametrize("weeks", [1, 13, -60])
def test_a_moved_office_lets_come_what_would_come_to_it_told_for_that_day(weeks: int) -> None:
    moved, there = world().moved(7 * weeks), make_world(ledger(), (NOW + timedelta(weeks=weeks)).date())
    all_apps = [catalog.app(name) for name in APPS]

    assert moved.coming(all_apps) == there.coming(all_apps)
    assert [*there.coming(all_apps).values()] == list(there.arrivals)


def test_the_arrivals_are_no_part_of_what_the_office_is() -> None:
    assert replace(world(), arrivals=()).digest == world().digest


def test_what_comes_is_found_by_the_tools_of_every_app(office: OfficeWorld) -> None:
    clock = Days()
    with served(office, clock) as boxes:
        before = called(boxes, "gmail", "find_emails", query='"Attached."')
        clock.days = 2
        after = called(boxes, "gmail", "find_emails", query='"Attached."')

        assert "The file" not in before
        assert "The file" in after
        assert "cradles are in" in called(boxes, "chat", "find_messages", query="cradles are in")
        assert "Have you a minute" in called(boxes, "chat", "find_messages", query="minute")
        assert "Counting" in called(boxes, "calendar", "find_events", query="Counting")
        assert "Count the pallets" in called(boxes, "todoist", "find_tasks", query="pallets")
        assert "Which hall?" in called(boxes, "todoist", "find_tasks", query="pallets", detail="detailed") + called(
            boxes, "todoist", "get_task", task_id=task_id(office, "Count the pallets")
        )
        assert "shelf,count" in called(boxes, "filesystem", "read_text_file", path="/workspace/counts/march.csv")
        deal = next(edit.id for each in office.arrivals for edit in each.edits if edit.table == "deals")
        assert "They came back" in called(boxes, "crm", "get_record", record_id=deal)
        assert boxes["gmail"].layer.changes() == []
        assert [came.text for came in boxes["gmail"].layer.came if came.skipped] == []


def task_id(office: OfficeWorld, content: str) -> str:
    found = edits(tuple(office.arrivals), "tasks")
    return next(id for id, values in found.items() if values["content"] == content)


def conversation(boxes: dict[str, Sandbox], id: str) -> Any:
    state = boxes["gmail"].layer.state(catalog.app("gmail"))
    return state.get(catalog.app("gmail").table("threads"), id)


@pytest.mark.parametrize("done", ["nothing", "starred", "trash", "forever"])
def test_a_mail_in_an_old_conversation_makes_it_unread_and_puts_it_back_into_the_inbox(
    office: OfficeWorld, done: str
) -> None:
    clock = Days()
    id = mail_ids(Texts(office.ledger or ledger(), NOW.date()))[archived().id]
    with served(office, clock) as boxes:
        match done:
            case "starred":
                called(boxes, "gmail", "mark_emails", conversation_ids=[id], starred=True)
            case "trash" | "forever":
                called(boxes, "gmail", "delete_emails", conversation_ids=[id], mode=done)
        clock.days = 2
        found = called(boxes, "gmail", "find_emails", query='in:inbox is:unread "Once more."')
        new = next(edit.id for each in office.arrivals for edit in each.edits if edit.values.get("thread") == id)
        whole = called(boxes, "gmail", "get_conversation", email_id=new)
        row = conversation(boxes, id)

        assert archived().subject.split("{")[0][:8] in found
        assert "once more." in whole.lower()
        assert (row.archived, row.read, row.starred) == (False, False, done == "starred")
        expected = {"starred": {"threads"}, "trash": {"emails", "trash"}, "forever": {"emails", "envelopes"}}
        assert {each.table for each in boxes["gmail"].layer.changes()} <= expected.get(done, set()) | {"thread_labels"}


def test_a_day_that_was_moved_here_is_not_moved_a_second_time(office: OfficeWorld) -> None:
    clock = Days()
    calendar = catalog.app("calendar")
    series = next(row for row in office.rows["calendar"]["events"] if row["event_name"] == "Hardware and operations")
    with served(office, clock) as boxes:
        day = (NOW + timedelta(weeks=30, days=next_day())).date()
        called(boxes, "calendar", "update_event", event_id=f"{series['id']}@{day}", start=f"{day} 15:00")
        clock.days = 3
        called(boxes, "calendar", "find_events", query="Hardware")
        table: Any = calendar.table("events")
        rows = boxes["calendar"].layer.state(calendar).find(table, "series = ?", [series["id"]])
        (came,) = [each for each in boxes["calendar"].layer.came if each.text.startswith("Meeting moved")]

        assert [str(row.event_start) for row in rows if row.original == day] == [f"{day} 15:00:00"]
        assert came.skipped.startswith("there is already one of events with series")
        assert came.rows == ()


def test_a_day_of_a_series_that_was_deleted_does_not_come(office: OfficeWorld) -> None:
    clock = Days()
    series = next(row for row in office.rows["calendar"]["events"] if row["event_name"] == "Hardware and operations")
    with served(office, clock) as boxes:
        called(boxes, "calendar", "delete_event", event_id=series["id"], scope="all")
        before = boxes["calendar"].layer.changes()
        clock.days = 3
        assert "Hardware and operations" not in called(boxes, "calendar", "find_events", query="Hardware")
        (came,) = [each for each in boxes["calendar"].layer.came if each.text.startswith("Meeting moved")]

        assert came.skipped == f"it needs events {series['id']}, which is not there any more"
        assert [each for each in boxes["calendar"].layer.changes() if each.app == "calendar"] == before


def test_the_office_in_a_folder_lets_everything_come_app_by_app(office: OfficeWorld, tmp_path: Path) -> None:
    clock = Days()
    with served(office, clock, tmp_path):
        pass
    clock.days = 15
    for _ in range(2):
        with served(office, clock, tmp_path) as boxes:
            for app, tool, arguments in (
                ("gmail", "find_labels", {}),
                ("chat", "find_channels", {}),
                ("todoist", "find_tasks", {}),
                ("calendar", "list_calendars", {}),
                ("crm", "find_records", {"kind": "deal"}),
                ("filesystem", "list_allowed_directories", {}),
            ):
                called(boxes, app, tool, **arguments)
            came = {app: len(box.layer.came) for app, box in boxes.items()}
            changes = [change for box in boxes.values() for change in box.layer.changes()]

    assert changes == []
    assert all(came[app] for app in ("gmail", "chat", "todoist", "calendar", "crm", "filesystem"))
    assert sum(came.values()) == len(office.arrivals)


def test_the_same_seed_gives_the_same_arrivals() -> None:
    rows = world().rows

    assert arrivals(ledger(), NOW.date(), rows) == tuple(world().arrivals)


@pytest.mark.parametrize("days", [0, 35 * 7])
def test_what_comes_to_some_apps_is_what_comes_to_all_of_that_in_them(office: OfficeWorld, days: int) -> None:
    there = office.moved(days)
    apps = [catalog.app(name) for name in APPS]
    whole = World.coming(there, apps)

    assert whole
    for some in (apps, apps[:1], apps[1:3]):
        names = {app.name for app in some}
        assert [*there.coming(some).values()] == [
            each for each in whole.values() if {edit.app for edit in each.edits} <= names
        ]
