"""A test-only app with the suite's fixtures, built by the factory and served by the host that serve every app."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.subscriptions import ListenHandler

from harness.serving.host import RESULT_LIMIT, HttpHost
from harness.serving.sandbox import Sandbox
from servers.kernel import App, Engine, Illustrated, Image, Rejected, State, Toolset, World
from tests.conformance import rounds, shelf
from tests.conformance.fixtures import BUS, PIXEL, TOOLS, Context

__all__ = ("serving",)

assert rounds.__all__  # that module registers tools

app = App("conformance", "What the official conformance suite calls.")


@app.reads
def test_simple_text(state: State) -> str:
    """Say a fixed text."""
    return "This is a simple text response for testing."


@app.reads
def test_image_content(state: State) -> Illustrated[str]:
    """Show a red pixel."""
    return Illustrated("A red pixel.", lambda: Image(PIXEL, "image/png"))


@app.reads
def test_error_handling(state: State) -> str:
    """Refuse, always."""
    raise Rejected("This tool intentionally returns an error for testing")


class _Host(HttpHost):
    """Serves what any host does, and the fixtures beside it."""

    def _manager(self, toolset: Toolset, shared: Sandbox | None = None) -> StreamableHTTPSessionManager:
        manager = super()._manager(toolset, shared)
        _extend(manager.app)
        return manager


class _Streaming(_Host):
    """Keeps sessions and answers in event streams besides."""

    def _manager(self, toolset: Toolset, shared: Sandbox | None = None) -> StreamableHTTPSessionManager:
        manager = super()._manager(toolset, shared)
        manager.json_response = manager.stateless = False
        return manager


def _extend(server: Server[Any]) -> None:
    """Put the fixtures beside what the factory gave the server."""
    ours_list, ours_call = server.get_request_handler("tools/list"), server.get_request_handler("tools/call")
    assert ours_list is not None
    assert ours_call is not None
    fixtures = [
        types.Tool(name=name, description="A fixture.", input_schema=each.schema) for name, each in TOOLS.items()
    ]

    async def list_tools(context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        listed = await ours_list.handler(context, params)
        assert isinstance(listed, types.ListToolsResult)
        return types.ListToolsResult(tools=[*listed.tools, *fixtures])

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> Any:
        fixture = TOOLS.get(params.name)
        return await (fixture or ours_call).handler(context, params)

    handlers: tuple[tuple[str, type[Any], Any], ...] = (
        ("tools/list", types.PaginatedRequestParams, list_tools),
        ("tools/call", types.CallToolRequestParams, call_tool),
        ("resources/list", types.PaginatedRequestParams, shelf.list_resources),
        ("resources/templates/list", types.PaginatedRequestParams, shelf.list_templates),
        ("resources/read", types.ReadResourceRequestParams, shelf.read_resource),
        ("resources/subscribe", types.SubscribeRequestParams, shelf.nothing),
        ("resources/unsubscribe", types.UnsubscribeRequestParams, shelf.nothing),
        ("prompts/list", types.PaginatedRequestParams, shelf.list_prompts),
        ("prompts/get", types.GetPromptRequestParams, shelf.get_prompt),
        ("completion/complete", types.CompleteRequestParams, shelf.complete_argument),
        ("logging/setLevel", types.SetLevelRequestParams, shelf.nothing),
        ("subscriptions/listen", types.SubscriptionsListenRequestParams, ListenHandler(BUS)),
    )
    for method, kind, handler in handlers:
        server.add_request_handler(method, kind, handler)
    server.middleware.append(RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience=server.name))


@asynccontextmanager
async def serving(*, streams: bool = False) -> AsyncIterator[str]:
    """The URL of the app in a sandbox, while the block runs.

    With `streams`, the host keeps sessions and answers in event streams, which those of the product do not.
    """
    engine = Engine()
    toolsets = {app.name: app.default}
    sandbox = Sandbox(engine.layer(engine.load(World("none", datetime(2025, 3, 13), {}))), toolsets)
    host = (_Streaming if streams else _Host)(toolsets.values(), result_limit=RESULT_LIMIT)
    async with host.run():
        yield host.url(host.add(sandbox), app.name)
    engine.close()
