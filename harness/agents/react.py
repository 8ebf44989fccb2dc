"""The agent that is a model without tool calling: thoughts, actions and observations, all of them text.

The protocol is the one of WorkBench's agents (paper section 4.4 and appendix A.5, after ReAct): an action is
a JSON object with `action`, the name of a tool, and `action_input`, its arguments; the action
`Final Answer` ends the turn.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from harness.agents.llm import not_json
from harness.agents.summary import Summary
from harness.agents.talking import ask, keep, system_message
from harness.core.desk import AgentFailed, Desk, Reply, ToolSpec
from harness.core.trajectory import Message
from harness.models.replies import Completes, ToolCall
from servers.kernel import refusal

__all__ = ("Action", "Argument", "Final", "ReactAgent", "Unread", "arguments_of", "read", "sent", "shown")

_FORM = 'Write `Action:` and then one JSON object: {"action": the name of a tool, "action_input": its arguments}'


class ReactAgent:
    """Asks the model, carries out the first action of its reply, hands back what came of it, until a final answer.

    What a reply says after its action is no part of the conversation: it would be guesswork about a
    result still to come. A reply without an action that can be read is recorded as a garbled call, of
    no tool; `patience` of these in a row raise `AgentFailed`. `template` is a prompt in place of
    `prompts/react.j2`; `summary` keeps the conversation short.
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
            desk.say(system_message(desk, "react.j2", self._template, tools=shown(desk.tools)))
        asked = Message(session=desk.session, role="user", content=message)
        desk.say(asked)
        tools = {tool.name: tool for tool in desk.tools}
        unread = 0
        while True:
            await self._summary.shorten(desk, asked, sent)
            completion = await ask(self._model, desk, sent)
            step = read(completion.text)
            id = f"action_{len(desk.messages)}"
            match step:
                case Final():
                    keep(desk, completion, completion.text, ())
                    return step.text
                case Action():
                    raw = json.dumps(step.given, ensure_ascii=False)
                    keep(desk, completion, step.said, [ToolCall(id, step.name, raw)])
                    reply, is_read = await self._run(desk, step, tools.get(step.name), raw)
                case Unread():
                    keep(desk, completion, completion.text, [ToolCall(id, "", completion.text)])
                    reply, is_read = desk.garbled("", completion.text, step.problem), False
            desk.say(Message(session=desk.session, role="tool", content=reply.text, call_id=id))
            unread = 0 if is_read else unread + 1
            if unread == self._patience:
                raise AgentFailed(f"{unread} {'reply' if unread == 1 else 'replies in a row'} held no readable action")

    async def _run(self, desk: Desk, action: Action, tool: ToolSpec | None, raw: str) -> tuple[Reply, bool]:
        """Carry out an action; what came of it, and whether it could be read at all."""
        arguments, problem = arguments_of(action.given, tool)
        if problem:
            return desk.garbled(action.name, raw, problem), False
        return await desk.call(action.name, arguments), True


class Action(NamedTuple):
    """An action of a reply: the tool, `action_input` as it was given, and the reply up to the action's end."""

    name: str
    given: Any
    said: str


class Final(NamedTuple):
    """What the model has to say at the end of its turn."""

    text: str


class Unread(NamedTuple):
    """Why a reply holds neither an action nor a final answer, in words for the model."""

    problem: str


_DECODER = json.JSONDecoder(strict=False, parse_constant=not_json)  # models break lines inside of texts
_KEYWORD = re.compile(r"^[ \t>#*]*action[ \t*]*:", re.IGNORECASE | re.MULTILINE)
_MEANT = re.compile(r'\{\s*"action(_input)?"\s*:')
_TRIES, _LOOKS = 500, 20
"""Braces that open no object, and readings of the whole reply, after which an action is given up: reading on from each
of them would take time that grows with the square of the reply."""
_FENCE = re.compile(r"\s*```")
_ANSWER = re.compile(r"^[ \t>#*]*final[ _]answer[ \t*]*:[ \t*]*", re.IGNORECASE | re.MULTILINE)


