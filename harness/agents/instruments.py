"""Agents that need neither a model nor a policy: the floor and the ceiling of every suite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.agents.desk import Desk, Reply
    from harness.task import Call

__all__ = ("IdleAgent", "OracleAgent")


class IdleAgent:
    """Does nothing, which is right exactly where nothing is to be done."""

    async def turn(self, desk: Desk, message: str) -> str:
        return "I did nothing."


class OracleAgent:
    """Plays a task's reference calls in its first session."""

    def __init__(self, solution: Sequence[Call]) -> None:
        self._solution = solution

    async def turn(self, desk: Desk, message: str) -> str:
        """Every reference call in order; a refusal ends the turn, since it means that the reference is wrong."""
        bound: dict[str, Any] = {}
        calls, self._solution = self._solution, ()
        for number, call in enumerate(calls, start=1):
            reply = await desk.call(f"{call.app}_{call.tool}", _filled(call.arguments, bound))
            if reply.is_error:
                return f"Reference call {number} of {len(calls)} was refused: {reply.text}"
            if call.bind:
                bound[call.bind] = _made(call, reply)
        return "Done."


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
