"""Lines to a server over stdio: each that asks for an answer gets one, also where the SDK could not read it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from harness.trajectory import CallRecord
from tests.harness import toy
from tests.transports.test_heard import UNREAD, UNTAKEN, body

ROOT = Path(__file__).parents[2]
PING = b'{"jsonrpc": "2.0", "id": "last", "method": "ping"}'
PONG = {"jsonrpc": "2.0", "id": "last", "result": {}}

MISSHAPEN: dict[str, tuple[bytes, int | str | None, str]] = {
    "a batch": (b"[" + PING + b"]", None, "The line is a list, where a JSON-RPC message, an object, belongs. Batches"),
    "a number": (b"5", None, "The line is a number, where a JSON-RPC message, an object, belongs."),
    "nothing in it": (b"{}", None, "its jsonrpc is nothing, where '2.0' belongs"),
    "no id": (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', None, "its id is nothing, where a text or a whole"),
    "half an id": (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', None, "its id is a number, where a text or"),
    "no version": (b'{"id": 8, "method": "ping"}', 8, "its jsonrpc is nothing, where '2.0' belongs"),
    "another version": (b'{"jsonrpc": "1.0", "id": 8, "method": "ping"}', 8, "its jsonrpc is another text than '2.0'"),
    "no method": (b'{"jsonrpc": "2.0", "id": 8}', 8, "its method is nothing, where a text belongs"),
    "a list of params": (b'{"jsonrpc": "2.0", "id": 8, "method": "ping", "params": []}', 8, "its params are a list"),
    "a surrogate": (b'{"jsonrpc": "2.0", "id": 8, "method": "ping", "params": {"a": "\\ud800"}}', 8, "it holds an unp"),
    "depth": (
        b'{"jsonrpc": "2.0", "id": 8, "method": "ping", "params": {"a": ' + b"[" * 300 + b"]" * 300 + b"}}",
        8,
        "it is nested more than 64 levels deep",
    ),
}


class Heard(NamedTuple):
    """What a server answered, in order, told whoever serves, and put on record."""

    answers: list[dict[str, Any]]
    told: list[str]
    calls: list[CallRecord]


def served(folder: Path, lines: Sequence[bytes], *apps: str) -> Heard:
    """Send lines to a server, and a ping at the end; all that it said besides the answer to that."""
    toy.world().write(folder / "world")
    words = ["serve", *apps, "--world", str(folder / "world"), "--record", str(folder / "calls")]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    answers: list[dict[str, Any]] = []
    with subprocess.Popen([sys.executable, "-m", "harness", *words], env=environment, **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"\n".join((*lines, PING, b"")))
        process.stdin.flush()
        while (answer := json.loads(process.stdout.readline())) != PONG:
            answers.append(answer)
        process.stdin.close()
        told = process.stderr.read().decode().splitlines()
    assert process.returncode == 0
    calls = (folder / "calls").read_bytes().splitlines()
    return Heard(answers, told, [CallRecord.model_validate_json(line) for line in calls])


@pytest.mark.slow
def test_a_call_that_cannot_be_taken_is_recorded_and_answered_as_over_http(tmp_path: Path) -> None:
    heard = served(tmp_path, [content for content, _ in UNTAKEN.values()], "projects")

    for (content, problem), answer, call in zip(UNTAKEN.values(), heard.answers, heard.calls, strict=True):
        assert (answer["id"], answer["result"]["isError"]) == (7, True)
        assert answer["result"].get("resultType") == ("complete" if b"2026-07-28" in content else None)
        assert problem in answer["result"]["content"][0]["text"]
        assert (call.app, call.status, call.text) == ("", "garbled", answer["result"]["content"][0]["text"])
    assert heard.told == [f"harness: {call.text}" for call in heard.calls]


@pytest.mark.slow
def test_a_call_of_the_older_era_is_answered_as_results_are_there(tmp_path: Path) -> None:
    (answer,) = served(tmp_path, [body('"x"', meta="null")], "projects").answers

    assert set(answer["result"]) == {"content", "isError"}
    assert answer["result"]["content"][0]["text"].endswith("the arguments must be a JSON object, not a text.")


@pytest.mark.slow
def test_a_line_that_is_not_json_is_recorded_and_answered_as_an_error(tmp_path: Path) -> None:
    lines = [content for content, _ in UNREAD.values() if content]
    heard = served(tmp_path, lines, "projects")

    assert [(answer["id"], answer["error"]["code"]) for answer in heard.answers] == [(None, -32700)] * len(lines)
    assert [call.text for call in heard.calls] == [answer["error"]["message"] for answer in heard.answers]
    assert {call.text.partition(":")[0] for call in heard.calls} == {"The line is not JSON"}
    assert [call.arguments["raw"] for call in heard.calls[:1]] == [lines[0].decode()]


@pytest.mark.slow
def test_a_line_that_is_no_message_is_answered_under_its_id_where_it_has_one(tmp_path: Path) -> None:
    heard = served(tmp_path, [content for content, _, _ in MISSHAPEN.values()], "projects")

    for (_, id, problem), answer in zip(MISSHAPEN.values(), heard.answers, strict=True):
        assert (answer["id"], answer["error"]["code"]) == (id, -32600)
        assert problem in answer["error"]["message"]
    assert heard.told == [f"harness: {answer['error']['message']}" for answer in heard.answers]


@pytest.mark.slow
def test_only_a_line_that_may_have_been_a_call_is_recorded(tmp_path: Path) -> None:
    heard = served(tmp_path, [content for content, _, _ in MISSHAPEN.values()], "projects")
    nobody_knows = [
        heard.answers[[*MISSHAPEN].index(name)] for name in ("a batch", "a number", "nothing in it", "no method")
    ]

    assert [call.text for call in heard.calls] == [answer["error"]["message"] for answer in nobody_knows]


@pytest.mark.slow
def test_blank_lines_and_replies_that_are_none_are_not_answered(tmp_path: Path) -> None:
    quiet = [b"", b"\r", b'{"jsonrpc": "2.0", "id": "x", "result": 5}', b'{"jsonrpc": "2.0", "result": {}}']
    heard = served(tmp_path, quiet, "projects")

    assert (heard.answers, heard.calls) == ([], [])
    assert heard.told == [
        "harness: The message could not be taken: its result is a number, where an object belongs.",
        "harness: The message could not be taken: it has no id, and so nobody knows what it answers.",
    ]


@pytest.mark.slow
def test_a_server_of_two_apps_records_what_it_cannot_take_too(tmp_path: Path) -> None:
    content, problem = UNTAKEN["surrogate"]
    (call,) = served(tmp_path, [content], "projects", "directory").calls

    assert call.status == "garbled"
    assert problem in call.text
