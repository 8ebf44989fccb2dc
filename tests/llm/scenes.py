"""Whole trials of a model's strategies: the wiring of the command line, real HTTP to the stub, the toy board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from harness.core.config import Condition, Limits, LlmConfig, RunConfig
from harness.models.cassette import Cassette
from harness.play.session import Prefix
from harness.play.stage import Job, Stage
from harness.play.trial import play
from harness.record.store import TrialRecord
from harness.score import Aspect
from harness.serving.links import MemoryLinks
from harness.stub import Fault, Reply, StubServer
from harness.task import Task
from harness.wiring import Wired
from tests.harness import toy
from tests.llm.support import run

__all__ = ("TASK", "Said", "answering", "sent", "trial")

TASK = toy.task(0)

Said = str | Reply | Fault


class Requests(list[dict[str, Any]]):
    """What the model was asked, and its answers in order."""

    def __init__(self, said: Sequence[Said]) -> None:
        self._said = [Reply(text=each) if isinstance(each, str) else each for each in said]

    def __call__(self, request: dict[str, Any]) -> Reply | Fault:
        self.append(request)
        return self._said[len(self) - 1]


def sent(requests: Sequence[dict[str, Any]]) -> list[str]:
    """The last message of each request."""
    return [request["messages"][-1]["content"] for request in requests]


def trial(
    said: Sequence[Said],
    *,
    cassette: Cassette | None = None,
    prefix: Prefix | None = None,
    limits: Limits | None = None,
    rubric: Sequence[Aspect] = (),
    task: Task = TASK,
    **settings: Any,
) -> tuple[TrialRecord, Requests]:
    """Play a task of the toy suite with a model that says these things in order; with a prefix, what comes after it."""
    requests = Requests(said)

    async def scene() -> TrialRecord:
        async with StubServer(requests) as stub:
            given = {"kind": "llm", "model": "hosted_vllm/stub", "api_base": stub.base_url, "retries": 0, **settings}
            agent = LlmConfig.model_validate(given)
            config = RunConfig(
                suite="toy", agents=(agent,), conditions={"default": Condition()}, limits=limits or Limits()
            )
            wired = Wired(cassette)
            stage = Stage(config, replace(toy.suite([task]), rubric=rubric), wired)
            job = Job(agent=agent, condition="default", prompt="original", task=task.id, trial=0)
            try:
                return await play(stage, job, MemoryLinks(), prefix)
            finally:
                stage.engine.close()
                await wired.aclose()

    return run(scene), requests


def answering(said: Sequence[Said], prefix: Prefix) -> Sequence[Said]:
    """What is left to say after a prefix."""
    return said[len(prefix.model_calls) :]
