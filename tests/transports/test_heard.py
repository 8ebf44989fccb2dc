"""Raw bodies, in the manner of either protocol era: one without a call that could be taken is recorded as garbled."""

from __future__ import annotations

import json
from typing import Any

import anyio
import httpx2
import pytest

from harness.serving.heard import hear
from harness.serving.host import BODY_LIMIT
from harness.trajectory import CallRecord
from tests.harness import toy
from tests.service.scenes import service
from tests.transports.test_host import hosted

PLAIN = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
MODERN = {**PLAIN, "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "update_task"}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
ERAS = pytest.mark.parametrize("headers", [PLAIN, MODERN], ids=["until 2025", "2026"])


def body(arguments: str, *, name: str = '"update_task"', meta: str = json.dumps(META), id: str = "7") -> bytes:
    params = f'{{"name": {name}, "arguments": {arguments}, "_meta": {meta}}}'
    return f'{{"jsonrpc": "2.0", "id": {id}, "method": "tools/call", "params": {params}}}'.encode()


MOVE = '{"task_id": "00000000", "field": "list_name", "new_value": "Completed"}'

UNTAKEN: dict[str, tuple[bytes, str]] = {
    "surrogate": (body('{"task_id": "\\ud800"}'), "'task_id' holds an unpaired surrogate"),
    "surrogate in a name": (body("{}", name='"\\udc80"'), "its name holds an unpaired surrogate"),
    "surrogate beside": (
        body(MOVE, meta='{"a": "\\ud800"}'),
        "what is around the arguments holds an unpaired surrogate",
    ),
    "depth": (body('{"task_id": ' + "[" * 150 + "]" * 150 + "}"), "'task_id' is nested more than 64 levels deep"),
    "depth that Pydantic refuses": (body('{"task_id": ' + "[" * 500 + "]" * 500 + "}"), "nested more than 64 levels"),
    "NaN": (body('{"task_id": NaN}'), "'task_id' holds a number that JSON does not have"),
    "1e999": (body('{"task_id": 1e999}'), "'task_id' holds a number that JSON does not have"),
    "digits": (body('{"task_id": ' + "7" * 4_000 + "}"), "'task_id' holds a number that JSON does not have"),
    "a list": (body("[1]"), "the arguments must be a JSON object, not a list"),
    "a text": (body('"x"'), "the arguments must be a JSON object, not a text"),
    "no name": (body("{}", name="null"), "The request names no tool: `name` is nothing, where a text belongs."),
    "a number for a name": (body("{}", name="5"), "The request names no tool: `name` is a number"),
    "a long name": (body("{}", name=f'"{"x" * 300}"'), "its name has 300 characters, where 200 are the limit"),
}
UNREAD: dict[str, tuple[bytes, str]] = {
    "cut": (body(MOVE)[:-20], "The request body is not JSON: "),
    "not UTF-8": (body(MOVE).replace(b"Completed", b"\xff\xfe"), "The request body is not JSON: "),
    "great depth": (body("[" * 100_000), "The request body is not JSON: "),
    "very many digits": (body('{"task_id": ' + "7" * 5_000 + "}"), "The request body is not JSON: "),
    "nothing": (b"", "The request body is not JSON: "),
}


def sent(content: bytes, headers: dict[str, str]) -> tuple[httpx2.Response, list[CallRecord]]:
    """Post a body to a sandbox, then a proper call, which has to be served; what the first led to."""

    async def main() -> tuple[httpx2.Response, list[CallRecord]]:
        async with hosted(1) as (host, (sandbox,), (id,)), httpx2.AsyncClient() as http:
            url = host.url(id, "projects")
            response = await http.post(url, content=content, headers=headers)
            calls = list(sandbox.calls)
            await http.post(url, content=body(MOVE), headers=PLAIN)
            assert sandbox.calls[-1].status == "ok"
            return response, calls

    return anyio.run(main)


@ERAS
@pytest.mark.parametrize(("content", "problem"), UNTAKEN.values(), ids=UNTAKEN)
def test_a_call_that_cannot_be_taken_is_recorded_and_answered_as_a_failed_call(
    content: bytes, problem: str, headers: dict[str, str]
) -> None:
    response, (call,) = sent(content, headers)
    answer = response.json()

    assert (response.status_code, answer["id"], answer["result"]["isError"]) == (200, 7, True)
    assert problem in answer["result"]["content"][0]["text"]
    assert (call.app, call.status, call.text) == ("", "garbled", answer["result"]["content"][0]["text"])
    assert CallRecord.model_validate_json(call.model_dump_json()) == call


@ERAS
@pytest.mark.parametrize(("content", "problem"), UNREAD.values(), ids=UNREAD)
def test_a_body_that_is_not_json_is_recorded_and_answered_as_an_error(
    content: bytes, problem: str, headers: dict[str, str]
) -> None:
    response, (call,) = sent(content, headers)

    assert (response.status_code, response.json()["id"], response.json()["error"]["code"]) == (400, None, -32700)
    assert response.json()["error"]["message"].startswith(problem)
    assert (call.app, call.tool, call.status) == ("", "", "garbled")
    assert call.arguments["raw"] == content[:2_000].decode("utf-8", "replace") or len(content) > 2_000


@ERAS
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (
            b"[" + body(MOVE) + b"]",
            " is a list, where a JSON-RPC message, an object, belongs. Batches are not taken: send",
        ),
        (b"[]", " is a list, where a JSON-RPC message, an object, belongs. Batches are not taken: send each"),
        (b"5", " is a number, where a JSON-RPC message, an object, belongs."),
    ],
)
def test_a_body_that_is_no_message_is_recorded_and_answered_as_an_error(
    content: bytes, problem: str, headers: dict[str, str]
) -> None:
    response, (call,) = sent(content, headers)

    assert (response.status_code, response.json()["id"], response.json()["error"]["code"]) == (400, None, -32600)
    assert response.json()["error"]["message"].startswith(f"The request body{problem}")
    assert (call.app, call.tool, call.status) == ("", "", "garbled")
    assert call.text == response.json()["error"]["message"]


