"""The agents of other makers' frameworks in `examples/` play real tasks against a scripted model."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import anyio.to_thread
import pytest

from harness import wiring
from harness.core.config import RunConfig
from harness.core.config_file import load
from harness.play.run import evaluate
from harness.record.store import TrialRecord
from harness.stub import Fault, Reply, StubServer, ToolCall, load_script
from harness.suite import Suite
from harness.task import Call
from tests.clients.build import CLIENTS

EXAMPLES = Path(__file__).parents[2] / "examples"
TOOL = {"openai-agents": "mcp_{app}__{tool}", "langgraph": "{app}_{tool}"}
"""What each framework calls a tool of an app."""

SCRIPTED = "wb-synth-08-0"
"""What the example's own script of the stub is for."""

SEVERAL = "wb-synth-66-0"
"""A task over several apps."""

REFUSED = "wb-synth-46-0"
UNANSWERED = "wb-synth-46-1"

pytestmark = pytest.mark.slow


class Run(NamedTuple):
    """The trials of one framework by task, and what its model was asked."""

    records: Mapping[str, TrialRecord]
    asked: Sequence[Mapping[str, Any]]


@pytest.fixture(scope="module", params=TOOL)
def framework(request: pytest.FixtureRequest, environment: Callable[[str], Path]) -> str:
    """A framework that is installed."""
    return environment(request.param).name


@pytest.fixture(scope="module")
def suite() -> Suite:
    return wiring.suite("workbench-synth")


@pytest.fixture(scope="module")
def run(framework: str, suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Run:
    name, asked, folder = framework, list[dict[str, Any]](), tmp_path_factory.mktemp("example") / framework
    shutil.copytree(EXAMPLES / name, folder, ignore=lambda *_: [".venv"])
    (folder / ".venv").symlink_to(CLIENTS / name)
    script = dict(load_script(folder / "replies.jsonl"))
    script[told(suite, SEVERAL)] = replies(name, suite.task(SEVERAL).solution)
    wrong = Call(app="crm", tool="delete_customer", arguments={"customer_id": "99999999"})
    script[told(suite, REFUSED)] = replies(name, [wrong, *suite.task(REFUSED).solution])

    def answer(body: dict[str, Any]) -> Reply | Fault:
        asked.append(body)
        first = next(message["content"] for message in body["messages"] if message["role"] == "user")
        turn = sum(message["role"] == "assistant" for message in body["messages"])
        return script[first][turn] if first in script else Fault(fault=401, message="no such key", times=None)

    async def play() -> list[TrialRecord]:
        async with StubServer(answer) as stub:
            config, wired = pointed(load(folder / f"{name}.yaml"), stub.base_url), wiring.wiring()
            done = await anyio.to_thread.run_sync(lambda: evaluate(config, suite, wired, folder / "run"))
            return list(done.records())

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "any")
        return Run({record.trajectory.task: record for record in anyio.run(play)}, asked)


def told(suite: Suite, task: str) -> str:
    return suite.task(task).sessions[0].requests["original"]


def replies(framework: str, calls: Sequence[Call]) -> list[Reply]:
    """A model that makes those calls, one a turn, and then says that it is done."""
    named = [
        ToolCall(name=TOOL[framework].format(app=call.app, tool=call.tool), arguments=call.arguments) for call in calls
    ]
    return [*(Reply(calls=(call,)) for call in named), Reply(text="It is done.")]


def pointed(config: RunConfig, address: str) -> RunConfig:
    """The example's own config, with our tasks and our model server."""
    agents = [{**agent.model_dump(), "environment": {"OPENAI_BASE_URL": address}} for agent in config.agents]
    return RunConfig.model_validate(
        {**config.model_dump(), "agents": agents, "tasks": [SCRIPTED, SEVERAL, REFUSED, UNANSWERED]}
    )


def test_a_task_over_several_apps_is_played_to_a_right_outcome(run: Run, suite: Suite) -> None:
    record = run.records[SEVERAL]

    assert (record.trajectory.reason, record.scores["outcome"].value) == ("", 1)
    assert [(call.app, call.tool) for call in record.trajectory.calls] == [
        (call.app, call.tool) for call in suite.task(SEVERAL).solution
    ]
    assert record.trajectory.sessions[0].reply == "It is done."


def test_the_script_beside_the_example_completes_its_task(run: Run) -> None:
    record = run.records[SCRIPTED]

    assert record.scores["outcome"].value == 1
    assert record.trajectory.sessions[0].reply == "I sent the mail to Chiara."


def test_the_model_reads_why_a_call_was_refused_and_goes_on(run: Run, suite: Suite) -> None:
    record = run.records[REFUSED]
    after = [body["messages"] for body in run.asked if told(suite, REFUSED) in json.dumps(body["messages"])][1]

    assert "99999999" in json.dumps([message["content"] for message in after if message["role"] == "tool"])
    assert [call.status for call in record.trajectory.calls] == ["failed", "ok"]
    assert record.scores["outcome"].value == 1


def test_the_model_is_told_what_every_agent_is_told(run: Run) -> None:
    system = [body["messages"][0] for body in run.asked]

    assert {message["role"] for message in system} == {"system"}
    assert all("It is Thursday, 13 March 2025" in json.dumps(message["content"]) for message in system)


def test_it_is_asked_for_one_call_at_a_time(run: Run) -> None:
    assert {body["parallel_tool_calls"] for body in run.asked} == {False}


def test_a_model_that_cannot_be_asked_ends_the_trial_as_a_crash(run: Run) -> None:
    trajectory = run.records[UNANSWERED].trajectory

    assert (trajectory.status, list(trajectory.calls)) == ("crashed", [])
    assert [each.process.stderr.count("no such key") > 0 for each in trajectory.messages if each.process] == [True]
