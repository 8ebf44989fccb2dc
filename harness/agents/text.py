"""What agents have in common whose model calls no tools: all that it writes is text, with one step in each reply."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, NamedTuple

from harness.agents.summary import Summary
from harness.agents.talking import ask, keep, system_message
from harness.core.desk import AgentFailed, Desk, ToolSpec
from harness.core.trajectory import Message
from harness.models.replies import Completes, ToolCall
from servers.kernel.schema import inlined

__all__ = ("Argument", "Final", "Step", "TextAgent", "Unread", "sent", "shown", "written")


class Step(NamedTuple):
    """What a reply wants done: on record it is the call `name` with `given`; `said` is the reply up to its end."""

    name: str
    given: Any
    said: str


class Final(NamedTuple):
    """What the model has to say at the end of its turn."""

    text: str


class Unread(NamedTuple):
    """Why a reply holds neither an action nor a final answer, in words for the model."""

    problem: str


class TextAgent(ABC):
    """Asks the model, takes the step of its reply, hands back what came of it, until a final answer.

    What a reply says after its step is no part of the conversation: it would be guesswork about a result still to
    come. A reply that can be read neither as a step nor as an answer is recorded as a garbled call, of no tool;
    `patience` of these in a row raise `AgentFailed`. `template` is a prompt in place of the agent's own; `summary`
    keeps the conversation short.
    """

    prompt: ClassVar[str]
    """The file of the agent's own prompt."""
    ids: ClassVar[str]
    """What ids of calls begin with."""
    lacking: ClassVar[str]
    """What replies that cannot be read did not hold, as a failure says it."""

    def __init__(
        self, model: Completes, *, patience: int = 5, template: str = "", summary: Summary | None = None
    ) -> None:
        self._model = model
        self._patience = patience
        self._template = template
        self._summary = summary or Summary(model)

    @abstractmethod
    def read(self, reply: str) -> Step | Final | Unread:
        """What a reply is."""

    @abstractmethod
    async def act(self, desk: Desk, step: Step) -> tuple[str, bool]:
        """Take a step; what came of it, in words for the model, and whether the step could be read at all."""

    async def turn(self, desk: Desk, message: str) -> str:
        desk = self._summary.desk(desk)
        if not desk.messages:
            desk.say(system_message(desk, self.prompt, self._template, tools=shown(desk.tools)))
        asked = Message(session=desk.session, role="user", content=message)
        desk.say(asked)
        unread = 0
        while True:
            await self._summary.shorten(desk, asked, sent)
            completion = await ask(self._model, desk, sent)
            step = self.read(completion.text)
            id = f"{self.ids}_{len(desk.messages)}"
            if isinstance(step, Final):
                keep(desk, completion, completion.text, ())
                return step.text
            if isinstance(step, Unread):
                keep(desk, completion, completion.text, [ToolCall(id, "", completion.text)])
                text, is_read = desk.garbled("", completion.text, step.problem).text, False
            else:
                keep(desk, completion, step.said, [ToolCall(id, step.name, written(step.given))])
                text, is_read = await self.act(desk, step)
            desk.say(Message(session=desk.session, role="tool", content=text, call_id=id))
            unread = 0 if is_read else unread + 1
            if unread == self._patience:
                raise AgentFailed(f"{unread} {'reply' if unread == 1 else 'replies in a row'} held {self.lacking}")


def written(given: Any) -> str:
    """What a step was given, as it is on record."""
    return json.dumps(given, ensure_ascii=False)


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
        for name, each in inlined(schema.get("properties", {}), schema.get("$defs", {})).items()
    ]
    return _Shown(tool.name, tool.description, arguments)


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
