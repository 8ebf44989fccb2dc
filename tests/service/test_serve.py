"""`harness serve` in a process of its own: what it refuses, keeps and says, over HTTP and stdio, and how it ends."""

from __future__ import annotations

import json
import os
import signal
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

from harness.service.control import Note, note_of
from harness.service.keeping import Keeper
from servers import catalog
from servers.kernel import World
from tests.cli.conftest import running
from tests.harness import toy
from tests.service.kept import ON_POSIX, PROJECTS, ROOT, move
from tests.service.scenes import MOVE


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such names")
def test_a_state_folder_that_can_keep_no_file_is_refused_before_it_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "why?"
    status, _, told = running(capsys)("serve", "projects", "--state", folder)

    assert (status, told) == (
        2,
        f"harness: {folder} cannot hold a state: DuckDB keeps none where its path has a `?`; choose another\n",
    )
    assert not folder.exists()


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


@pytest.mark.parametrize("option", ["--port=1", "--host=localhost", "--token=x", "--idle=1", "--allow-host=x"])
def test_an_option_of_http_is_refused_where_nothing_listens(capsys: pytest.CaptureFixture[str], option: str) -> None:
    status, _, told = running(capsys)("serve", "projects", option)
    name = option.partition("=")[0]

    assert (status, told) == (2, f"harness: {name} goes with --transport http: without it nothing listens\n")


def test_a_world_that_is_not_that_of_the_folder_is_named_as_it_was_typed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    toy.world().write(tmp_path / "world")
    (tmp_path / "state").mkdir()
    Keeper(tmp_path / "state", PROJECTS, World("other", toy.NOW, {})).close()
    words = ("serve", "projects", "--now", "world", "--state", tmp_path / "state", "--world", tmp_path / "world")
    status, _, told = running(capsys)(*words)

    assert status == 2
    assert told.startswith(
        f"harness: --world {tmp_path / 'world'}: {tmp_path / 'state'}/projects.duckdb was made from "
    )


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
