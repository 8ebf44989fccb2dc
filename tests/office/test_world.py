"""The office as a world: the same for a seed, another for another, and told anew for each day it is moved to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from benchmarks.office import render
from benchmarks.office.check import check
from benchmarks.office.world import NOW, SEED, ledger, make_world, world
from harness.service.standalone import Apps, opened
from harness.service.today import begun
from harness.wiring import world_named
from servers import catalog
from servers.kernel import Engine, World

APPS = ("gmail", "calendar", "chat", "todoist", "crm", "filesystem", "simple_note", "directory")


def loaded(start: World) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Rows as whoever opens the world finds them."""
    with closing(Engine()) as engine:
        layer = engine.layer(engine.load(start), (), [catalog.app(name) for name in start.rows])
        return {
            name: {
                table.table_name: [
                    {"id": row.id, **row.to_json()} for row in layer.state(catalog.app(name)).find(table)
                ]
                for table in catalog.app(name).tables
                if table.table_name in tables
            }
            for name, tables in start.rows.items()
        }


def test_the_same_seed_gives_the_same_office_in_another_process() -> None:
    code = "from benchmarks.office.world import world; print(world().digest)"
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": str(Path(__file__).parents[2])},
    )

    assert run.stdout.strip() == world().digest


def test_another_seed_gives_another_company() -> None:
    here, there = world(), world(SEED + 1)

    assert here.digest != there.digest
    assert here.owner is not None
    assert there.owner is not None
    assert here.owner.name != there.owner.name
    bodies = [{row["body"] for row in each.rows["gmail"]["emails"]} for each in (here, there)]
    assert len(bodies[0] & bodies[1]) < len(bodies[0]) / 10


@pytest.mark.parametrize("weeks", [1, 13, 37, -60])
def test_a_moved_office_is_loaded_as_it_was_told_for_that_day(weeks: int) -> None:
    moved = world().moved(7 * weeks)
    there = make_world(ledger(), (NOW + timedelta(weeks=weeks)).date())
    rows = loaded(moved)

    assert moved.now == there.now
    assert rows == loaded(there)
    assert check(World("read back", moved.now, rows), ledger()) == []


def test_a_move_changes_words_and_names_of_files_too() -> None:
    later = make_world(ledger(), (NOW + timedelta(weeks=13)).date())

    paths = [{row["path"] for row in each.rows["filesystem"]["entries"]} for each in (world(), later)]
    assert {Path(path).suffix for path in paths[0] - paths[1]} == {".csv", ".md"}
    bodies = [{row["id"]: row["body"] for row in each.rows["gmail"]["emails"]} for each in (world(), later)]
    assert sum(bodies[0][id] != bodies[1][id] for id in bodies[0]) > 150


def test_moves_add_up_and_have_whole_weeks() -> None:
    assert world().moved(7).moved(14).digest == world().moved(21).digest
    with pytest.raises(ValueError, match="whole weeks"):
        world().moved(3)


def test_a_state_folder_keeps_the_day_that_it_started_on(tmp_path: Path) -> None:
    (tmp_path / "gmail.duckdb").touch()
    first = begun(None, world(), lambda: NOW + timedelta(days=100))
    (tmp_path / "moved.json").write_text(json.dumps({"days": first.world.days}), encoding="utf-8")

    assert first.world.days == 98
    assert begun(tmp_path, world()).world.digest == first.world.digest


@pytest.fixture(scope="module")
def boxes() -> Iterator[Any]:
    toolsets = [catalog.app(name).default for name in APPS]
    clock = lambda: NOW + timedelta(weeks=20)  # noqa: E731
    with opened(Apps(toolsets=toolsets, world=world_named("office"), state=None, now=clock)) as (found, _):
        yield found


@pytest.mark.parametrize(
    ("app", "tool", "arguments", "says"),
    [
        ("gmail", "find_emails", {"query": "subject:offsite"}, "Offsite"),
        ("calendar", "find_events", {}, "Weekly round"),
        ("chat", "find_messages", {"query": "cradles"}, "cradles"),
        ("todoist", "find_tasks", {}, "corner boards"),
        ("crm", "find_records", {"kind": "deal"}, "Loggers for two cold stores"),
        ("filesystem", "list_directory", {"path": "/workspace/customers"}, "offer_"),
        ("simple_note", "find_notes", {}, "Clause nine"),
    ],
)
def test_a_person_is_served_the_office_by_its_name(
    boxes: Any, app: str, tool: str, arguments: dict[str, Any], says: str
) -> None:
    record = anyio.run(boxes[app].call, app, tool, arguments)

    assert record.status == "ok"
    assert says in str(record.text)


def test_the_ledger_is_written_beside_the_world_and_is_part_of_no_app(tmp_path: Path) -> None:
    world().write(tmp_path)

    told = json.loads((tmp_path / "ledger.json").read_text(encoding="utf-8"))
    assert World.read(tmp_path).rows.keys() == set(APPS)
    assert {each["event"] for each in told["events"]} >= {"Mail", "Meeting", "DealStep", "FileVersion", "Chat", "ToDo"}
    assert any(event["ahead"] for event in told["events"])
    price = told["known"]["deal.price"]
    assert price["am1"] <= price["buyer"]
    assert {story["held_out"] for story in told["stories"]} == {True, False}


def test_rows_of_an_app_are_made_when_somebody_asks_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def rows(name: str, make: Any, texts: Any) -> Any:
        made.append(name)
        return make(texts)

    for name, make in tuple(render.APPS.items()):
        monkeypatch.setitem(render.APPS, name, partial(rows, name, make))
    later = make_world(ledger()).moved(7)
    gmail = catalog.app("gmail")
    assert [name for name in catalog.names() if later.holds(name)] == sorted(APPS)
    assert made == []
    with closing(Engine()) as engine:
        engine.layer(engine.load(later)).state(gmail).find(gmail.table("emails"))
    assert later.coming([gmail])

    assert made == ["gmail"]
    assert all(any(tables.values()) for tables in later.rows.values())
    assert later.digest == world().moved(7).digest
    assert set(made) == set(APPS)


def test_a_server_of_one_app_imports_no_client_and_no_other_app() -> None:
    code = """if True:
        import sys
        from benchmarks.office.world import world
        from harness.service.standalone import Apps, opened
        from harness.service.today import real_time
        from servers import catalog

        with opened(Apps(toolsets=[catalog.app("gmail").default], world=world(), now=real_time)):
            print(*sys.modules)
    """
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    there = set(run.stdout.split())

    assert "servers.gmail" in there
    assert there.isdisjoint({f"servers.{name}" for name in APPS[1:]})
    assert there.isdisjoint({"harness.service.client", "harness.core.config", "mcp"})
