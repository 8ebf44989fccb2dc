"""The agent that is a model without tool calling: thoughts, actions and observations, all of them text.

The protocol is the one of WorkBench's agents (paper section 4.4 and appendix A.5, after ReAct): an action is
a JSON object with `action`, the name of a tool, and `action_input`, its arguments; the action
`Final Answer` ends the turn.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from harness.agents.llm import not_json
from harness.agents.talking import json_objects
from harness.agents.text import Final, Step, TextAgent, Unread, written
from harness.core.desk import Desk, ToolSpec
from servers.kernel import refusal

__all__ = ("ReactAgent", "arguments_of", "read")

_FORM = 'Write `Action:` and then one JSON object: {"action": the name of a tool, "action_input": its arguments}'

_DECODER = json.JSONDecoder(strict=False, parse_constant=not_json)  # models break lines inside of texts
_KEYWORD = re.compile(r"^[ \t>#*]*action[ \t*]*:", re.IGNORECASE | re.MULTILINE)
_MEANT = re.compile(r'\{\s*"action(_input)?"\s*:')
_FENCE = re.compile(r"\s*```")
_ANSWER = re.compile(r"^[ \t>#*]*final[ _]answer[ \t*]*:[ \t*]*", re.IGNORECASE | re.MULTILINE)


class ReactAgent(TextAgent):
    """A `TextAgent` whose step is the first action of a reply: a tool, and `action_input` as it was given."""

    prompt = "react.j2"
    ids = "action"
    lacking = "no readable action"

    def read(self, reply: str) -> Step | Final | Unread:
        return read(reply)

    async def act(self, desk: Desk, step: Step) -> tuple[str, bool]:
        tool = next((tool for tool in desk.tools if tool.name == step.name), None)
        arguments, problem = arguments_of(step.given, tool)
        if problem:
            return desk.garbled(step.name, written(step.given), problem).text, False
        return (await desk.call(step.name, arguments)).text, True


def read(reply: str) -> Step | Final | Unread:
    """The first action or final answer of a reply.

    Looks behind the keyword `Action:` where it stands at the start of a line, else everywhere. The object
    may be fenced or bare, with other keys beside the two, and within other text. One that begins as an
    action but is not JSON is unread, whatever follows it. A line `Final Answer: ...` will do for an object.
    Behind very many braces that open nothing, no action is looked for.
    """
    keyword = _KEYWORD.search(reply)
    for blob, at, end in json_objects(reply, keyword.end() if keyword else 0, _DECODER):
        if isinstance(blob, RecursionError):
            return Unread(f"The action is nested too deeply to be read. {_FORM}.")
        if isinstance(blob, ValueError):
            if _MEANT.match(reply, at):
                return Unread(f"The action is not valid JSON ({blob}). {_FORM}.")
        elif "action" in blob:
            if problem := refusal(blob):
                return Unread(f"The action cannot be taken: it {problem}. {_FORM}.")
            fence = _FENCE.match(reply, end)
            return _action(blob, reply[: fence.end() if fence else end])
    answer = _ANSWER.search(reply)
    if answer:
        return Final(reply[answer.end() :].strip())
    return Unread(f'There is no action in this reply. {_FORM}; to end, the action is "Final Answer".')


def _action(blob: Mapping[str, Any], said: str) -> Step | Final | Unread:
    name, given = blob["action"], blob.get("action_input")
    if not isinstance(name, str) or not name.strip():
        return Unread(f"`action` must be the name of a tool. {_FORM}.")
    if name.strip().lower().replace("_", " ") != "final answer":
        return Step(name.strip(), given, said)
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
