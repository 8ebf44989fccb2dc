"""Agents that need neither a model nor a policy: the floor and the ceiling of every suite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.core.desk import on_offer
from harness.core.task import filled, made_id

if TYPE_CHECKING:
    from harness.core.desk import Desk
    from harness.core.suite import Solved
    from harness.core.task import Task

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
            reply = await desk.call(on_offer(desk, call.app, call.tool), filled(call.arguments, self._bound))
            if reply.is_error:
                return f"Reference call {number} of {len(calls)} was refused: {reply.text}"
            if call.bind:
                if not (made := made_id(reply.data)):
                    raise ValueError(f"{call.app}_{call.tool} returned no id to bind as {call.bind!r}: {reply.text}")
                self._bound[call.bind] = made
        return said
