"""How a trial's agent reaches its apps: in process, over HTTP, or one process per app over stdio.

Agents read text, so none of these links asks for pictures.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import anyio
from anyio.abc import TaskGroup, TaskStatus
from mcp_types import TextContent

from harness.core.desk import Reply
from harness.core.trajectory import CallRecord
from harness.serving.sandbox import Sandbox
from servers.kernel import SIZE, Change, Edit, Engine, Layer, Toolset, World, fold

__all__ = ("Link", "Links", "open_links")


class Link(Protocol):
    """A trial's way to its apps, and to what they did."""

    sandbox: Sandbox

    async def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> Reply:
        """Call a tool by its own name. What goes over the wire is the name that it is shown under."""

    async def settle(self) -> tuple[list[Change], str]:
        """What changed since the start, and the digest of the state."""


class Links(Protocol):
    """Makes links for the trials of one run in this process."""

    def link(self, sandbox: Sandbox, setup: Sequence[Edit]) -> AbstractAsyncContextManager[Link]:
        """A way into a sandbox; `setup` is what its task changed before the start."""


def _digest(layer: Layer, changes: Sequence[Change]) -> str:
    """The layer's digest, from changes already at hand."""
    return fold(layer.base.world.digest, layer.start.changes() if layer.start else [], changes)


def _with_data(reply: Reply, sandbox: Sandbox, app: str, tool: str) -> Reply:
    """With the data on record where a result came as text alone (`Toolset.structured`): a text may look like JSON.

    There is such a record: a call is on record, with the very text that it is answered with, before its answer leaves.
    """
    if reply.is_error or reply.data:
        return reply
    records = (event for event in reversed(sandbox.events) if isinstance(event, CallRecord))
    told = (app, tool, reply.text)
    return reply._replace(data=next(each.data or {} for each in records if (each.app, each.tool, each.text) == told))


class _Clients:
    """One trial's clients, connected when first used.

    Each lives in a task of its own: an agent's time limit is a cancel scope around its turn, and a
    client entered inside that scope could not outlive it.
    """

    def __init__(self, connect: Callable[[str], AbstractAsyncContextManager[Any]], group: TaskGroup) -> None:
        self._connect, self._group = connect, group
        self._open: dict[str, tuple[Any, anyio.Event, anyio.Event]] = {}

    def __contains__(self, app: str) -> bool:
        return app in self._open

    async def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> Reply:
        from harness.serving.serve import call

        if app not in self._open:
            self._open[app] = await self._group.start(self._hold, app)
        result = await call(self._open[app][0], tool, arguments)
        text = "\n".join(part.text for part in result.content if isinstance(part, TextContent))
        return Reply(text, result.structured_content or {}, bool(result.is_error))

    async def close(self) -> None:
        """Disconnect, and wait until that is done."""
        for _, leave, _ in self._open.values():
            leave.set()
        for _, _, left in self._open.values():
            await left.wait()

    async def _hold(self, app: str, *, task_status: TaskStatus[tuple[Any, anyio.Event, anyio.Event]]) -> None:
        leave, left = anyio.Event(), anyio.Event()
        try:
            async with self._connect(app) as client:
                task_status.started((client, leave, left))
                await leave.wait()
        finally:
            left.set()  # also when cancelled, else `close` would wait for ever


@asynccontextmanager
async def _clients(connect: Callable[[str], AbstractAsyncContextManager[Any]]) -> AsyncIterator[_Clients]:
    async with anyio.create_task_group() as group:
        clients = _Clients(connect, group)
        try:
            yield clients
        finally:
            with anyio.CancelScope(shield=True):
                await clients.close()


class MemoryLink:
    """Clients of servers in this process, connected when first used."""

    def __init__(self, sandbox: Sandbox, clients: _Clients) -> None:
        self.sandbox, self._clients = sandbox, clients

    async def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> Reply:
        reply = await self._clients.call(app, self.sandbox.toolsets[app].tool(tool).shown, arguments)
        return _with_data(reply, self.sandbox, app, tool)

    async def settle(self) -> tuple[list[Change], str]:
        changes = self.sandbox.layer.changes()
        return changes, _digest(self.sandbox.layer, changes)


class MemoryLinks:
    """In process: no JSON framing, the fastest, and the default."""

    @asynccontextmanager
    async def link(self, sandbox: Sandbox, setup: Sequence[Edit]) -> AsyncIterator[MemoryLink]:
        from harness.serving.serve import connect

        async with _clients(lambda app: connect(sandbox, app, pictures=False)) as clients:
            yield MemoryLink(sandbox, clients)


