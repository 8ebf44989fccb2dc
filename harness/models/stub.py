"""A model provider that runs on this machine: chat completions over HTTP from a script, faults on demand.

`docs/stub.md` is its manual. It speaks HTTP/1.1 on asyncio streams by itself: a test bench shares its
cores with the program under test, and this answers in a fraction of the time of a web framework, and
can break a body off half-way, which a framework prevents.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from inspect import isawaitable
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from harness.core.lines import numbered
from servers.kernel import first_amiss

__all__ = ("Fault", "Reply", "Script", "ScriptError", "StubServer", "ToolCall", "load_script")


class ScriptError(ValueError):
    """A script that cannot be played; the text names file, line and field."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ToolCall(_Part):
    """A tool call of a reply. `arguments` as a text is sent as it stands, well-formed or not."""

    name: str
    arguments: dict[str, Any] | str = {}
    id: str = ""


class Reply(_Part):
    """What the model says: a text, tool calls, or both.

    `finish_reason` and `usage` are sent in place of what follows from these.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    finish_reason: str = ""
    usage: dict[str, Any] | None = None


class Fault(_Part):
    """Something going wrong `times` times (None: always) at one turn of a conversation, then `then`.

    `fault` is an HTTP status; `context` (a 400 saying that the conversation is too long); `timeout`
    (held until the client goes); `truncated` (the connection breaks half-way through the body);
    `not_json` (a whole body that is no JSON); or a reply that is itself at fault: `bad_arguments` (no JSON),
    `cut_arguments` (ends too soon), `unknown_tool`. `retry_after` is in seconds.
    """

    fault: Annotated[int, Field(ge=400, le=599)] | Literal[
        "context", "timeout", "truncated", "not_json", "bad_arguments", "cut_arguments", "unknown_tool"
    ]  # fmt: skip
    times: Annotated[int, Field(ge=1)] | None = 1
    retry_after: float | None = None
    message: str = ""
    then: Reply = Reply()


Script = (
    Callable[[dict[str, Any]], "Reply | Fault | Awaitable[Reply | Fault]"]
    | Mapping[str, Sequence[Reply | Fault]]
    | Mapping[str | None, Sequence[Reply | Fault]]
)
"""A function of the request, or replies by the text of a conversation's first user message (None: any other)."""

_SPOILED = ("bad_arguments", "cut_arguments", "unknown_tool")


class _Conversation(_Part):
    request: str | None = None
    replies: tuple[Annotated[Reply | Fault, Field(union_mode="smart")], ...]


def load_script(path: Path) -> dict[str | None, Sequence[Reply | Fault]]:
    """Read a script: one JSON object a line, `{"request": text, "replies": [...]}`. Raises `ScriptError`."""
    script: dict[str | None, Sequence[Reply | Fault]] = {}
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ScriptError(f"{path}: cannot be read: {error}") from None
    adapter = TypeAdapter(_Conversation)
    for number, line in numbered(text):
        try:
            conversation = adapter.validate_json(line)
        except ValidationError as error:
            raise ScriptError(f"{path}:{number}: {first_amiss(error, 'line')}") from None
        if conversation.request in script:
            raise ScriptError(f"{path}:{number}: request {conversation.request!r} was scripted already")
        script[conversation.request] = conversation.replies
    return script


class _Http(NamedTuple):
    """One HTTP answer. `sent` is how much of the body goes out before the connection breaks; None is all."""

    status: int
    body: bytes
    headers: str = ""
    sent: int | None = None


