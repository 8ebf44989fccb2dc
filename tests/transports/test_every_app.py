"""Every app lists the same tools and gives the same answers in process, over HTTP and over stdio."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from harness.serving.host import HttpHost
from harness.serving.sandbox import Sandbox
from harness.serving.serve import connect
from servers import catalog
from servers.kernel import Engine, Toolset, World
from tests.harness import toy
from tests.sampling import sampled

ROOT = Path(__file__).parents[2]
TOOLSETS = [
    pytest.param(toolset, id=f"{name}-{toolset.name}")
    for name in catalog.apps()
    for toolset in catalog.app(name).toolsets.values()
]
OVER_STDIO = {
    toolset
    for default, count in ((True, 6), (False, 2))
    for toolset in sampled(
        [
            (name, each.name)
            for name in catalog.apps()
            for each in catalog.app(name).toolsets.values()
            if (each is catalog.app(name).default) is default
        ],
        count,
    )
}


async def transcript(client: Client) -> Any:
    """What a client sees of a server: the tools, and what each says to no arguments at all."""
    tools = (await client.list_tools()).tools
    answers = [(await client.call_tool(tool.name, {})).model_dump(exclude={"meta"}) for tool in tools]
    return [tool.model_dump() for tool in tools], answers


@asynccontextmanager
async def in_process(toolset: Toolset, world: World) -> AsyncIterator[Client]:
    engine = Engine()
    sandbox = Sandbox(engine.layer(engine.load(world)), {toolset.app.name: toolset})
    async with connect(sandbox, toolset.app.name) as client:
        yield client
    engine.close()


@asynccontextmanager
async def over_http(toolset: Toolset, world: World) -> AsyncIterator[Client]:
    engine = Engine()
    sandbox = Sandbox(engine.layer(engine.load(world)), {toolset.app.name: toolset})
    host = HttpHost([toolset])
    async with host.run(), Client(host.url(host.add(sandbox), toolset.app.name)) as client:
        yield client
    engine.close()


@asynccontextmanager
async def over_stdio(toolset: Toolset, folder: Path) -> AsyncIterator[Client]:
    arguments = ["-m", "harness", "serve", toolset.app.name, "--toolset", toolset.name, "--world", str(folder)]
    arguments += ["--now", "world"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    async with Client(StdioServerParameters(command=sys.executable, args=arguments, env=environment)) as client:
        yield client


@pytest.mark.slow
@pytest.mark.parametrize("toolset", TOOLSETS)
def test_the_same_tools_answer_alike_over_every_transport(toolset: Toolset, tmp_path: Path) -> None:
    """Over stdio, which takes a process each, a sample of default toolsets and one of others: it carries the same JSON
    as HTTP, over which all are tried, and one process differs from another by the names that it is given."""
    world = toy.world()
    world.write(tmp_path)
    connections = [in_process(toolset, world), over_http(toolset, world)]
    if (toolset.app.name, toolset.name) in OVER_STDIO:
        connections.append(over_stdio(toolset, tmp_path))

    async def main() -> list[Any]:
        seen = []
        for connection in connections:
            async with connection as client:
                seen.append(await transcript(client))
        return seen

    here, *others = anyio.run(main)

    assert here[0]
    assert all(here == there for there in others)
