"""All five strategies of LHAW on twenty variants, over HTTP: alone, and asking a user for whom a model speaks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal

from benchmarks.lhaw.suite import short
from harness.core.config import RunConfig
from harness.play.run import evaluate
from harness.stub import Reply, StubServer, ToolCall
from harness.suite import Suite
from harness.task import Call
from tests.harness.wired import Over
from tests.llm.test_codeact import block
from tests.llm.test_react import act
from tests.users.speaking import heard

LACKING = "underspecified"
ASKS = "Could you tell me what exactly you mean?"


@dataclass(frozen=True)
class Work:
    """What is to be done for a request, and whether somebody is asked first."""

    calls: tuple[Call, ...]
    asks: bool

    def by_name(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Each call as models make it, the question first."""
        if self.asks:
            yield "ask_user_ask_user", {"question": ASKS, "context": ""}
        for call in self.calls:
            yield f"{call.app}_{call.tool}", dict(call.arguments)


def tools(work: Work) -> list[Reply]:
    return [
        *(Reply(calls=(ToolCall(name=name, arguments=given),)) for name, given in work.by_name()),
        Reply(text="Done."),
    ]


def react(work: Work) -> list[Reply]:
    said = [*(act(name, given) for name, given in work.by_name()), act("Final Answer", "Done.")]
    return [Reply(text=text) for text in said]


def codeact(work: Work) -> list[Reply]:
    lines = [f"print({name}(**{given!r}))" for name, given in work.by_name()]
    blocks = [block(lines[0]), block("\n".join(lines[1:]))] if work.asks else [block("\n".join(lines))]
    return [Reply(text=text) for text in (*blocks, "Done.")]


WORKING: Mapping[str, Callable[[Work], Sequence[Reply]]] = {
    "tools": tools,
    "react": react,
    "reflexion": react,
    "plan_execute": react,
    "codeact": codeact,
}


def said_before(request: Mapping[str, Any]) -> int:
    return sum(message["role"] == "assistant" for message in request["messages"])


class Model:
    """Plays every task as its strategy would, and speaks for the user, who is asked for all and tells it."""

    def __init__(self, suite: Suite, strategy: str) -> None:
        self._strategy = strategy
        self._work = {
            text: Work(task.solution, kind == LACKING)
            for task in suite.tasks
            for kind, text in task.sessions[0].requests.items()
        }

    def __call__(self, request: dict[str, Any]) -> Reply:
        system, first, *_ = (str(message.get("content")) for message in request["messages"])
        if system.startswith("You judge what a question asks for."):
            return Reply(text=heard(*_facts(system)))
        if system.startswith("You are a person at work."):
            return Reply(text=_told(first))
        if "Score each of these" in system:
            return Reply(text='{"grounds": 1, "complete": 1, "exact": 1}')
        if self._strategy == "plan_execute" and '{"steps"' in system:
            done = "1. Do all of it." in first
            return Reply(
                text=json.dumps({"steps": [] if done else ["Do all of it."], "answer": "Done." if done else ""})
            )
        work = self._work[max((text for text in self._work if text in first), key=len)]
        return WORKING[self._strategy](work)[said_before(request)]


def _facts(system: str) -> list[str]:
    listed = system.partition("The facts:")[2].partition("Reply with")[0]
    return re.findall(r"^- (\w+)", listed, re.MULTILINE)


def _told(asked: str) -> str:
    """What each note has to be told, in the first of its forms."""
    return ", ".join(re.findall(r"word for word: (.+?)(?: -- or: .*)?$", asked, re.MULTILINE))


@contextmanager
def playing(suite: Suite, strategy: str) -> Iterator[str]:
    model = Model(suite, strategy)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(StubServer(model)) as stub:
        yield stub.base_url


@pytest.mark.slow
@pytest.mark.parametrize("strategy", WORKING)
def test_each_strategy_does_twenty_variants_alone_and_asks_a_model_for_what_they_lack(
    tmp_path: Path, strategy: str
) -> None:
    suite = short()
    suite = replace(suite, tasks=suite.tasks[:20])
    with playing(suite, strategy) as url:
        speaks = {"kind": "llm", "model": {"model": "hosted_vllm/stub", "api_base": url, "retries": 0}}
        config = RunConfig.model_validate(
            {
                "suite": suite.name,
                "agents": [
                    {"kind": "llm", "model": "hosted_vllm/stub", "api_base": url, "retries": 0, "strategy": strategy}
                ],
                "conditions": {"alone": {}, "asking": {"prompt": LACKING, "ask": "ask_user", "user": speaks}},
                "transport": "http",
            }
        )
        records = list(evaluate(config, suite, Over(suite), tmp_path / "run").records())

    assert len(records) == 40
    assert [record.trajectory.reason for record in records if record.trajectory.status != "finished"] == []
    assert {record.scores["outcome"].value for record in records} == {1.0}
    asked = {(record.trajectory.condition, len(record.trajectory.questions)) for record in records}
    assert asked == {("alone", 0), ("asking", 1)}
    assert all(
        withheld <= set(question.revealed)
        for record in records
        for question in record.trajectory.questions
        for withheld in [set(_withheld(suite, record.trajectory.task))]
    )


def _withheld(suite: Suite, id: str) -> Sequence[str]:
    return next(task for task in suite.tasks if task.id == id).withheld[LACKING]
