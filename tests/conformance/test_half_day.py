"""A half-day in the office over stdio, by the official TypeScript SDK: the rows that changed are those it says.

The front door whole: `harness connect` writes the client's file, the client starts an app a process from it, and the
folder that it named holds the delta.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from harness.cli.worlds import world_of
from harness.record.defaults import defaults_of
from harness.scoring.matching import Match, match
from harness.service.keeping import Keeper
from harness.task import Compare, End, Expected
from servers import catalog
from servers.calendar.tables import Event
from servers.kernel import Change
from tests.conformance.apps import ENVIRONMENT
from tests.conformance.node import missing, node

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]

SCRIPT = Path(__file__).parent / "half_day.mjs"
APPS = ("gmail", "calendar", "todoist", "crm", "chat", "filesystem", "simple_note")

FREE = Compare(
    free=frozenset(
        (
            # When it was, by the clock of the sandbox.
            "gmail.emails.sent_datetime", "chat.messages.sent", "chat.channel_members.last_read",
            "crm.stage_changes.day", "filesystem.entries.created", "filesystem.entries.modified",
            "simple_note.notes.created", "simple_note.notes.changed",
            # Who the office belongs to, and where in a list a task stands.
            "chat.messages.author_id", "crm.stage_changes.by", "todoist.tasks.position",
        )
    )
)  # fmt: skip
"""What the script cannot say of the rows that it made."""


class Day(NamedTuple):
    """What the script says it did, which rows differ afterwards, and the row of each event that it moved."""

    deeds: list[dict[str, Any]]
    changes: list[Change]
    events: dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Day:
    folder = tmp_path_factory.mktemp("half-day")
    config, state = folder / "mcp.json", folder / "state"
    connect = [sys.executable, "-m", "harness", "connect", "claude-code", *APPS, "--write"]
    environment = {**os.environ, **ENVIRONMENT, "HARNESS_DATA": str(folder / "data")}
    where = ["--config", str(config), "--state", str(state)]
    subprocess.run([*connect, *where], env=environment, cwd=folder, check=True, capture_output=True, timeout=60)
    shutil.copy(SCRIPT, folder)
    (folder / "node_modules").symlink_to(node().packages)
    done = subprocess.run(
        [str(node().folder / "bin" / "node"), SCRIPT.name, str(config)],
        cwd=folder, env={**node().environment, **ENVIRONMENT}, capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return _read(state, json.loads(done.stdout))


def _read(state: Path, deeds: list[dict[str, Any]]) -> Day:
    """The deeds and what the state folder says of them, read as `harness diff` does."""
    world, changes = world_of(None, state), []
    with ExitStack() as stack:
        for app in APPS:
            keeper = Keeper(state, catalog.app(app).default, world)
            stack.callback(keeper.close)
            changes += keeper.diff().changes
            if app == "calendar":
                rows = keeper.sandbox.layer.state(keeper.app)
                events = {deed["event"]: rows.get(Event, deed["event"]).to_json() for deed in deeds if "event" in deed}
    return Day(deeds, changes, events)


def expected(day: Day) -> Iterator[Expected]:
    """The rows that each deed should have written."""
    for deed in day.deeds:
        match deed:
            case {"what": "filed", "conversation": id, "label": label}:
                yield _new("gmail.thread_labels", thread=id, label=label)
                yield _set("gmail.threads", id, archived=True)
            case {"what": "read mail", "conversation": id}:
                yield _set("gmail.threads", id, read=True)
            case {"what": "answered", "conversation": thread, "to": [first, *others], "cc": cc}:
                yield _new(
                    "gmail.emails", folder="outbox", address=first, cc=cc, thread=thread,
                    subject=deed["subject"], body=deed["text"],
                )  # fmt: skip
                if others:
                    yield _new("gmail.envelopes", to=[first, *others])
            case {"what": "moved a meeting", "event": id}:
                yield _set("calendar.events", id, event_start=f"{deed['start']}:00")
            case {"what": "moved one of a series", "event": id}:
                series = {
                    key: value for key, value in day.events[id].items() if key not in ("id", "recurrence", "until")
                }
                moved = {"event_start": f"{deed['start']}:00", "series": id, "original": deed["day"], "skipped": []}
                yield _new("calendar.events", **{**series, **moved})
            case {"what": "made a task"}:
                yield _new(
                    "todoist.tasks", content=deed["title"], description=deed["text"], priority=deed["priority"],
                    project_id=deed["project"],
                )  # fmt: skip
            case {"what": "moved a deal", "deal": id, "after": stage}:
                yield _set("crm.deals", id, stage=stage, amount=deed["amount"])
                told = {key: deed[key] for key in ("before", "after", "reason")}
                yield _new("crm.stage_changes", deal_id=id, **told)
            case {"what": "noted"}:
                yield _new("simple_note.notes", title=deed["title"], text=deed["text"], tags=deed["tags"])
            case {"what": "wrote a file", "path": path}:
                yield _new("filesystem.entries", path=path, kind="file", text=deed["content"])
            case {"what": "read channel", "channel": channel}:
                yield _set("chat.channel_members", _member(day, channel))
            case {"what": "said"}:
                yield _new("chat.messages", channel_id=deed["channel"], text=deed["text"])
            case _:
                raise AssertionError(f"a deed that nobody knows: {deed}")


def _new(table: str, /, **values: Any) -> Expected:
    app, table = table.split(".")
    return Expected(op="insert", app=app, table=table, values=values)


def _set(table: str, id: str, /, **values: Any) -> Expected:
    app, table = table.split(".")
    return Expected(op="update", app=app, table=table, id=id, values=values)


def _member(day: Day, channel: str) -> str:
    """The owner's membership of a channel: the row of it that changed."""
    (id,) = (
        change.id
        for change in day.changes
        if change.table == "channel_members" and (change.after or {})["channel_id"] == channel
    )
    return id


def matched(day: Day) -> Match:
    defaults = defaults_of(day.changes, {app: catalog.app(app).default for app in APPS})
    return match(day.changes, End(changes=tuple(expected(day))), FREE, defaults)


def test_everything_that_it_says_it_did_is_there(day: Day) -> None:
    assert matched(day).missing == ()


def test_nothing_else_changed(day: Day) -> None:
    assert matched(day).unexpected == ()


def test_it_did_something_of_every_kind(day: Day) -> None:
    assert {deed["what"] for deed in day.deeds} >= {
        "filed", "answered", "moved a meeting", "moved one of a series", "made a task", "moved a deal",
        "noted", "wrote a file", "said",
    }  # fmt: skip
    assert {change.app for change in day.changes} == {*APPS}


def test_a_deed_that_it_keeps_quiet_about_would_be_seen(day: Day) -> None:
    quiet = day._replace(deeds=[deed for deed in day.deeds if deed["what"] != "filed"])

    assert {(change.table, change.op) for change in matched(quiet).unexpected} == {
        ("thread_labels", "insert"), ("threads", "update"),
    }  # fmt: skip
