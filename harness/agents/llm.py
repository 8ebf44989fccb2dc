"""The agent that is a model with native tool calling."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from harness.agents.summary import Summary
from harness.agents.talking import ask, keep, system_message
from harness.core.desk import AgentFailed, Desk, Reply, ToolSpec
from harness.core.secrets import scrub
from harness.core.trajectory import Message, ModelCall
from harness.models.replies import Completes, Completion, ToolCall
from servers.kernel import Fault, excerpt, refused

__all__ = ("LlmAgent", "Recorded", "not_json", "parsed", "sent")


class LlmAgent:
    """Asks the model, runs the calls of its reply in listed order, until a reply has none.

    `patience` replies in a row whose calls are all garbled or to unknown tools raise `AgentFailed`.
    A conversation that outgrows the model is a limit, as any other budget. `template` is a system
    prompt in place of `prompts/system.j2`; `summary` keeps the conversation short.
    """

    def __init__(
        self, model: Completes, *, patience: int = 5, template: str = "", summary: Summary | None = None
    ) -> None:
        self._model = model
        self._patience = patience
        self._template = template
        self._summary = summary or Summary(model)

    async def turn(self, desk: Desk, message: str) -> str:
        desk = self._summary.desk(desk)
        if not desk.messages:
            desk.say(system_message(desk, "system.j2", self._template))
        asked = Message(session=desk.session, role="user", content=message)
        desk.say(asked)
        tools = [_offer(tool) for tool in desk.tools]
        known = {tool.name for tool in desk.tools}
        garbled_in_a_row = 0
        while True:
            await self._summary.shorten(desk, asked, sent)
            completion = await ask(self._model, desk, sent, tools)
            calls = _with_ids(completion.calls, len(desk.messages))
            keep(desk, completion, completion.text, calls)
            if not calls:
                return completion.text
            well_formed = [await self._run(desk, call) and call.name in known for call in calls]
            garbled_in_a_row = 0 if any(well_formed) else garbled_in_a_row + 1
            if garbled_in_a_row == self._patience:
                raise AgentFailed(f"{self._patience} replies in a row held no tool call that could be made")

    async def _run(self, desk: Desk, call: ToolCall) -> bool:
        """Make a call and hand its result to the model; whether it was well-formed."""
        arguments, problem = parsed(call.arguments)
        reply: Reply
        if problem:
            reply = desk.garbled(call.name, call.arguments, problem)
        else:
            reply = await desk.call(call.name, arguments)
        desk.say(Message(session=desk.session, role="tool", content=reply.text, call_id=call.id))
        return not problem


class Recorded:
    """Serves the replies of recorded model calls in order, then hands over to `then` if there is one.

    Each request must equal the recorded one in its messages, else `Fault` names the first that
    differs: a replay that has come off its track must not go on.
    """

    def __init__(self, model_calls: Sequence[ModelCall], then: Completes | None = None) -> None:
        self._calls = tuple(model_calls)
        self._next = 0
        self._then = then

    async def complete(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = ()
    ) -> Completion:
        if self._next == len(self._calls):
            if self._then is None:
                raise Fault(f"the recording ends after {self._next} replies, and one more is asked for")
            return await self._then.complete(messages, tools)
        call = self._calls[self._next]
        self._next += 1
        for n, (then, now) in enumerate(zip_longest(call.request["messages"], scrub(list(messages))), 1):
            if then != now:
                raise Fault(f"request {self._next} differs from the recording at message {n}")
        return Completion(request=call.request, response=call.response, usage=call.usage, attempts=call.attempts)


def parsed(raw: str) -> tuple[dict[str, Any], str]:
    """The arguments and "", or {} and what is wrong. Nothing at all stands for no arguments."""
    try:
        arguments = json.loads(raw or "{}", parse_constant=not_json)
    except (ValueError, RecursionError) as error:
        return {}, f"the arguments are not valid JSON ({error}); give them as one JSON object"
    if not isinstance(arguments, dict):
        return {}, f"the arguments must be a JSON object, not {type(arguments).__name__}"
    problem = refused(arguments)
    return ({}, problem) if problem else (arguments, "")


def not_json(constant: str) -> Any:
    """Refuse NaN and the infinities, which Python reads as JSON."""
    raise ValueError(f"{constant} is not JSON")


def _with_ids(calls: Sequence[ToolCall], at: int) -> list[ToolCall]:
    """Calls whose ids are there and distinct, since results refer to them."""
    seen: set[str] = set()
    named = []
    for n, call in enumerate(calls):
        fresh = call if call.id and call.id not in seen else call._replace(id=f"call_{at}_{n}")
        seen.add(fresh.id)
        named.append(fresh)
    return named


def _offer(tool: ToolSpec) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
    return {"type": "function", "function": function}


def sent(message: Message) -> dict[str, Any]:
    """A message as providers take it."""
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.call_id, "content": message.content}
    if not message.calls:
        return {"role": message.role, "content": message.content}
    calls = [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": _sendable_name(call["name"]), "arguments": _sendable(call["arguments"])},
        }
        for call in message.calls
    ]
    return {"role": "assistant", "content": message.content or None, "tool_calls": calls}


def _sendable(raw: str) -> str:
    """Arguments for the next request: several providers refuse a history whose calls do not parse."""
    return json.dumps({"unparsed": excerpt(raw)}) if parsed(raw)[1] else raw or "{}"


def _sendable_name(name: str) -> str:
    """A function name for the next request: providers refuse a history with characters they do not allow."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64] or "unnamed"
