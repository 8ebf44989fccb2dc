"""What `harness connect` printed, started as a client would."""

from __future__ import annotations

import json
import math
import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from harness.connect.apps import command
from harness.connect.clients import CLIENTS
from tests.connect.conftest import Desk

ROOT = Path(__file__).parents[2]


async def met(
    entry: dict[str, Any], folder: Path, call: tuple[str, dict[str, Any]], source: Path = ROOT
) -> tuple[Any, Any, Any]:
    """What a client learns at the handshake, the tools, and the answer to a call."""
    environment = {"PATH": os.defpath, "HOME": str(folder), "PYTHONPATH": str(source)}
    start = StdioServerParameters(command=entry["command"], args=entry["args"], env=environment, cwd=folder)
    async with Client(start, mode="legacy") as client:
        tools = await client.list_tools()
        return client.session.initialize_result, tools, await client.call_tool(*call)


@pytest.mark.slow
def test_the_printed_command_completes_a_handshake_and_keeps_what_is_done(desk: Desk) -> None:
    told = json.loads(desk.call("claude-desktop", "crm", "--json")[1])
    entry = told["servers"]["sandbox-crm"]
    person = {"name": "Nora Quill"}
    hello, listed, _ = anyio.run(met, entry, desk.home, ("save_contact", person))
    _, _, found = anyio.run(met, entry, desk.home, ("find_records", {"kind": "contact", "query": "Nora Quill"}))

    assert hello.server_info.name == "sandbox-crm"
    assert hello.server_info.title == "Sandbox crm"
    assert "nothing in it is real" in hello.instructions
    assert [row["name"] for row in json.loads(found.content[0].text)["items"]] == ["Nora Quill"]
    assert (Path(told["state"]) / "crm.duckdb").is_file()
    sent = json.dumps(
        [{"name": t.name, "description": t.description, "inputSchema": t.input_schema} for t in listed.tools],
        separators=(",", ":"), ensure_ascii=False,
    )  # fmt: skip
    assert told["tokens"] == {"crm": math.ceil(len(sent) / 4)}


def test_every_client_is_given_the_same_command(desk: Desk) -> None:
    told = [json.loads(desk.call(client, "crm", "--state", "s", "--json")[1]) for client in CLIENTS]
    starts = [(each["servers"]["sandbox-crm"]["command"], each["servers"]["sandbox-crm"]["args"]) for each in told]

    assert starts == [starts[0]] * 4
    assert starts[0][1][-1] == str(desk.home / "project" / "s")


def test_where_no_script_is_installed_the_interpreter_starts_us(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(desk.home / "nowhere"))

    assert command() == [sys.executable, "-P", "-m", "harness"]