@ERAS
def test_a_message_that_is_no_call_is_answered_under_its_id_and_not_recorded(headers: dict[str, str]) -> None:
    response, calls = sent(b'{"id": 8, "method": "ping"}', headers)

    assert (response.status_code, response.json()["id"], response.json()["error"]["code"]) == (400, 8, -32600)
    assert response.json()["error"]["message"] == (
        "The message could not be taken: its jsonrpc is nothing, where '2.0' belongs."
    )
    assert calls == []


@ERAS
def test_a_body_that_is_too_long_is_recorded_too(headers: dict[str, str]) -> None:
    response, (call,) = sent(body(json.dumps({"task_id": "x" * BODY_LIMIT})), headers)

    assert response.status_code == 413
    assert (call.status, call.text) == ("garbled", "A request body may have 4,194,304 bytes.")


def test_a_body_that_comes_in_pieces_is_recorded_too() -> None:
    async def pieces() -> Any:
        for _ in range(5):
            yield b"x" * (BODY_LIMIT // 4)

    async def main() -> None:
        async with hosted(1) as (host, (sandbox,), (id,)), httpx2.AsyncClient() as http:
            response = await http.post(host.url(id, "projects"), content=pieces(), headers=PLAIN)

            assert response.status_code == 413
            assert [call.status for call in sandbox.calls] == ["garbled"]

    anyio.run(main)


@pytest.mark.parametrize("came", [b"", body(MOVE)[:40]], ids=["its head alone", "half of its body"])
def test_a_request_that_breaks_off_is_passed_on_to_nobody_and_not_recorded(came: bytes) -> None:
    async def main() -> None:
        messages = [{"type": "http.request", "body": came, "more_body": True}, {"type": "http.disconnect"}]

        async def receive() -> Any:
            return messages.pop(0)

        async def unwanted(*given: Any) -> None:
            raise AssertionError(given)

        async with hosted(1) as (_, (sandbox,), _):
            scope = {"method": "POST", "headers": [(b"content-length", b"%d" % len(body(MOVE)))]}
            await hear(sandbox, unwanted, unwanted, BODY_LIMIT, scope, receive, unwanted)

            assert (messages, sandbox.calls) == ([], [])

    anyio.run(main)


def test_an_id_that_is_no_id_is_not_repeated() -> None:
    response, (call,) = sent(body('{"task_id": NaN}', id='"\\ud800"'), PLAIN)

    assert (response.status_code, response.json()["id"], call.status) == (400, None, "garbled")


@ERAS
@pytest.mark.parametrize(
    ("id", "problem"),
    [
        ("null", "its id is nothing, where a text or a whole number belongs."),
        ("1.5", "its id is a number, where a text or a whole number belongs."),
        ("true", "its id is true or false, where a text or a whole number belongs."),
        ("NaN", "what is around the arguments holds a number that JSON does not have"),
    ],
)
def test_a_call_whose_id_is_none_is_recorded_and_answered_as_no_request(
    id: str, problem: str, headers: dict[str, str]
) -> None:
    response, (call,) = sent(body(MOVE, id=id), headers)
    answer = response.json()

    assert (response.status_code, answer["id"], answer["error"]["code"]) == (400, None, -32600)
    assert problem in answer["error"]["message"]
    assert (call.tool, call.status, call.text) == ("update_task", "garbled", answer["error"]["message"])


@ERAS
def test_a_call_that_wants_no_answer_is_no_call(headers: dict[str, str]) -> None:
    response, calls = sent(body(MOVE).replace(b'"id": 7, ', b""), headers)

    assert (response.status_code, response.content, calls) == (202, b"", [])


@ERAS
def test_what_is_no_call_is_not_recorded(headers: dict[str, str]) -> None:
    listing = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}}).encode()
    _, calls = sent(listing, {**headers, "Mcp-Method": "tools/list"} if "Mcp-Method" in headers else headers)

    assert calls == []


def test_the_service_lists_such_calls_and_scores_the_sandbox() -> None:
    async def main() -> None:
        async with service([toy.task(0)]) as scene:
            remote = await scene.client.create(suite="toy", task="toy-0")
            url = remote.urls["projects"]
            for content, _ in (*UNTAKEN.values(), *UNREAD.values()):
                await scene.http.post(url, content=content, headers=MODERN)
            await scene.move(url, new_value="In Progress")
            calls, score = await remote.calls(), await remote.score()

            assert [call.status for call in calls] == ["garbled"] * (len(UNTAKEN) + len(UNREAD)) + ["ok"]
            assert score.scores["outcome"].value == 1

    anyio.run(main)
