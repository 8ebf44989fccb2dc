"""Served to a person it is today: dates are moved at the first start, the offset is kept, and the clock runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import anyio
import pytest

from benchmarks.workbench.synth import world as synth
from benchmarks.workbench.synth.suite import SEED
from benchmarks.workbench.synth.suite import world as office
from harness.cli import states
from harness.service.keeping import Keeper
from harness.service.standalone import Apps, opened
from harness.service.today import NOTE, begun, stands_still
from harness.serving.sandbox import Sandbox
from servers import catalog
from servers.kernel import Engine, Owner, StateError, World
from servers.kernel.dated import moved
from tests.harness import toy

PROJECTS = catalog.app("projects").default
FRIDAY = datetime(2026, 11, 20, 12, 38)
THURSDAY = FRIDAY.replace(hour=0, minute=0) - timedelta(days=1)
NEW = {"task_name": "Call", "assigned_to_email": "ines@example.test", "list_name": "Backlog", "board": "Design"}


class Clock:
    """A clock on the wall, which somebody turns on."""

    def __init__(self, now: datetime = FRIDAY) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


@contextmanager
def served(state: Path | None, now: Any, app: str = "projects", world: World | None = None) -> Iterator[Sandbox]:
    toolset = catalog.app(app).default
    with opened(Apps(toolsets=[toolset], world=world or toy.world(), state=state, now=now)) as (boxes, _):
        yield boxes[app]


def first_due(box: Sandbox) -> str:
    """When the task is due that is due on the third day before the world's now."""
    record = anyio.run(box.call, "projects", "get_task_information_by_id", {"task_id": "00000000", "field": "due_date"})
    return str((record.data or {})["due_date"])


@pytest.mark.parametrize(
    ("now", "start"),
    [
        (FRIDAY, THURSDAY),
        (THURSDAY, THURSDAY),
        (THURSDAY - timedelta(seconds=1), THURSDAY - timedelta(days=7)),
        (datetime(2025, 3, 13, 9), toy.NOW),
        (datetime(2020, 1, 1), datetime(2019, 12, 26)),
    ],
)
def test_a_world_is_moved_by_whole_weeks_to_the_last_that_is_not_ahead(now: datetime, start: datetime) -> None:
    world, running = begun(None, toy.world(), lambda: now)

    assert (world.now, running) == (start, True)
    assert world.now.weekday() == toy.NOW.weekday()


@pytest.mark.parametrize(
    ("zone", "now"), [("Europe/London", "20:14"), ("America/Toronto", "15:14"), ("Asia/Tokyo", "05:14")]
)
def test_it_is_as_late_as_where_the_owner_is_wherever_it_is_served(zone: str, now: str) -> None:
    clock = Clock(datetime(2026, 11, 30, 5, 14, tzinfo=ZoneInfo("Asia/Tokyo")))
    owner = Owner(name="Ines Faro", address="ines@example.test", zone=zone)
    with served(None, clock, world=replace(toy.world(), owner=owner)) as box:
        assert f"{box.layer.now:%H:%M}" == now
        assert box.layer.now.tzinfo is None


def test_in_memory_it_is_today_and_the_clock_runs() -> None:
    clock = Clock()
    with served(None, clock) as box:
        clock.now += timedelta(minutes=5)

        assert first_due(box) == "2026-11-16"
        assert box.layer.now == datetime(2026, 11, 20, 12, 43)


def test_without_a_clock_rows_and_time_stay_the_worlds(tmp_path: Path) -> None:
    for state in (None, tmp_path):
        with served(state, None) as box:
            assert (first_due(box), box.layer.now) == ("2025-03-10", toy.NOW)
            assert box.layer.base.world.digest == toy.world().digest
    noon = datetime(2025, 3, 13, 12)
    with served(None, noon) as box:
        assert (first_due(box), box.layer.now) == ("2025-03-10", noon)


def test_the_next_start_finds_the_rows_where_they_were_and_time_gone_on(tmp_path: Path) -> None:
    with served(tmp_path, Clock()) as box:
        anyio.run(box.call, "projects", "create_task", {**NEW, "due_date": "2026-11-27"})
        before = box.layer.changes(), box.layer.digest()
    later = Clock(FRIDAY + timedelta(days=400))
    with served(tmp_path, later) as box:
        assert (first_due(box), box.layer.now) == ("2026-11-16", later.now)
        assert (box.layer.changes(), box.layer.digest()) == before
    with served(tmp_path, None) as box:  # --now world
        assert (first_due(box), box.layer.now) == ("2026-11-16", THURSDAY)


def test_an_app_that_joins_a_folder_later_is_moved_as_far_as_the_first(tmp_path: Path) -> None:
    world = office()
    with served(tmp_path, Clock(), "directory", world):
        pass
    with served(tmp_path, Clock(FRIDAY + timedelta(days=90)), "gmail", world) as box:
        assert box.layer.base.world.now == THURSDAY


def test_a_reset_goes_back_to_the_moved_start_and_a_restore_keeps_time_running(tmp_path: Path) -> None:
    clock = Clock()
    keeper = Keeper(tmp_path, PROJECTS, toy.world(), now=clock)
    anyio.run(keeper.sandbox.call, "projects", "delete_task", {"task_id": "00000001"})
    keeper.snapshot("one")
    clock.now += timedelta(days=3)
    keeper.reset()
    assert (keeper.diff().changes, first_due(keeper.sandbox), keeper.sandbox.layer.now) == ([], "2026-11-16", clock.now)
    keeper.restore("one")
    clock.now += timedelta(days=3)

    assert [change.op for change in keeper.diff().changes] == ["delete"]
    assert keeper.sandbox.layer.now == clock.now
    keeper.close()


