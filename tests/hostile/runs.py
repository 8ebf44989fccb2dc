"""Runs of agents that send hostile calls, and what became of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import perf_counter
from typing import Any, NamedTuple

import anyio

from harness.core.config import RunConfig
from harness.play.replay import replay_run
from harness.play.run import evaluate
from harness.record.files import RunError
from harness.score import outcome
from harness.stub import Reply, StubServer, ToolCall
from harness.suite import Suite
from harness.task import Brief, End, Segment, Session, Slot, Task
from servers import catalog
from tests.contracts.world import contract_world
from tests.harness.wired import Over
from tests.hostile.calls import SIZES, Tool, drawn

__all__ = ("AGENTS", "Outcome", "played")

AGENTS = ("command", "tools", "react")
A_TRIAL = 50
"""Calls of one trial."""

PROGRAM = Path(__file__).with_name("program.py")


class Outcome(NamedTuple):
    """What a run left: calls on record by status, trials void, records that do not read, replays that differ."""

    calls: Mapping[str, int]
    void: list[str]
    unreadable: list[str]
    different: list[str]
    seconds: float

    @property
    def made(self) -> int:
        return sum(self.calls.values())


def played(agent: str, count: int, folder: Path, seed: int = 0) -> Outcome:
    """Play so many hostile calls through an evaluation, read every record back, and replay them all."""
    suite = _suite(seed, -(-count // (2 * A_TRIAL)))
    with _endpoint() as url:
        agents: dict[str, dict[str, Any]] = {
            "command": {"kind": "command", "command": ["{python}", str(PROGRAM), "{mcp_config}", "{request}"]},
            "tools": {"kind": "llm", "model": "hosted_vllm/stub", "api_base": url, "patience": 10**6},
        }
        agents["react"] = {**agents["tools"], "strategy": "react"}
        config = RunConfig.model_validate(
            {
                "suite": suite.name,
                "agents": [agents[agent]],
                "conditions": {
                    ask: {"ask": ask, "end_of_turn": "session" if agent == "command" else "user"}
                    for ask in ("ask_user", "clarify")
                },
                "limits": {"turns": None, "tool_calls": None, "seconds": 600},
            }
        )
        wiring = Over(suite)
        began = perf_counter()
        run = evaluate(config, suite, wiring, folder)
        seconds = perf_counter() - began
    statuses: Counter[str] = Counter()
    void, unreadable = [], []
    for path in sorted((folder / "trials").glob("*.json")):
        try:
            trajectory = run.read(path).trajectory
        except RunError as error:
            unreadable.append(str(error))
            continue
        statuses.update(call.status for call in trajectory.calls)
        if trajectory.status == "void":
            void.append(trajectory.reason)
    replays = [] if unreadable else replay_run(run, suite, wiring)
    return Outcome(statuses, void, unreadable, [each.difference for each in replays if not each.equal], seconds)


def _suite(seed: int, tasks: int) -> Suite:
    """Tasks over every app that there is. Their requests are seeds."""
    asking = ("ask_user", "clarify")
    apps = tuple(app for app in catalog.apps() if app not in asking)
    slot = Slot(name="list", kind="list", text="Leads", value="Leads", dimension="goal", subdimension="target")
    brief = Brief(intent="Which list? Leads.", sent="Which list?", withheld=(Segment(id="list", slot=slot),))
    made = [
        Task(
            id=f"hostile-{number}",
            world="contracts",
            apps=apps,
            sessions=(Session(requests={"original": f"{seed}:{number} {A_TRIAL}"}, briefs={"original": brief}),),
            ends=(End(changes=()),),
        )
        for number in range(tasks)
    ]
    return Suite(
        name="hostile",
        version="1",
        description="Nothing is to be done, and much is attempted.",
        tasks=made,
        world=lambda _: contract_world(),
        checks={"outcome": outcome},
    )


@contextmanager
def _endpoint() -> Iterator[str]:
    """A provider whose model makes hostile calls, on a thread of its own."""
    ready, leave = Event(), Event()
    address: list[str] = []

    async def serve() -> None:
        async with StubServer(_says) as stub:
            address.append(stub.base_url)
            ready.set()
            await anyio.to_thread.run_sync(leave.wait)

    thread = Thread(target=anyio.run, args=(serve,))
    thread.start()
    ready.wait(30)
    try:
        yield address[0]
    finally:
        leave.set()
        thread.join()


def _says(request: dict[str, Any]) -> Reply:
    """The next reply of a model: up to ten hostile calls, or one action, told by the messages before it."""
    messages = request["messages"]
    made = sum(message["role"] == "assistant" for message in messages)
    first = next(message["content"] for message in messages if message["role"] == "user")
    seed, count = first.split()
    random = Random(f"{seed} {made}")
    text = random.choice(("", "Now \ud800 then\x00.", "\u2028" * 3, "Thought: { { {\nAction:", "x" * 2_000))
    if "tools" not in request:
        return Reply(text=_action(random, text, made, int(count)))
    if made * 10 >= int(count):
        return Reply(text=f"Which list? \udfff{text}" if made * 10 < int(count) + 10 else "Done.\ud800")
    known = [(tool["function"]["name"], tool["function"]["parameters"]) for tool in request["tools"]]
    said = [drawn(random, known, SIZES[:1]) for _ in range(10)]
    return Reply(text=text, calls=tuple(ToolCall(name=_unquoted(name), arguments=given) for name, given in said))


def _action(random: Random, text: str, made: int, count: int) -> str:
    if made >= count:
        return f"{text}\nFinal Answer: {'Which list' if made == count else 'done'} \ud800"
    name, given = drawn(random, _known(), SIZES[:1])
    return random.choice(
        (
            f'{text}\nAction: {{"action": {name}, "action_input": {given or "null"}}}',
            f'{text}\nAction:\n```json\n{{"action_input": {given or "{}"}, "action": {name}}}\n```\nObserved: \ud800',
        )
    )


@cache
def _known() -> Sequence[Tool]:
    """Every tool, by the names that models get."""
    return [
        (f"{app.name}_{tool.name}", tool.input_schema)
        for app in catalog.apps().values()
        for tool in app.default.tools.values()
    ]


def _unquoted(name: str) -> str:
    return str(json.loads(name))
