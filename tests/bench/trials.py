"""Whole trials: sandbox, MCP connections, calls, scoring and the record on disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from harness.core.config import AgentConfig, LlmConfig, OracleConfig, RunConfig
from harness.play.run import evaluate
from harness.suite import Suite
from harness.wiring import Wired
from tests.bench.timing import Figure

__all__ = ("figures",)

ROOT = Path(__file__).parents[2]
WORKERS, TRIALS, WARM = 2, 5, 120
REPEAT = 3


def _suite() -> tuple[Suite, str]:
    """The published tasks where they are at hand, else ours."""
    release = os.environ.get("WORKBENCH_DATA")
    if release is None:
        return Wired().suite("workbench-synth"), "tasks of workbench-synth (WORKBENCH_DATA is not set)"
    from benchmarks.workbench.official.commands import imported

    return Wired().suite(str(imported(Path(release))["suite"])), "published tasks"


def _moments(suite: Suite, agent: AgentConfig, *, workers: int = 1, **changes: object) -> list[float]:
    """Play a run; when it began, and when each trial was done."""
    config = RunConfig.model_validate({"suite": suite.name, "agents": [agent], **changes})
    moments: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        run = evaluate(
            config,
            suite,
            Wired(),
            Path(folder) / "run",
            workers=workers,
            wiring_factory="harness.wiring:wiring",
            listener=lambda _: moments.append(perf_counter()),
        )
        assert all(record.trajectory.status == "finished" for record in run.records())
    return moments


def _seconds(suite: Suite, agent: AgentConfig, **changes: Any) -> float:
    moments = _moments(suite, agent, **changes)
    return moments[-1] - moments[0]


def _oracle() -> Iterator[Figure]:
    suite, what = _suite()
    oracle = OracleConfig(kind="oracle")
    _seconds(suite, oracle, tasks=[suite.tasks[0].id])
    for transport, target in (("memory", "8 s, better 6"), ("http", "")):
        taken = min(_seconds(suite, oracle, transport=transport) for _ in range(REPEAT))
        count = len(suite.tasks)
        where = f"{count} {what}, one process, transport {transport}, best of {REPEAT}"
        yield Figure("oracle trials", where, taken, "s", f"({taken / count * 1000:.2f} ms each)", target)


def _episodes() -> Iterator[Figure]:
    """Four model calls and three tool calls an episode; the stub and LiteLLM on the same cores."""
    suite = Wired().suite("workbench-synth")
    search = {"name": "gmail_search_emails", "arguments": {"query": "update"}}
    replies = [*({"calls": [search]} for _ in range(3)), {"text": "Done."}]
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.jsonl"
        script.write_text(json.dumps({"replies": replies}) + "\n", encoding="utf-8")
        command = [sys.executable, "-m", "harness.stub", "--script", str(script), "--port", "0"]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as stub:
            assert stub.stdout is not None
            url = stub.stdout.readline().strip()
            agent = LlmConfig(kind="llm", model="hosted_vllm/stub", api_base=url)
            tasks = [task.id for task in suite.tasks[:120]]
            moments = _moments(suite, agent, workers=WORKERS, trials=TRIALS, tasks=tasks)
            stub.terminate()
    done = len(moments) - 1
    warm = (done - WARM) / (moments[-1] - moments[WARM])
    where = f"4 model calls, 27 tools, {WORKERS} workers, stub included"
    where += f"; {done} episodes"
    yield Figure("stub-model episodes", where, warm, "a second", f"after the first {WARM}", "40")
    cold = done / (moments[-1] - moments[0])
    yield Figure("  the same, starting the workers included", where, cold, "a second")


def _help() -> Iterator[Figure]:
    def once() -> float:
        start = perf_counter()
        subprocess.run([sys.executable, "-m", "harness", "--help"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        return perf_counter() - start

    yield Figure("harness --help", "whole process, best of 5", min(once() for _ in range(5)), "s", "", "0.4 s")


def figures() -> Iterator[Figure]:
    """What a run costs beyond its model."""
    yield from _oracle()
    yield from _episodes()
    yield from _help()
