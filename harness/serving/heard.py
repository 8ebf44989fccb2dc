"""Requests to a sandbox over HTTP. One that holds no call that could be taken is put on record and answered here.

The MCP SDK refuses such a request before the sandbox hears of it, each protocol era for reasons of its own. An agent
that sends one has made a call, and a bad one; it is told what was wrong, as of any other call.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, Protocol

from harness.core.trajectory import CallRecord
from servers.kernel import misnamed, refusal, refused

__all__ = ("Hearer", "hear")

Asgi = Callable[[Any, Any, Any], Awaitable[None]]

_PARSE_ERROR, _INVALID_REQUEST = -32700, -32600
_MODERN = "2026-07-28"
"""The first protocol version whose results say that they are complete."""


class Hearer(Protocol):
    """Where a call that cannot be taken is put on record: see `harness.serving.sandbox.Sandbox.garbled`."""

    def garbled(self, tool: str, given: object, problem: str) -> CallRecord: ...


class _Untaken(NamedTuple):
    """A request that holds no call that could be taken: its id, where it has one, and what `Hearer` wants to know."""

    id: str | int | None
    tool: str
    given: object
    problem: str
    error: int = _INVALID_REQUEST
    """Of the protocol, where there is no id to answer to."""


async def hear(sandbox: Hearer, serve: Asgi, limit: int, scope: Any, receive: Any, send: Any) -> None:
    """Have `serve` answer a request, unless its body, of at most `limit` bytes, holds no call that could be taken."""
    if scope["method"] != "POST":
        await serve(scope, receive, send)
        return
    headers = dict(scope["headers"])
    length = headers.get(b"content-length", b"")
    size, taken, more = int(length) if length.isdigit() else 0, bytearray(), True
    messages: list[Any] = []
    while more and max(size, len(taken)) <= limit:
        messages.append(await receive())
        taken += messages[-1].get("body", b"")
        more = messages[-1].get("more_body", False)

    async def again() -> Any:
        return messages.pop(0) if messages else await receive()

    if max(size, len(taken)) > limit:  # whoever serves says so; what is left of it is theirs to read, or not
        sandbox.garbled("", bytes(taken).decode("utf-8", "replace"), f"A request body may have {limit:,} bytes.")
    elif untaken := None if messages[-1]["type"] == "http.disconnect" else _judged(bytes(taken)):
        record = sandbox.garbled(untaken.tool, untaken.given, untaken.problem)
        await _answer(untaken, record.text, headers.get(b"mcp-protocol-version", b"").decode("latin-1"), send)
        return
    await serve(scope, again, send)


def _judged(body: bytes) -> _Untaken | None:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        problem = f"The request body is not JSON: {error}."
        return _Untaken(None, "", body.decode("utf-8", "replace"), problem, _PARSE_ERROR)
    if not isinstance(message, dict) or message.get("method") != "tools/call":
        return None
    params = message.get("params")
    params = params if isinstance(params, dict) else {}
    tool, arguments = params.get("name"), params.get("arguments")
    id = message.get("id")
    fits = isinstance(id, str | int) and not isinstance(id, bool)
    if not fits or refusal(id):
        id = None
    if not isinstance(tool, str):
        return _Untaken(id, "", message, f"The request names no tool: `name` is {_kind(tool)}, where a text belongs.")
    if arguments is not None and not isinstance(arguments, dict):
        return _Untaken(id, tool, arguments, f"the arguments must be a JSON object, not {_kind(arguments)}")
    problem = f"its name {why}" if (why := misnamed(tool)) else refused(arguments or {})
    if not problem and (why := refusal({**message, "params": {**params, "arguments": None}})):
        problem = f"what is around the arguments {why}"
    if not problem and not fits and "id" in message:  # without one it is a notification, which nobody answers
        problem = f"its id is {_kind(message['id'])}, where a text or a whole number belongs"
    return _Untaken(id, tool, arguments, problem) if problem else None


def _kind(value: object) -> str:
    return {type(None): "nothing", list: "a list", dict: "an object", bool: "true or false"}.get(
        type(value), "a text" if isinstance(value, str) else "a number"
    )


async def _answer(untaken: _Untaken, text: str, version: str, send: Any) -> None:
    """The result of a call that failed; an error of the protocol where nobody knows which call it was."""
    id = untaken.id
    answer: dict[str, Any] = {"jsonrpc": "2.0", "id": id}
    if id is None:
        answer["error"] = {"code": untaken.error, "message": text}
    else:
        answer["result"] = {"content": [{"type": "text", "text": text}], "isError": True}
        if version >= _MODERN:
            answer["result"]["resultType"] = "complete"
    body = json.dumps(answer).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 400 if id is None else 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
