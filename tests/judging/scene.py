"""A judged suite on the project board, runs of it, and judges behind the stub."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal

from harness import wiring
from harness.core.config import IdleConfig, OracleConfig, RunConfig
from harness.play.run import evaluate
from harness.score import Query, Score, Verdicts, graded, outcome, settled
from harness.stub import Fault, Reply, StubServer
from harness.suite import Suite, SuiteEntry
from harness.task import Task
from harness.trajectory import Trajectory
from tests.cli.conftest import ended, offer
from tests.harness import toy

TASKS = [toy.task(n) for n in range(4)]
MOVED = "Was the job moved to the list that was asked for?"
CARE = "How careful was the work?"


def questions(task: Task, trajectory: Trajectory) -> Sequence[Query]:
    """Two on each trial, told apart by task and by whether anything was done."""
    evidence = f"{task.id}: {len(trajectory.changes)} changes"
    return (
        Query(id="moved", text=MOVED, evidence=evidence),
        Query(id="care", text=CARE, evidence=evidence, kind="scale", low=1, high=5),
    )


def check(task: Task, trajectory: Trajectory, verdicts: Verdicts) -> Score:
    """Correct from 0.6 on, which takes that the job was moved."""
    moved, care = questions(task, trajectory)
    rule = outcome(task, trajectory).value
    return graded([settled(moved, verdicts, weight=3, rule=rule), settled(care, verdicts)], correct_at=0.6)


def suite() -> Suite:
    return replace(toy.suite(TASKS), checks={"quality": check}, questions=questions)


def played(folder: Path, of: Suite | None = None) -> Path:
    """A run of an agent that does the work and one that does nothing, four tasks each."""
    agents = (OracleConfig(kind="oracle"), IdleConfig(kind="idle"))
    evaluate(RunConfig(suite="toy", agents=agents), of or suite(), wiring.wiring(), folder)
    return folder


def command(*arguments: object, of: Callable[[], Suite] = suite) -> int:
    """`harness ARGUMENTS` where that suite is the only one; its exit status."""
    with pytest.MonkeyPatch.context() as patch:
        offer(patch, SuiteEntry("toy", "Jobs on a board.", of))
        return ended(*arguments)


def said(answer: Any, reason: str = "So it seems.") -> Reply:
    return Reply(text=json.dumps({"reason": reason, "answer": answer}))


def fair(request: Mapping[str, Any]) -> Reply | Fault:
    """A judge that goes by the evidence."""
    prompt = request["messages"][0]["content"]
    done = ": 1 changes" in prompt
    if MOVED in prompt:
        return said("yes" if done else "no")
    return said(4 if done else 1)


def stern(request: Mapping[str, Any]) -> Reply | Fault:
    """One that is never content with task 0, and cannot say how careful anybody was."""
    prompt = request["messages"][0]["content"]
    if MOVED not in prompt:
        return said(None)
    return said("no") if "toy-0" in prompt else fair(request)


class Judges:
    """Judges by the name of their model, over HTTP; `asked` counts requests by that name."""

    def __init__(self, **judges: Callable[[Mapping[str, Any]], Reply | Fault]) -> None:
        self._judges = judges
        self.asked: dict[str, int] = dict.fromkeys(judges, 0)
        self.settings = Path()

    def __call__(self, request: dict[str, Any]) -> Reply | Fault:
        name = request["model"]
        self.asked[name] += 1
        return self._judges[name](request)


@contextmanager
def served(folder: Path, **judges: Callable[[Mapping[str, Any]], Reply | Fault]) -> Iterator[Judges]:
    """Judges on a free port, with their settings in a file."""
    script = Judges(**judges)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(StubServer(script)) as stub:
        script.settings = settings(folder, api_base=stub.base_url)
        yield script


def settings(folder: Path, **fields: Any) -> Path:
    path = folder / "judges.yaml"
    path.write_text(json.dumps({"retries": 0, "price": {"prompt": 1, "completion": 1}, **fields}))  # JSON is YAML
    return path
