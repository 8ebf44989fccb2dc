"""Runs of the agent that writes Python: LHAW's tasks with and without a user, over the ways to reach a sandbox."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pytest
from anyio.from_thread import start_blocking_portal

from benchmarks.lhaw.suite import short
from harness.core.config import Condition, RunConfig
from harness.play.replay import replay_run
from harness.play.run import evaluate
from harness.record.store import Run, TrialRecord
from harness.stub import Reply, StubServer
from harness.suite import Suite
from harness.task import Task
from tests.harness import toy
from tests.harness.wired import Over
from tests.llm.test_codeact import block
from tests.users.speaking import heard, settings, speaking

CONDITIONS: Mapping[str, Condition] = {
    "alone": Condition(),
    "asking": Condition(prompt="underspecified", ask="ask_user"),
}
QUESTION = "answer = ask_user_ask_user(question={question!r}, context='')\nprint(answer)"


@cache
def twenty() -> Suite:
    suite = short()
    return replace(suite, tasks=suite.tasks[:20])


def solution(task: Task) -> str:
    calls = [f"print({call.app}_{call.tool}(**{dict(call.arguments)!r}))" for call in task.solution]
    return "\n".join(calls)


@contextmanager
def coding(suite: Suite, question: str) -> Iterator[str]:
    """A stub model that does each task in one block; told less than all, it asks first. Yields its URL."""
    by_request = {text: (task, kind) for task in suite.tasks for kind, text in task.sessions[0].requests.items()}

    def script(request: dict[str, Any]) -> Reply:
        messages = request["messages"]
        task, kind = by_request[messages[1]["content"]]
        said = [block(QUESTION.format(question=question))] if kind == "underspecified" else []
        said += [block(solution(task)), "Done."]
        return Reply(text=said[sum(message["role"] == "assistant" for message in messages)])

    with start_blocking_portal() as portal, portal.wrap_async_context_manager(StubServer(script)) as stub:
        yield stub.base_url


def played(suite: Suite, url: str, folder: Path, conditions: Mapping[str, Condition], transport: str) -> Run:
    agent = {"kind": "llm", "model": "hosted_vllm/stub", "api_base": url, "retries": 0, "strategy": "codeact"}
    config = RunConfig.model_validate(
        {"suite": suite.name, "agents": [agent], "conditions": dict(conditions), "transport": transport}
    )
    return evaluate(config, suite, Over(suite), folder)


def ends(run: Run) -> list[TrialRecord]:
    return sorted(run.records(), key=lambda record: (record.trajectory.condition, record.trajectory.task))


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["memory", "http"])
def test_twenty_tasks_are_done_with_and_without_a_user_and_replay(
    tmp_path: Path, transport: Literal["memory", "http"]
) -> None:
    suite = twenty()
    with coding(suite, "Could you tell me what exactly you mean?") as url:
        run = played(suite, url, tmp_path / "run", CONDITIONS, transport)
    records = ends(run)

    assert len(records) == 40
    assert {record.trajectory.status for record in records} == {"finished"}
    assert {record.scores["outcome"].value for record in records} == {1.0}
    assert {(r.trajectory.condition, len(r.trajectory.questions)) for r in records} == {("alone", 0), ("asking", 1)}
    assert all(one.equal for one in replay_run(run, suite, Over(suite)))


@pytest.mark.slow
def test_every_transport_leaves_the_same_record(tmp_path: Path) -> None:
    suite = twenty()
    with coding(suite, "Which one do you mean?") as url:
        here, there = (ends(played(suite, url, tmp_path / way, CONDITIONS, way)) for way in ("memory", "http"))

    for one, other in zip(here, there, strict=True):
        assert one.trajectory.calls == other.trajectory.calls
        assert one.trajectory.messages == other.trajectory.messages
        assert one.trajectory.digest == other.trajectory.digest


@pytest.mark.parametrize("transport", ["memory", "http"])
def test_a_user_for_whom_a_model_speaks_answers_a_question_in_a_block(
    tmp_path: Path, transport: Literal["memory", "http"]
) -> None:
    suite = toy.suite([toy.task(0, ask=True)])
    with speaking([heard("list")], ["To In Progress, please."]) as speaker, coding(suite, "Which list?") as url:
        condition = Condition(prompt="underspecified", ask="ask_user", user=settings(speaker))
        (record,) = ends(played(suite, url, tmp_path / "run", {"asking": condition}, transport))

    assert (record.trajectory.status, record.scores["outcome"].value) == ("finished", 1)
    assert [asked.answer for asked in record.trajectory.questions] == ["To In Progress, please."]
    assert "To In Progress, please." in next(m.content for m in record.trajectory.messages if m.role == "tool")


def test_each_question_of_a_block_counts_by_itself(tmp_path: Path) -> None:
    suite = toy.suite([toy.task(0, ask=True)])
    asks = "for what in ('list', 'board'):\n    ask_user_ask_user(question=f'Which {what}?')"
    agent = {"kind": "llm", "model": "hosted_vllm/stub", "retries": 0, "strategy": "codeact"}
    said: dict[str | None, list[Reply]] = {None: [Reply(text=block(asks)), Reply(text="Done.")]}
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(StubServer(said)) as stub:
        config = RunConfig.model_validate(
            {
                "suite": "toy",
                "agents": [{**agent, "api_base": stub.base_url}],
                "conditions": {"asking": CONDITIONS["asking"]},
            }
        )
        (record,) = evaluate(config, suite, Over(suite), tmp_path / "run").records()

    assert [asked.text for asked in record.trajectory.questions] == ["Which list?", "Which board?"]
    assert [call.tool for call in record.trajectory.calls] == ["ask_user", "ask_user"]
