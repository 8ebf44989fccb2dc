"""Model replies on file: recorded once, replayed without network, key or LiteLLM."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness.core.secrets import scrub
from harness.core.trajectory import Usage
from harness.models.replies import Completion, ModelError
from servers.kernel import canonical, first_amiss

__all__ = ("Cassette", "Take")

Ask = Callable[[dict[str, Any]], Awaitable[Completion]]


class _Entry(BaseModel):
    """One line. `parts` are digests of the pieces of the request, to say what differs when a key is missed.

    `left_out` names parameters that the model was asked without, as it takes none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    scope: str
    occurrence: int
    parts: dict[str, Any]
    response: dict[str, Any]
    usage: Usage
    attempts: int
    left_out: tuple[str, ...] = Field(default=(), exclude_if=lambda names: not names)


class Cassette:
    """A JSONL file of replies by request; `record` asks and appends, `replay` only reads.

    A key is the SHA-256 of scope, model, messages, tools, parameters and how often that same request came
    before within the take. A key recorded again replaces the older one, so a killed run may go on recording;
    a last line that a kill tore is dropped.
    """

    def __init__(self, path: Path, mode: Literal["record", "replay"]) -> None:
        self.path, self.mode = path, mode
        self._entries: dict[str, _Entry] = {}
        whole, torn = self._load()
        if mode == "record":
            with _written(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                if torn:  # else another process may be appending
                    os.truncate(path, whole)

    def take(self, scope: str = "") -> Take:
        """A fresh start of one conversation partner. Different trials need different scopes."""
        return Take(self, scope)

    def find(self, key: str) -> _Entry | None:
        return self._entries.get(key)

    def nearest(self, parts: Mapping[str, Any], scope: str) -> _Entry | None:
        """The recorded request that shares the longest beginning of a conversation, of that scope if possible."""
        return max(self._entries.values(), key=lambda e: (*_likeness(e.parts, parts), e.scope == scope), default=None)

    def append(self, entry: _Entry) -> None:
        """Keep an entry, in one write. Raises `ModelError`."""
        line = entry.model_dump_json().encode() + b"\n"
        with _written(self.path), self.path.open("ab", buffering=0) as file:
            written = file.write(line)
            if written < len(line):  # no room for the rest
                if file.tell() == file.seek(0, os.SEEK_END):  # else another process has gone on behind it
                    file.truncate(file.tell() - written)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._entries[entry.key] = entry

    def _load(self) -> tuple[int, bool]:
        """Read all entries; the number of bytes that hold whole lines, and whether there are more."""
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            if self.mode == "replay":
                raise ModelError("cassette", f"{self.path} does not exist; record it first") from None
            return 0, False
        except OSError as error:
            raise ModelError("cassette", f"{self.path} cannot be read: {error.strerror}") from None
        whole = content.rfind(b"\n") + 1
        for number, line in enumerate(content[:whole].splitlines(), 1):
            try:
                entry = _Entry.model_validate_json(line)
            except ValidationError as error:
                raise ModelError("cassette", f"{self.path}:{number}: {first_amiss(error, 'line')}") from None
            self._entries[entry.key] = entry
        return whole, whole < len(content)


@contextmanager
def _written(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ModelError("cassette", f"{path} cannot be written: {error.strerror}") from None


class Take:
    """One trial's part of a cassette: counts how often each request came."""

    def __init__(self, cassette: Cassette, scope: str) -> None:
        self._cassette, self._scope = cassette, scope
        self._seen: Counter[bytes] = Counter()

    async def complete(self, request: dict[str, Any], ask: Ask) -> Completion:
        """Replay the reply to a request, or ask for it and keep it. Raises `ModelError` on a miss."""
        clean = scrub(request)
        body = canonical(clean)
        occurrence = self._seen[body]
        self._seen[body] += 1
        key = hashlib.sha256(canonical([self._scope, clean, occurrence])).hexdigest()
        if self._cassette.mode == "replay":
            entry = self._cassette.find(key)
            if entry is None:
                raise ModelError(clean["model"], self._miss(clean, occurrence))
            sent = {name: value for name, value in clean.items() if name not in entry.left_out}
            return Completion(request=sent, response=entry.response, usage=entry.usage, attempts=entry.attempts)
        completion = await ask(request)
        self._cassette.append(
            _Entry(
                key=key,
                scope=self._scope,
                occurrence=occurrence,
                parts=_parts(clean),
                response=completion.response,
                usage=completion.usage,
                attempts=completion.attempts,
                left_out=tuple(name for name in clean if name not in completion.request),
            )
        )
        return completion

    def _miss(self, request: Mapping[str, Any], occurrence: int) -> str:
        parts = _parts(request)
        nearest = self._cassette.nearest(parts, self._scope)
        why = "it is empty" if nearest is None else "; ".join(_differences(nearest, parts, self._scope, occurrence))
        return f"{self._cassette.path} has no reply to this request: {why}. Record it again"


def _parts(request: Mapping[str, Any]) -> dict[str, Any]:
    params = {name: value for name, value in request.items() if name not in ("model", "messages", "tools")}
    messages = [f"{message['role']}:{_digest(message)}" for message in request["messages"]]
    return {
        "model": request["model"],
        "params": params,
        "tools": _digest(request.get("tools", [])),
        "messages": messages,
    }


def _digest(value: Any) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()[:16]


def _likeness(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> tuple[int, int, int]:
    shared = 0
    for one, other in zip(ours["messages"], theirs["messages"], strict=False):
        if one != other:
            break
        shared += 1
    same = sum(ours[name] == theirs[name] for name in ("model", "params", "tools"))
    return shared, same, -abs(len(ours["messages"]) - len(theirs["messages"]))


def _differences(nearest: _Entry, parts: Mapping[str, Any], scope: str, occurrence: int) -> Iterator[str]:
    """How a request differs from the nearest recorded one, piece by piece."""
    recorded = nearest.parts
    for name in ("model", "params"):
        if recorded[name] != parts[name]:
            yield f"{name} {json.dumps(recorded[name])} was recorded, {json.dumps(parts[name])} is asked"
    if recorded["tools"] != parts["tools"]:
        yield "the tools differ"
    for n, (then, now) in enumerate(zip_longest(recorded["messages"], parts["messages"]), 1):
        if then != now:
            roles = [message.partition(":")[0] if message else "nothing" for message in (then, now)]
            yield f"message {n} differs (recorded: {roles[0]}, asked: {roles[1]})"
            return
    if nearest.scope != scope:
        yield f"it was recorded for {nearest.scope!r}, not {scope!r}"
    elif recorded == parts:
        yield f"it is asked for time {occurrence + 1}, which was not recorded"
