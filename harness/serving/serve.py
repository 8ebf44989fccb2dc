"""Sandboxes over MCP, in process and over stdio; `harness.serving.host` serves them over HTTP.

The schemas of a toolset are built once per process; a server object is a few handlers bound to a
sandbox and costs microseconds. No sandbox is ever chosen by an argument, a session or a context variable.
"""

from __future__ import annotations

import base64
import difflib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage

from harness.core.distribution import package_version
from harness.core.trajectory import CallRecord
from harness.serving.elicitation import Asking, Unanswered
from harness.serving.giving_up import GivenUp
from harness.serving.lines import Lines, standard_input
from harness.serving.sandbox import Sandbox
from servers.kernel import Picture, Resource, StateError, Tool, Toolset, addressed, excerpt, own_names

if TYPE_CHECKING:  # a process that only serves starts in half the time without clients
    import httpx2
    from mcp.client.client import Client

__all__ = ("SANDBOX", "call", "connect", "connect_http", "connect_stdio", "serve_stdio", "server")

PROTOCOL = "2026-07-28"
"""What our own in-process and HTTP clients speak; servers answer older clients too."""

SANDBOX = "This is a sandbox: nothing in it is real, and nothing done here reaches a real account or person."
"""What the instructions end with where a person's own client is served. Agents under test are not told."""

_ELSE = " (shown under another name)"
"""Behind a tool's own name in the record of a call to it where an overlay shows another: the call is to no tool."""

_FAULT = "The server failed; this call did not happen."

_GIVEN_UP = "The server stopped before the call was answered."

_URI = 200
"""Characters of a URI that is not there that are compared with those that are, and given back."""


def _definition(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.shown,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema if tool.structured else None,
        annotations=types.ToolAnnotations(
            title=tool.shown.replace("_", " ").capitalize(),
            read_only_hint=tool.kind in ("reads", "asks"),
            destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent,
            open_world_hint=False,
        ),
    )


@cache
def _listing(toolset: Toolset) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[_definition(tool) for tool in toolset.tools.values()])


def _result(record: CallRecord, structured: bool) -> types.CallToolResult:
    """What the agent sees of a recorded call; a defect's cause stays on our side."""
    broken = record.status in ("defect", "fault")
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=_FAULT if broken else record.text)],
        structured_content=record.data if structured and record.status == "ok" else None,
        is_error=record.status != "ok",
    )


def _drawn(picture: Picture) -> types.ContentBlock:
    """The picture, or why there is none; the call itself has happened either way."""
    try:
        image = picture()
    except Exception as error:  # noqa: BLE001 - a drawing that fails must not turn a call that was made into an error
        image = f"No picture: drawing it failed ({type(error).__name__}: {error})."
    if isinstance(image, str):
        return types.TextContent(type="text", text=image)
    return types.ImageContent(type="image", data=base64.b64encode(image.data).decode(), mime_type=image.mime)


def _whole(params: types.PaginatedRequestParams | None) -> None:
    """Lists are given whole. Raises `MCPError` for a cursor, which nobody was given."""
    if params and params.cursor is not None:
        text = f"There is no cursor {excerpt(params.cursor, _URI)!r}: the list is given whole, and has no other pages."
        raise MCPError(types.INVALID_PARAMS, text)


def _there(sandbox: Sandbox, app: str) -> dict[str, Resource]:
    """What can be read. Raises `MCPError`."""
    try:
        return sandbox.resources(app)
    except StateError as error:
        raise MCPError(types.INTERNAL_ERROR, f"The state cannot be opened for now: {error}.") from None


def _found(there: Mapping[str, Resource], uri: str) -> Resource:
    """The resource at a URI, which is one of the list to the letter. Raises `MCPError`, naming some like it."""
    if uri in there:
        return there[uri]
    sought = excerpt(uri, _URI)
    like = difflib.get_close_matches(sought, there)
    hint = f"close to it: {', '.join(like)}" if like else "`resources/list` says which there are"
    raise MCPError(types.INVALID_PARAMS, f"There is no resource {sought!r}; {hint}.", {"uri": sought})


def _contents(found: Resource) -> types.TextResourceContents | types.BlobResourceContents:
    if isinstance(found.data, str):
        return types.TextResourceContents(uri=found.uri, mime_type=found.mime, text=found.data)
    blob = base64.b64encode(found.data).decode()
    return types.BlobResourceContents(uri=found.uri, mime_type=found.mime, blob=blob)