def read(reply: str) -> Action | Final | Unread:
    """The first action or final answer of a reply.

    Looks behind the keyword `Action:` where it stands at the start of a line, else everywhere. The object
    may be fenced or bare, with other keys beside the two, and within other text. One that begins as an
    action but is not JSON is unread, whatever follows it. A line `Final Answer: ...` will do for an object.
    Behind very many braces that open nothing, no action is looked for.
    """
    keyword = _KEYWORD.search(reply)
    at = keyword.end() if keyword else 0
    tries, looks = _TRIES, _LOOKS * (len(reply) + 1)
    while tries and looks > 0 and (at := reply.find("{", at)) >= 0:
        try:
            blob, end = _DECODER.raw_decode(reply, at)
        except RecursionError:
            return Unread(f"The action is nested too deeply to be read. {_FORM}.")
        except ValueError as error:
            if _MEANT.match(reply, at):
                return Unread(f"The action is not valid JSON ({error}). {_FORM}.")
            tries -= 1
            looks -= error.pos - at if isinstance(error, json.JSONDecodeError) else len(reply)
            at += 1
            continue
        if "action" in blob:
            if problem := refusal(blob):
                return Unread(f"The action cannot be taken: it {problem}. {_FORM}.")
            fence = _FENCE.match(reply, end)
            return _action(blob, reply[: fence.end() if fence else end])
        at = end
    answer = _ANSWER.search(reply)
    if answer:
        return Final(reply[answer.end() :].strip())
    return Unread(f'There is no action in this reply. {_FORM}; to end, the action is "Final Answer".')


def _action(blob: Mapping[str, Any], said: str) -> Action | Final | Unread:
    name, given = blob["action"], blob.get("action_input")
    if not isinstance(name, str) or not name.strip():
        return Unread(f"`action` must be the name of a tool. {_FORM}.")
    if name.strip().lower().replace("_", " ") != "final answer":
        return Action(name.strip(), given, said)
    return Final(given if isinstance(given, str) else "" if given is None else json.dumps(given, ensure_ascii=False))


def arguments_of(given: Any, tool: ToolSpec | None) -> tuple[dict[str, Any], str]:
    """The arguments and "", or {} and what is wrong.

    A bare text is the tool's first argument, as the release's agents had it.
    """
    if isinstance(given, dict):
        return given, ""
    if given is None or given == "":
        return {}, ""
    first = next(iter(tool.input_schema.get("properties", ())), None) if tool else "action_input"
    if isinstance(given, str) and first:
        return {first: given}, ""
    return {}, f"`action_input` must be a JSON object, not {type(given).__name__}"


def sent(message: Message) -> dict[str, Any]:
    """A message as a model without tool calling takes it: observations are the other side's."""
    if message.role == "tool":
        return {"role": "user", "content": f"Observation: {message.content}"}
    content = message.content if message.content.strip() else "(no text)"  # providers refuse empty ones
    return {"role": message.role, "content": content}


class Argument(NamedTuple):
    """An argument of a tool as the prompt lists it."""

    name: str
    kind: str
    required: bool
    description: str


class _Shown(NamedTuple):
    name: str
    description: str
    arguments: list[Argument]


def shown(tools: Iterable[ToolSpec]) -> list[_Shown]:
    """Tools as prompts list them."""
    return [_shown(tool) for tool in tools]


def _shown(tool: ToolSpec) -> _Shown:
    schema = tool.input_schema
    required = schema.get("required", ())
    arguments = [
        Argument(name, _kind(each), name in required, each.get("description", ""))
        for name, each in _resolved(schema.get("properties", {}), schema.get("$defs", {})).items()
    ]
    return _Shown(tool.name, tool.description, arguments)


def _resolved(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """A part of a schema with what it refers to in place of references; what refers to itself may be anything there."""
    if isinstance(schema, list):
        return [_resolved(item, definitions) for item in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: _resolved(item, definitions) for name, item in schema.items() if name != "$ref"}
    if "$ref" in schema:
        known = schema["$ref"].rpartition("/")[2]
        others = {name: item for name, item in definitions.items() if name != known}
        found = {**_resolved(definitions.get(known, {}), others), **found}
    return found


_KINDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false", "null": ""}


def _kind(schema: Mapping[str, Any]) -> str:
    """What an argument may be, in few words; a nested one is shown as its JSON schema."""
    if "enum" in schema:
        return "one of " + ", ".join(json.dumps(each, ensure_ascii=False) for each in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(filter(None, map(_kind, schema["anyOf"])))
    kind = schema.get("type")
    if kind == "array" and "items" in schema:
        return f"list, each {_kind(schema['items'])}"
    return _KINDS[kind] if kind in _KINDS else json.dumps(schema)
