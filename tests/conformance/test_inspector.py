"""The command line of the official Inspector lists and calls tools of every app, over stdio and HTTP."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from servers import catalog
from tests.conformance.apps import CALLS, ENVIRONMENT, SERVE, http_server
from tests.conformance.node import missing, node
from tests.sampling import sampled

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing()), reason=missing()),
    pytest.mark.timeout(900),  # over stdio a process of ours is started for each of two lines an app
]

SCRIPT = Path(__file__).with_name("inspector.mjs")
PATIENT = ("--connect-timeout", "120000")
"""Milliseconds: its own 30 seconds are not enough for a start on a machine with other work."""


SERVERS = {f"{app}-http": app for app in catalog.names()} | {f"{app}-stdio": app for app in sampled(catalog.names(), 6)}
"""Servers -> their apps: over HTTP all; over stdio, where what differs is the process and not the app, some."""


class Ended(NamedTuple):
    """How a command line of the Inspector ended: its status, and the JSON that it printed."""

    code: int
    result: dict[str, Any]


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A client's config with two entries for each app."""
    path = tmp_path_factory.mktemp("inspector") / "mcp.json"
    (command, *arguments) = SERVE
    with http_server() as address:
        servers: dict[str, Any] = {}
        for app in catalog.names():
            servers[f"{app}-stdio"] = {"command": command, "args": [*arguments, app], "env": ENVIRONMENT}
            servers[f"{app}-http"] = {"type": "http", "url": f"{address}/{app}/mcp"}
        path.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
        yield path


def line(config: Path, server: str, method: str, *arguments: str) -> list[str]:
    """A command line, as it stands behind `mcp-inspector --cli`."""
    return ["--config", str(config), "--server", server, *PATIENT, "--method", method, *arguments]


def called(app: str) -> list[str]:
    """The arguments that call the app's tool."""
    tool, arguments, _ = CALLS[app]
    return [
        "--tool-name",
        tool,
        *(part for name, value in arguments.items() for part in ("--tool-arg", f"{name}={value}")),
    ]


def ended(server: str, code: int, out: str, err: str) -> Ended:
    """It leaves with 5 for a tool's error, and with anything else but 0 without a result."""
    assert code in (0, 5), f"{server}: {err}"
    return Ended(code, json.loads(out))


@pytest.fixture(scope="module")
def over(config: Path) -> Mapping[str, tuple[Ended, Ended]]:
    """What each server listed and answered: all lines in one process of Node."""
    lines = [
        each
        for server, app in SERVERS.items()
        for each in (line(config, server, "tools/list"), line(config, server, "tools/call", *called(app)))
    ]
    package = node().packages / "@modelcontextprotocol" / "inspector"
    command = [str(node().folder / "bin" / "node"), str(SCRIPT), str(package)]
    done = subprocess.run(
        command, input=json.dumps(lines), capture_output=True, text=True, timeout=840, env=node().environment
    )
    assert done.returncode == 0, done.stderr
    found = iter(json.loads(done.stdout))
    return {server: (ended(server, **next(found)), ended(server, **next(found))) for server in SERVERS}


@pytest.mark.parametrize("server", SERVERS)
def test_it_lists_and_calls_tools_of_every_app(server: str, over: Mapping[str, tuple[Ended, Ended]]) -> None:
    app, (listed, answered) = SERVERS[server], over[server]
    assert (listed.code, [tool["name"] for tool in listed.result["tools"]]) == (0, list(catalog.app(app).default.tools))

    refused = CALLS[app][2]
    assert (answered.code, answered.result.get("isError", False)) == (5 if refused else 0, refused)
    assert answered.result["content"][0]["text"]


def test_a_refused_call_is_a_tools_error_to_it(config: Path) -> None:
    wrong = ("--tool-name", "get_conversation", "--tool-arg", "email_id=nosuch")
    command = [*node().program("mcp-inspector"), "--cli", *line(config, "gmail-http", "tools/call", *wrong)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, env=node().environment)
    code, result = ended("gmail-http", done.returncode, done.stdout, done.stderr)

    assert (code, result["isError"]) == (5, True)
    assert "nosuch" in result["content"][0]["text"]