class StubServer:
    """Serves a script on 127.0.0.1 for as long as it is entered; `port` 0 takes any free one.

    `requests` and `faults` count what was asked and what was answered with a fault, `in_flight`
    what is being answered now.
    """

    def __init__(self, script: Script, *, port: int = 0) -> None:
        self.requests = self.faults = self.in_flight = 0
        self.base_url = ""
        self._port = port
        self._answer = script if callable(script) else _Scripted(script)
        self._failed: Counter[str] = Counter()
        self._open: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def __aenter__(self) -> StubServer:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", self._port, limit=2**20)
        self.base_url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for writer in self._open.values():
            writer.close()
        await asyncio.gather(*self._open, return_exceptions=True)
        await self._server.wait_closed()

    async def serve_forever(self) -> None:
        """Serve until cancelled."""
        await self._server.serve_forever()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open[task] = writer
        try:
            while await self._exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client has gone, as clients do
        finally:
            del self._open[task]
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; False when the connection is to end."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        request_line, *fields = head.rstrip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}
        if "transfer-encoding" in headers:
            _write(writer, _error(411, "send a Content-Length: this stub reads no chunked bodies"))
            return False
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.in_flight += 1
        try:
            answer = await self._respond(request_line, body)
        finally:
            self.in_flight -= 1
        if answer is None:
            await reader.read()
            return False
        _write(writer, answer)
        await writer.drain()
        return answer.sent is None and headers.get("connection", "").lower() != "close"

    async def _respond(self, request_line: str, body: bytes) -> _Http | None:
        """The answer to one request; None is silence."""
        method, target, *_ = [*request_line.split(" "), ""]
        path = target.partition("?")[0]
        if method == "GET" and path.endswith("/models"):
            return _Http(200, _json({"object": "list", "data": [{"id": "stub", "object": "model"}]}))
        if method != "POST" or not path.endswith("/chat/completions"):
            return _error(404, f"{method} {path}: this stub has POST /v1/chat/completions and GET /v1/models")
        self.requests += 1
        try:
            request = json.loads(body)
            turn = _turn(request)
        except (ValueError, TypeError, KeyError) as error:
            return _error(400, f"the request is not a chat completion request: {error!r}")
        if request.get("stream"):
            return _error(400, "this stub does not stream; ask without `stream`")
        try:
            said = self._answer(request)
            reply = await said if isawaitable(said) else said
        except ScriptError as error:
            return _error(400, str(error))
        if isinstance(reply, Fault):
            if reply.fault in _SPOILED:
                self.faults += 1
                reply = _spoil(reply, request)
            elif self._strikes(reply, body):
                self.faults += 1
                return _fail(reply, request, turn)
            else:
                reply = reply.then
        return _Http(200, _completion(reply, request, turn))

    def _strikes(self, fault: Fault, body: bytes) -> bool:
        """Whether this try still fails. Tries of a turn are known by the same request coming again."""
        if fault.times is None:
            return True
        key = hashlib.sha256(body).hexdigest()
        if self._failed[key] < fault.times:
            self._failed[key] += 1
            return True
        del self._failed[key]
        return False


class _Scripted:
    """Replies by conversation and turn, stateless: the turn is the number of assistant messages so far."""

    def __init__(
        self, script: Mapping[str, Sequence[Reply | Fault]] | Mapping[str | None, Sequence[Reply | Fault]]
    ) -> None:
        self._replies: dict[str | None, tuple[Reply | Fault, ...]] = {
            request: tuple(_unrolled(replies)) for request, replies in script.items()
        }

    def __call__(self, request: dict[str, Any]) -> Reply | Fault:
        first = next((_text(m) for m in request["messages"] if m["role"] == "user"), "")
        turn = _turn(request)
        replies = self._replies[first] if first in self._replies else self._replies.get(None)
        if replies is None:
            raise ScriptError(f"the script has no conversation that starts with {first[:200]!r}")
        if turn < len(replies):
            return replies[turn]
        last = replies[-1] if replies else None
        if isinstance(last, Fault) and last.times is None:
            return last
        raise ScriptError(f"the script has {len(replies)} replies for {first[:200]!r}, and was asked for one more")


def _unrolled(replies: Iterable[Reply | Fault]) -> Iterable[Reply | Fault]:
    """A faulty reply is a turn of its own, since the client goes on with the conversation."""
    for reply in replies:
        if isinstance(reply, Fault) and reply.fault in _SPOILED and reply.times is not None:
            yield from [reply] * reply.times
            yield reply.then
        else:
            yield reply