def server(
    toolset: Toolset, sandbox_of: Callable[[Any], Sandbox], *, pictures: bool = True, person: bool = False
) -> Server[Any]:
    """An MCP server of one app's toolset; `sandbox_of` finds the sandbox of a request context.

    With `pictures`, what tools can draw follows the text of their results as image content. With `person`, for a
    person's own client, name and instructions say that nothing is real. An app without `resources` offers none.
    """
    app, own = toolset.app, own_names(toolset)

    async def list_tools(_: Any, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        _whole(params)
        return _listing(toolset)

    async def call_tool(
        context: Any, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        sandbox, caller = sandbox_of(context), Asking(context, params)
        name = own.get(params.name) or (f"{params.name}{_ELSE}" if params.name in toolset.tools else params.name)
        try:
            record, picture = await sandbox.show(app.name, name, params.arguments or {}, caller)
        except Unanswered as question:
            return question.result
        except GivenUp:
            raise MCPError(types.INTERNAL_ERROR, _GIVEN_UP) from None
        result = _result(record, toolset.structured)
        if pictures and picture:
            result.content.append(_drawn(picture))
        return result

    async def list_resources(context: Any, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        _whole(params)
        there = _there(sandbox_of(context), app.name)
        return types.ListResourcesResult(
            resources=[
                types.Resource(uri=each.uri, name=each.name, description=each.description or None, mime_type=each.mime)
                for each in there.values()
            ]
        )

    async def list_templates(_: Any, params: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
        _whole(params)
        return types.ListResourceTemplatesResult(resource_templates=[])

    async def read_resource(context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        found = _found(_there(sandbox_of(context), app.name), params.uri)
        return types.ReadResourceResult(contents=[_contents(found)])

    async def introduced(ctx: Any, call_next: Callable[[Any], Any]) -> Any:
        """Fills in whose world it is; only a request says which that is where one server has many sandboxes."""
        result = await call_next(ctx)
        if ctx.method in ("initialize", "server/discover"):
            owner = sandbox_of(ctx).owner
            result = {**result, "instructions": addressed(result["instructions"], owner)}
        return result

    bound: Server[Any] = Server(
        f"sandbox-{app.name}" if person else app.name,
        title=f"Sandbox {app.name}" if person else app.name,
        instructions=f"{toolset.instructions} {SANDBOX}" if person else toolset.instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources if app.resources else None,
        on_list_resource_templates=list_templates if app.resources else None,
        on_read_resource=read_resource if app.resources else None,
        version=package_version(),
    )
    if addressed(toolset.instructions, None) != toolset.instructions:
        bound.middleware.append(introduced)
    return bound


async def call(client: Client, tool: str, arguments: Mapping[str, Any]) -> types.CallToolResult:
    """Call a tool without checking the result against its schema once more.

    `Client.call_tool` compiles and runs a JSON Schema validator per connection (5 ms for a first
    call); our servers build results from typed values, and the contract tests do check them.
    """
    request = types.CallToolRequest(params=types.CallToolRequestParams(name=tool, arguments=dict(arguments)))
    return await client.session.send_request(request, types.CallToolResult)


@asynccontextmanager
async def connect(sandbox: Sandbox, app: str, *, pictures: bool = True) -> AsyncIterator[Client]:
    """An in-process client of one app of a sandbox. Calls are not framed as JSON."""
    from mcp.client.client import Client

    async with Client(server(sandbox.toolsets[app], lambda _: sandbox, pictures=pictures), mode=PROTOCOL) as client:
        yield client


def connect_http(url: str, http: httpx2.AsyncClient) -> Client:
    """A client of one app of a sandbox over streamable HTTP; `http` is shared, as making one costs 25 ms."""
    from mcp.client.client import Client
    from mcp.client.streamable_http import streamable_http_client

    return Client(streamable_http_client(url, http_client=http), mode=PROTOCOL)


def connect_stdio(command: str, arguments: list[str], environment: Mapping[str, str]) -> Client:
    """A client of one app in a process of its own."""
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters

    return Client(StdioServerParameters(command=command, args=arguments, env=dict(environment)), mode=PROTOCOL)


async def serve_stdio(
    sandbox: Sandbox,
    app: str,
    *,
    tell: Callable[[str], None],
    pictures: bool,
    person: bool,
) -> None:
    """Serve one app of a sandbox on standard input and output until the client goes; the rest as in `server`.

    `tell` hears of what the client sends and nobody could take.
    """
    bound = server(sandbox.toolsets[app], lambda _: sandbox, pictures=pictures, person=person)
    try:
        with standard_input() as source:
            lines: Any = Lines(source, sandbox, tell)
            async with stdio_server(stdin=lines) as (reading, writing):
                lines.send = lambda message: writing.send(
                    SessionMessage(types.jsonrpc_message_adapter.validate_python(message, by_name=False))
                )
                await bound.run(reading, writing, bound.create_initialization_options())
    except* BrokenPipeError:
        pass  # it went before an answer reached it; what was called has happened
