"""A state folder knows which world it began with; one from before that was so goes on with the world of then."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import anyio
import pytest

from harness.cli import states
from harness.cli.worlds import world_of
from harness.service.standalone import Apps, opened
from harness.service.today import ORIGIN
from harness.serving.sandbox import Sandbox
from harness.wiring import DEFAULT, FORMER, world_named
from servers import catalog
from servers.kernel import StateError, World, WorldMismatch
from tests.harness import toy

DAY = datetime(2026, 11, 20, 12, 38)


@contextmanager
def served(state: Path, app: str, world: World) -> Iterator[Sandbox]:
    """An app on a state folder, as `harness serve` opens it, dates moved to `DAY`."""
    with opened(Apps(toolsets=[catalog.app(app).default], world=world, state=state, now=lambda: DAY)) as (boxes, _):
        yield boxes[app]


def delete(box: Sandbox, contact: str) -> None:
    record = anyio.run(box.call, "crm", "delete_records", {"record_ids": [contact]})
    assert record.status == "ok", record


@pytest.fixture
def former(tmp_path: Path) -> Path:
    """A folder as it was left before folders noted their world: a contact is deleted in it."""
    state = tmp_path / "state"
    with served(state, "crm", world_named(FORMER)) as box:
        delete(box, "00000003")
    assert not (state / ORIGIN).exists()
    return state


def test_a_new_folder_begins_with_the_default_world_and_notes_it(tmp_path: Path) -> None:
    world = world_of(None, tmp_path / "state")

    assert world.digest == world_named(DEFAULT).digest
    assert (tmp_path / "state" / ORIGIN).read_text() == f'{{"world":"{DEFAULT}"}}\n'


def test_a_folder_from_before_goes_on_with_what_was_done_in_it(former: Path) -> None:
    with served(former, "crm", world_of(None, former)) as box:
        assert [(change.op, change.id) for change in box.layer.changes()] == [("delete", "00000003")]
        delete(box, "00000004")


def test_an_app_that_joins_a_folder_from_before_has_rows_of_the_same_world(former: Path) -> None:
    with served(former, "gmail", world_of(None, former)) as box:
        assert box.layer.base.world.name == world_named(FORMER).name


def test_a_folder_goes_on_with_the_world_that_was_named_at_its_start(tmp_path: Path) -> None:
    toy.world().write(tmp_path / "world")
    state = tmp_path / "state"
    with served(state, "projects", world_of(str(tmp_path / "world"), state)):
        pass

    assert world_of(None, state).digest == toy.world().digest


def test_a_world_in_a_folder_is_found_again_from_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toy.world().write(tmp_path / "world")
    monkeypatch.chdir(tmp_path)
    state = tmp_path / "state"
    with served(state, "projects", world_of("world", state)):
        pass
    monkeypatch.chdir("/")

    assert world_of(None, state).name == toy.world().name


def test_a_folder_goes_on_with_its_rows_where_a_later_version_has_others_and_says_so(tmp_path: Path) -> None:
    world, told = toy.world(), list[str]()
    with served(tmp_path, "projects", world) as box:
        anyio.run(box.call, "projects", "delete_task", {"task_id": "00000000"})
        before = box.layer.changes(), box.layer.digest()
    fewer = {"projects": {"tasks": [*world.rows["projects"]["tasks"]][:2]}}
    apps = Apps(
        toolsets=[catalog.app("projects").default],
        world=replace(world, rows=fewer),
        state=tmp_path,
        now=lambda: DAY,
        live=True,
        tell=told.append,
    )
    with opened(apps) as (boxes, _):
        assert (boxes["projects"].layer.changes(), boxes["projects"].layer.digest()) == before
    assert told == [
        f"{tmp_path}: projects goes on with the rows that the folder began with. World toy has others in this "
        "version, which a new folder gets; here nothing comes by itself"
    ]


def test_another_world_that_is_named_is_refused_where_a_file_has_one(former: Path) -> None:
    with pytest.raises(WorldMismatch, match="was made from world"), served(former, "crm", world_of(DEFAULT, former)):
        pass
    assert world_of(None, former).name == world_named(FORMER).name


def test_a_folder_whose_files_were_removed_begins_anew(former: Path) -> None:
    (former / "crm.duckdb").unlink()

    assert world_of(None, former).digest == world_named(DEFAULT).digest


def test_commands_about_a_folder_ask_for_no_world(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    toy.world().write(tmp_path / "world")
    state = tmp_path / "state"
    with served(state, "projects", world_of(str(tmp_path / "world"), state)) as box:
        anyio.run(box.call, "projects", "delete_task", {"task_id": "00000000"})
    states.diff(state)

    assert "00000000" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "{}", '{"world": 1}'])
def test_a_note_that_names_no_world_is_named(former: Path, text: str) -> None:
    (former / ORIGIN).write_text(text)

    with pytest.raises(StateError, match=f"{ORIGIN} should name the world of the rows beside it") as caught:
        world_of(None, former)

    assert "\n" not in str(caught.value)
    assert "pydantic" not in str(caught.value)


@pytest.mark.slow
def test_an_app_that_the_office_has_no_rows_for_is_said_to_be_empty() -> None:
    command = [sys.executable, "-m", "harness", "serve", "gmail", "memory", "projects"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, timeout=120)

    assert "nothing is in memory, projects at first" in done.stderr
    assert f"--world {FORMER} has some for projects" in done.stderr