def test_commands_about_a_folder_know_how_far_it_was_moved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served(tmp_path / "state", Clock()) as box:
        anyio.run(box.call, "projects", "delete_task", {"task_id": "00000000"})
    toy.world().write(tmp_path / "world")
    states.diff(tmp_path / "state", None, str(tmp_path / "world"))
    states.reset(tmp_path / "state", None, str(tmp_path / "world"))
    with served(tmp_path / "state", Clock()) as box:
        assert first_due(box) == "2026-11-16"

    assert 'due_date: "2026-11-16"' in capsys.readouterr().out


def test_a_folder_from_before_stays_in_its_own_time_with_all_apps(tmp_path: Path) -> None:
    engine = Engine(tmp_path / "projects.duckdb")  # as every version did, with nothing beside it
    engine.resume(engine.load(toy.world()), [PROJECTS.app])
    engine.close()
    assert stands_still(tmp_path)
    with served(tmp_path, Clock()) as box:
        assert (first_due(box), box.layer.now) == ("2025-03-10", toy.NOW)
    with served(tmp_path, Clock(), "directory") as box:
        assert box.layer.now == toy.NOW

    assert not (tmp_path / NOTE).exists()


def test_a_folder_whose_files_were_removed_starts_anew(tmp_path: Path) -> None:
    for now, due in ((FRIDAY, "2026-11-16"), (FRIDAY + timedelta(days=14), "2026-11-30")):
        with served(tmp_path, Clock(now)) as box:
            assert first_due(box) == due
        for path in tmp_path.glob("*.duckdb*"):
            path.unlink()
    with served(tmp_path, None) as box:
        assert first_due(box) == "2025-03-10"


@pytest.mark.parametrize("text", ["", "{}", '{"days": "many"}', '{"days": 1.5}', "[7]", '{"days": 9999999}'])
def test_a_note_that_cannot_be_read_is_named_and_nothing_happens(tmp_path: Path, text: str) -> None:
    with served(tmp_path, Clock()):
        pass
    (tmp_path / NOTE).write_text(text)
    with pytest.raises(StateError, match=rf"{NOTE} should say by how many days") as caught, served(tmp_path, Clock()):
        pass

    assert "\n" not in str(caught.value)
    assert "pydantic" not in str(caught.value)


def test_a_note_of_other_days_than_the_files_is_not_believed(tmp_path: Path) -> None:
    with served(tmp_path, Clock()):
        pass
    (tmp_path / NOTE).write_text(json.dumps({"days": 7}))
    told = r'moved\.json should hold \{"days":616\}: the rows in .*projects\.duckdb were moved by 616 days'
    with pytest.raises(StateError, match=told), served(tmp_path, Clock()):
        pass


def test_a_note_that_is_gone_is_told_with_what_it_should_hold(tmp_path: Path) -> None:
    with served(tmp_path, Clock()):
        pass
    (tmp_path / NOTE).unlink()
    with pytest.raises(StateError, match=r'moved\.json should hold \{"days":616\}'), served(tmp_path, Clock()):
        pass


def test_a_note_beside_rows_that_were_not_moved_should_not_be_there(tmp_path: Path) -> None:
    with served(tmp_path, None):
        pass
    (tmp_path / NOTE).write_text(json.dumps({"days": 7}))
    with pytest.raises(StateError, match=r"moved\.json should not be there: .* were not moved"), served(tmp_path, None):
        pass


def test_every_date_of_the_office_is_in_a_column_that_moves() -> None:
    found = {
        f"{app}.{table}.{name}"
        for app, tables in office().rows.items()
        for table, rows in tables.items()
        for row in rows
        for name, value in row.items()
        if moved(value, 7) != value
    }
    dated = {
        f"{app.name}.{table.table_name}.{column.name}"
        for app in catalog.apps().values()
        for table in app.tables
        for column in table.columns
        if column.dated
    }

    assert found == {
        "analytics.visits.date_of_visit",
        "calendar.events.event_start",
        "crm.customers.follow_up_by",
        "crm.customers.last_contact_date",
        "crm.customers.notes",
        "gmail.emails.sent_datetime",
        "projects.tasks.due_date",
    }
    assert found <= dated


def test_the_office_moved_is_the_office_made_that_day(monkeypatch: pytest.MonkeyPatch) -> None:
    made, engine = office(), Engine()
    moved_there, _ = begun(None, made, Clock())
    monkeypatch.setattr(synth, "NOW", THURSDAY)
    monkeypatch.setattr(synth, "_TODAY", THURSDAY.date())
    that_day = synth.make_world(SEED)
    for name in that_day.rows:
        app = catalog.app(name)
        there, anew = (engine.layer(engine.load(world)).state(app) for world in (moved_there, that_day))
        for table in app.tables:
            assert there.find(table) == anew.find(table)
    engine.close()

    assert moved_there.now == that_day.now


def test_meetings_stay_on_working_days_and_mail_in_the_past() -> None:
    world = office()
    with served(None, Clock(), "calendar", world) as box:
        events = anyio.run(box.call, "calendar", "find_events", {"after": "2026-11-20"}).data
    with served(None, Clock(), "gmail", world) as box:
        mails = anyio.run(box.call, "gmail", "find_emails", {}).data

    days = {date.fromisoformat(event["start"][:10]).weekday() for event in (events or {})["items"]}
    assert days
    assert days <= {0, 1, 2, 3, 4}
    assert max(mail["sent"] for mail in (mails or {})["items"]) < str(THURSDAY)
