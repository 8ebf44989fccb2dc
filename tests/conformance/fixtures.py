"""What the official suite calls: its fixture tools, as handlers beside those of our factory.

Names, arguments and answers are the suite's (`conformance list`, and what each scenario asks for); tools that a
kernel app can have are in `app.py`. Tools that ask the client something in rounds are in `rounds.py`.
"""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, PromptsListChanged, ToolsListChanged
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata

__all__ = ("BUS", "PIXEL", "TOOLS", "Context", "Fixture", "capabilities", "complete", "tool")

Context = ServerRequestContext[Any, Any]
Params = types.CallToolRequestParams
Handler = Callable[[Context, Params], Awaitable[types.CallToolResult | types.InputRequiredResult]]

PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC")
"""A PNG image of one red pixel."""

_SILENCE = base64.b64decode("UklGRiUAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQEAAACA")
"""A WAV file of one sample."""

BUS = InMemorySubscriptionBus()
"""Where the tools that pretend a list changed say so."""


@dataclass(frozen=True)
class Fixture:
    """A tool of the suite."""

    handler: Handler
    schema: dict[str, Any]


TOOLS: dict[str, Fixture] = {}


def tool(name: str, schema: dict[str, Any] | None = None, **texts: str) -> Callable[[Handler], Handler]:
    """Register a tool whose arguments are required texts, by name and description, unless there is a `schema`."""
    properties = {argument: {"type": "string", "description": text} for argument, text in texts.items()}
    usual = {"type": "object", "properties": properties, "required": list(texts)}

    def register(handler: Handler) -> Handler:
        TOOLS[name] = Fixture(handler, schema or usual)
        return handler

    return register


def complete(*content: types.ContentBlock | str) -> types.CallToolResult:
    """A finished result; texts become text content."""
    blocks = [types.TextContent(type="text", text=each) if isinstance(each, str) else each for each in content]
    return types.CallToolResult(content=blocks)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _embedded(uri: str, mime: str, text: str) -> types.EmbeddedResource:
    resource = types.TextResourceContents(uri=uri, mime_type=mime, text=text)
    return types.EmbeddedResource(type="resource", resource=resource)


def capabilities(context: Context) -> types.ClientCapabilities:
    """What the client of this request said it can do."""
    return context.session.client_capabilities or types.ClientCapabilities()


@tool("test_audio_content")
async def _audio(_: Context, __: Params) -> types.CallToolResult:
    return complete(types.AudioContent(type="audio", data=_base64(_SILENCE), mime_type="audio/wav"))


@tool("test_embedded_resource")
async def _resource(_: Context, __: Params) -> types.CallToolResult:
    return complete(_embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."))


@tool("test_multiple_content_types")
async def _mixed(_: Context, __: Params) -> types.CallToolResult:
    return complete(
        "Multiple content types test:",
        types.ImageContent(type="image", data=_base64(PIXEL), mime_type="image/png"),
        _embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    )


@tool("test_logging_tool")
@tool("test_tool_with_logging")
async def _logs(context: Context, _: Params) -> types.CallToolResult:
    if context.protocol_version < "2026-07-28":  # from then on a request says if it wants logs, and these never do
        for text in ("Tool execution started", "Tool processing data", "Tool execution completed"):
            message = types.LoggingMessageNotificationParams(level="info", data=text)
            await context.session.send_notification(
                types.LoggingMessageNotification(params=message), related_request_id=context.request_id
            )
    return complete("Logged.")


@tool("test_tool_with_progress")
async def _progress(context: Context, _: Params) -> types.CallToolResult:
    for progress in (0, 50, 100):
        await context.session.report_progress(progress, 100)
    return complete("Progressed.")


@tool("test_sampling", prompt="What to send to the model.")
async def _sampling(context: Context, params: Params) -> types.CallToolResult:
    content = types.TextContent(type="text", text=(params.arguments or {})["prompt"])
    message = types.SamplingMessage(role="user", content=content)
    request = types.CreateMessageRequest(params=types.CreateMessageRequestParams(messages=[message], max_tokens=100))
    with_this_call = ServerMessageMetadata(related_request_id=context.request_id)
    answer = await context.session.send_request(request, types.CreateMessageResult, metadata=with_this_call)
    return complete(f"LLM response: {answer.content}")


async def _elicited(context: Context, message: str, properties: dict[str, Any], *required: str) -> str:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    answer = await context.session.elicit_form(message, schema, related_request_id=context.request_id)
    return f"action={answer.action}, content={answer.content}"


@tool("test_elicitation", message="What to show the user.")
async def _elicitation(context: Context, params: Params) -> types.CallToolResult:
    properties = {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    }
    said = await _elicited(context, (params.arguments or {})["message"], properties, *properties)
    return complete(f"User response: {said}")


@tool("test_elicitation_sep1034_defaults")
async def _defaults(context: Context, _: Params) -> types.CallToolResult:
    properties = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return complete(f"Elicitation completed: {await _elicited(context, 'All with defaults.', properties)}")


@tool("test_elicitation_sep1330_enums")
async def _enums(context: Context, _: Params) -> types.CallToolResult:
    plain = ["option1", "option2", "option3"]
    titled = [{"const": f"value{n}", "title": f"Option {n}"} for n in (1, 2, 3)]
    names = ["Option One", "Option Two", "Option Three"]
    properties = {
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": names},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return complete(f"Elicitation completed: {await _elicited(context, 'Every kind of choice.', properties)}")


@tool("test_reconnection")
async def _reconnection(context: Context, _: Params) -> types.CallToolResult:
    if context.close_sse_stream:
        await context.close_sse_stream()
    return complete("Still here.")


@tool("test_missing_capability")
async def _missing(context: Context, _: Params) -> types.CallToolResult:
    if capabilities(context).sampling is None:
        needed = types.MissingRequiredClientCapabilityErrorData(
            required_capabilities=types.ClientCapabilities(sampling=types.SamplingCapability())
        )
        data = needed.model_dump(by_alias=True, exclude_none=True)
        raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "This tool needs sampling.", data)
    return complete("Sampling is there.")


@tool("test_trigger_tool_change")
async def _tools_changed(_: Context, __: Params) -> types.CallToolResult:
    await BUS.publish(ToolsListChanged())
    return complete("Said so.")


@tool("test_trigger_prompt_change")
async def _prompts_changed(_: Context, __: Params) -> types.CallToolResult:
    await BUS.publish(PromptsListChanged())
    return complete("Said so.")


@tool(
    "test_custom_header",
    {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}, "required": ["region"]},
)
async def _header(_: Context, params: Params) -> types.CallToolResult:
    return complete(str((params.arguments or {})["region"]))


_CONTACT = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


@tool("json_schema_2020_12_tool", _CONTACT)
async def _contact(_: Context, __: Params) -> types.CallToolResult:
    return complete("Noted.")
