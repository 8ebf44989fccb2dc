"""Messages to a sandbox, as they come. One that holds no call that could be taken is put on record and answered here.

The MCP SDK refuses such a message before the sandbox hears of it: over HTTP each protocol era for reasons of its own,
over stdio without an answer. An agent that sends one has made a call, and a bad one; it is told what was wrong, as of
any other call.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, Protocol

import anyio

from harness.core.trajectory import CallRecord
from servers.kernel import misnamed, refusal, refused

__all__ = ("Hearer", "Untaken", "answer", "hear", "judged", "told")

Asgi = Callable[[Any, Any, Any], Awaitable[None]]

_PARSE_ERROR, _INVALID_REQUEST = -32700, -32600
_MODERN = "2026-07-28"
"""The first protocol version whose results say that they are complete, and whose requests name it."""

_VERSION = "io.modelcontextprotocol/protocolVersion"


class Hearer(Protocol):
    """Where a call that cannot be taken is put on record: see `harness.serving.sandbox.Sandbox.garbled`."""

    def garbled(self, tool: str, given: object, problem: str) -> CallRecord: ...


class Untaken(NamedTuple):
    """A message that cannot be taken: the id to answer to, where it has one, and what `Hearer` wants to know."""

    id: str | int | None
    tool: str | None
    """What it calls, "" where nobody knows; None for what is no call, and so not on record."""
    given: object
    problem: str
    error: int = _INVALID_REQUEST
    """Of the protocol, for what is no call, or has no id to answer to."""
    call: bool = False
    version: str = ""
    """The protocol's, where the call says so itself."""

    @property
    def replies(self) -> bool:
        """Whether it is an answer itself, to which nobody waits for another."""
        return self.tool is None and isinstance(self.given, dict) and _replies(self.given)


async def hear(
    sandbox: Hearer, serve: Asgi, gone: Callable[[], object], limit: int, scope: Any, receive: Any, send: Any
) -> None:
    """Have `serve` answer a request, unless its body, of at most `limit` bytes, holds nothing that could be taken.

    One that breaks off before all of it has come is no request. `gone` is called where nobody waits for the answer
    any more; `serve` goes on.
    """
    if scope["method"] != "POST":
        await serve(scope, receive, send)
        return
    headers = dict(scope["headers"])
    length = headers.get(b"content-length", b"")
    size, taken, more = int(length) if length.isdigit() else 0, bytearray(), True
    messages: list[Any] = []
    while more and max(size, len(taken)) <= limit:
        messages.append(await receive())
        if messages[-1]["type"] == "http.disconnect":  # half a body is nobody's call, and nobody waits for an answer
            return
        taken += messages[-1].get("body", b"")
        more = messages[-1].get("more_body", False)

    if max(size, len(taken)) > limit:  # whoever serves says so; what is left of it is theirs to read, or not
        sandbox.garbled("", bytes(taken).decode("utf-8", "replace"), f"A request body may have {limit:,} bytes.")
        await serve(scope, _again(messages, receive), send)
    elif untaken := judged(bytes(taken), "request body"):
        version = headers.get(b"mcp-protocol-version", b"").decode("latin-1")
        await _send(answer(untaken, told(sandbox, untaken), version), send)
    else:
        await _watched(serve, gone, scope, messages, receive, send)


def _again(messages: list[Any], receive: Any) -> Any:
    """A way to receive what has been received already, and then what follows."""

    async def again() -> Any:
        return messages.pop(0) if messages else await receive()

    return again


async def _watched(
    serve: Asgi, gone: Callable[[], object], scope: Any, messages: list[Any], receive: Any, send: Any
) -> None:
    """Have a request answered whose body has come whole, with an eye on whether somebody waits for that."""
    left = anyio.Event()

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        left.set()
        gone()

    async def no_more() -> Any:
        await left.wait()
        return {"type": "http.disconnect"}

    async with anyio.create_task_group() as group:
        group.start_soon(watch)
        await serve(scope, _again(messages, no_more), send)
        group.cancel_scope.cancel()


