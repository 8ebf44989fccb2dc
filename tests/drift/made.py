"""Tasks, trials and records of Drift-Bench made by hand, for metrics and tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.drift.trials import Arm, Trial
from harness.task import Session, Slot, Task
from harness.trajectory import Asked, CallRecord, Message, Trajectory, Write
from servers.kernel import Change

__all__ = ("SLOW", "arm", "call", "clarify", "record", "refused", "task", "trial", "write")


def task(name: str, **facts: Any) -> Task:
    usual = {
        "environment": "sql", "category": "parameter", "fault": "A1", "need": "required", "kind": "change",
        "hidden": ["x"], "risky": False,
    }  # fmt: skip
    return Task(
        id=name, world="w", apps=("sql",), sessions=(Session(requests={"original": "Do x.", "faulty": "Do it."}),),
        template=name[0], slots=(Slot(name="x", kind="thing", text="the x"),), facts={**usual, **facts},
    )  # fmt: skip


def trial(name: str, right: bool = True, **more: Any) -> Trial:
    facts = {key: more.pop(key) for key in ("need", "kind", "fault", "category", "hidden") if key in more}
    return Trial(task=task(name, **facts), valid=more.pop("valid", True), right=right, **more)


def arm(**variants: list[Trial]) -> Arm:
    return variants


def call(n: int, app: str, tool: str, **more: Any) -> CallRecord:
    arguments = more.pop("arguments", {})
    return CallRecord(
        n=n,
        session=0,
        turn=0,
        app=app,
        tool=tool,
        arguments=arguments,
        status=more.pop("status", "ok"),
        text=more.pop("text", ""),
        **more,
    )


def clarify(n: int, strategy: str, *, targets: tuple[str, ...] = (), revealed: tuple[str, ...] = ()) -> CallRecord:
    asked = Asked(text="?", answer="!", targets=targets, revealed=revealed, strategy=strategy)
    return call(n, "clarify", "clarify", arguments={"strategy": strategy}, asked=[asked])


def refused(n: int, strategy: str) -> CallRecord:
    return call(n, "clarify", "clarify", arguments={"strategy": strategy}, status="invalid")


def write(id: str, values: dict[str, Any] | None) -> Write:
    return Write(app="sql", table="t", id=id, values=values)


def record(calls: Sequence[CallRecord | Message], changes: list[Change] | None = None, **more: Any) -> Trajectory:
    return Trajectory(
        suite="s", task="a1", task_hash="", agent="me", condition="c", trial=0, seed=0, prompt="faulty",
        status="finished", events=[*calls], changes=changes or [], **more,
    )  # fmt: skip


SLOW = call(0, "sql", "run", status="failed", text="The statement was stopped after 5 seconds. Nothing was changed.")
