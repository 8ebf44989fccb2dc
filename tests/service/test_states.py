"""`harness diff`, `reset`, `snapshot`, `restore`: what a state folder holds, with and without a server on it."""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import TextContent

from benchmarks.workflows.layout import office
from harness.cli import states
from harness.cli.problems import CallProblem
from harness.service.bundle import Bundle
from harness.service.control import Note, answering, ask, note_of
from harness.service.keeping import VERBS, Keeper, unstage
from harness.service.standalone import Apps, opened
from servers import catalog
from servers.kernel import Engine, StateError, World
from tests.cli.conftest import running
from tests.harness import toy
from tests.service.scenes import MOVE

ROOT = Path(__file__).parents[2]
ON_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="limits file sizes as POSIX does")
PROJECTS = catalog.app("projects").default
FILES = catalog.app("filesystem").default


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[Keeper]:
    found = Keeper(tmp_path, PROJECTS, toy.world())
    yield found
    found.close()


def move(keeper: Keeper, to: str = "Completed") -> None:
    record = anyio.run(keeper.sandbox.call, "projects", "update_task", {**MOVE, "new_value": to})
    assert record.status == "ok"


def test_a_snapshot_brings_back_rows_ids_and_time_and_leaves_itself_alone(keeper: Keeper) -> None:
    move(keeper)
    before = keeper.diff()
    keeper.snapshot("one")
    for _ in range(2):
        move(keeper, "In Review")
        keeper.restore("one")
        assert keeper.diff() == before
    keeper.reset()

    assert keeper.diff().changes == []
    assert {path.name for path in keeper.folder.iterdir()} - {"projects.duckdb.wal"} == {"projects.duckdb", "snapshots"}


@pytest.mark.parametrize("kept", [11, -1])
def test_a_snapshot_that_is_cut_short_leaves_the_state_as_it_is(keeper: Keeper, kept: int) -> None:
    move(keeper)
    keeper.snapshot("one")
    one = keeper.folder / "snapshots" / "one" / "projects.duckdb"
    one.write_bytes(one.read_bytes()[:kept])
    with pytest.raises(StateError, match=r"snapshots.one.projects\.duckdb cannot be used as a state file"):
        keeper.restore("one")
    assert leftovers(keeper.folder) == []
    move(keeper, "In Review")

    assert len(keeper.diff().changes) == 1


def test_what_was_staged_and_is_gone_leaves_the_state_as_it_is(keeper: Keeper) -> None:
    move(keeper)
    keeper.snapshot("one")
    keeper.stage("one")
    unstage(keeper.folder, "projects")
    with pytest.raises(StateError, match=r"projects\.duckdb\.staged is gone"):
        keeper.swap()

    assert len(keeper.diff().changes) == 1