def judged(body: bytes, what: str) -> Untaken | None:
    """What is wrong with a message that came as such a `what`; None where it can be read, and a call in it be kept."""
    try:
        message = json.loads(body.decode())
    except (ValueError, RecursionError) as error:
        return Untaken(None, "", body.decode("utf-8", "replace"), f"The {what} is not JSON: {error}.", _PARSE_ERROR)
    if not isinstance(message, dict):
        batch = ". Batches are not taken: send each message by itself" if isinstance(message, list) else ""
        problem = f"The {what} is {_kind(message)}, where a JSON-RPC message, an object, belongs{batch}."
        return Untaken(None, "", message, problem)
    id = message["id"] if _fits(message.get("id")) and not refusal(message["id"]) else None
    if message.get("method") == "tools/call":
        return _call(message, id)
    why = refusal(message, values=sys.maxsize, size=sys.maxsize)  # it is read all the same, and kept nowhere
    if problem := f"it {why}" if why else _misshapen(message):
        tool = None if isinstance(message.get("method"), str) or _replies(message) else ""
        return Untaken(id, tool, message, f"The message could not be taken: {problem}.")
    return None


def _call(message: Mapping[str, Any], id: str | int | None) -> Untaken | None:
    params = message.get("params")
    params = params if isinstance(params, dict) else {}
    tool, arguments, meta = params.get("name"), params.get("arguments"), params.get("_meta")
    version = meta.get(_VERSION) if isinstance(meta, dict) else ""
    untaken = partial(Untaken, id, call=True, version=version if isinstance(version, str) else "")
    if not isinstance(tool, str):
        return untaken("", message, f"The request names no tool: `name` is {_kind(tool)}, where a text belongs.")
    if arguments is not None and not isinstance(arguments, dict):
        return untaken(tool, arguments, f"the arguments must be a JSON object, not {_kind(arguments)}")
    problem = f"its name {why}" if (why := misnamed(tool)) else refused(arguments or {})
    if not problem and (why := refusal({**message, "params": {**params, "arguments": None}})):
        problem = f"what is around the arguments {why}"
    problem = problem or _misshapen(message)
    return untaken(tool, arguments, problem) if problem else None


def _misshapen(message: Mapping[str, Any]) -> str:
    """Why an object is no JSON-RPC message; "" where it is one."""
    if (version := message.get("jsonrpc")) != "2.0":
        given = "another text than '2.0'" if isinstance(version, str) else f"{_kind(version)}, where '2.0' belongs"
        return f"its jsonrpc is {given}"
    if _replies(message):
        result, error = message.get("result", {}), message.get("error", {"code": 0, "message": ""})
        if not isinstance(result, dict):
            return f"its result is {_kind(result)}, where an object belongs"
        if not (isinstance(error, dict) and type(error.get("code")) is int and isinstance(error.get("message"), str)):
            return "its error is no object with a whole number as code and a text as message"
        if "error" in message and message.get("id", "") is None:  # what it answers could not be read there
            return ""
        if "id" not in message:
            return "it has no id, and so nobody knows what it answers"
    if "id" in message and not _fits(message["id"]):  # without one it is a notification, which nobody answers
        return f"its id is {_kind(message['id'])}, where a text or a whole number belongs"
    if _replies(message):
        return ""
    if not isinstance(method := message.get("method"), str):
        return f"its method is {_kind(method)}, where a text belongs"
    params = message.get("params")
    return (
        "" if params is None or isinstance(params, dict) else f"its params are {_kind(params)}, where an object belongs"
    )


def _replies(message: Mapping[str, Any]) -> bool:
    """Whether a client answers with it what it was asked."""
    return "method" not in message and ("result" in message or "error" in message)


def _fits(id: object) -> bool:
    return isinstance(id, str | int) and not isinstance(id, bool)


def _kind(value: object) -> str:
    return {type(None): "nothing", list: "a list", dict: "an object", bool: "true or false"}.get(
        type(value), "a text" if isinstance(value, str) else "a number"
    )


def told(sandbox: Hearer, untaken: Untaken) -> str:
    """What is said of it, which is on record where it may have been a call."""
    if untaken.tool is None:
        return untaken.problem
    return sandbox.garbled(untaken.tool, untaken.given, untaken.problem).text


def answer(untaken: Untaken, text: str, version: str = "") -> dict[str, Any]:
    """The result of a call that failed; an error of the protocol for what is none, or nobody knows which it was."""
    found: dict[str, Any] = {"jsonrpc": "2.0", "id": untaken.id}
    if untaken.id is None or not untaken.call:
        return {**found, "error": {"code": untaken.error, "message": text}}
    result: dict[str, Any] = {"content": [{"type": "text", "text": text}], "isError": True}
    if (version or untaken.version) >= _MODERN:
        result["resultType"] = "complete"
    return {**found, "result": result}


async def _send(message: Mapping[str, Any], send: Any) -> None:
    body = json.dumps(message).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200 if "result" in message else 400, "headers": headers})
    await send({"type": "http.response.body", "body": body})