def _spoil(fault: Fault, request: Mapping[str, Any]) -> Reply:
    """The reply that a fault makes of its `then`, or of a call to the first tool on offer."""
    call = fault.then.calls[0] if fault.then.calls else ToolCall(name=_first_tool(request), arguments={"query": "x"})
    arguments = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)
    spoiled = {
        "bad_arguments": ToolCall(name=call.name, arguments="query=" + arguments),
        "cut_arguments": ToolCall(name=call.name, arguments=arguments[: len(arguments) // 2]),
        "unknown_tool": ToolCall(name=f"no_such_{call.name}", arguments=call.arguments),
    }
    return fault.then.model_copy(update={"calls": (spoiled[str(fault.fault)],)})


def _turn(request: Mapping[str, Any]) -> int:
    return sum(1 for message in request["messages"] if message["role"] == "assistant")


def _first_tool(request: Mapping[str, Any]) -> str:
    tools = request.get("tools") or [{"function": {"name": "tool"}}]
    return str(tools[0]["function"]["name"])


def _fail(fault: Fault, request: Mapping[str, Any], turn: int) -> _Http | None:
    match fault.fault:
        case "timeout":
            return None
        case "truncated":
            body = _completion(fault.then, request, turn)
            return _Http(200, body, sent=len(body) // 2)
        case "not_json":
            return _Http(200, b"<html>upstream is having a moment</html>")
        case "context":
            told = fault.message or "This model's maximum context length is 8192 tokens, and the messages need more."
            return _error(400, told, code="context_length_exceeded")
        case _:
            retry = "" if fault.retry_after is None else f"retry-after: {fault.retry_after:g}\r\n"
            status = int(fault.fault)
            return _error(status, fault.message or f"scripted fault {status}")._replace(headers=retry)


def _completion(reply: Reply, request: Mapping[str, Any], turn: int) -> bytes:
    calls = [
        {
            "id": call.id or f"call_{turn}_{n}",
            "type": "function",
            "function": {
                "name": call.name,
                "arguments": call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments),
            },
        }
        for n, call in enumerate(reply.calls)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": reply.text if reply.text or not calls else None}
    if calls:
        message["tool_calls"] = calls
    prompt = sum(map(_tokens, request["messages"]))
    completion = _tokens(message)
    reason = reply.finish_reason or ("tool_calls" if calls else "stop")
    choice = {"index": 0, "message": message, "finish_reason": reason}
    usage = reply.usage
    if usage is None:
        usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    head = {"id": f"stub-{turn}", "object": "chat.completion", "created": 0, "model": str(request.get("model", "stub"))}
    return _json({**head, "choices": [choice], "usage": usage})


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def _tokens(message: Mapping[str, Any]) -> int:
    """One token per four characters begun, of text and of call arguments: nobody's tokenizer, but always the same."""
    calls = message.get("tool_calls") or ()
    return -(-(len(_text(message)) + sum(len(call["function"]["arguments"]) for call in calls)) // 4)


def _error(status: int, message: str, *, code: str | None = None) -> _Http:
    return _Http(status, _json({"error": {"message": message, "type": "stub_error", "param": None, "code": code}}))


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _write(writer: asyncio.StreamWriter, answer: _Http) -> None:
    head = (
        f"HTTP/1.1 {answer.status} Stub\r\ncontent-type: application/json\r\n"
        f"content-length: {len(answer.body)}\r\n{answer.headers}\r\n"
    )
    writer.write(head.encode("latin-1") + answer.body[: answer.sent])


async def _serve(script: Script, port: int) -> None:
    async with StubServer(script, port=port) as stub:
        sys.stdout.write(f"{stub.base_url}\n")
        sys.stdout.flush()
        await stub.serve_forever()


def main() -> int:
    """`python -m harness.models.stub`: print the base URL, serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m harness.models.stub", description=__doc__.partition("\n")[0])
    parser.add_argument("--script", type=Path, required=True, help="JSON lines, see docs/stub.md")
    parser.add_argument("--port", type=int, default=0, help="0 takes any free port")
    options = parser.parse_args()
    try:
        asyncio.run(_serve(load_script(options.script), options.port))
    except (ScriptError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
