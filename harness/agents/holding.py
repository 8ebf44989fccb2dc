"""Calls that change something, held back until it is decided which of them are made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from harness.agents.talking import Aside
from harness.core.desk import Desk, LimitReached, Reply, ToolSpec
from harness.core.each_text import each_text
from harness.core.task import made_id
from harness.core.trajectory import Message, ModelCall
from servers.kernel import Failure

__all__ = ("Draft", "Held", "TurnsUsed", "carry_out", "changes")


class Held(NamedTuple):
    """A call that has not been made."""

    name: str
    arguments: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.name}({json.dumps(self.arguments, ensure_ascii=False)})"


class TurnsUsed(LimitReached):
    """An attempt has had its turns."""

    def __init__(self) -> None:
        super().__init__("turns of an attempt")


def changes(desk: Desk, tool: ToolSpec) -> bool:
    """Whether a tool may change something. One that nothing is known of may."""
    return tool.app not in desk.toolsets or desk.toolsets[tool.app].tool(tool.tool).kind in ("writes", "delegates")


class Draft(Aside):
    """The desk of one attempt: calls that change something are held back, all others are made.

    A held call is checked as far as its arguments go: one that does not fit is made, since it changes nothing, and the
    server says what is wrong with it. Once the desk is `live` no call is held. An attempt that has had its `turns`
    ends with `TurnsUsed`.
    """

    def __init__(self, behind: Desk, past: Sequence[Message], turns: int) -> None:
        super().__init__(behind, past)
        self.held: list[Held] = []
        self.live = False
        self._left = turns
        self._tools = {tool.name: tool for tool in behind.tools}

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        tool = self._tools.get(name)
        if self.live or tool is None or not changes(self, tool) or not self._fits(tool, arguments):
            return await self.behind.call(name, arguments)
        self.held.append(Held(name, dict(arguments)))
        number = len(self.held)
        text = (
            f"Held back as call {number}. It has not been carried out, and no tool shows what it would change. Where a "
            f'later call needs the id of what this one makes, give "@{number}" there.'
        )
        return Reply(text, {}, False)

    def spend(self, call: ModelCall) -> None:
        super().spend(call)
        self._left -= not self.live
        if self._left < 0:
            raise TurnsUsed

    def _fits(self, tool: ToolSpec, arguments: Mapping[str, Any]) -> bool:
        if tool.app not in self.toolsets:
            return True
        try:
            self.toolsets[tool.app].tool(tool.tool).check(arguments)
        except Failure:
            return False
        return True


async def carry_out(desk: Desk, held: Sequence[Held]) -> list[Reply]:
    """Make calls in their order, up to the first that is refused; what came of each.

    An argument that is `@1` stands for the id of what the first call made.
    """
    made: dict[str, str] = {}
    replies: list[Reply] = []
    for number, (name, arguments) in enumerate(held, start=1):
        earlier = {f"@{n}" for n in range(1, number)}
        if lost := sorted(_named(arguments, earlier) - made.keys()):
            problem = f"{', '.join(lost)} stands for an id, and that call gave none"
            replies.append(desk.garbled(name, json.dumps(arguments, ensure_ascii=False), problem))
        else:
            replies.append(await desk.call(name, each_text(arguments, lambda text: made.get(text, text))))
        if replies[-1].is_error:
            break
        if id := made_id(replies[-1].data):
            made[f"@{number}"] = id
    return replies


def _named(value: Any, names: set[str]) -> set[str]:
    """Which of these names a value holds, however deep."""
    if isinstance(value, str):
        return {value} & names
    inside = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return {name for item in inside for name in _named(item, names)}
