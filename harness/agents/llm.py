"""The agent that is a model with native tool calling."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

from harness.core.desk import AgentFailed, Desk, LimitReached, Reply, ToolSpec
from harness.core.secrets import scrub
from harness.core.trajectory import Message, ModelCall
from harness.models.llm import Completes, Completion, ContextWindow, ToolCall
from servers.kernel import Fault, excerpt, refused

__all__ = ("LlmAgent", "Recorded", "ask", "keep", "not_json", "system_message")

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")  # strftime would use the locale


class LlmAgent:
    """Asks the model, runs the calls of its reply in listed order, until a reply has none.

    `patience` replies in a row whose calls are all garbled or to unknown tools raise `AgentFailed`.
    A conversation that outgrows the model is a limit, as any other budget. `template` is a system
    prompt in place of `prompts/system.j2`.
    """

    def __init__(self, model: Completes, *, patience: int = 5, template: str = "") -> None:
        self._model = model
        self._patience = patience
        self._template = template

    async def turn(self, desk: Desk, message: str) -> str:
        if not desk.messages:
            desk.say(system_message(desk, "system.j2", self._template))
        desk.say(Message(session=desk.session, role="user", content=message))
        tools = [_offer(tool) for tool in desk.tools]
        known = {tool.name for tool in desk.tools}
        garbled_in_a_row = 0
        while True:
            completion = await ask(self._model, desk, _wire, tools)
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
        arguments, problem = _parse(call.arguments)
        reply: Reply
        if problem:
            reply = desk.garbled(call.name, call.arguments, problem)
        else:
            reply = await desk.call(call.name, arguments)
        desk.say(Message(session=desk.session, role="tool", content=reply.text, call_id=call.id))
        return not problem


async def ask(
    model: Completes,
    desk: Desk,
    wire: Callable[[Message], Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]] = (),
) -> Completion:
    """The model's next reply to a desk's conversation, each message as `wire` sends it.

    Raises `LimitReached` where the conversation has outgrown the model.
    """
    began = time.perf_counter()
    try:
        completion = await model.complete([wire(message) for message in desk.messages], tools)
        return completion.model_copy(update={"seconds": round(time.perf_counter() - began, 4)})
    except ContextWindow:
        raise LimitReached("context window") from None


def keep(desk: Desk, completion: Completion, content: str, calls: Sequence[ToolCall]) -> None:
    """Put a reply into the conversation, then pay for it: the reply that breaks a budget is still told."""
    turn = 1 + sum(message.role == "assistant" for message in desk.messages)
    given = [call._asdict() for call in calls]
    desk.say(Message(session=desk.session, role="assistant", content=content, calls=given))
    desk.spend(
        ModelCall(
            session=desk.session,
            turn=turn,
            purpose="agent",
            request=completion.request,
            response=completion.response,
            usage=completion.usage,
            attempts=completion.attempts,
            duration=completion.seconds,
        )
    )


def system_message(desk: Desk, name: str, template: str = "", **more: Any) -> Message:
    """The first message of a conversation: from `template`, or else from our prompt of that name."""
    text = _template(name, template).render(
        system=desk.system.strip(), now=desk.now, day=_DAYS[desk.now.weekday()], **more
    )
    return Message(session=desk.session, role="system", content=text.strip())


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


def _parse(raw: str) -> tuple[dict[str, Any], str]:
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


def _wire(message: Message) -> dict[str, Any]:
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
    return json.dumps({"unparsed": excerpt(raw)}) if _parse(raw)[1] else raw or "{}"


def _sendable_name(name: str) -> str:
    """A function name for the next request: providers refuse a history with characters they do not allow."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64] or "unnamed"


@lru_cache(maxsize=8)
def _template(name: str, own: str) -> Any:
    """A template of a config may include ours; being a stranger's where a run is, it may do nothing but render."""
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(
        loader=FileSystemLoader(Path(__file__).parent / "prompts"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    return environment.from_string(own) if own else environment.get_template(name)
