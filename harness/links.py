"""How a trial's agent reaches its apps: in process, over HTTP, or one process per app over stdio."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

from harness.agents.desk import Reply
from harness.sandbox import Sandbox
from harness.trajectory import CallRecord
from servers.kernel import App, Change, Edit, Engine, Layer, Toolset, World, fold

__all__ = ("Link", "Links", "MemoryLink", "open_links")


class Link(Protocol):
    """A trial's way to its apps, and to what they did."""

    sandbox: Sandbox

    async def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> Reply: ...

    async def settle(self) -> tuple[list[Change], str]:
        """What changed since the start, and the digest of the state."""


class Links(Protocol):
    """Makes links for the trials of one run in this process."""

    def link(self, layer: Layer, toolsets: Mapping[str, Toolset], setup: Sequence[Edit]) -> Any: ...


def _reply(result: Any) -> Reply:
    text = "\n".join(part.text for part in result.content if part.type == "text")
    return Reply(text, result.structured_content or {}, bool(result.is_error))


class MemoryLink:
    """Clients of servers in this process, connected when first used."""

    def __init__(self, sandbox: Sandbox, stack: AsyncExitStack) -> None:
        self.sandbox, self._stack = sandbox, stack
        self._clients: dict[str, Any] = {}

    async def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> Reply:
        from harness.serve import call

        client = self._clients.get(app)
        if client is None:
            client = self._clients[app] = await self._stack.enter_async_context(self._connect(app))
        return _reply(await call(client, tool, arguments))

    async def settle(self) -> tuple[list[Change], str]:
        return self.sandbox.layer.changes(), self.sandbox.layer.digest()

    def _connect(self, app: str) -> Any:
        from harness.serve import connect

        return connect(self.sandbox, app)


class MemoryLinks:
    """In process: no JSON framing, the fastest, and the default."""

    @asynccontextmanager
    async def link(
        self, layer: Layer, toolsets: Mapping[str, Toolset], setup: Sequence[Edit]
    ) -> AsyncIterator[MemoryLink]:
        async with AsyncExitStack() as stack:
            yield MemoryLink(Sandbox(layer, toolsets), stack)


class _HttpLink(MemoryLink):
    def __init__(self, sandbox: Sandbox, stack: AsyncExitStack, links: HttpLinks, id: str) -> None:
        super().__init__(sandbox, stack)
        self._links, self._id = links, id

    def _connect(self, app: str) -> Any:
        from harness.serve import connect_http

        return connect_http(self._links.host.url(self._id, app), self._links.http)


class HttpLinks:
    """Streamable HTTP on loopback: every request is framed, sent and parsed for real."""

    def __init__(self, host: Any, http: Any) -> None:
        self.host, self.http = host, http

    @asynccontextmanager
    async def link(
        self, layer: Layer, toolsets: Mapping[str, Toolset], setup: Sequence[Edit]
    ) -> AsyncIterator[MemoryLink]:
        sandbox = Sandbox(layer, toolsets)
        id = self.host.add(sandbox)
        try:
            async with AsyncExitStack() as stack:
                yield _HttpLink(sandbox, stack, self, id)
        finally:
            self.host.remove(id)


class _StdioLink:
    """One process per app, each with its own state file; what they saw is read back from disk."""

    def __init__(
        self, sandbox: Sandbox, stack: AsyncExitStack, folder: Path, world: World, setup: Sequence[Edit]
    ) -> None:
        self.sandbox, self._stack, self._folder, self._world = sandbox, stack, folder, world
        self._setup = setup
        self._clients: dict[str, Any] = {}
        self._read: dict[str, int] = {}

    async def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> Reply:
        from harness.serve import call

        client = self._clients.get(app)
        if client is None:
            client = self._clients[app] = await self._stack.enter_async_context(self._connect(app))
        reply = _reply(await call(client, tool, arguments))
        self._copy_records(app)
        return reply

    async def settle(self) -> tuple[list[Change], str]:
        """Ends the processes: only one may hold a state file."""
        await self._stack.aclose()
        changes: list[Change] = []
        start: list[Change] = []
        for app, toolset in self.sandbox.toolsets.items():
            if app in self._clients:
                engine = Engine(self._folder / app / f"{app}.duckdb")
                try:
                    setup = [edit for edit in self._setup if edit.app == app]
                    layer = engine.resume(engine.load(self._world), [toolset.app], setup)
                    changes += layer.changes()
                finally:
                    engine.close()
        if self.sandbox.layer.start:
            start = self.sandbox.layer.start.changes()
        changes.sort(key=lambda change: (change.app, change.table, change.id))
        return changes, fold(self._world.digest, start, changes)

    def _connect(self, app: str) -> Any:
        from harness.serve import connect_stdio

        folder = self._folder / app
        folder.mkdir()
        toolset = self.sandbox.toolsets[app]
        (folder / "setup.json").write_text(
            json.dumps([edit.model_dump(mode="json") for edit in self._setup if edit.app == app]), encoding="utf-8"
        )
        arguments = ["-m", "harness", "serve", app, "--toolset", toolset.name, "--state", str(folder)]
        arguments += ["--world", str(self._folder.parent / "world"), "--setup", str(folder / "setup.json")]
        arguments += ["--record", str(folder / "calls.jsonl")]
        return connect_stdio(sys.executable, arguments, os.environ)

    def _copy_records(self, app: str) -> None:
        """The server writes a call's record before it answers, so each answer has its record on disk."""
        lines = (self._folder / app / "calls.jsonl").read_text(encoding="utf-8").splitlines()
        for line in lines[self._read.get(app, 0) :]:
            record = CallRecord.model_validate_json(line)
            update = {"n": len(self.sandbox.calls), "session": self.sandbox.session, "turn": self.sandbox.turn}
            self.sandbox.calls.append(record.model_copy(update=update))
        self._read[app] = len(lines)


class StdioLinks:
    """Real processes and pipes: slow to start, so meant for samples."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made = 0

    @asynccontextmanager
    async def link(
        self, layer: Layer, toolsets: Mapping[str, Toolset], setup: Sequence[Edit]
    ) -> AsyncIterator[_StdioLink]:
        world = layer.base.world
        shared = self._folder / world.digest[:12]
        if not shared.exists():
            world.write(shared / "world")
        self._made += 1
        folder = shared / str(self._made)
        folder.mkdir()
        async with AsyncExitStack() as stack:
            yield _StdioLink(Sandbox(layer, toolsets), stack, folder, world, setup)


@asynccontextmanager
async def open_links(transport: str, toolsets: Sequence[Toolset]) -> AsyncIterator[Any]:
    """The links of a run: `memory`, `http` or `stdio`."""
    if transport == "http":
        import httpx2

        from harness.host import HttpHost

        host = HttpHost(toolsets)
        async with host.run(), httpx2.AsyncClient(timeout=60) as http:
            yield HttpLinks(host, http)
    elif transport == "stdio":
        with tempfile.TemporaryDirectory(prefix="harness-") as folder:
            yield StdioLinks(Path(folder))
    else:
        yield MemoryLinks()


def apps_of(toolsets: Mapping[str, Toolset]) -> list[App]:
    """The apps behind a mapping of toolsets."""
    return [toolset.app for toolset in toolsets.values()]
