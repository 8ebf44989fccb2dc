"""A world as a folder: written, read, edited by a person, served and written again, with what was done in it."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from typer.testing import CliRunner

from benchmarks.office.world import NOW as OFFICE_NOW
from harness.cli import app
from harness.cli.problems import CallProblem
from harness.service.control import answering
from harness.service.keeping import Keeper
from harness.service.standalone import Apps, opened
from harness.wiring import world_named
from servers import catalog
from servers.kernel import StateError, World
from tests.harness import toy
from tests.service.scenes import MOVE
from tests.service.test_live import HOUR, PROJECTS, TWO, add, at, field, person, served, world
from tests.service.test_today import THURSDAY, Clock

EVERY = [catalog.app(name) for name in catalog.apps()]


def export(source: Path | str, folder: Path, *words: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["export", "world", str(source), str(folder), *words, "--json"])
    if done.exception:
        raise done.exception
    found: dict[str, Any] = json.loads(done.output)
    return found


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def written(tmp_path: Path) -> Path:
    TWO.write(tmp_path / "toy")
    return tmp_path / "toy"


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("office") / "world"
    export("office", folder)
    return folder


def test_the_office_exported_imported_and_exported_again_is_the_same_to_the_byte(office: Path, tmp_path: Path) -> None:
    again = export(office, tmp_path / "again")

    assert files(office) == files(tmp_path / "again")
    assert again["beside"]["ledger.json"].startswith("The answer key: ")
    assert again["arrivals"] == len((office / "arrivals.jsonl").read_text().splitlines()) > 0
    assert json.loads((office / "world.json").read_text())["owner"]["address"].endswith(".example")


def test_the_folder_serves_the_rows_of_the_office(office: Path) -> None:
    found, office_itself = World.read(office), world_named("office")
    for name in ("gmail", "calendar", "filesystem"):
        one = catalog.app(name)
        loaded = []
        for each in (found, office_itself):
            with opened(Apps(toolsets=[one.default], world=each)) as (boxes, _):
                state = boxes[name].layer.state(one)
                loaded.append([row for table in one.tables for row in state.find(table)])
        assert loaded[0] == loaded[1]
    assert found.coming(EVERY) == office_itself.coming(EVERY)
    assert (found.now, found.owner) == (office_itself.now, office_itself.owner)


def test_no_app_has_what_lies_beside_the_rows(office: Path) -> None:
    head = json.loads((office / "world.json").read_text())

    assert head["beside"] == {"ledger.json": json.loads((office / "world.json").read_text())["beside"]["ledger.json"]}
    assert "No tool shows it" in head["beside"]["ledger.json"]
    told = json.loads((office / "ledger.json").read_text())["facts"][0]["id"]
    tables = {table for tables in World.read(office).rows.values() for table in tables}
    assert "ledger" not in tables
    assert not any(f'"{told}"' in line for path in office.glob("*.jsonl") for line in path.read_text().splitlines())


def test_a_world_exported_in_this_week_has_no_dates_left_to_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.service.today.real_time", Clock(OFFICE_NOW + timedelta(weeks=30, hours=2)))
    done = export("office", tmp_path / "now", "--now", "today")
    head = json.loads((tmp_path / "now" / "world.json").read_text())

    assert datetime.fromisoformat(done["now"]) == OFFICE_NOW + timedelta(weeks=30)
    assert "days" not in head
    sent = [row["sent_datetime"] for row in rows(tmp_path / "now", "gmail.emails")]
    assert max(sent) < str(OFFICE_NOW + timedelta(weeks=30))
    assert max(sent) > str(OFFICE_NOW + timedelta(weeks=29))
    first = json.loads((tmp_path / "now" / "arrivals.jsonl").read_text().splitlines()[0])
    assert datetime.fromisoformat(first["at"]) > OFFICE_NOW + timedelta(weeks=30)
    assert json.loads((tmp_path / "now" / "ledger.json").read_text())["today"] == str(
        (OFFICE_NOW + timedelta(weeks=30)).date()
    )


def test_a_time_that_is_given_is_that_of_the_folder(written: Path, tmp_path: Path) -> None:
    export(written, tmp_path / "later", "--now", "2025-03-14T09:00")

    assert World.read(tmp_path / "later").now == datetime(2025, 3, 14, 9)
    assert rows(tmp_path / "later", "projects.tasks") == rows(written, "projects.tasks")


def test_only_the_apps_that_are_named_are_written(office: Path, tmp_path: Path) -> None:
    done = export(office, tmp_path / "some", "simple_note", "todoist")

    assert {name.partition(".")[0] for name in done["tables"]} == {"simple_note", "todoist"}
    assert "gmail" not in (tmp_path / "some" / "world.json").read_text()


def work(state: Path, clock: Clock, one: World = TWO) -> None:
    with served(one, clock, state) as box:
        anyio.run(box.call, "projects", "update_task", {**MOVE, "new_value": "Completed"})
        anyio.run(box.call, "projects", "delete_task", {"task_id": "00000003"})
        clock.now = THURSDAY + 100 * HOUR
        field(box)


def test_what_a_person_made_of_a_world_is_a_world(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(THURSDAY + HOUR)
    monkeypatch.setattr("harness.service.today.real_time", clock)
    work(tmp_path / "state", clock)
    done = export(written, tmp_path / "mine", "--state", str(tmp_path / "state"))
    found = {row["id"]: row for row in rows(tmp_path / "mine", "projects.tasks")}

    assert found["00000000"]["list_name"] == "Completed"
    assert found["00000000"]["due_date"] == "2026-11-16", "where the folder has it"
    assert "00000003" not in found
    assert found["00000020"]["task_name"] == "Job of Ines", "what came is there"
    assert done["now"] == str(clock.now).replace(" ", "T")
    (left,) = World.read(tmp_path / "mine").arrivals
    assert left.at == THURSDAY + 101 * HOUR, "what has not come is still ahead"
    export(tmp_path / "mine", tmp_path / "again")
    assert files(tmp_path / "mine") == files(tmp_path / "again")


def test_a_state_is_exported_from_a_server_that_has_it_open(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(THURSDAY + HOUR)
    monkeypatch.setattr("harness.service.today.real_time", clock)
    work(tmp_path / "state", clock)
    export(written, tmp_path / "closed", "--state", str(tmp_path / "state"))
    keeper = Keeper(tmp_path / "state", PROJECTS, TWO, now=clock)

    async def main() -> None:
        async with answering({"projects": keeper}):
            words = ("--state", str(tmp_path / "state"))
            await anyio.to_thread.run_sync(lambda: export(written, tmp_path / "open", *words))

    anyio.run(main)
    keeper.close()

    assert files(tmp_path / "open") == files(tmp_path / "closed")


def test_apps_that_have_no_state_in_the_folder_are_written_as_the_world_has_them(office: Path, tmp_path: Path) -> None:
    note = catalog.app("simple_note").default
    with opened(Apps(toolsets=[note], world=World.read(office), state=tmp_path / "state")) as (boxes, _):
        (first, *_) = boxes["simple_note"].layer.state(note.app).find(note.app.tables[0], limit=1)
        boxes["simple_note"].layer.state(note.app).delete(first)
    export(office, tmp_path / "mine", "--state", str(tmp_path / "state"))
    mine, before = files(tmp_path / "mine"), files(office)

    assert {name for name in before if mine[name] != before[name]} == {"simple_note.notes.jsonl"}
    assert mine["ledger.json"] == before["ledger.json"]


@pytest.mark.parametrize("live", [False, True])
def test_what_a_person_writes_into_a_folder_is_served(written: Path, live: bool) -> None:
    path = written / "projects.tasks.jsonl"
    row = {**rows(written, "projects.tasks")[0], "id": "00000077", "task_name": "Typed by hand"}
    path.write_text(path.read_text(encoding="utf-8") + json.dumps(row) + "\n", encoding="utf-8")
    coming = add("00000078", task_name="Typed ahead").model_dump()
    line = json.dumps({"at": "2025-03-20T00:00:00", "edits": [coming]})
    arrivals = written / "arrivals.jsonl"
    arrivals.write_text(arrivals.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    clock = Clock(THURSDAY)
    with served(World.read(written), clock, live=live) as box:
        clock.now += timedelta(days=7)

        assert field(box, "00000077", "task_name") == "Typed by hand"
        assert (field(box, "00000078", "task_name") == "Typed ahead") is live


def opened_by(way: str, world: Path, folder: Path) -> None:
    if way == "exported":
        export(world, folder / "out")
        return
    with served(World.read(world), None, folder / "state" if way == "kept" else None):
        pass


def spoilt(folder: Path, name: str, number: int, was: str, is_: str) -> None:
    path = folder / name
    lines = path.read_text(encoding="utf-8").splitlines()
    assert was in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(was, is_)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("was", "is_", "says"),
    [
        (
            '"task_name": "Job 3"',
            '"task_name": 3',
            r"projects\.tasks\.jsonl, line 4, does not fit: task_name: Input",
        ),
        ('"list_name"', '"list"', r"line 4, does not fit: list_name: Field required; list: Extra inputs"),
        ('"00000003"', '"00000002"', r"line 4, has an empty or repeated id: '00000002'"),
        ('"id"', "id", r"line 4: Expecting property name"),
    ],
)
@pytest.mark.parametrize("way", ["served", "kept", "exported"])
def test_a_row_edited_wrongly_is_named_by_file_line_and_field_before_anybody_works(
    written: Path, tmp_path: Path, way: str, was: str, is_: str, says: str
) -> None:
    spoilt(written, "projects.tasks.jsonl", 4, was, is_)
    with pytest.raises(StateError, match=says):
        opened_by(way, written, tmp_path)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--now", "0001-01-01T00:00"), "--now 0001-01-01T00:00 is in the year 1, and clocks stand in"),
        (("--now", "noon"), "--now noon: write today, world, or a local time"),
        (("--now", "today", "--state", "STATE"), "the rows in .* stay where they are; give a time"),
        (("--state", "NOTHING"), "no app's state is there"),
        (("--state", "STATE", "--now", "2025-03-14T09:00Z"), "write today, world, or a local time"),
    ],
)
def test_a_wrong_call_is_told_what_would_be_right(
    written: Path, tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    work(tmp_path / "STATE", Clock(THURSDAY))
    given = [str(tmp_path / word) if word in ("STATE", "NOTHING") else word for word in words]
    with pytest.raises(CallProblem, match=says):
        export(written, tmp_path / "out", *given)
    assert not (tmp_path / "out").exists()


def test_the_arrival_on_the_page_comes_to_the_office(office: Path, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "serving.md").read_text(encoding="utf-8")
    example = json.loads(page.partition("```json\n")[2].partition("```")[0])
    shutil.copytree(office, tmp_path / "mine")
    (tmp_path / "mine" / "arrivals.jsonl").write_text(json.dumps(example) + "\n", encoding="utf-8")
    gmail = catalog.app("gmail").default
    after = datetime(2026, 3, 19, 10, 2)
    with opened(Apps(toolsets=[gmail], world=World.read(tmp_path / "mine"), now=after, live=True)) as (boxes, _):
        found = anyio.run(boxes["gmail"].call, "gmail", "find_emails", {"query": "is:unread from:ivo@example.test"})

    assert "On Friday?" in found.text


def test_a_folder_that_is_not_empty_is_left_alone(written: Path, tmp_path: Path) -> None:
    before = files(written)
    with pytest.raises(CallProblem, match="already exists and is not empty"):
        export("office", written)
    assert files(written) == before
    (tmp_path / "empty").mkdir()
    assert export(written, tmp_path / "empty")["tables"] == {"projects.tasks": 12}


def test_a_state_of_another_world_is_not_taken_for_this_one(written: Path, tmp_path: Path) -> None:
    work(tmp_path / "state", Clock(THURSDAY))
    replace(toy.world(), name="other").write(tmp_path / "other")
    with pytest.raises(CallProblem, match="was made from world toy"):
        export(tmp_path / "other", tmp_path / "out", "--state", str(tmp_path / "state"))


def test_arrivals_for_several_apps_go_on_where_each_app_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both = world(at(100, add("00000020"), person("9")))
    both.write(tmp_path / "both")
    clock = Clock(THURSDAY + HOUR)
    monkeypatch.setattr("harness.service.today.real_time", clock)
    work(tmp_path / "state", clock, both)
    export(tmp_path / "both", tmp_path / "mine", "projects", "directory", "--state", str(tmp_path / "state"))
    (left,) = World.read(tmp_path / "mine").arrivals

    assert [edit.app for edit in left.edits] == ["directory"]
