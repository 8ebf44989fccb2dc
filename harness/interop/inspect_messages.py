"""Messages of records, and replies of models, as Inspect has them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolCall, ToolCallError, ToolInfo
from pydantic import ValidationError

from harness.core.trajectory import ModelCall, Usage
from harness.interop.inspect_tools import parameters

__all__ = ("chat", "model_of", "offered", "reply", "sent", "used")

_STOPS = {"stop": "stop", "length": "max_tokens", "tool_calls": "tool_calls", "content_filter": "content_filter"}


def chat(
    trial: str,
    role: str,
    content: str,
    calls: Sequence[Mapping[str, Any]] = (),
    call_id: str = "",
    *,
    function: str = "",
    failed: bool = False,
) -> ChatMessage:
    """A message of a trial, with an id of what it says. `calls` have id, name and arguments as the model gave them."""
    key = json.dumps([trial, role, content, [dict(call) for call in calls], call_id], ensure_ascii=False)
    id = hashlib.sha256(key.encode()).hexdigest()[:22]
    if role == "assistant":
        return ChatMessageAssistant(id=id, content=content, tool_calls=[_call(call) for call in calls] or None)
    if role == "tool":
        error = ToolCallError("unknown", content) if failed else None
        return ChatMessageTool(
            id=id, content=content, tool_call_id=call_id or None, function=function or None, error=error
        )
    return ChatMessageSystem(id=id, content=content) if role == "system" else ChatMessageUser(id=id, content=content)


def sent(trial: str, messages: Any) -> list[ChatMessage]:
    """What a model was sent, from a request in the shape of chat completions."""
    return [_wired(trial, each) for each in messages or () if isinstance(each, Mapping)]


def reply(trial: str, model: str, response: Mapping[str, Any]) -> ModelOutput:
    """What a model answered, from a response in the shape of chat completions; an empty one where there is none."""
    choices = [each for each in response.get("choices") or () if isinstance(each, Mapping)]
    made = [
        ChatCompletionChoice(
            message=_wired(trial, {**(each.get("message") or {}), "role": "assistant"}),
            stop_reason=_STOPS.get(str(each.get("finish_reason")), "unknown"),
        )
        for each in choices
    ]
    return ModelOutput(model=model, choices=made)


def offered(tools: Any) -> list[ToolInfo]:
    """The tools that a request offered."""
    found = []
    for each in tools or ():
        function = each.get("function") or {}
        name, about = str(function.get("name", "")), str(function.get("description", ""))
        try:
            found.append(
                ToolInfo(name=name, description=about, parameters=parameters(function.get("parameters") or {}))
            )
        except ValidationError:  # a schema of somebody else's server may say more than Inspect knows
            found.append(ToolInfo(name=name, description=about))
    return found


def model_of(call: ModelCall) -> str:
    """The name of the model that was asked."""
    return str(call.request.get("model") or call.purpose)


def used(usage: Usage) -> ModelUsage:
    """Tokens and price; the price is left out where it is unknown."""
    return ModelUsage(
        input_tokens=usage.prompt_tokens,
        output_tokens=usage.completion_tokens,
        total_tokens=usage.prompt_tokens + usage.completion_tokens,
        total_cost=usage.cost_usd,
    )


def _wired(trial: str, message: Mapping[str, Any]) -> ChatMessage:
    calls = [
        {"id": call.get("id"), "name": function.get("name"), "arguments": function.get("arguments")}
        for call in message.get("tool_calls") or ()
        for function in [call.get("function") or {}]
    ]
    role = str(message.get("role", "user"))
    return chat(trial, role, _text(message.get("content")), calls, str(message.get("tool_call_id") or ""))


def _text(content: Any) -> str:
    """The text of a content, which is a string, a list of parts or nothing."""
    if isinstance(content, str):
        return content
    parts = [part.get("text") for part in content or () if isinstance(part, Mapping)]
    return "\n".join(part for part in parts if isinstance(part, str))


def _call(call: Mapping[str, Any]) -> ToolCall:
    id, name, raw = str(call.get("id") or ""), str(call.get("name") or ""), call.get("arguments") or "{}"
    try:
        arguments = json.loads(raw) if isinstance(raw, str) else raw
    except (ValueError, RecursionError) as error:
        return ToolCall(id=id, function=name, arguments={"raw": raw}, parse_error=str(error))
    if not isinstance(arguments, dict):
        return ToolCall(id=id, function=name, arguments={"raw": raw}, parse_error="the arguments are not a JSON object")
    return ToolCall(id=id, function=name, arguments=arguments)
