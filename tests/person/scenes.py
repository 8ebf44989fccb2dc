"""A person behind an MCP client of their own, and servers that ask them something."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import mcp_types as types
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from harness.serving.host import HttpHost
from harness.serving.person import Person
from harness.serving.sandbox import Sandbox
from harness.trajectory import CallRecord
from servers import catalog
from servers.kernel import App, Engine, Toolset, User, World

ROOT = Path(__file__).parents[2]
ERAS = ("2026-07-28", "legacy")
EMPTY = World("empty", datetime(2023, 11, 30), {})
Reaction = Callable[[types.ElicitRequestFormParams], types.ElicitResult | types.ErrorData]


def toolsets(*apps: str | App) -> dict[str, Toolset]:
    found = [catalog.app(app) if isinstance(app, str) else app for app in apps]
    return {app.name: app.default for app in found}


class Behind:
    """Whoever sits behind a client: reacts to each form, and remembers them."""

    def __init__(self, react: Reaction) -> None:
        self._react, self.forms = react, list[types.ElicitRequestFormParams]()

    async def __call__(self, context: Any, params: types.ElicitRequestParams) -> types.ElicitResult | types.ErrorData:
        assert isinstance(params, types.ElicitRequestFormParams)
        self.forms.append(params)
        return self._react(params)


def says(**content: Any) -> Behind:
    return Behind(lambda _: types.ElicitResult(action="accept", content=content))


def does(action: Any) -> Behind:
    return Behind(lambda _: types.ElicitResult(action=action))


class Served(NamedTuple):
    """`connect` gives a client of an app with somebody behind it, or with nobody."""

    connect: Callable[[str, Behind | None, str], AbstractAsyncContextManager[Client]]
    records: Callable[[], list[CallRecord]]


@asynccontextmanager
async def over_http(
    found: Mapping[str, Toolset], user: User | None, *, person: bool = True
) -> AsyncIterator[tuple[Served, HttpHost]]:
    """A host with one sandbox at `/s/...`, for a person's client or for an agent under test."""
    engine = Engine()
    apps = [toolset.app for toolset in found.values()]
    sandbox = Sandbox(engine.layer(engine.load(EMPTY), (), apps), found, user)
    host = HttpHost(found.values(), person=person)
    id = host.add(sandbox)

    def connect(app: str, behind: Behind | None, era: str) -> AbstractAsyncContextManager[Client]:
        return Client(host.url(id, app), mode=era, elicitation_callback=behind)

    async with host.run():
        yield Served(connect, lambda: sandbox.calls), host
    engine.close()


@asynccontextmanager
async def http(*apps: str | App) -> AsyncIterator[Served]:
    async with over_http(toolsets(*apps), Person()) as (served, _):
        yield served


def stdio(folder: Path, *arguments: object) -> Served:
    """`harness serve` with these arguments, each connection a process of its own."""
    EMPTY.write(folder / "world")
    log = folder / "calls.jsonl"
    command = ["-m", "harness", "serve", *map(str, arguments), "--world", str(folder / "world"), "--record", str(log)]
    environment = {"PATH": os.defpath, "HOME": str(folder), "PYTHONPATH": str(ROOT)}
    start = StdioServerParameters(command=sys.executable, args=command, env=environment, cwd=folder)

    def connect(_: str, behind: Behind | None, era: str) -> AbstractAsyncContextManager[Client]:
        return Client(start, mode=era, elicitation_callback=behind)

    def records() -> list[CallRecord]:
        return [CallRecord.model_validate_json(line) for line in log.read_text(encoding="utf-8").splitlines()]

    return Served(connect, records)


def text_of(result: types.CallToolResult) -> str:
    (part,) = result.content
    assert isinstance(part, types.TextContent)
    return part.text