@pytest.mark.parametrize("links", [True, False])
def test_a_kill_before_what_is_staged_has_become_the_state_leaves_the_state(keeper: Keeper, links: bool) -> None:
    keeper.snapshot("one")
    move(keeper)
    keeper.close()
    script = (
        "import os\n"
        "from pathlib import Path\n"
        "from harness.service.keeping import Keeper\n"
        "from tests.service.test_states import PROJECTS, toy\n"
        "rename = Path.replace\n"
        "Path.replace = lambda path, target: os._exit(9) if path.suffix == '.staged' else rename(path, target)\n"
        f"if not {links}:\n"
        "    def hardlink_to(path, target):\n"
        "        raise OSError('there are no links here')\n"
        "    Path.hardlink_to = hardlink_to\n"
        f"Keeper(Path({str(keeper.folder)!r}), PROJECTS, toy.world()).restore('one')\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)

    assert ended.returncode == 9, ended.stderr
    with closing(Keeper(keeper.folder, PROJECTS, toy.world())) as again:
        assert len(again.diff().changes) == 1
        again.restore("one")
        assert again.diff().changes == []
    assert leftovers(keeper.folder) == []


class Two:
    """A folder with the state of two apps, changed since a snapshot of both."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.world = folder / "state", str(folder / "world")
        toy.world().write(folder / "world")
        self.folder.mkdir()
        for toolset in (FILES, PROJECTS):
            Keeper(self.folder, toolset, toy.world()).close()
        states.each(self.folder, None, self.world, "snapshot", "one")
        with closing(Keeper(self.folder, FILES, toy.world())) as keeper:
            assert anyio.run(keeper.sandbox.call, "filesystem", "create_directory", {"path": "a"}).status == "ok"
        with closing(Keeper(self.folder, PROJECTS, toy.world())) as keeper:
            move(keeper)

    def do(self, verb: str, name: str) -> None:
        states.each(self.folder, None, self.world, verb, name)

    def changed(self) -> dict[str, int]:
        return {app: len(it.changes) for app, it in states.each(self.folder, None, self.world, "diff").items()}


@pytest.fixture
def two(tmp_path: Path) -> Two:
    return Two(tmp_path)


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.suffix not in (".duckdb", ".json", ".jsonl", "")]


def test_several_apps_are_restored_together(two: Two) -> None:
    two.do("restore", "one")

    assert two.changed() == {"filesystem": 0, "projects": 0}
    assert leftovers(two.folder) == []


def test_where_one_snapshot_is_no_database_no_app_is_restored(two: Two) -> None:
    (two.folder / "snapshots" / "one" / "projects.duckdb").write_bytes(b"no database")
    with pytest.raises(StateError, match=r"projects\.duckdb cannot be used .* No app was restored: the state stays"):
        two.do("restore", "one")

    assert two.changed() == {"filesystem": 1, "projects": 1}
    assert leftovers(two.folder) == []


@pytest.mark.parametrize(("verb", "name"), [("restore", "one"), ("snapshot", "two"), ("reset", "")])
def test_where_another_process_holds_one_file_nothing_is_done_to_any(two: Two, verb: str, name: str) -> None:
    in_use = pytest.raises(StateError, match=r"projects\.duckdb is in use by another process")
    with closing(Keeper(two.folder, PROJECTS, toy.world())), in_use:
        two.do(verb, name)

    assert two.changed() == {"filesystem": 1, "projects": 1}
    assert [path.name for path in (two.folder / "snapshots").iterdir()] == ["one"]
    assert leftovers(two.folder) == []


def test_where_one_file_cannot_be_swapped_those_that_were_are_put_back(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    def swap(keeper: Keeper, _: str) -> None:
        if keeper.app.name == "projects":
            unstage(keeper.folder, "projects")
        keeper.swap()

    monkeypatch.setitem(VERBS, "swap", swap)
    with pytest.raises(StateError, match=r"staged is gone\. No app was restored: the state stays as it was"):
        two.do("restore", "one")

    assert two.changed() == {"filesystem": 1, "projects": 1}
    assert leftovers(two.folder) == []


@ON_POSIX
@pytest.mark.parametrize(("verb", "name"), [("restore", "one"), ("snapshot", "two")])
def test_a_disk_that_is_full_after_the_first_copy_leaves_all_as_it_was(two: Two, verb: str, name: str) -> None:
    sizes = {app: (two.folder / f"{app}.duckdb").stat().st_size for app in ("filesystem", "projects")}
    assert sizes["filesystem"] < sizes["projects"]
    script = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from harness.cli import states\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({sizes['filesystem']}, {sizes['filesystem']}))\n"
        f"states.each(Path({str(two.folder)!r}), None, {two.world!r}, {verb!r}, {name!r})\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-B", "-c", script]  # byte code would be left cut
    ended = subprocess.run(command, env=environment, capture_output=True, text=True)

    assert "StateError" in ended.stderr.splitlines()[-1], ended.stderr
    assert "File too large" in ended.stderr.splitlines()[-1]
    assert two.changed() == {"filesystem": 1, "projects": 1}
    assert [path.name for path in (two.folder / "snapshots").iterdir()] == ["one"]
    assert leftovers(two.folder) == []


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such names")
def test_a_state_folder_that_can_keep_no_file_is_refused_before_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "why?"
    status, _, told = running(monkeypatch, capsys)("serve", "projects", "--state", folder)

    assert (status, told) == (
        2,
        f"harness: {folder} cannot hold a state: DuckDB keeps none where its path has a `?`; choose another\n",
    )
    assert not folder.exists()


@pytest.mark.parametrize(
    ("verb", "name", "message"),
    [
        ("snapshot", "one", "exists already"),
        ("snapshot", "../one", "is not a valid name for a snapshot"),
        ("snapshot", "", "is not a valid name for a snapshot"),
        ("restore", "two", "projects has no snapshot 'two' in .*; it has one"),
    ],
)
def test_a_wrong_name_is_told_what_would_be_right(keeper: Keeper, verb: str, name: str, message: str) -> None:
    keeper.snapshot("one")
    with pytest.raises(StateError, match=message):
        getattr(keeper, verb)(name)


def test_whoever_waits_for_a_server_that_does_not_answer_is_told_so(tmp_path: Path) -> None:
    told: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        note = Note(pid=os.getpid(), port=server.getsockname()[1], token="of nobody")
        note_of(tmp_path, "projects").write_text(note.model_dump_json())

        def waits(text: str) -> None:
            told.append(text)
            server.accept()[0].close()

        assert ask(tmp_path, "projects", "diff", waits=waits, soon=0.01) is None

    assert told == [f"waiting for the server of projects, process {os.getpid()}, up to 60 s"]


def test_a_server_does_what_a_command_asks_and_only_with_its_token(keeper: Keeper) -> None:
    folder = keeper.folder
    move(keeper)

    async def main() -> list[Any]:
        async with answering({"projects": keeper}):
            note = note_of(folder, "projects")
            mode = stat.S_IMODE(note.stat().st_mode)
            asked = [await anyio.to_thread.run_sync(ask, folder, "projects", *each) for each in (("diff",), ("reset",))]
            with pytest.raises(StateError, match="has no snapshot 'two'"):
                await anyio.to_thread.run_sync(ask, folder, "projects", "restore", "two")
            forged = Note.model_validate_json(note.read_bytes()).model_copy(update={"token": "guess"})
            note.write_text(forged.model_dump_json())
            return [mode, *asked, await anyio.to_thread.run_sync(ask, folder, "projects", "diff")]

    mode, diff, done, refused = anyio.run(main)

    assert [change.id for change in diff.changes] == ["00000000"]
    assert (done, refused) == (True, None)
    assert keeper.diff().changes == []
    assert not note_of(folder, "projects").exists()
    if os.name == "posix":
        assert mode == 0o600


def test_what_tools_of_several_apps_say_names_tools_as_they_are_named_there() -> None:
    toolsets = [catalog.app(name).default for name in ("todoist", "crm")]
    with opened(Apps(toolsets=toolsets, world=office())) as (boxes, _):
        bundle = Bundle(boxes)
        (surface,) = bundle.toolsets.values()
        refused = anyio.run(bundle.call, "workplace", "crm_save_deal", {"deal_id": "D4", "stage": "Lead"})
        invalid = anyio.run(bundle.call, "workplace", "crm_save_deal", {"deal": 4})

    assert "`todoist_complete_tasks`" in surface.tools["todoist_update_tasks"].description
    texts = [tool.description for tool in surface.tools.values()] + [surface.instructions]
    assert not [name for part in toolsets for name in part.tools for text in texts if f"`{name}`" in text]
    assert "`crm_move_deal`" in refused.text
    assert invalid.text.startswith("Invalid arguments for crm_save_deal")
    assert (invalid.app, invalid.tool) == ("crm", "save_deal")


def test_several_apps_are_one_server_with_prefixed_tools(tmp_path: Path) -> None:
    directory = catalog.app("directory").default
    with opened(Apps(toolsets=[PROJECTS, directory], world=toy.world(), record=tmp_path / "calls")) as (boxes, _):
        bundle = Bundle(boxes)
        (surface,) = bundle.toolsets.values()
        moved = anyio.run(bundle.call, "workplace", "projects_update_task", MOVE)
        wrong = anyio.run(bundle.call, "workplace", "update_task", MOVE)

    assert list(surface.tools) == [
        *(f"projects_{name}" for name in PROJECTS.tools),
        *(f"directory_{name}" for name in directory.tools),
    ]
    assert (moved.app, moved.tool, moved.status) == ("projects", "update_task", "ok")
    assert wrong.status == "unknown"
    assert "projects_update_task" in wrong.text
    assert "projects" in surface.app.instructions


class Served:
    """A server in a process of its own, and commands beside it."""

    def __init__(self, folder: Path) -> None:
        toy.world().write(folder / "world")
        self.folder, self.state = folder, folder / "state"
        self.environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.arguments = ["--state", str(self.state), "--world", str(folder / "world")]

    def command(self, *words: str) -> tuple[int, str]:
        call = [sys.executable, "-m", "harness", *words, *self.arguments]
        done = subprocess.run(call, capture_output=True, text=True, check=False, env=self.environment)
        return done.returncode, done.stdout + done.stderr

    @contextmanager
    def http(self, *words: str, first: Callable[[], None] | None = None) -> Iterator[tuple[subprocess.Popen[str], str]]:
        call = [sys.executable, "-m", "harness", "serve", *words, "--transport", "http", "--port", "0", *self.arguments]
        with subprocess.Popen(
            call, stderr=subprocess.PIPE, text=True, env=self.environment, preexec_fn=first
        ) as process:
            try:
                assert process.stderr is not None
                yield process, process.stderr.readline().partition("serving at ")[2].partition(";")[0]
            finally:
                process.kill()


@pytest.mark.slow
def test_a_sandbox_of_a_task_has_apps_that_are_served_to_those_alone_who_name_them(tmp_path: Path) -> None:
    wanted = {"suite": "drift-workplace", "task": "task-b306e352ab25"}

    with Served(tmp_path).http() as (_, address):
        assert httpx2.get(f"{address}/sql/mcp").status_code == 404
        made, named, usual, empty = (
            list(httpx2.post(f"{address}/v1/sandboxes", json=body, timeout=60).json()["urls"])
            for body in (wanted, {"apps": ["sql"]}, {}, None)
        )

    assert (made, named) == (["sql", "answer"], ["sql"])
    assert usual == empty == [name for name, app in catalog.apps().items() if not app.apart]


@pytest.mark.slow
def test_a_server_opens_no_folder_for_a_program_and_does_not_tell_which_have_suites(tmp_path: Path) -> None:
    served = Served(tmp_path)
    folder = tmp_path / "suite"
    asked = [{"world": str(folder)}, {"suite": str(folder), "task": "task"}]

    with served.http("projects") as (_, address):
        before = [httpx2.post(f"{address}/v1/sandboxes", json=each) for each in asked]
        folder.mkdir()
        (folder / "suite.json").write_text('{"benchmark": "nobody"}')
        after = [httpx2.post(f"{address}/v1/sandboxes", json=each) for each in asked]

    told = [each.json()["message"] for each in (*before, *after)]
    assert [each.status_code for each in (*before, *after)] == [422] * 4
    assert len(set(told)) == 1
    assert told[0].startswith(f"no suite is named '{folder}'. No folder is opened here. Known: ")
    assert "\n" not in told[0]


@pytest.mark.slow
@ON_POSIX
def test_a_server_on_a_full_disk_says_why_a_call_failed_and_stays(tmp_path: Path) -> None:
    import resource

    served = Served(tmp_path)
    served.state.mkdir()
    with closing(Keeper(served.state, PROJECTS, World.read(tmp_path / "world"))) as keeper:
        move(keeper, "In Review")

    async def work(address: str) -> list[str]:
        async with Client(f"{address}/projects/mcp") as client:
            failed = await client.call_tool("update_task", MOVE)
            reset = await anyio.to_thread.run_sync(served.command, "reset")
            found = await client.call_tool("search_tasks", {"task_name": "Move"})
        assert isinstance(failed.content[0], TextContent)
        return [failed.content[0].text, reset[1], "failed" if found.is_error else "found"]

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    served.environment["PYTHONDONTWRITEBYTECODE"] = "1"  # or Python leaves byte code that is cut
    with served.http("projects", "--now", "world", first=limit) as (process, address):
        failed, reset, found = anyio.run(work, address)
        process.kill()
        (told,) = [line for line in process.stderr or () if line.startswith("harness: ")]

    assert (failed, found) == ("The server failed; this call did not happen.", "found")
    assert told.startswith("harness: a call of projects.update_task did not happen: ")
    assert told.endswith("File too large\n")
    assert reset.endswith("File too large\n")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="Windows has no SIGTERM to send")
def test_a_stopped_server_has_lost_nothing_and_commands_worked_beside_it(tmp_path: Path) -> None:
    served = Served(tmp_path)

    async def work(address: str) -> None:
        async with Client(f"{address}/projects/mcp") as client:
            assert "shared by everyone" in (client.instructions or "")
            await client.call_tool("update_task", MOVE)
        async with httpx2.AsyncClient() as http:
            assert (await http.post(f"{address}/v1/sandboxes")).status_code == 201

    with served.http("projects", "directory") as (process, address):
        anyio.run(work, address)
        beside = served.command("diff")
        kept = served.command("snapshot", "one", "projects")
        second = served.command("serve", "projects")
        process.send_signal(signal.SIGTERM)
        status = process.wait(timeout=60)

    assert (status, kept[0]) == (0, 0)
    assert 'update projects.tasks 00000000  list_name: "Backlog" -> "Completed"' in beside[1]
    assert second[0] == 2
    assert "is in use by another process" in second[1]
    assert list(served.state.glob("*.server.json")) == []
    assert served.command("diff") == beside


def test_a_state_that_may_only_be_read_is_told_to_be_copied(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    def mounted(path: Path) -> Engine:
        raise StateError(
            f"{path} cannot be used as a state file: IO Error: Cannot open file: {os.strerror(errno.EROFS)}"
        )

    keeper.close()
    monkeypatch.setattr("harness.service.keeping.Engine", mounted)
    with pytest.raises(StateError, match=r"opened for writing, also to be read: copy its folder to where that may be"):
        keeper.diff()


def test_a_call_that_no_record_could_keep_is_garbled_though_the_state_cannot_be_opened(keeper: Keeper) -> None:
    def shut() -> None:
        raise StateError("it is shut")

    keeper.sandbox.ready = shut
    call = anyio.run(keeper.sandbox.call, "projects", "update_task", {"task_id": "\ud800"})

    assert call.status == "garbled"
    assert call.model_dump_json()


@pytest.mark.parametrize("option", ["--port=1", "--host=localhost", "--token=x", "--idle=1", "--allow-host=x"])
def test_an_option_of_http_is_refused_where_nothing_listens(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    status, _, told = running(monkeypatch, capsys)("serve", "projects", option)
    name = option.partition("=")[0]

    assert (status, told) == (2, f"harness: {name} goes with --transport http: without it nothing listens\n")


def test_a_world_that_is_not_that_of_the_folder_is_named_as_it_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    toy.world().write(tmp_path / "world")
    (tmp_path / "state").mkdir()
    Keeper(tmp_path / "state", PROJECTS, World("other", toy.NOW, {})).close()
    words = ("serve", "projects", "--now", "world", "--state", tmp_path / "state", "--world", tmp_path / "world")
    status, _, told = running(monkeypatch, capsys)(*words)

    assert status == 2
    assert told.startswith(
        f"harness: --world {tmp_path / 'world'}: {tmp_path / 'state'}/projects.duckdb was made from "
    )


def test_commands_open_the_file_where_no_server_holds_it(
    tmp_path: Path, keeper: Keeper, capsys: pytest.CaptureFixture[str]
) -> None:
    move(keeper)
    keeper.close()
    toy.world().write(tmp_path / "world")
    world = str(tmp_path / "world")
    states.snapshot("one", tmp_path, None, world)
    states.reset(tmp_path, None, world)
    states.diff(tmp_path, None, world)
    states.restore("one", tmp_path, ["projects"], world)
    states.diff(tmp_path, None, world, json=True)
    *_, nothing, back, told = capsys.readouterr().out.split("\n", 4)[1:]

    assert (nothing, back) == ("nothing changed in projects", "back to one: projects")
    assert [change["id"] for change in json.loads(told)["projects"]["changes"]] == ["00000000"]
    with pytest.raises(CallProblem, match="name that world with --world"):
        states.diff(tmp_path, None, "workbench-synth")
    with pytest.raises(CallProblem, match="crm has no state there, only projects"):
        states.diff(tmp_path, ["crm"], world)
    with pytest.raises(
        CallProblem, match=r"no app's state is there; `harness serve APP --state '.*/the world'` keeps some"
    ):
        states.diff(tmp_path / "the world", None, world)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="Windows has no SIGTERM to send")
def test_a_stdio_server_of_two_apps_keeps_both_and_stops_when_told(tmp_path: Path) -> None:
    served = Served(tmp_path)
    arguments = ["-m", "harness", "serve", "projects", "directory", *served.arguments]

    async def main() -> str:
        parameters = StdioServerParameters(command=sys.executable, args=arguments, env=served.environment)
        async with Client(parameters) as client:
            await client.call_tool("projects_update_task", MOVE)
            note = Note.model_validate_json(note_of(served.state, "projects").read_bytes())
            shown = await anyio.to_thread.run_sync(served.command, "diff")
            os.kill(note.pid, signal.SIGTERM)
            return shown[1]

    shown = anyio.run(main)

    assert "update projects.tasks 00000000" in shown
    assert served.command("diff", "projects")[1] == shown
    assert list(served.state.glob("*.server.json")) == []


@pytest.mark.slow
def test_a_stdio_server_whose_client_quits_during_a_call_ends_in_silence_and_keeps_what_was_done(
    tmp_path: Path,
) -> None:
    served = Served(tmp_path)
    command = [sys.executable, "-m", "harness", "serve", "projects", *served.arguments, "--now", "world"]
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "hasty", "version": "1"}}
    opening = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}
    call = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "update_task", "arguments": MOVE}}

    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, env=served.environment, **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(json.dumps(opening) + "\n")
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        # So many that the first is answered before the end of input is seen.
        process.stdin.writelines(json.dumps({**call, "id": number}) + "\n" for number in range(1, 50))
        process.stdin.close()
        said = process.stderr.read()

    assert (process.returncode, said) == (0, "")
    with closing(Keeper(served.state, PROJECTS, World.read(tmp_path / "world"))) as keeper:
        assert [change.id for change in keeper.diff().changes] == [MOVE["task_id"]]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="Windows closes no streams of a process that starts")
def test_a_stdio_server_without_standard_streams_ends_at_once_and_leaves_its_state_whole(tmp_path: Path) -> None:
    served = Served(tmp_path)
    command = [sys.executable, "-m", "harness", "serve", "projects", *served.arguments, "--now", "world"]
    done = subprocess.run(command, check=False, env=served.environment, preexec_fn=partial(os.closerange, 0, 3))

    assert done.returncode == 0
    with closing(Keeper(served.state, PROJECTS, World.read(tmp_path / "world"))) as keeper:
        assert keeper.diff().changes == []


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="Windows has no signals to send")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stdio_server_that_is_told_to_stop_ends_quietly_with_0(tmp_path: Path, number: signal.Signals) -> None:
    served = Served(tmp_path)
    call = [sys.executable, "-m", "harness", "serve", "projects", "--world", str(tmp_path / "world")]
    with subprocess.Popen(
        call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=served.environment
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write('{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        process.stdin.flush()
        answered = json.loads(process.stdout.readline())
        process.send_signal(number)
        status, rest = process.wait(timeout=60), process.stdout.read()

    assert (answered["id"], status, rest) == (1, 0, "")
