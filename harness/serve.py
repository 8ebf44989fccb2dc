"""Sandboxes over MCP: in process, over streamable HTTP, and over stdio.

The schemas of a toolset are built once per process; a server object is a few handlers bound to a
sandbox and costs microseconds. Over HTTP one server per app serves every sandbox, which it reads
from the request path. No sandbox is ever chosen by an argument, a session or a context variable.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

import mcp_types as types
from mcp.client.client import Client
from mcp.server.lowlevel import Server

from harness.sandbox import Sandbox
from harness.trajectory import CallRecord
from servers.kernel import Tool, Toolset

__all__ = ("HttpHost", "connect", "server")

PROTOCOL = "2026-07-28"
"""What our own in-process and HTTP clients speak; servers answer older clients too."""

_FAULT = "The sandbox failed; this call did not happen."


def _definition(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=types.ToolAnnotations(
            title=tool.name.replace("_", " ").capitalize(),
            read_only_hint=tool.kind != "writes",
            destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent,
            open_world_hint=False,
        ),
    )


@cache
def _listing(toolset: Toolset) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[_definition(tool) for tool in toolset.tools.values()])


def _result(record: CallRecord) -> types.CallToolResult:
    """What the agent sees of a recorded call; a defect's cause stays on our side."""
    broken = record.status in ("defect", "fault")
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=_FAULT if broken else record.text)],
        structured_content=record.data if record.status == "ok" else None,
        is_error=record.status != "ok",
    )


def server(toolset: Toolset, sandbox_of: Callable[[Any], Sandbox]) -> Server[Any]:
    """An MCP server of one app's toolset; `sandbox_of` finds the sandbox of a request context."""
    app = toolset.app

    async def list_tools(_: Any, __: Any) -> types.ListToolsResult:
        return _listing(toolset)

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        return _result(await sandbox_of(context).call(app.name, params.name, params.arguments or {}))

    return Server(
        f"sandbox-{app.name}",
        title=f"Sandbox {app.name}",
        instructions=app.instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


@asynccontextmanager
async def connect(sandbox: Sandbox, app: str) -> AsyncIterator[Client]:
    """An in-process client of one app of a sandbox. Calls are not framed as JSON."""
    async with Client(server(sandbox.toolsets[app], lambda _: sandbox), mode=PROTOCOL) as client:
        yield client
