"""The TypeScript SDK's client, a stranger to our code, uses a served app over stdio."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The client script beside its installed packages."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not on PATH: the TypeScript client was NOT run")
    folder = tmp_path_factory.mktemp("typescript")
    for name in ("package.json", "stdio_client.mjs"):
        shutil.copy(HERE / name, folder / name)
    command = [npm, "install", "--no-audit", "--no-fund", "--loglevel=error"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240)
    if done.returncode:
        reason = done.stderr.strip()[-300:]
        pytest.skip(f"npm could not install the TypeScript SDK, so its client was NOT run: {reason}")
    return folder / "stdio_client.mjs"


def use(client: Path, calls: list[dict[str, Any]], *serve: str) -> dict[str, Any]:
    node = shutil.which("node")
    assert node is not None
    command = [node, str(client), json.dumps(calls), sys.executable, "-m", "harness", "serve", *serve]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_it_lists_and_calls_the_tools_of_a_served_app(client: Path) -> None:
    calls = [{"name": "search_customers", "arguments": {"status": "Lead"}}]
    answer = use(client, calls, "crm")

    (result,) = answer["results"]
    customers = result["structuredContent"]["result"]
    assert answer["server"]["name"] == "sandbox-crm"
    assert "update_customer" in answer["tools"]
    assert len(customers) == 5
    assert {customer["status"] for customer in customers} == {"Lead"}


def test_it_reads_why_a_call_was_refused(client: Path) -> None:
    calls = [{"name": "delete_customer", "arguments": {"customer_id": "99999999"}}]
    (result,) = use(client, calls, "crm")["results"]

    assert result["isError"] is True
    assert "99999999" in result["content"][0]["text"]


def test_what_it_changes_is_there_for_the_next_client_of_the_same_state(client: Path, tmp_path: Path) -> None:
    add = {"customer_name": "Nora Quill", "assigned_to_email": "a@example.test", "status": "Lead"}
    use(client, [{"name": "add_customer", "arguments": add}], "crm", "--state", str(tmp_path))
    find = [{"name": "search_customers", "arguments": {"customer_name": "Nora Quill"}}]
    answer = use(client, find, "crm", "--state", str(tmp_path))

    assert [c["customer_name"] for c in answer["results"][0]["structuredContent"]["result"]] == ["Nora Quill"]
