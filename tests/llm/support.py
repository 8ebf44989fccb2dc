"""What the tests of this folder share: running one scene, a configured model, and a desk without a sandbox."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

import anyio

from harness.core.config import LlmConfig
from harness.core.desk import LimitReached, Reply, ToolSpec
from harness.models.llm import Model, aclose
from harness.stub import StubServer
from harness.trajectory import Message, ModelCall
from servers.kernel import Owner, Toolset

T = TypeVar("T")

HELLO = [{"role": "user", "content": "hello"}]
MODEL = "openai/stub"


def run(scene: Callable[[], Awaitable[T]]) -> T:
    """Run a scene in a loop of its own and leave no connection behind."""

    async def main() -> T:
        with anyio.fail_after(120):
            try:
                return await scene()
            finally:
                await aclose()

    return anyio.run(main)


def config(stub: StubServer, **fields: Any) -> LlmConfig:
    return LlmConfig(**{"kind": "llm", "model": MODEL, "api_base": stub.base_url, "retries": 2, **fields})


class Waits(list[float]):
    """Takes the place of sleeping: the seconds that would have been waited."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


def model(stub: StubServer, waits: Waits | None = None, **fields: Any) -> Model:
    return Model(config(stub, **fields), sleep=Waits() if waits is None else waits)


def tool(name: str) -> ToolSpec:
    app, _, short = name.partition("_")
    schema = {"type": "object", "properties": {"query": {"type": "string"}}}
    return ToolSpec(name, app, short, f"Does {short}.", schema)


class FakeDesk:
    """A desk whose tools echo their arguments. `turns` is the only budget."""

    def __init__(self, *names: str, turns: int = 100) -> None:
        self.session = 0
        self.system = "Work for Ada."
        self.now = datetime(2023, 11, 30, 9, 5)
        self.tools: Sequence[ToolSpec] = [tool(name) for name in names or ("gmail_search", "gmail_send")]
        self.toolsets: Mapping[str, Toolset] = {}
        self.owner: Owner | None = None
        self.messages: list[Message] = []
        self.spent: list[ModelCall] = []
        self.made: list[tuple[str, dict[str, Any]]] = []
        self.unreadable: list[tuple[str, str]] = []
        self._turns = turns

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        if name not in {spec.name for spec in self.tools}:
            return Reply(f"There is no tool {name!r}.", {}, True)
        self.made.append((name, dict(arguments)))
        return Reply(f"{name} got {dict(arguments)}", {}, False)

    def garbled(self, name: str, raw: str, problem: str) -> Reply:
        self.unreadable.append((name, raw))
        return Reply(f"{name}: {problem}", {}, True)

    def say(self, message: Message) -> None:
        self.messages.append(message)

    def spend(self, call: ModelCall) -> None:
        self.spent.append(call)
        if len(self.spent) > self._turns:
            raise LimitReached("turns")

    def random(self, decision: str, purpose: str) -> random.Random:
        return random.Random(f"{decision}|{purpose}")
