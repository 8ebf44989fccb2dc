"""A person at a task, and at a fork: connect, work, press Enter."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client

from tests.command.programs import started

MOVE = {"task_id": "00000000", "field": "list_name", "new_value": "In Progress"}
"""What `toy-0` asks for."""

TOY = """
import sys
from harness.cli import main
from harness import wiring
from tests.cli.conftest import toy_suites
wiring.suites._sources = lambda: iter([("benchmarks/toy", toy_suites)])
sys.argv[0] = "harness"
main()
"""
"""The command line with the toy suite in place of all others, which take seconds to load."""


def harness(*arguments: object, folder: Path) -> AbstractContextManager[subprocess.Popen[str]]:
    return started(TOY, *arguments, folder=folder)


def opened(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout
    line = process.stdout.readline()
    assert line, process.stderr and process.stderr.read()
    found: dict[str, Any] = json.loads(line)
    return found


def called(url: str, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=20) as response:
        found: dict[str, Any] = json.load(response)["result"]
    return found


@pytest.mark.slow
def test_a_person_does_a_task_in_a_client_and_is_scored(tmp_path: Path) -> None:
    with harness("play", "toy-0", "--json", folder=tmp_path) as process:
        session = opened(process)
        result = called(session["urls"]["projects"], "update_task", MOVE)
        out, err = process.communicate("It is there.\n", timeout=30)
    last = json.loads(out)

    assert session["request"] == "Move job 0 to In Progress."
    assert session["urls"].keys() == {"projects"}, "nobody can be asked unless --ask is given"
    assert not result["isError"], result
    assert process.returncode == 0, err
    assert last["record"]["scores"]["outcome"]["value"] == 1
    assert last["record"]["trajectory"]["sessions"][0]["reply"] == "It is there."
    assert last["record"]["trajectory"]["agent"] == "person"
    assert last["seconds"] >= 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no signals to send to another process")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_being_done_and_shows_what_changed_with_the_score_and_the_time(
    tmp_path: Path, number: signal.Signals
) -> None:
    with harness("play", "toy-0", folder=tmp_path) as process:
        assert process.stdout
        shown: list[str] = []
        while not shown or not shown[-1].startswith("Press Enter"):
            shown.append(process.stdout.readline())
        url = next(line.split()[1] for line in shown if line.startswith("  projects "))
        called(url, "update_task", MOVE)
        process.send_signal(number)
        rest = process.stdout.read()
        process.wait(timeout=30)

    assert '"sandbox-projects": {' in "".join(shown)
    assert 'update projects.tasks 00000000  list_name: "Backlog" -> "In Progress"' in rest
    assert "outcome: 1, correct" in rest
    assert "You took" in rest
    assert process.returncode == 0


TALKING = """
suite: toy
agents: [{kind: oracle}]
conditions:
  alone: {}
  talking:
    ask: ask_user
    end_of_turn: user
    user: {kind: scripted, script: ["Of job 0?", "Not yet: to In Progress, please.", "Job 0 it is."]}
"""


@pytest.mark.slow
def test_what_a_person_says_goes_to_the_user_of_the_condition_and_the_session_goes_on(tmp_path: Path) -> None:
    (tmp_path / "talking.yaml").write_text(TALKING)
    under = ("--config", "talking.yaml", "--condition", "talking", "--json")
    with harness("play", "toy-0", *under, folder=tmp_path) as process:
        urls = opened(process)["urls"]
        answer, asked = anyio.run(talked, process, urls["ask_user"])
        called(urls["projects"], "update_task", MOVE)
        out, err = process.communicate("Now it is.\n", timeout=30)
    record = json.loads(out)["record"]
    trajectory = record["trajectory"]

    assert answer == {"answer": "Not yet: to In Progress, please."}
    assert asked == ["Of job 0?", "Job 0 it is."]
    assert process.returncode == 0, err
    assert trajectory["condition"] == "talking"
    assert trajectory["sessions"][0]["reply"] == "Now it is."
    assert record["scores"]["outcome"]["value"] == 1


async def talked(process: subprocess.Popen[str], url: str) -> tuple[dict[str, Any], list[str]]:
    """What the user says to the end of a turn, and to questions before and after it that one client asks."""

    async def ask() -> str:
        (said,) = (await client.call_tool("ask_user", {"question": "Which job?"})).content
        assert said.type == "text"
        return said.text

    async with Client(url, mode="legacy") as client:  # which has a session with the server
        before = await ask()
        assert process.stdin
        print("It is done.", file=process.stdin, flush=True)
        answer = opened(process)
        return answer, [before, await ask()]


@pytest.mark.slow
def test_an_empty_line_ends_a_session_with_a_user_as_the_person_is_told(tmp_path: Path) -> None:
    (tmp_path / "talking.yaml").write_text(TALKING)
    with harness("play", "toy-0", "--config", "talking.yaml", "--condition", "talking", folder=tmp_path) as process:
        out, err = process.communicate("It is done.\n\nNever read.\n", timeout=30)

    assert "An empty line ends the session" in out
    assert "The user:\n\n  Of job 0?\n\nGo on" in out
    assert "Never read." not in out
    assert process.returncode == 0, err


@pytest.mark.slow
def test_a_forked_sandbox_is_served_as_it_was_at_that_step(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text("suite: toy\ntasks: [toy-0]\nagents: [{kind: oracle}]\n")
    with harness("eval", "one.yaml", "--output", "run", folder=tmp_path) as process:
        process.communicate(timeout=60)
    digests = []
    for step in (0, 1):
        with harness("fork", "run", "toy-0", "--at", step, "--json", folder=tmp_path) as process:
            served = opened(process)
            result = called(served["urls"]["projects"], "update_task", MOVE)
            out, err = process.communicate("\n", timeout=30)
        end = json.loads(out)
        assert process.returncode == 0, err
        assert not result["isError"]
        assert [change["id"] for change in end["changes"]] == ["00000000"]
        digests.append((served["digest"], end["digest"]))

    assert digests[0][0] != digests[0][1] == digests[1][0] == digests[1][1]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no signals to send to another process")
def test_a_forked_sandbox_that_is_terminated_shows_what_changed(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text("suite: toy\ntasks: [toy-0]\nagents: [{kind: idle}]\n")
    with harness("eval", "one.yaml", "--output", "run", folder=tmp_path) as process:
        process.communicate(timeout=60)
    with harness("fork", "run", "toy-0", "--at", 0, "--json", folder=tmp_path) as process:
        called(opened(process)["urls"]["projects"], "update_task", MOVE)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=30)

    assert process.returncode == 0, err
    assert [change["id"] for change in json.loads(out)["changes"]] == ["00000000"]
