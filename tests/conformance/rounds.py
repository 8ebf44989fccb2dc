"""Fixture tools that ask the client in rounds: a result that wants input, and the call again with the answers."""

from __future__ import annotations

from typing import Any

import mcp_types as types

from tests.conformance.fixtures import Context, capabilities, complete, tool

__all__ = ("elicit", "wanted")

Params = types.CallToolRequestParams
Answer = types.CallToolResult | types.InputRequiredResult


def elicit(message: str, **properties: str) -> types.ElicitRequest:
    """A form with required fields, by name and JSON type."""
    schema = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def _sample(text: str, tokens: int) -> types.CreateMessageRequest:
    message = types.SamplingMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.CreateMessageRequest(params=types.CreateMessageRequestParams(messages=[message], max_tokens=tokens))


def wanted(state: str | None = None, **requests: Any) -> types.InputRequiredResult:
    """What the client has to find out before it calls again."""
    return types.InputRequiredResult(input_requests=requests, request_state=state)


def _field(params: Params, key: str, field: str) -> Any:
    """A field of a form that was filled in; None while there is none."""
    answer = (params.input_responses or {}).get(key)
    return (answer.content or {}).get(field) if isinstance(answer, types.ElicitResult) else None


@tool("test_input_required_result_elicitation")
@tool("test_streaming_elicitation")
async def _elicitation(_: Context, params: Params) -> Answer:
    name = _field(params, "user_name", "name")
    return complete(f"Hello, {name}!") if name else wanted(user_name=elicit("What is your name?", name="string"))


@tool("test_input_required_result_sampling")
async def _sampling(_: Context, params: Params) -> Answer:
    answer = (params.input_responses or {}).get("capital_question")
    if isinstance(answer, types.CreateMessageResult):
        return complete(f"The model says: {answer.content}")
    return wanted(capital_question=_sample("What is the capital of France?", 100))


@tool("test_input_required_result_list_roots")
async def _roots(_: Context, params: Params) -> Answer:
    answer = (params.input_responses or {}).get("client_roots")
    if isinstance(answer, types.ListRootsResult):
        return complete("Roots: " + ", ".join(str(root.uri) for root in answer.roots))
    return wanted(client_roots=types.ListRootsRequest(params=types.RequestParams()))


@tool("test_input_required_result_tampered_state")
@tool("test_input_required_result_request_state")
async def _state(_: Context, params: Params) -> Answer:
    if params.request_state == "asked" and _field(params, "confirm", "ok") is not None:
        return complete("state-ok")
    return wanted("asked", confirm=elicit("Please confirm", ok="boolean"))


@tool("test_input_required_result_multiple_inputs")
async def _several(_: Context, params: Params) -> Answer:
    requests = {
        "user_name": elicit("What is your name?", name="string"),
        "greeting": _sample("Generate a greeting", 50),
        "client_roots": types.ListRootsRequest(params=types.RequestParams()),
    }
    if params.request_state == "asked" and set(requests) <= set(params.input_responses or {}):
        return complete("All answered.")
    return wanted("asked", **requests)


@tool("test_input_required_result_multi_round")
async def _rounds(_: Context, params: Params) -> Answer:
    if params.request_state == "named" and (color := _field(params, "step2", "color")):
        return complete(f"Done: {color}.")
    if params.request_state == "asked" and _field(params, "step1", "name"):
        return wanted("named", step2=elicit("Step 2: What is your favorite color?", color="string"))
    return wanted("asked", step1=elicit("Step 1: What is your name?", name="string"))


@tool("test_input_required_result_capabilities")
async def _only_what_it_can(context: Context, params: Params) -> Answer:
    able = capabilities(context)
    requests: dict[str, Any] = {}
    if able.elicitation is not None:
        requests["user_name"] = elicit("What is your name?", name="string")
    if able.sampling is not None:
        requests["greeting"] = _sample("Generate a greeting", 50)
    return wanted(**requests) if requests and not params.input_responses else complete("Nothing to ask.")
