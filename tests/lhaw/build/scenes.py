"""Small builds, and a model that finds segments, withholds them and judges, for the stub server."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from anyio.from_thread import start_blocking_portal

from benchmarks.lhaw.build.building import build
from benchmarks.lhaw.build.records import Candidate, Criteria, Segment
from benchmarks.lhaw.rewrite import Gap, Severity
from benchmarks.lhaw.variants import DesignedClass, opaque
from harness.stub import Fault, Reply, StubServer
from harness.task import Task
from harness.wiring import suite

__all__ = ("TASKS", "Model", "built", "candidate", "left_in", "lines", "serving", "sources")

TASKS = ("wb-synth-42-1", "wb-synth-67-1")
"""Sources of the builds in tests; both have several slots and three changes or more."""


def built(folder: Path, fields: dict[str, Any] | None = None, *, llm: dict[str, Any] | None = None) -> Path:
    """A set of these settings, built beside its config."""
    folder.mkdir(parents=True, exist_ok=True)
    told = {"suite": "workbench-synth", "tasks": list(TASKS), "number": 12,
            "mix": {"outcome-critical": 1, "divergent": 2}, "baseline": {"trials": 1},
            **(fields or {}), **({"llm": llm} if llm else {})}  # fmt: skip
    (folder / "set.yaml").write_text(json.dumps(told), encoding="utf-8")
    build(folder / "set.yaml", out=folder / "set", json=False)
    return folder / "set"


def left_in(folder: Path) -> dict[str, bytes]:
    """The reviewable files of a build."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in (".json", ".jsonl")}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@cache
def sources() -> Sequence[Task]:
    found = suite("workbench-synth")
    return [found.task(id) for id in TASKS]


@contextmanager
def serving(script: Callable[[dict[str, Any]], Reply | Fault]) -> Iterator[dict[str, Any]]:
    """Settings of a model that answers by a script."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(StubServer(script)) as stub:
        yield {"model": "openai/stub", "api_base": stub.base_url, "retries": 0}


class Model:
    """Finds the slots of the sources as segments, puts stand-ins in their place, and judges as it is told to.

    Anybody else who talks to it gets a word and no call. `asked` counts by phase; `spoils`, by phase, is what it
    replies in place of the first so many good replies; `fails` is the phase from which on it does not answer.
    """

    def __init__(self, *, completed: bool = False, spoils: dict[str, list[str]] | None = None, fails: str = "") -> None:
        self.asked: Counter[str] = Counter()
        self._completed, self._spoils, self.fails = completed, spoils or {}, fails

    def __call__(self, request: dict[str, Any]) -> Reply | Fault:
        text = "\n".join(str(message["content"]) for message in request["messages"] if message["role"] != "system")
        phase = self._phase(text)
        self.asked[phase] += 1
        if phase == self.fails:
            return Fault(fault=500, times=None)
        if self._spoils.get(phase):
            return Reply(text=self._spoils[phase].pop(0))
        if phase == "agent":
            return Reply(text="I have left it at that.")
        return Reply(text=json.dumps(getattr(self, f"_{phase}")(text)))

    def _phase(self, text: str) -> str:
        marks = {
            "segments": "look for the pieces",
            "candidates": "so that it lacks something",
            "new_task": "several times",
        }
        return next((phase for phase, mark in marks.items() if mark in text), "agent")

    def _segments(self, text: str) -> dict[str, Any]:
        (task,) = [each for each in sources() if each.sessions[0].requests["original"] in text]
        return {
            "segments": [
                {"text": slot.text, "value": slot.text, "kind": slot.kind, "role": slot.role,
                 "dimension": slot.dimension, "subdimension": slot.subdimension, "criticality": 1, "guessability": 0,
                 "reason": "One has to be told.", "is_used_in_trajectory": True, "first_use_pct": 0.25,
                 "checkpoint_refs": ["CP1"]}
                for slot in task.slots
            ]
        }  # fmt: skip

    def _candidates(self, text: str) -> dict[str, Any]:
        request = text.split("-----")[1].strip()
        gone = re.findall(r'^- (S\d+): "(.*?)" \(in', text, re.MULTILINE)
        by = "" if "How: delete" in text else "something" if "How: vague" in text else "the usual one"
        for _, value in gone:
            request = request.replace(value, by)
        asked = [{"segment_id": name, "questions": ["Which one do you mean?"]} for name, _ in gone]
        return {"underspecified_prompt": request, "expected_questions": asked, "failure_mode": "It goes wrong.",
                "gap": "shown"}  # fmt: skip

    def _new_task(self, text: str) -> dict[str, Any]:
        return {"same": True, "completed": self._completed, "reasoning": "It was done as it stands."}


def candidate(
    task: str, names: Sequence[str], severity: Severity, of: DesignedClass = "outcome-critical", gap: Gap = "shown"
) -> Candidate:
    """A candidate to be chosen or not."""
    segments = tuple(
        Segment(id=name, dimension="goal", subdimension="target", value=name, text=name, is_used_in_trajectory=True,
                first_use_pct=0, checkpoint_refs=("CP1",), criticality=1, guessability=0, priority_score=1, kind=name)
        for name in names
    )  # fmt: skip
    return Candidate(
        task_id=opaque(task, severity, names), original_task=task, agent_prompt="Do it.", removed_segments=segments,
        criteria=Criteria(severity=severity), expected_questions=(), expected_failure_mode="", gap=gap,
        designed_class=of,
    )  # fmt: skip
