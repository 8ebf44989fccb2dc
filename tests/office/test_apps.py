"""The apps beside the mailbox: what stands in them, and that it reads through their tools."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import anyio
import pytest

from benchmarks.office.ledger import NOW as MINUTE
from benchmarks.office.ledger import Chat
from benchmarks.office.people import OWNER
from benchmarks.office.world import NOW, SEED, ledger, make_world, world
from harness.service.standalone import Apps, opened
from harness.wiring import world_named
from servers import catalog

SEEDS = (SEED, 1, 2)


def rows(app: str, table: str, seed: int = SEED) -> list[Any]:
    return list(world(seed).rows[app][table])


def files(seed: int = SEED) -> dict[str, str]:
    return {row["path"]: row["text"] for row in rows("filesystem", "entries", seed) if row["kind"] == "file"}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_calendar_has_a_half_year_of_meetings_of_every_answer(seed: int) -> None:
    events = rows("calendar", "events", seed)
    own = Counter(row["response"] for row in events)
    others = Counter(asked["response"] for row in events for asked in row["attendees"])
    outside = {p.address for p in ledger(seed).company.people.values() if not p.inside}

    assert 60 <= len(events) <= 120
    assert sum(bool(row["recurrence"]) for row in events) >= 10
    assert sum("room" in row["location"] for row in events) >= 15
    assert sum(len(row["attendees"]) == 1 for row in events) >= 10
    assert sum(any(asked["address"] in outside for asked in row["attendees"]) for row in events) >= 8
    assert all(own[said] for said in ("accepted", "declined", "tentative", "needs action"))
    assert all(others[said] for said in ("accepted", "declined", "tentative"))


@pytest.mark.parametrize("seed", SEEDS)
def test_tasks_have_sections_labels_subtasks_and_comments(seed: int) -> None:
    tasks = rows("todoist", "tasks", seed)

    assert sum(bool(row["section_id"]) for row in tasks) >= 8
    assert sum(bool(row["parent_id"]) for row in tasks) >= 8
    assert len(rows("todoist", "comments", seed)) >= 10
    assert {row["author"] is None for row in rows("todoist", "comments", seed)} == {True, False}
    assert len({row["label_id"] for row in rows("todoist", "task_labels", seed)}) >= 5


@pytest.mark.parametrize("seed", SEEDS)
def test_the_owner_has_direct_conversations_of_two(seed: int) -> None:
    owner = next(
        row["id"]
        for row in rows("chat", "members", seed)
        if row["address"] == ledger(seed).company.person(OWNER).address
    )
    direct = [row["id"] for row in rows("chat", "channels", seed) if row["kind"] == "direct"]
    there = [
        {row["member_id"] for row in rows("chat", "channel_members", seed) if row["channel_id"] == id} for id in direct
    ]

    assert len(direct) >= 8
    assert all(len(each) == 2 and owner in each for each in there)
    assert all(sum(row["channel_id"] == id for row in rows("chat", "messages", seed)) >= 2 for id in direct)


def test_a_direct_conversation_is_one_whoever_is_named_first() -> None:
    said = [event for event in ledger().events if isinstance(event, Chat) and event.at <= MINUTE]
    keys = {tuple(sorted(each.channel.split("+"))) for each in said if "+" in each.channel}

    assert len(keys) == sum(row["kind"] == "direct" for row in rows("chat", "channels"))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_shared_folders_have_forty_files_of_three_kinds(seed: int) -> None:
    kinds = Counter(path.rpartition(".")[2] for path in files(seed))
    folders = {row["path"] for row in rows("filesystem", "entries", seed) if row["kind"] == "directory"}

    assert sum(kinds.values()) >= 40
    assert min(kinds["csv"], kinds["md"]) >= 15
    assert kinds["json"] >= 5
    assert len(folders) >= 12


def test_tables_read_as_a_spreadsheet_reads_them_and_exports_as_json() -> None:
    for path, text in files().items():
        if path.endswith(".csv"):
            head, *lines = csv.reader(StringIO(text))
            assert lines, path
            assert {len(line) for line in lines} == {len(head)}, path
        if path.endswith(".json"):
            assert json.loads(text), path


def test_months_and_days_in_tables_move_with_the_office() -> None:
    later = make_world(ledger(), (NOW + timedelta(weeks=13)).date())
    budget = "/workspace/finance/operations/budget.csv"
    moved = {row["path"]: row["text"] for row in later.rows["filesystem"]["entries"] if row["kind"] == "file"}

    assert files()[budget].split(",")[4].endswith("October")
    assert moved[budget].split(",")[4].endswith("January")


@pytest.fixture(scope="module")
def boxes() -> Iterator[Any]:
    toolsets = [catalog.app(name).default for name in ("calendar", "chat", "todoist", "filesystem")]
    with opened(Apps(toolsets=toolsets, world=world_named("office"), state=None, now=lambda: NOW)) as (found, _):
        yield found


def called(boxes: Any, app: str, tool: str, **arguments: Any) -> str:
    record = anyio.run(boxes[app].call, app, tool, arguments)
    assert record.status == "ok", record.text
    return str(record.text)


def test_free_times_leave_out_when_a_colleague_is_busy(boxes: Any) -> None:
    planner = ledger().company.person("planner").address
    day = f"{NOW:%Y-%m-%d}"
    busy = [row for row in rows("calendar", "busy") if row["person"] == planner and row["start"].startswith(day)]

    text = called(boxes, "calendar", "find_free_times", minutes=30, people=[planner], after=day, before=day)

    assert busy
    for row in busy:
        start = datetime.fromisoformat(row["start"])
        end = start + timedelta(minutes=row["minutes"])
        for free in json.loads(text)["items"]:
            until = datetime.fromisoformat(f"{free['start'][:10]} {free['end']}")
            assert datetime.fromisoformat(free["start"]) >= end or until <= start


def test_a_direct_conversation_bears_the_name_of_the_other(boxes: Any) -> None:
    text = called(boxes, "chat", "find_messages", query="rungs")

    assert ledger().company.person("logistics").name in text


def test_a_task_is_shown_with_section_labels_subtasks_and_comments(boxes: Any) -> None:
    (found,) = json.loads(called(boxes, "todoist", "find_tasks", query="paper instead"))["items"]

    assert found["labels"] == ["stock"]
    assert found["section"].startswith("Half year")
    assert found["subtasks"] == "0 of 1 done"
    assert "Two bags of foam left" in called(boxes, "todoist", "get_task", task_id=found["id"])


def test_an_export_is_read_from_the_shared_folder(boxes: Any) -> None:
    path = next(path for path in files() if "/exports/" in path)

    assert "celsius" in called(boxes, "filesystem", "read_text_file", path=path)
