"""A desk over the apps themselves, without MCP: enough to see what an agent does to the state."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

import anyio

from benchmarks.workbench.synth.draw import keyed
from harness.core.desk import Agent, Reply, ToolSpec
from harness.record.defaults import defaults_of
from harness.score import Score, outcome
from harness.task import Task
from harness.trajectory import Message, ModelCall, Trajectory
from servers import catalog
from servers.kernel import Change, Engine, Failure, Layer, Owner, Table, Toolset, World

ASK = ToolSpec("ask_user_ask_user", "ask_user", "ask_user", "", {})


class LocalDesk:
    """Calls go straight to tools on a layer; questions go to `user`, if there is one."""

    def __init__(self, layer: Layer, *, user: Callable[[str], str] | None = None, seed: int = 0) -> None:
        self.layer, self.user, self.seed = layer, user, seed
        self.session, self.system = 0, ""
        self.now: datetime = layer.now
        self.messages: list[Message] = []
        self.toolsets: Mapping[str, Toolset] = {}
        self.owner: Owner | None = None
        self.tools: Sequence[ToolSpec] = (ASK,) if user else ()
        self.calls: list[str] = []
        self.asked: list[str] = []

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        self.calls.append(name)
        if name == ASK.name and self.user:
            self.asked.append(arguments["question"])
            text = self.user(arguments["question"])
            return Reply(text, {"result": text}, False)
        app_name, _, tool_name = name.partition("_")
        app = catalog.app(app_name)
        try:
            result = app.toolset("workbench").tool(tool_name).call(self.layer.state(app), arguments)
        except Failure as failure:
            return Reply(str(failure), {}, True)
        return Reply(result.text, result.data, False)

    def garbled(self, name: str, raw: str, problem: str) -> Reply:
        raise NotImplementedError

    def say(self, message: Message) -> None:
        self.messages.append(message)

    def spend(self, call: ModelCall) -> None:
        raise NotImplementedError

    def random(self, decision: str, purpose: str) -> random.Random:
        return keyed(self.seed, decision, purpose)


class Office:
    """One engine with one world in it; every play gets a layer of its own."""

    def __init__(self, world: World) -> None:
        self.engine = Engine()
        self.base = self.engine.load(world)

    def play(
        self, agent: Agent, *, user: Callable[[str], str] | None = None, seed: int = 0, request: str = ""
    ) -> tuple[LocalDesk, str, list[Change]]:
        """The desk as it was left, the agent's last words, and what changed."""
        layer = self.engine.layer(self.base)
        desk = LocalDesk(layer, user=user, seed=seed)
        said = anyio.run(agent.turn, desk, request)
        changes = layer.changes()
        layer.close()
        return desk, said, changes


TOOLSETS = {name: app.default for name, app in catalog.apps().items()}


def scored(task: Task, changes: list[Change]) -> Score:
    """What the outcome check says of a state that these changes lead to."""
    trajectory = Trajectory(
        suite="", task=task.id, task_hash=task.hash, agent="", condition="", trial=0, seed=0,
        prompt="original", status="finished", changes=changes, defaults=defaults_of(changes, TOOLSETS),
    )  # fmt: skip
    return outcome(task, trajectory)


def fits(table: type[Table], row: Mapping[str, Any]) -> bool:
    """Whether a world's row is one of the table, and what it does not say has a default."""
    whole = table.model_validate(row).model_dump(mode="json")
    return whole == {**dict.fromkeys(whole), **table.defaults(), **row}
