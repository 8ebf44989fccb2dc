"""MCP clients that others wrote, each in an environment of its own, use a served app over stdio and HTTP."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.clients.build import python

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
HARNESS = [sys.executable, "-m", "harness"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}

LIVES_IN = {"typescript": "typescript", "fastmcp": "fastmcp", "old-protocol": "langgraph"}
"""Each client, and the environment that its packages are in."""

CALLS = [
    {"name": "search_customers", "arguments": {"status": "Lead"}},
    {
        "name": "add_customer",
        "arguments": {"customer_name": "Nora Quill", "assigned_to_email": "a@example.test", "status": "Lead"},
    },
    {"name": "delete_customer", "arguments": {"customer_id": "99999999"}},
]

pytestmark = pytest.mark.slow


class Played(NamedTuple):
    """What a client printed after playing `CALLS`, and what our side says of the state afterwards."""

    client: str
    protocol: str
    tools: list[str]
    results: list[dict[str, Any]]
    changes: list[dict[str, Any]]


@contextmanager
def served(transport: str, state: Path) -> Iterator[dict[str, Any]]:
    """The entry of a client config for the app `crm`; over HTTP its server runs meanwhile."""
    serve = [*HARNESS, "serve", "crm", "--world", "workbench-synth", "--toolset", "workbench", "--state", str(state)]
    if transport == "stdio":
        yield {"command": serve[0], "args": serve[1:], "env": {"PYTHONPATH": str(ROOT)}}
        return
    command = [*serve, "--transport", "http", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT) as server:
        try:
            assert server.stderr
            address = server.stderr.readline().split()[3].rstrip(";")
            yield {"type": "http", "url": f"{address}/crm/mcp"}
        finally:
            server.terminate()


@pytest.fixture(scope="module", params=[(client, by) for client in LIVES_IN for by in ("stdio", "http")], ids="-".join)
def played(
    request: pytest.FixtureRequest,
    environment: Callable[[str], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Played:
    client, transport = request.param
    built, folder = environment(LIVES_IN[client]), tmp_path_factory.mktemp(client)
    with served(transport, folder / "state") as entry:
        (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"sandbox-crm": entry}}))
        command = [*program(client, built, folder), str(folder / "mcp.json"), json.dumps(CALLS)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=folder)
        assert done.returncode == 0, done.stderr
        diff = [*HARNESS, "diff", "--state", str(folder / "state"), "--json"]
        told = subprocess.run(diff, capture_output=True, text=True, check=True, env=ENVIRONMENT).stdout
    return Played(client=client, **json.loads(done.stdout), changes=json.loads(told)["crm"]["changes"])


def program(client: str, built: Path, folder: Path) -> list[str]:
    """How the client's script is started."""
    if client != "typescript":
        return [str(python(built.name)), str(HERE / client / "client.py")]
    node = shutil.which("node")
    assert node, "npm was there when this was installed"
    shutil.copy(HERE / client / "client.mjs", folder)  # node looks for packages beside the script
    (folder / "node_modules").symlink_to(built / "node_modules")
    return [node, "client.mjs"]


def test_the_tools_are_listed(played: Played) -> None:
    assert sorted(played.tools) == ["add_customer", "delete_customer", "search_customers", "update_customer"]


def test_rows_are_read(played: Played) -> None:
    found, *_ = played.results

    assert found["error"] is False
    assert len(found["data"]["result"]) == 5
    assert {customer["status"] for customer in found["data"]["result"]} == {"Lead"}
    assert json.loads(found["text"]) == found["data"]["result"]


def test_a_refused_call_comes_back_as_an_error_that_says_why(played: Played) -> None:
    *_, refused = played.results

    assert refused["error"] is True
    assert "99999999" in refused["text"]


def test_what_was_written_is_all_that_changed(played: Played) -> None:
    (change,) = played.changes
    _, written, _ = played.results

    assert (change["table"], change["id"], change["before"]) == ("customers", written["data"]["result"], None)
    assert change["after"]["customer_name"] == "Nora Quill"


def test_both_eras_of_the_protocol_are_spoken(played: Played) -> None:
    assert (played.protocol >= "2026-07-28") == (played.client == "fastmcp")
