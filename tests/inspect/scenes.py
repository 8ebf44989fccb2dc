"""Runs to export, and models for `inspect eval` that say what they are told to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
from inspect_ai import Task as InspectTask
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ChatMessage, Model, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall

from harness import wiring
from harness.core.config import LlmConfig, Price, RunConfig
from harness.interop.inspect_log import export
from harness.play.run import evaluate
from harness.record.store import Run
from harness.stub import Fault, Reply, StubServer
from harness.suite import Suite, SuiteEntry
from harness.task import Call, Task
from tests.cli import conftest

__all__ = ("Says", "called", "exported", "inspected", "mock", "offer", "said", "solving", "stubbed")

Says = Callable[[Sequence[ChatMessage]], ModelOutput]
"""What a model says to a conversation."""


def exported(run: Run, suite: Suite, folder: Path) -> dict[str, EvalLog]:
    """The logs of a run, as Inspect reads them from disk, by agent and condition."""
    return {f"{each.agent}/{each.condition}": read_eval_log(str(each.file)) for each in export(run, suite, folder)}


def stubbed(suite: Suite, folder: Path, say: Callable[[dict[str, Any]], Reply | Fault], **config: Any) -> Run:
    """A run of a model behind the stub server."""

    async def scene() -> Run:
        async with StubServer(say) as stub:
            agent = LlmConfig(
                kind="llm", name="talker", model="hosted_vllm/stub", api_base=stub.base_url, retries=0,
                price=Price(prompt=1, completion=2),
            )  # fmt: skip
            planned = RunConfig(suite=suite.name, agents=(agent,), **config)
            return await anyio.to_thread.run_sync(lambda: evaluate(planned, suite, wiring.wiring(), folder))

    return anyio.run(scene)


def offer(monkeypatch: Any, suite: Suite) -> str:
    """Make a suite the only one there is; its name."""
    conftest.offer(monkeypatch, SuiteEntry(suite.name, "A suite of a test.", lambda: suite), where="benchmarks/test")
    return suite.name


def inspected(task: InspectTask, model: Model, folder: Path, **settings: Any) -> EvalLog:
    """The log of a task played by Inspect, read from disk."""
    found = inspect_eval(task, model=model, log_dir=str(folder), display="none", log_level="error", **settings)
    return read_eval_log(found[0].location)


def mock(say: Says) -> Model:
    """Inspect's own mock of a model."""

    def answer(input: list[ChatMessage], *_: object) -> ModelOutput:
        output = say(input)
        output.usage = ModelUsage(input_tokens=100, output_tokens=7, total_tokens=107)  # else it would be estimated
        return output

    return get_model("mockllm/model", custom_outputs=answer, memoize=False)


def said(text: str) -> ModelOutput:
    return ModelOutput.from_content("mockllm/model", text)


def called(name: str, arguments: Mapping[str, Any], problem: str | None = None) -> ModelOutput:
    """A reply with one call; `problem` is why its arguments could not be read."""
    output = ModelOutput.for_tool_call("mockllm/model", name, dict(arguments))
    if problem:
        calls = [ToolCall(id="odd", function=name, arguments=dict(arguments), parse_error=problem)]
        output.message.tool_calls = calls
    return output


def solving(tasks: Sequence[Task], wrong: Sequence[str] = ()) -> Says:
    """Makes the reference calls of tasks, one a turn, save those of the `wrong` ones, and says that it is done."""
    by_request = {task.sessions[0].requests["original"]: task for task in tasks}

    def say(conversation: Sequence[ChatMessage]) -> ModelOutput:
        task = by_request[next(each.text for each in conversation if each.role == "user")]
        made = sum(each.role == "tool" for each in conversation)
        todo: Sequence[Call] = () if task.id in wrong else task.solution[made:]
        return called(f"{todo[0].app}_{todo[0].tool}", todo[0].arguments) if todo else said("It is done.")

    return say
