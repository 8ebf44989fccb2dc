"""A sample in one text, and models that answer it in one call."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from benchmarks.probe import worlds
from benchmarks.probe.single_shot import shown, told
from benchmarks.probe.suite import load, solved
from harness.core.config import Condition, LlmConfig, ReferenceConfig, RunConfig
from harness.play.run import evaluate
from harness.stub import Reply, StubServer
from harness.suite import Scored, Suite
from tests.harness.wired import Over

STRUCTURED = Condition(prompt="one", toolsets={"actions": "structured"})


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load(total=1, controls=0)


def played(suite: Suite, agent: Any, folder: Path) -> Scored:
    config = RunConfig(suite=suite.name, agents=(agent,), conditions={"structured": STRUCTURED})
    (record,) = evaluate(config, suite, Over(suite), folder).records()
    return Scored(record.trajectory, record.scores)


def answered(suite: Suite, folder: Path, *said: str) -> tuple[Scored, dict[str, Any]]:
    """The trial of a model that says these in turn, over HTTP, and what it was first asked."""
    heard: list[dict[str, Any]] = []

    def script(request: dict[str, Any]) -> Reply:
        heard.append(request)
        return Reply(text=said[sum(message["role"] == "assistant" for message in request["messages"])])

    async def scene() -> Scored:
        async with StubServer(script) as stub:
            agent = LlmConfig(
                kind="llm", name="model", model="hosted_vllm/stub", strategy="single_shot", api_base=stub.base_url
            )
            return await anyio.to_thread.run_sync(partial(played, suite, agent, folder))

    with anyio.from_thread.start_blocking_portal() as portal:
        return portal.call(scene), heard[0]


def test_the_text_has_all_documents_and_actions_and_nothing_of_the_answer_key(suite: Suite) -> None:
    sample = worlds.sample(suite.tasks[0].world)
    text = told(sample)
    there = shown(text)

    assert {each["id"]: each["payload"] for each in there.documents} == {
        each.id: each.payload for each in sample.documents
    }
    assert [each["id"] for each in there.actions] == [each.id for each in sample.actions]
    assert '"critical"' not in text
    assert sample.gold.description not in text


def test_documents_stand_in_an_order_that_tells_nothing(suite: Suite) -> None:
    sample = worlds.sample(suite.tasks[0].world)
    order = [each["id"] for each in shown(told(sample)).documents]

    assert order != sorted(order)
    assert order == [each["id"] for each in shown(told(sample)).documents]


def test_the_reference_agent_solves_a_sample_from_one_text(suite: Suite, tmp_path: Path) -> None:
    agent = ReferenceConfig(kind="reference", settings={"mode": "single_shot"})

    trial = played(suite, agent, tmp_path / "run")

    assert trial.scores["strict"].value == 1
    assert [call.tool for call in trial.trajectory.calls] == ["choose_action"]


def test_a_right_answer_of_a_model_is_entered_and_scored(suite: Suite, tmp_path: Path) -> None:
    (call,) = solved(suite.tasks[0], {"actions": "structured"})

    trial, request = answered(suite, tmp_path / "run", json.dumps(call.arguments))

    assert trial.scores["strict"].value == 1
    assert len(trial.trajectory.model_calls) == 1
    last = request["messages"][-1]["content"]
    assert told(worlds.sample(suite.tasks[0].world)) in last
    assert suite.tasks[0].sessions[0].requests["one"] in last


def test_an_answer_that_cannot_be_read_is_worth_nothing(suite: Suite, tmp_path: Path) -> None:
    trial, _ = answered(suite, tmp_path / "run", "Somebody is away.", "As I said.")

    assert trial.trajectory.status == "crashed"
    assert {score.value for score in trial.scores.values()} == {0.0}
    assert trial.scores["strict"].label == "crashed"
