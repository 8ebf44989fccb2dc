"""Agents that need neither a model nor a policy: the floor and the ceiling of every suite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.core.desk import on_offer

if TYPE_CHECKING:
    from harness.core.desk import Desk, Reply
    from harness.core.suite import Solved
    from harness.core.task import Call, Task

__all__ = ("IdleAgent", "OracleAgent")


class IdleAgent:
    """Does nothing, which is right exactly where nothing is to be done."""

    async def turn(self, desk: Desk, message: str) -> str:
        return "I did nothing."


class OracleAgent:
    """Plays a task's reference calls, each in its session, as they are for the toolsets on offer.

    `solved` tells them where the suite works them out, and the task itself where none is given.
    """

    def __init__(self, task: Task, solved: Solved | None = None) -> None:
        self._task, self._solved = task, solved
        self._played = -1
        self._bound: dict[str, Any] = {}

    async def turn(self, desk: Desk, message: str) -> str:
        """Every reference call of the session, in order and once.

        A refusal ends the turn, since it means that the reference is wrong.
        """
        said = self._task.sessions[desk.session].closing or "Done."
        if desk.session == self._played:
            return said
        self._played = desk.session
        toolsets = {app: toolset.name for app, toolset in desk.toolsets.items()}
        calls = self._solved(self._task, toolsets) if self._solved else self._task.solved(toolsets.values())
        for number, call in enumerate(calls, start=1):
            if call.session != desk.session:
                continue
            reply = await desk.call(on_offer(desk, call.app, call.tool), _filled(call.arguments, self._bound))
            if reply.is_error:
                return f"Reference call {number} of {len(calls)} was refused: {reply.text}"
            if call.bind:
                self._bound[call.bind] = _made(call, reply)
        return said


def _made(call: Call, reply: Reply) -> str:
    """The id that a call produced: its whole result, or the `id` of the row it returned."""
    made = reply.data.get("result", reply.data)
    made = made.get("id") if isinstance(made, dict) else made
    if not isinstance(made, str):
        raise ValueError(f"{call.app}_{call.tool} returned no id to bind as {call.bind!r}: {reply.text}")
    return made


def _filled(value: Any, bound: dict[str, Any]) -> Any:
    """The arguments with every `{"ref": name}` replaced by the id bound to that name."""
    if isinstance(value, dict):
        if value.keys() == {"ref"}:
            return bound[value["ref"]]
        return {key: _filled(item, bound) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, bound) for item in value]
    return value
