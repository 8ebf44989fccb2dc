"""How commands reach a server that holds a state file: only one process may have it open.

A server listens on loopback and leaves a note beside each file, `<app>.server.json`, with the port and a
token, readable by its owner alone. A request is one line of JSON, the answer another.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import SocketAttribute, SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from harness.core.writing import beside, private
from harness.service.keeping import VERBS, AppDiff, AppRows, Keeper
from servers.kernel import StateError

__all__ = ("Note", "answering", "ask", "note_of")

_PATIENCE = 60
_SOON = 5
"""Seconds in which a server answers unless it is very busy, or held up."""

_LINE = 64 * 1024


class Note(BaseModel):
    """Where a server that holds a state file listens, and what it wants to hear."""

    model_config = ConfigDict(extra="forbid")

    pid: int
    port: int
    token: str


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid")

    token: str
    app: str
    verb: str
    name: str = ""


def note_of(folder: Path, app: str) -> Path:
    """Where the note about an app's server is."""
    return folder / f"{app}.server.json"


@asynccontextmanager
async def answering(keepers: Mapping[str, Keeper]) -> AsyncIterator[None]:
    """Answer commands about these apps while the block runs."""
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=0)
    note = Note(pid=os.getpid(), port=listener.extra(SocketAttribute.local_port), token=secrets.token_urlsafe(32))
    notes = [note_of(keeper.folder, app) for app, keeper in keepers.items()]

    async def handle(stream: SocketStream) -> None:
        async with stream:
            with anyio.move_on_after(_PATIENCE):
                await stream.send(await _answer(stream, note.token, keepers) + b"\n")

    async with listener, anyio.create_task_group() as group:
        group.start_soon(listener.serve, handle)
        try:
            for path in notes:
                _write(path, note)
            yield
        finally:
            for path in notes:
                path.unlink(missing_ok=True)
            group.cancel_scope.cancel()


def ask(
    folder: Path,
    app: str,
    verb: str,
    name: str = "",
    *,
    waits: Callable[[str], object] = lambda _: None,
    soon: float = _SOON,
) -> Any | None:
    """Have the server that holds an app's state do it: an `AppDiff` for `diff`, `AppRows` for `rows`, else True.

    None where no server answers, which is no error: nobody holds the file, or somebody who left no note.
    `waits` is told once if it does not answer in `soon` seconds. Raises `StateError` for what the server could not do.
    """
    try:
        note = Note.model_validate_json(note_of(folder, app).read_bytes())
        with socket.create_connection(("127.0.0.1", note.port), timeout=_PATIENCE) as wire:
            wire.sendall(_Request(token=note.token, app=app, verb=verb, name=name).model_dump_json().encode() + b"\n")
            wire.settimeout(soon)
            try:
                wire.recv(1, socket.MSG_PEEK)
            except TimeoutError:
                waits(f"waiting for the server of {app}, process {note.pid}, up to {_PATIENCE} s")
            wire.settimeout(_PATIENCE)
            with wire.makefile("rb") as lines:
                answer = json.loads(lines.readline())
    except (OSError, ValueError):  # no note, a note of a server that is gone, or another program on its port
        return None
    if answer.get("error") == "token":
        return None
    if "error" in answer:
        raise StateError(str(answer["error"]))
    return _ANSWERS[verb].validate_python(answer["done"]) if verb in _ANSWERS else True


_ANSWERS: dict[str, TypeAdapter[Any]] = {"diff": TypeAdapter(AppDiff), "rows": TypeAdapter(AppRows)}


async def _answer(stream: SocketStream, token: str, keepers: Mapping[str, Keeper]) -> bytes:
    """Do what one line asks for."""
    try:
        line = await BufferedByteReceiveStream(stream).receive_until(b"\n", _LINE)
        request = _Request.model_validate_json(line)
    except (ValidationError, anyio.DelimiterNotFound, anyio.IncompleteRead):
        return json.dumps({"error": "token"}).encode()
    if not secrets.compare_digest(request.token.encode(), token.encode()):
        return json.dumps({"error": "token"}).encode()
    if request.app not in keepers or request.verb not in VERBS:
        return json.dumps({"error": f"cannot {request.verb} {request.app}"}).encode()
    try:
        done = VERBS[request.verb](keepers[request.app], request.name)
    except (StateError, OSError) as error:
        return json.dumps({"error": str(error)}).encode()
    answer = _ANSWERS.get(request.verb)
    return json.dumps({"done": answer.dump_python(done, mode="json") if answer else True}).encode()


def _write(path: Path, note: Note) -> None:
    """Write a note that its owner alone can read, from the first byte on."""
    with beside(path) as part, private(part) as file:
        file.write(note.model_dump_json().encode())