class HttpLinks:
    """Streamable HTTP on loopback: every request is framed, sent and parsed for real."""

    def __init__(self, host: Any, http: Any) -> None:
        self.host, self.http = host, http

    @asynccontextmanager
    async def link(self, sandbox: Sandbox, setup: Sequence[Edit]) -> AsyncIterator[MemoryLink]:
        from harness.serving.serve import connect_http

        id = self.host.add(sandbox)
        try:
            async with _clients(lambda app: connect_http(self.host.url(id, app), self.http)) as clients:
                yield MemoryLink(sandbox, clients)
        finally:
            self.host.remove(id)


class _StdioLink:
    """One process per app, each with its own state file; what they saw is read back from disk."""

    clients: _Clients

    def __init__(self, sandbox: Sandbox, folder: Path, world: World, setup: Sequence[Edit]) -> None:
        self.sandbox, self._folder, self._world, self._setup = sandbox, folder, world, setup
        self._read: dict[str, int] = {}

    async def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> Reply:
        reply = await self.clients.call(app, tool, self.sandbox.cleaned(arguments))
        self._copy_records(app)
        return _with_data(reply, self.sandbox, app, tool)

    async def settle(self) -> tuple[list[Change], str]:
        """Ends the processes, since only one may hold a state file: a client that is closed has seen its server end."""
        await self.clients.close()
        changes: list[Change] = []
        for app, toolset in self.sandbox.toolsets.items():
            if app in self.clients:
                engine = Engine(self._folder / app / f"{app}.duckdb")
                try:
                    setup = [edit for edit in self._setup if edit.app == app]
                    layer = engine.resume(engine.load(self._world), [toolset.app], setup)
                    changes += layer.changes()
                finally:
                    engine.close()
        changes.sort(key=lambda change: (change.app, change.table, change.id))
        return changes, _digest(self.sandbox.layer, changes)

    def connect(self, app: str) -> AbstractAsyncContextManager[Any]:
        """Start the app's process and connect to it."""
        from harness.serving.serve import connect_stdio

        folder = self._folder / app
        folder.mkdir()
        toolset = self.sandbox.toolsets[app]
        (folder / "setup.json").write_text(
            json.dumps([edit.model_dump(mode="json") for edit in self._setup if edit.app == app]), encoding="utf-8"
        )
        arguments = ["-m", "harness", "serve", app, "--toolset", toolset.name, "--state", str(folder)]
        arguments += ["--world", str(self._folder.parent / "world"), "--setup", str(folder / "setup.json")]
        arguments += ["--record", str(folder / "calls.jsonl"), "--no-pictures"]
        arguments += ["--now", self.sandbox.layer.now.isoformat()]
        return connect_stdio(sys.executable, arguments, os.environ)

    def _copy_records(self, app: str) -> None:
        """The server writes a call's record before it answers, so each answer has its record on disk."""
        with (self._folder / app / "calls.jsonl").open("rb") as lines:  # a text has more line breaks than JSON lines
            lines.seek(self._read.get(app, 0))
            for line in lines:
                record = CallRecord.model_validate_json(line)
                self.sandbox.copied(record)
            self._read[app] = lines.tell()


class StdioLinks:
    """Real processes and pipes: slow to start, so meant for samples."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made = 0

    @asynccontextmanager
    async def link(self, sandbox: Sandbox, setup: Sequence[Edit]) -> AsyncIterator[_StdioLink]:
        world = sandbox.layer.base.world
        shared = self._folder / world.digest[:12]
        if not shared.exists():
            replace(world, arrivals=(), beside={}).write(shared / "world")  # rows alone: nothing arrives here
        self._made += 1
        folder = shared / str(self._made)
        folder.mkdir()
        link = _StdioLink(sandbox, folder, world, setup)
        async with _clients(link.connect) as link.clients:
            yield link


@asynccontextmanager
async def open_links(transport: str, toolsets: Sequence[Toolset]) -> AsyncIterator[Links]:
    """The links of a run: `memory`, `http` or `stdio`."""
    if transport == "http":
        import httpx2

        from harness.serving.host import HttpHost

        # The client is ours: what has been taken is passed on, however much longer its text becomes as JSON.
        host = HttpHost(toolsets, pictures=False, body_limit=8 * SIZE)
        patient = httpx2.Timeout(60, read=None)  # a subagent may be at work for as long as the trial may last
        async with host.run(), httpx2.AsyncClient(timeout=patient) as http:
            yield HttpLinks(host, http)
    elif transport == "stdio":
        with tempfile.TemporaryDirectory(prefix="harness-") as folder:
            yield StdioLinks(Path(folder))
    else:
        yield MemoryLinks()
