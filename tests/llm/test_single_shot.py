"""The agent that answers once: what it reads, what it is shown, and what becomes of an answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from harness.agents.single_shot import answer_of
from harness.core.agent_config import SingleShot
from harness.core.config import Condition, ConfigProblem, LlmConfig, RunConfig
from harness.play.session import Prefix
from harness.play.stage import Job, Stage
from harness.play.trial import play
from harness.record.store import TrialRecord
from harness.serving.links import MemoryLinks
from harness.stub import Reply, StubServer
from harness.suite import Suite, Whole
from harness.task import Task
from harness.wiring import Wired, check
from tests.harness import toy
from tests.llm.support import run

RIGHT = {"task_id": "00000000", "field": "list_name", "new_value": "In Progress"}
ROWS = "Job 0 has the id 00000000."


def whole(task: Task) -> Whole:
    return Whole(ROWS, "projects", "update_task")


SUITE = replace(toy.suite([toy.task(0)]), whole=whole)


def trial(
    *said: str,
    prefix: Prefix | None = None,
    heard: Callable[[Any], object] = lambda _: None,
    settings: SingleShot | None = None,
) -> TrialRecord:
    """Play the toy task; the model says these in turn, over HTTP."""

    def script(request: dict[str, Any]) -> Reply:
        heard(request)
        return Reply(text=said[sum(message["role"] == "assistant" for message in request["messages"])])

    async def scene() -> TrialRecord:
        async with StubServer(script) as stub:
            agent = LlmConfig(
                kind="llm",
                model="hosted_vllm/stub",
                name="model",
                strategy="single_shot",
                single_shot=settings,
                api_base=stub.base_url,
            )
            config = RunConfig(suite="toy", agents=(agent,), conditions={"default": Condition()})
            wired = Wired()
            stage = Stage(config, SUITE, wired)
            job = Job(agent=agent, condition="default", prompt="original", task="toy-0", trial=0)
            try:
                return await play(stage, job, MemoryLinks(), prefix)
            finally:
                stage.engine.close()
                await wired.aclose()

    return run(scene)


def fenced(answer: dict[str, Any]) -> str:
    return f"Job 0 is meant.\n\n```json\n{json.dumps(answer, indent=2)}\n```\n"


@pytest.mark.parametrize("reply", [json.dumps(RIGHT), f"  {json.dumps(RIGHT)}\n", fenced(RIGHT)])
def test_an_object_is_read_bare_or_as_the_only_block(reply: str) -> None:
    assert answer_of(reply) == (RIGHT, "")


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("I would move job 0.", "neither an object nor a fenced block"),
        (fenced(RIGHT) + fenced({}), "2 fenced blocks"),
        ("```json\n[1]\n```", "must be a JSON object, not list"),
        ('{"task_id": ', "not valid JSON"),
        (json.dumps(RIGHT) + " That is it.", "not valid JSON"),
        ('{"at": NaN}', "NaN is not JSON"),
        ("", "neither an object nor a fenced block"),
    ],
)
def test_anything_else_is_not_read(reply: str, problem: str) -> None:
    answer, why = answer_of(reply)

    assert answer == {}
    assert problem in why


def test_one_call_shows_everything_and_its_answer_is_carried_out() -> None:
    heard: list[dict[str, Any]] = []

    record = trial(fenced(RIGHT), heard=heard.append)

    assert (record.trajectory.status, record.scores["outcome"].value) == ("finished", 1)
    (request,) = heard
    assert "tools" not in request
    system, user = request["messages"]
    assert '"new_value"' in system["content"]
    assert user["content"] == f"Move job 0 to In Progress.\n{ROWS}"
    assert [(call.app, call.tool, call.arguments) for call in record.trajectory.calls] == [
        ("projects", "update_task", RIGHT)
    ]


@pytest.mark.parametrize(
    ("settings", "told"),
    [(None, "Think as long as you like"), (SingleShot(think=False), "Answer straight away")],
)
def test_a_model_thinks_as_long_as_it_likes_unless_the_config_says_otherwise(
    settings: SingleShot | None, told: str
) -> None:
    heard: list[dict[str, Any]] = []

    trial(json.dumps(RIGHT), heard=heard.append, settings=settings)

    said = heard[0]["messages"][0]["content"]
    assert [line for line in ("Think as long as you like", "Answer straight away") if line in said] == [told]


def test_an_empty_answer_takes_no_action() -> None:
    record = trial("{}")

    assert (record.trajectory.status, record.trajectory.calls) == ("finished", [])


def test_an_answer_in_the_wrong_form_may_be_given_once_more() -> None:
    record = trial("Move it.", json.dumps(RIGHT))

    assert (record.trajectory.status, record.scores["outcome"].value) == ("finished", 1)
    assert [call.status for call in record.trajectory.calls] == ["garbled", "ok"]


def test_an_answer_that_the_tool_refuses_may_be_given_once_more() -> None:
    record = trial(json.dumps({**RIGHT, "task_id": "99999999"}), json.dumps(RIGHT))

    assert record.scores["outcome"].value == 1
    assert [call.status for call in record.trajectory.calls] == ["failed", "ok"]


def test_after_a_second_answer_in_the_wrong_form_the_agent_has_failed() -> None:
    record = trial("Move it.", "Do move it.")

    assert (record.trajectory.status, record.scores["outcome"].value) == ("crashed", 0)
    assert [call.status for call in record.trajectory.calls] == ["garbled", "garbled"]
    assert len(record.trajectory.model_calls) == 2


def test_a_record_is_followed_without_asking_the_model() -> None:
    first = trial(json.dumps(RIGHT)).trajectory
    heard: list[dict[str, Any]] = []

    again = trial("never said", prefix=Prefix(first, 1), heard=heard.append).trajectory

    assert (again.status, again.calls, heard) == ("finished", first.calls, [])


def test_a_suite_that_cannot_show_a_task_at_once_is_refused_before_the_first_trial() -> None:
    agent = LlmConfig(kind="llm", model="hosted_vllm/stub", strategy="single_shot", api_base="http://127.0.0.1:9/v1")
    suite: Suite = toy.suite()

    with pytest.raises(ConfigProblem, match="use a strategy other than"):
        check(RunConfig(suite="toy", agents=(agent,)), suite, replaying=True)
