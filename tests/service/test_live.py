"""`harness serve --live`: what lies ahead comes as the clock passes it, to every tool, once, as nobody's act here."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from harness.cli import serving, states
from harness.play.opening import OpenTask, begun
from harness.service.bundle import Bundle
from harness.service.keeping import Keeper
from harness.service.standalone import Apps, opened
from harness.serving.links import StdioLinks
from harness.serving.sandbox import Sandbox
from harness.trajectory import Arrival
from servers import catalog
from servers.kernel import Coming, Edit, Engine, StateError, World
from tests.harness import toy
from tests.service.scenes import MOVE
from tests.service.test_today import FRIDAY, THURSDAY, Clock

ROOT = Path(__file__).parents[2]
PROJECTS, DIRECTORY = catalog.app("projects").default, catalog.app("directory").default
HOUR = timedelta(hours=1)
JOB = {"task_name": "Job of Ines", "due_date": "2025-03-20", **toy.BOARD}


def add(id: str, **values: Any) -> Edit:
    return Edit(op="add", app="projects", table="tasks", id=id, values={**JOB, **values})


def person(id: str) -> Edit:
    return Edit(op="add", app="directory", table="people", id=id, values={"email_address": f"p{id}@example.test"})


def change(id: str, **values: Any) -> Edit:
    return Edit(op="change", app="projects", table="tasks", id=id, values=values)


def at(hours: float, *edits: Edit, text: str = "") -> Coming:
    return Coming(at=toy.NOW + timedelta(hours=hours), text=text, edits=edits)


def world(*arrivals: Coming) -> World:
    return replace(toy.world(), arrivals=arrivals)


TWO = world(at(100, add("00000020"), text="From Ines"), at(101, change("00000000", list_name="In Review")))


@contextmanager
def served(one: World, now: Any, state: Path | None = None, *, live: bool = True) -> Iterator[Sandbox]:
    with opened(Apps(toolsets=[PROJECTS], world=one, state=state, now=now, live=live)) as (boxes, _):
        yield boxes["projects"]


def field(box: Sandbox, id: str = "00000000", field: str = "list_name") -> str:
    record = anyio.run(box.call, "projects", "get_task_information_by_id", {"task_id": id, "field": field})
    return str(record.data[field]) if record.data else record.text


def arrived(box: Sandbox) -> list[Arrival]:
    return [event for event in box.events if isinstance(event, Arrival)]


@pytest.mark.parametrize("kept", [False, True])
def test_rows_are_there_at_the_next_call_after_their_moment_and_once(tmp_path: Path, kept: bool) -> None:
    clock = Clock(THURSDAY + 99 * HOUR)
    with served(TWO, clock, tmp_path if kept else None) as box:
        before = field(box, "00000020"), field(box)
        clock.now += HOUR
        then = field(box, "00000020"), field(box)
        clock.now += 5 * HOUR
        later = field(box, "00000020", "due_date"), field(box)
        field(box)

        assert before == ("No task has the id '00000020'.", "Backlog")
        assert then == ("Backlog", "Backlog")
        assert later == ("2026-11-26", "In Review"), "dates that come move with the world"
        assert [len(event.writes) for event in arrived(box)] == [1, 1]


def test_what_comes_is_an_event_of_the_environment_and_no_change_of_the_agent() -> None:
    clock = Clock(THURSDAY + 102 * HOUR)
    with served(TWO, clock) as box:
        record = anyio.run(box.call, "projects", "update_task", {**MOVE, "task_id": "00000020"})

        assert [(event.source, event.text, event.step) for event in arrived(box)] == [
            ("clock", "From Ines", 0),
            ("clock", "", 0),
        ]
        assert [(row.id, row.app) for row in record.writes] == [("00000020", "projects")]
        assert [(each.op, each.id, each.fields) for each in box.layer.changes()] == [
            ("update", "00000020", {"list_name": "Completed"})
        ]


def test_after_a_restart_what_came_does_not_come_again(tmp_path: Path) -> None:
    clock = Clock(THURSDAY + 100 * HOUR)
    with served(TWO, clock, tmp_path) as box:
        anyio.run(box.call, "projects", "delete_task", {"task_id": "00000020"})
    clock.now += 10 * HOUR
    with served(TWO, clock, tmp_path) as box:
        assert (field(box), field(box, "00000020")) == ("In Review", "No task has the id '00000020'.")
        assert [event.text for event in arrived(box)] == [""]
        assert [(each.op, each.id) for each in box.layer.changes()] == [("delete", "00000020")]


def test_servers_of_several_apps_on_one_folder_each_let_in_what_is_theirs(tmp_path: Path) -> None:
    both = world(at(100, add("00000020"), person("9"), text="Somebody new, and a job for them"))
    clock = Clock(THURSDAY + 100 * HOUR)
    for _ in range(2):
        keepers = [Keeper(tmp_path, toolset, both, now=clock, live=True) for toolset in (PROJECTS, DIRECTORY)]
        first, second = (keeper.sandbox for keeper in keepers)
        found = anyio.run(second.call, "directory", "find_email_address", {"name": "p9"})

        assert field(first, "00000020") == "Backlog"
        assert "p9@example.test" in found.text
        assert [len(keeper.diff().came) for keeper in keepers] == [1, 1]
        assert [keeper.diff().changes for keeper in keepers] == [[], []]
        for keeper in keepers:
            keeper.close()


def test_apps_behind_one_server_see_it_too() -> None:
    clock = Clock(THURSDAY + 100 * HOUR)
    with opened(Apps(toolsets=[PROJECTS, DIRECTORY], world=TWO, now=clock, live=True)) as (boxes, _):
        arguments = {"task_id": "00000020", "field": "list_name"}
        record = anyio.run(Bundle(boxes).call, "workplace", "projects_get_task_information_by_id", arguments)

    assert record.status == "ok"


@pytest.mark.parametrize("live", [False, True])
def test_without_live_and_in_a_world_that_stands_still_nothing_comes(tmp_path: Path, live: bool) -> None:
    past = world(at(0, add("00000020")))
    for state in (None, tmp_path):
        with served(past, None if live else Clock(), state, live=live) as box:
            assert (field(box, "00000020"), arrived(box)) == ("No task has the id '00000020'.", [])


def test_at_a_time_that_is_given_what_was_to_come_by_then_is_there() -> None:
    with served(TWO, toy.NOW + 100.5 * HOUR) as box:
        assert (field(box, "00000020"), field(box)) == ("Backlog", "Backlog")


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("live", [False, True])
def test_new_rows_take_no_id_that_is_to_come(tmp_path: Path, live: bool, kept: bool) -> None:
    task = {"task_name": "Call", "list_name": "Backlog", "board": "Design", "due_date": "2026-11-27"}
    with served(TWO, Clock(), tmp_path if kept else None, live=live) as box:
        made = anyio.run(box.call, "projects", "create_task", {**task, "assigned_to_email": "ines@example.test"})

    assert [row.id for row in made.writes] == ["00000021"]


def test_a_folder_begun_without_live_goes_on_with_it(tmp_path: Path) -> None:
    clock = Clock(THURSDAY + 102 * HOUR)
    with served(TWO, clock, tmp_path, live=False) as box:
        anyio.run(box.call, "projects", "update_task", MOVE)
    with served(TWO, clock, tmp_path) as box:
        assert (field(box, "00000020"), field(box)) == ("Backlog", "In Review")
        assert box.layer.changes() == []


def test_what_cannot_come_is_on_record_with_its_reason_and_told_by_diff(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "state").mkdir()
    one = world(at(100, change("00000000", list_name="In Review"), text="Ines moved job 0"))
    one.write(tmp_path / "world")
    clock = Clock(THURSDAY + 99 * HOUR)
    with served(one, clock, tmp_path / "state") as box:
        anyio.run(box.call, "projects", "delete_task", {"task_id": "00000000"})
        clock.now += 2 * HOUR
        field(box)
        (event,) = arrived(box)
    states.diff(tmp_path / "state", None, str(tmp_path / "world"))

    assert event.text == "Ines moved job 0; tasks 00000000 is not there any more"
    assert capsys.readouterr().out.splitlines()[1:] == [
        "came by itself to projects, 2026-11-23 04:00: Ines moved job 0 (not: tasks 00000000 is not there any more)"
    ]


def test_a_reset_keeps_what_came_and_a_restore_lets_it_come_again(tmp_path: Path) -> None:
    clock = Clock(THURSDAY + 99 * HOUR)
    keeper = Keeper(tmp_path, PROJECTS, TWO, now=clock, live=True)
    keeper.snapshot("before")
    clock.now += HOUR
    field(keeper.sandbox)
    anyio.run(keeper.sandbox.call, "projects", "delete_task", {"task_id": "00000020"})
    keeper.reset()
    assert (field(keeper.sandbox, "00000020"), keeper.diff().changes) == ("Backlog", [])
    keeper.restore("before")
    assert keeper.diff().came == ()
    assert field(keeper.sandbox, "00000020") == "Backlog"
    keeper.close()


@pytest.mark.parametrize(
    ("edit", "problem"),
    [
        (add("00000000"), r"step 0 \(add projects.tasks 00000000\) does not fit: There is already a task"),
        (change("00000099"), r"step 0 \(change projects.tasks 00000099\) does not fit: No task has the id '00000099'"),
        (add("00000020", due_date=7), r"does not fit: due_date: Input should be a valid string"),
    ],
)
def test_arrivals_that_do_not_fit_their_world_are_named_before_anything_is_served(
    tmp_path: Path, edit: Edit, problem: str
) -> None:
    world(at(1, add("00000030")), at(2, edit)).write(tmp_path / "world")
    one = World.read(tmp_path / "world")
    for state in (None, tmp_path / "state"):
        with pytest.raises(StateError, match=rf"arrivals\.jsonl, line 2: .*{problem}"), served(one, Clock(), state):
            pass


@pytest.mark.parametrize(
    ("now", "one", "says"),
    [
        (
            FRIDAY.replace,
            TWO,
            "2 still to come, each as the clock passes it, the last at 2026-11-23 05:00; what was to come by now (0) ",
        ),
        (None, TWO, "nothing comes by itself: the clock stands still; it runs with --now today"),
        (datetime(2025, 3, 20), TWO, "the clock stands still at 2025-03-20 00:00: what was to come by then is there"),
        (None, toy.world(), "nothing comes by itself: world toy has no arrivals for what is served"),
    ],
)
def test_the_program_says_at_the_start_what_will_come(now: Any, one: World, says: str) -> None:
    assert serving._comes(Apps(toolsets=[PROJECTS], world=one, now=now)).startswith(says)


@pytest.mark.parametrize(
    ("hours", "says"),
    [
        (
            100,
            "1 still to come, each as the clock passes it, the last at 2026-11-23 05:00; what was to come by now (1) ",
        ),
        (10_000, "nothing is still to come; what was to come by now (2) is there from the first call on"),
    ],
)
def test_of_a_folder_that_began_before_the_program_says_what_is_still_to_come(
    tmp_path: Path, hours: int, says: str
) -> None:
    with served(TWO, Clock(), tmp_path):
        pass
    later = Clock(THURSDAY + hours * HOUR)

    assert serving._comes(Apps(toolsets=[PROJECTS], world=TWO, now=later, state=tmp_path)).startswith(says)


def test_saying_what_will_come_notes_nothing_in_a_folder_that_is_not_there(tmp_path: Path) -> None:
    serving._comes(Apps(toolsets=[PROJECTS], world=TWO, now=Clock(), state=tmp_path / "state"))

    assert not (tmp_path / "state").exists()


@pytest.mark.slow
def test_in_a_trial_nothing_of_the_world_comes_over_any_transport(tmp_path: Path) -> None:
    past = replace(world(at(0, add("00000020"))), beside={"key.txt": "The answers."})
    toolsets = {"projects": PROJECTS}

    async def main() -> OpenTask:
        trajectory = begun("toy", toy.task(0), prompt="original", agent="nobody", condition="plain")
        opened = OpenTask(engine, engine.load(past), toy.task(0), trajectory, toolsets)
        opened.begin()
        await opened.sandbox.call("projects", "get_task_information_by_id", {"task_id": "00000020", "field": "board"})
        async with StdioLinks(tmp_path).link(opened.sandbox, ()) as link:
            await link.call("projects", "update_task", {**MOVE, "task_id": "00000020"})
        return opened

    engine = Engine()
    opened = anyio.run(main)
    engine.close()

    assert [call.status for call in opened.sandbox.calls] == ["failed", "failed"]
    assert arrived(opened.sandbox) == []
    names = {path.name for path in tmp_path.glob("*/world/*")}
    assert names == {"world.json", "projects.tasks.jsonl"}


@pytest.mark.slow
def test_a_client_over_stdio_finds_what_came_and_so_does_the_next_process(tmp_path: Path) -> None:
    world(at(0, add("00000020"), text="From Ines")).write(tmp_path / "world")
    arguments = ["-m", "harness", "serve", "projects", "--live", "--world", str(tmp_path / "world")]
    arguments += ["--state", str(tmp_path / "state")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    async def first() -> Any:
        async with Client(StdioServerParameters(command=sys.executable, args=arguments, env=environment)) as client:
            await client.call_tool("update_task", {**MOVE, "task_id": "00000020"})
            given = {"task_id": "00000020", "field": "list_name"}
            return (await client.call_tool("get_task_information_by_id", given)).structured_content

    found = [anyio.run(first) for _ in range(2)]
    command = [sys.executable, "-m", "harness", "diff", "--state", str(tmp_path / "state")]
    command += ["--world", str(tmp_path / "world")]
    told = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
    still = [sys.executable, *arguments[:-1], str(tmp_path / "other"), "--now", "world"]
    said = subprocess.run(still, capture_output=True, text=True, check=True, env=environment, stdin=subprocess.DEVNULL)

    assert found == [{"list_name": "Completed"}] * 2
    assert 'update projects.tasks 00000020  list_name: "Backlog" -> "Completed"' in told
    assert told.count("came by itself to projects") == 1
    assert "nothing comes by itself: the clock stands still" in said.stderr
