"""Jobs on a board that an agent has a subagent move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from harness.core.config import Condition, OracleConfig, RunConfig
from harness.core.desk import Agent, Desk, Reply
from harness.suite import Suite
from harness.task import Call, End, Expected, Task
from servers.kernel import World
from tests.harness import toy

__all__ = ("CONDITION", "SPAWN", "Leader", "Wiring", "config", "handed", "suite", "task", "wiring", "world")

SPAWN = "desk_spawn_subagent"
CONDITION = Condition(toolsets={"desk": "pi_subagents"})
MOVED = "Moved it."
ORACLE = OracleConfig(kind="oracle")

Calls = Sequence[tuple[str, Mapping[str, Any]]]


def world() -> World:
    return replace(toy.world(), rows={**toy.world().rows, "desk": {}})


def handed(number: int) -> str:
    """What a subagent is told."""
    return f"Move job {number} as the board wants it."


def task(number: int) -> Task:
    """One job is moved, and the desk keeps who was told to."""
    plain = toy.task(number)
    kept = {"title": "Board", "task": handed(number), "report": MOVED, "started": toy.NOW.isoformat()}
    row = Expected(op="insert", app="desk", table="subagents", values=kept)
    return plain.model_copy(
        update={"apps": ("projects", "desk"), "ends": (End(changes=(*plain.ends[0].changes, row)),)}
    )


def suite(tasks: Sequence[Task] = ()) -> Suite:
    return replace(toy.suite(tasks or [task(n) for n in range(6)]), world=lambda _: world())


def config(**changes: Any) -> RunConfig:
    return RunConfig(**{"suite": "toy", "agents": (ORACLE,), "conditions": {"sub": CONDITION}, **changes})


class Leader:
    """Hands its task on where it can; a subagent of it makes `calls`, and says `MOVED`.

    What it was told, offered and answered is in `log`, which it shares with its subagents.
    """

    def __init__(self, task: Task, calls: Calls | None = None, *, log: list[Any] | None = None, times: int = 1) -> None:
        solution: Sequence[Call] = task.solution
        self._calls = [(f"{call.app}_{call.tool}", call.arguments) for call in solution] if calls is None else calls
        self._number, self._times = int(task.id.rpartition("-")[2]), times
        self.log = [] if log is None else log

    async def turn(self, desk: Desk, message: str) -> str:
        self.log.append((message, desk.system, [tool.name for tool in desk.tools]))
        if SPAWN not in {tool.name for tool in desk.tools}:
            for name, arguments in self._calls:
                await self._call(desk, name, arguments)
            return MOVED
        said = ""
        for _ in range(self._times):
            said = (await self._call(desk, SPAWN, {"task": handed(self._number), "title": "Board"})).text
        return f"It says: {said}"

    async def _call(self, desk: Desk, name: str, arguments: Mapping[str, Any]) -> Reply:
        reply = await desk.call(name, arguments)
        self.log.append(reply.text)
        return reply


class Wiring(toy.Wiring):
    """Hands out the suite above, and leaders unless it is told otherwise."""

    def __init__(self, make: Callable[[Task], Agent] = Leader) -> None:
        super().__init__(make=make)
        self._suite = suite()


def wiring() -> Wiring:
    """What worker processes call."""
    return Wiring()
