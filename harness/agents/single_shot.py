"""The agent that is a model shown everything at once: it answers in one call, and its answer is carried out for it.

What it is shown and which tool takes the answer is the suite's to say (`Suite.whole`). The answer is one JSON object,
the arguments of that tool; an empty one takes no action.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from harness.agents.llm import not_json
from harness.agents.talking import ask, keep, system_message
from harness.core.agent_config import SingleShot
from harness.core.desk import AgentFailed, Desk, ToolSpec, on_offer
from harness.core.suite import Whole
from harness.core.trajectory import Message
from harness.models.replies import Completes, ToolCall
from servers.kernel import Fault, refused

__all__ = ("SingleShotAgent", "answer_of")

_FORM = "Give one JSON object, as the whole reply or in the only fenced block of it."
_FENCED = re.compile(r"^[ \t]*```[a-zA-Z]*[ \t]*\n(.*?)^[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE)
_TRIES = 2
"""An answer, and a second one where the first could not be read or the tool refused its form."""


class SingleShotAgent:
    """Shows the model everything, reads its one answer strictly, and calls the tool with it.

    Where no answer can be read, or the tool refuses it, the model is told so once and may give another: both stand in
    the record, the first as a garbled or refused call. After a second one like that it has failed.
    """

    def __init__(self, model: Completes, whole: Callable[[], Whole], settings: SingleShot) -> None:
        self._model, self._whole, self._settings = model, whole, settings

    async def turn(self, desk: Desk, message: str) -> str:
        """Answer, once a session."""
        if desk.messages:
            return ""
        whole = self._whole()
        tool = _tool(desk, whole)
        schema = json.dumps(tool.input_schema, indent=2, ensure_ascii=False)
        desk.say(system_message(desk, "single_shot.j2", tool=tool, schema=schema, think=self._settings.think))
        desk.say(Message(session=desk.session, role="user", content=f"{message}\n{whole.text}"))
        for _ in range(_TRIES):
            completion = await ask(self._model, desk, _wire)
            answer, problem = answer_of(completion.text)
            if not problem and not answer:
                keep(desk, completion, completion.text, ())
                return "I took no action."
            id = f"answer_{len(desk.messages)}"
            raw = completion.text if problem else json.dumps(answer, ensure_ascii=False)
            keep(desk, completion, completion.text, [ToolCall(id, tool.name, raw)])
            reply = desk.garbled(tool.name, raw, problem) if problem else await desk.call(tool.name, answer)
            desk.say(Message(session=desk.session, role="tool", content=reply.text, call_id=id))
            if not reply.is_error:
                return "I took the action that I gave."
        raise AgentFailed(f"{_TRIES} replies in a row held no answer that could be taken")


def answer_of(reply: str) -> tuple[dict[str, Any], str]:
    """The JSON object that a reply is, or that its only fenced block is, and ""; else {} and what is wrong."""
    blocks = _FENCED.findall(reply)
    text = reply.strip()
    if not text.startswith("{") and len(blocks) != 1:
        there = f"{len(blocks)} fenced blocks" if blocks else "neither an object nor a fenced block"
        return {}, f"the reply holds {there}. {_FORM}"
    try:
        found = json.loads(text if text.startswith("{") else blocks[0], parse_constant=not_json)
    except (ValueError, RecursionError) as error:
        return {}, f"the answer is not valid JSON ({error}). {_FORM}"
    if not isinstance(found, dict):
        return {}, f"the answer must be a JSON object, not {type(found).__name__}. {_FORM}"
    problem = refused(found)
    return ({}, f"{problem}. {_FORM}") if problem else (found, "")


def _tool(desk: Desk, whole: Whole) -> ToolSpec:
    """The tool that takes the answer. Raises `Fault` where it is not on offer."""
    name = on_offer(desk, whole.app, whole.tool)
    for tool in desk.tools:
        if tool.name == name:
            return tool
    raise Fault(f"the answer goes to {whole.app}.{whole.tool}, which is not on offer")


def _wire(message: Message) -> dict[str, Any]:
    """A message as the model gets it: what came of its answer is the other side's."""
    role = "user" if message.role == "tool" else message.role
    return {"role": role, "content": message.content if message.content.strip() else "(no text)"}
