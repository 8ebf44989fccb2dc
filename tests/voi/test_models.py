"""Branches of a model's trials, over real HTTP to the stub server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal

from harness.core.config import Condition, LlmConfig, RunConfig
from harness.play.branching.play import play_branches
from harness.play.branching.terms import DEFERRALS
from harness.play.run import evaluate
from harness.report.voi import valued
from harness.stub import Fault, Reply, StubServer, ToolCall
from tests.harness.wired import Over
from tests.llm.test_react import act
from tests.users.speaking import heard, settings, speaking
from tests.voi.scene import ASKS, LIST, Asker, Scene, config, planned_of, suite

ASK = "ask_user_ask_user"
CHANGE = {"task_id": "00000000", "field": "list_name", "new_value": LIST}
ASKING = Condition(prompt="underspecified", ask="ask_user")


class Model:
    """Asks for the list and the owner, one after the other or at once, if it can, and moves the job if it may."""

    def __init__(self, *, at_once: bool = False) -> None:
        self.at_once = at_once
        self.requests: list[dict[str, Any]] = []

    def __call__(self, body: dict[str, Any]) -> Reply | Fault:
        self.requests.append(body)
        messages = body["messages"]
        heard = [each["content"] for each in messages if each["role"] == "tool"]
        asking = ASK in [tool["function"]["name"] for tool in body["tools"]]
        if asking and len(heard) < len(ASKS):
            questions = ASKS if self.at_once else ASKS[len(heard) :][:1]
            return Reply(calls=tuple(ToolCall(name=ASK, arguments={"question": text}) for text in questions))
        if not any(LIST in text for text in heard) or any("updated" in text for text in heard):
            return Reply(text="Done.")
        return Reply(calls=(ToolCall(name="projects_update_task", arguments=CHANGE),))


@pytest.fixture(params=[False, True], ids=["one after the other", "at once"])
def model(request: pytest.FixtureRequest) -> Iterator[tuple[Model, str]]:
    asked = Model(at_once=request.param)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(StubServer(asked)) as stub:
        yield asked, stub.base_url


def test_a_model_follows_its_record_to_the_question_and_goes_on_live(model: tuple[Model, str], tmp_path: Path) -> None:
    asked, url = model
    over = suite(1)
    wiring = Over(over)
    agent = LlmConfig(kind="llm", model="hosted_vllm/stub", api_base=url, retries=0, name="stub")
    run_of = RunConfig(suite="toy", agents=(agent,), conditions={"asking": ASKING})
    parent = evaluate(run_of, over, wiring, tmp_path / "parent")
    of_parent = len(asked.requests)
    planned = planned_of(parent, over, continuations=2)
    run = play_branches(planned, over, wiring, tmp_path / "voi", concurrency=1)

    found = valued(planned, over, run.records())
    assert [each.lacking for each in found.questions] == ["", ""]
    assert [each.value for each in found.questions] == [1, 0]
    assert [each.asking for each in found.questions] == [1, 1 if asked.at_once else 0]
    assert all(each.low is None for each in found.questions), "two continuations allow no claim"
    live = asked.requests[of_parent:]
    told = [request for request in live if ASK not in json.dumps(request["tools"])]
    assert told
    assert len(live) < len(planned.branches) * of_parent, "what is on record is not asked again"
    not_asked = [each.trajectory for each in run.records() if each.trajectory.condition == "asking, not asked"]
    assert {len(each.questions) for each in not_asked} == ({0} if asked.at_once else {0, 1})


def test_what_is_repeated_from_a_record_is_not_paid_for_again(model: tuple[Model, str], tmp_path: Path) -> None:
    _, url = model
    over = suite(1)
    wiring = Over(over)
    price = {"prompt": 1.0, "completion": 2.0}
    agent = LlmConfig.model_validate(
        {"kind": "llm", "model": "hosted_vllm/stub", "api_base": url, "retries": 0, "price": price}
    )
    run_of = RunConfig(suite="toy", agents=(agent,), conditions={"asking": ASKING})
    parent = evaluate(run_of, over, wiring, tmp_path / "parent")
    (whole,) = [each.trajectory.usage.cost_usd or 0 for each in parent.records()]
    planned = planned_of(parent, over, continuations=2)
    run = play_branches(planned, over, wiring, tmp_path / "voi", concurrency=1)

    answered = planned.questions[1].branches[0]
    paid = answered.paid(run.read(run.path(*answered.key)))
    assert paid is not None
    assert 0 < paid < whole
    assert planned.estimate([answered]) == pytest.approx(paid)


def test_a_model_that_was_told_of_its_tools_in_words_is_refused_the_one_for_asking(tmp_path: Path) -> None:
    seen: list[str] = []

    def script(body: dict[str, Any]) -> Reply:
        texts = [each["content"] for each in body["messages"] if each["role"] == "user"]
        seen.append(texts[-1])
        if len(texts) == 1:
            return Reply(text=act(ASK, {"question": ASKS[0]}))
        if LIST in texts[-1]:
            return Reply(text=act("projects_update_task", CHANGE))
        return Reply(text=act("Final Answer", "Done."))

    with start_blocking_portal() as portal, portal.wrap_async_context_manager(StubServer(script)) as stub:
        over = suite(1)
        wiring = Over(over)
        given = {"kind": "llm", "model": "hosted_vllm/stub", "api_base": stub.base_url, "retries": 0}
        agent = LlmConfig.model_validate({**given, "strategy": "react"})
        run_of = RunConfig(suite="toy", agents=(agent,), conditions={"asking": ASKING})
        parent = evaluate(run_of, over, wiring, tmp_path / "parent")
        planned = planned_of(parent, over, continuations=2)
        seen.clear()
        run = play_branches(planned, over, wiring, tmp_path / "voi", concurrency=1)

    (question,) = valued(planned, over, run.records()).questions
    assert (question.lacking, question.value, question.asking) == ("", 1, 1)
    assert any("there is no such tool" in text for text in seen)


def test_what_a_model_said_for_the_user_is_repeated_and_a_deferral_needs_none(tmp_path: Path) -> None:
    with speaking([heard("list")], [f"To {LIST}."]) as speaker:
        over = suite(1)
        wiring = Scene(over, lambda: Asker(bool, ["What is the list?", "Which list, please?"]))
        asking = config(user=settings(speaker, model={"model": "hosted_vllm/stub"}))
        parent = evaluate(asking, over, wiring, tmp_path / "parent")
        planned = planned_of(parent, over, continuations=1)
        of_parent = len(speaker.requests)
        run = play_branches(replace(planned, cases=[]), over, wiring, tmp_path / "voi", concurrency=1)
        asked = len(speaker.requests) - of_parent

    first = [record.trajectory for record in run.records() if record.trajectory.trial == 0]
    records = {each.condition: each for each in first}
    deferral = DEFERRALS["best_judgment"]
    assert {record.trajectory.status for record in run.records()} == {"finished"}
    assert [each.answer for each in records["asking, deferred"].questions] == [deferral, deferral]
    assert [each.answer for each in records["asking, answered"].questions] == [f"To {LIST}."] * 2
    assert of_parent == 2 * 2, "heard and said, each time"
    assert asked == 2 + 2, "the second question live: answered, and found to be about what is deferred"
