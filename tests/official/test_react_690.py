"""The ReAct agent plays the published tasks from scripted text, with every slip that a model makes.

Final states are held against those of the reference calls, which test_end_to_end.py holds against an
independent replay.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from benchmarks.workbench.official.names import APPS
from harness.core.config import Condition, Limits, LlmConfig, OracleConfig, RunConfig
from harness.play.run import evaluate
from harness.record.store import Run
from harness.report import ordered, tables
from harness.stub import Fault, Reply, StubServer
from harness.suite import Suite
from harness.task import Task
from harness.trajectory import Trajectory
from harness.wiring import Wired
from tests.sampling import FULL

pytestmark = pytest.mark.slow

TALK = "I have everything I need and will do it right away."
"""A reply without an action, which ends a try."""


def act(name: str, given: Any) -> str:
    return f"```json\n{json.dumps({'action': name, 'action_input': given}, ensure_ascii=False)}\n```"


def replies(task: Task) -> list[str]:
    """The reference calls, one a turn, each in one of several forms; then an end."""
    said = []
    for number, call in enumerate(task.solution):
        blob = act(f"{call.app}_{call.tool}", call.arguments)
        bare = blob.removeprefix("```json\n").removesuffix("\n```")
        said.append(
            (
                f"Thought: next is {call.tool}.\nAction:\n{blob}",
                f"Action: {bare}\nObservation: made up.\nThought: done.\nAction:\n{act('Final Answer', 'Done.')}",
                f"Some rows look like {{'id': 3}}.\n\n{bare}",
            )[number % 3]
        )
    return [*said, f"Thought: all done.\nAction:\n{act('Final Answer', 'Done.')}"]


class Office:
    """Says the replies of each task; of every eight tasks one goes wrong in its first two tries, one in its first.

    Such a try makes the first call, if there is one to make, and then ends without an action or with one that is
    cut off. Only a fresh sandbox leads to the right end after it.
    """

    def __init__(self, tasks: list[Task]) -> None:
        self._said = {task.sessions[0].requests["original"]: replies(task) for task in tasks}
        self._slips = {request: (2, 1, 0, 0, 0, 0, 0, 0)[n % 8] for n, request in enumerate(self._said)}
        self._tries = dict.fromkeys(self._said, 0)
        self.offered: dict[str, str] = {}

    def __call__(self, request: dict[str, Any]) -> Reply | Fault:
        first = request["messages"][1]["content"]
        turn = sum(message["role"] == "assistant" for message in request["messages"])
        self.offered[first] = request["messages"][0]["content"]
        assert "tools" not in request
        tries = self._tries[first] = self._tries[first] + (turn == 0)
        assert request["temperature"] == (0 if tries == 1 else 0.5)
        said = self._said[first]
        if tries > self._slips[first]:
            return Reply(text=said[turn])
        if turn == 0 and len(said) > 1:
            return Reply(text=said[0])
        return Reply(text=TALK if self._slips[first] == 2 else said[-1][:-10])

    @property
    def more_tries(self) -> int:
        return sum(self._slips.values())


def played(suite: Suite, tasks: list[Task], condition: Condition, folder: Path) -> tuple[Run, Office]:
    office = Office(tasks)

    async def main() -> Run:
        async with StubServer(office) as stub:
            agent = LlmConfig(
                kind="llm", model="hosted_vllm/stub", api_base=stub.base_url, strategy="react", patience=1, resample=5
            )
            config = RunConfig(
                suite="workbench-official@v1",
                agents=(agent,),
                conditions={"default": condition},
                limits=Limits(turns=20, tool_calls=None, seconds=120),
                tasks=tuple(task.id for task in tasks),
            )
            return await anyio.to_thread.run_sync(lambda: evaluate(config, suite, Wired(), folder))

    return anyio.run(main), office


def trajectories(run: Run) -> dict[str, Trajectory]:
    return {record.trajectory.task: record.trajectory for record in run.records()}


@pytest.fixture(scope="module")
def right(published_suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The digest that each task's reference calls leave."""
    config = RunConfig(suite="workbench-official@v1", agents=(OracleConfig(kind="oracle"),))
    run = evaluate(config, published_suite, Wired(), tmp_path_factory.mktemp("right") / "run")
    return {task: t.digest for task, t in trajectories(run).items()}


@pytest.mark.parametrize("tools", ["all", "required"])
def test_the_react_agent_plays_all_690_to_the_right_end(
    tools: Any, right: dict[str, str], published_suite: Suite, published: Path, tmp_path: Path
) -> None:
    """With the required tools every third, as they differ from all tools by what is listed alone; `make full` all."""
    tasks = list(published_suite.tasks[:: 1 if FULL or tools == "all" else 3])
    run, office = played(published_suite, tasks, Condition(tools=tools), tmp_path / "run")
    there = trajectories(run)

    assert len(tasks) in (230, 690)
    assert {task: t.digest for task, t in there.items()} == {task.id: right[task.id] for task in tasks}
    assert {t.status for t in there.values()} == {"finished"}
    assert sum(record.scores["outcome"].value == 1 for record in run.records()) == len(tasks)
    assert sum(len(t.tries) for t in there.values()) == office.more_tries == {230: 29 * 3, 690: 87 * 3}[len(tasks)]
    assert sum(bool(each.changes) for t in there.values() for each in t.tries) > 150 * len(tasks) / 690
    for task in tasks:
        prompt = office.offered[task.sessions[0].requests["original"]]
        apps = {app for app in APPS.values() if f"\n{app}_" in prompt}
        needed = {APPS[domain] for domain in task.facts["domains"]} | {"directory"}
        assert apps == (needed if tools == "required" else set(APPS.values()))
    config = run.head.config
    results = tables(config, published_suite, ordered(run.records(), config, published_suite))[0]
    assert (results.title, results.rows[0]["correct"]) == ("Results: outcomes", len(tasks))
