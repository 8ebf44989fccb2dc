"""The command line of the official Inspector lists and calls tools of every app, over stdio and HTTP."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from servers import catalog
from tests.conformance.apps import CALLS, ENVIRONMENT, SERVE, http_server
from tests.conformance.node import missing, node

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]


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


def inspect(config: Path, server: str, method: str, *arguments: str) -> tuple[int, dict[str, Any]]:
    """Run one method; gives exit code and result. The Inspector leaves with 5 for a tool's error."""
    command = [*node().program("mcp-inspector"), "--cli", "--config", str(config), "--server", server]
    command += ["--method", method, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, env=node().environment)
    assert done.returncode in (0, 5), done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return done.returncode, result


@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize("app", catalog.names())
def test_it_lists_and_calls_tools_of_every_app(app: str, transport: str, config: Path) -> None:
    server = f"{app}-{transport}"
    _, listed = inspect(config, server, "tools/list")
    assert [tool["name"] for tool in listed["tools"]] == list(catalog.app(app).default.tools)

    tool, arguments, refused = CALLS[app]
    pairs = [part for name, value in arguments.items() for part in ("--tool-arg", f"{name}={value}")]
    code, result = inspect(config, server, "tools/call", "--tool-name", tool, *pairs)
    assert (code, result.get("isError", False)) == (5 if refused else 0, refused)
    assert result["content"][0]["text"]


def test_a_refused_call_is_a_tools_error_to_it(config: Path) -> None:
    wrong = ("--tool-name", "get_conversation", "--tool-arg", "email_id=nosuch")
    code, result = inspect(config, "gmail-http", "tools/call", *wrong)

    assert (code, result["isError"]) == (5, True)
    assert "nosuch" in result["content"][0]["text"]
