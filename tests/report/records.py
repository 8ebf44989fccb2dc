"""Hand-made suites, trials and calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from harness import report
from harness.core.config import AgentConfig, Condition, IdleConfig, LlmConfig, OracleConfig, RunConfig
from harness.record.store import TrialRecord
from harness.score import outcome
from harness.suite import Scored, Suite, Table
from harness.task import Call, End, Expected, Session, Task
from harness.trajectory import CallRecord, Message, SessionRecord, Trajectory, Write
from servers.kernel import Change, World

Status = Literal["finished", "limit", "crashed", "void"]
CallStatus = Literal["ok", "failed", "invalid", "unknown", "garbled", "defect", "fault", "disturbed"]

IDS = tuple(f"{n:08d}" for n in range(12))


def delete(id: str) -> Expected:
    return Expected(op="delete", app="calendar", table="events", id=id)


def insert(app: str, table: str, **values: Any) -> Expected:
    return Expected(op="insert", app=app, table=table, values=values)


def task(
    id: str,
    *expected: Expected,
    template: str = "",
    domains: Sequence[str] = ("calendar",),
    actions: int | None = None,
    request: str = "Cancel them.",
) -> Task:
    count = len(expected) if actions is None else actions
    return Task(
        id=id,
        world="office",
        apps=("calendar",),
        sessions=(Session(requests={"original": request}),),
        ends=(End(changes=expected),),
        solution=tuple(Call(app="calendar", tool="delete_event", arguments={"event_id": e.id}) for e in expected),
        template=template or id,
        facts={"domains": list(domains), "actions": count},
    )


def changed(expected: Expected) -> Change:
    """The change that an expectation asks for."""
    gone = expected.op == "delete"
    before = {"event_name": "x"} if expected.op != "insert" else None
    return Change(
        app=expected.app, table=expected.table, id=expected.id or "00000900", before=before,
        after=None if gone else {**(before or {}), **expected.values},
    )  # fmt: skip


def call(
    tool: str = "search_events",
    *,
    app: str = "calendar",
    rows: Sequence[Mapping[str, Any]] | None = None,
    text: str = "",
    status: CallStatus = "ok",
    writes: Sequence[str] = (),
    **arguments: Any,
) -> CallRecord:
    """A call; `rows` are what a search returned, `writes` the ids of rows it wrote."""
    return CallRecord(
        n=0, session=0, turn=0, app=app, tool=tool, arguments=arguments, status=status, text=text,
        data=None if rows is None else {"result": [dict(row) for row in rows]},
        writes=[Write(app=app, table="events", id=id, values=None) for id in writes],
    )  # fmt: skip


def events(*ids: str) -> list[dict[str, str]]:
    return [{"event_id": id, "event_name": "Stand-up"} for id in ids]


def trajectory(
    done: Task,
    *calls: CallRecord,
    changes: Sequence[Change] = (),
    status: Status = "finished",
    agent: str = "m",
    condition: str = "default",
    trial: int = 0,
    system: str = "",
) -> Trajectory:
    return Trajectory(
        suite="made", task=done.id, task_hash=done.hash, agent=agent, condition=condition, trial=trial, seed=0,
        prompt="original", status=status,
        sessions=[SessionRecord(request=done.sessions[0].requests["original"], now="")],
        events=[Message(session=0, role="system", content=system), *_numbered(calls)], changes=list(changes),
        digest=f"{done.id}{trial}",
    )  # fmt: skip


def _numbered(calls: Sequence[CallRecord]) -> list[CallRecord]:
    return [call.model_copy(update={"n": n}) for n, call in enumerate(calls)]


def record(done: Task, right: bool = True, **more: Any) -> TrialRecord:
    """A trial that did what was expected; or, `right` being False, deleted another event."""
    expected = done.ends[0].changes
    made = [changed(each) for each in expected] if right else [changed(delete("00000999"))]
    found = trajectory(done, changes=more.pop("changes", made), **more)
    return TrialRecord(trajectory=found, scores={"outcome": outcome(done, found)})


def suite(tasks: Sequence[Task], name: str = "made", **more: Any) -> Suite:
    return Suite(
        name=name, version="1", description="Made by hand.", tasks=tuple(tasks), world=_no_world,
        checks={"outcome": outcome}, **more,
    )  # fmt: skip


def _no_world(name: str) -> World:
    raise AssertionError("reports need no world")


def config(*agents: str, conditions: Mapping[str, Condition] | None = None, **more: Any) -> RunConfig:
    """Agents by name: `idle` and `oracle` are instruments, every other name a model."""
    kinds: dict[str, AgentConfig] = {"idle": IdleConfig(kind="idle"), "oracle": OracleConfig(kind="oracle")}
    chosen = tuple(kinds.get(name) or LlmConfig(kind="llm", model=name) for name in agents or ("m",))
    return RunConfig(suite="made", agents=chosen, conditions=dict(conditions or {"default": Condition()}), **more)


def scored(records: Sequence[TrialRecord], of: Suite, chosen: RunConfig) -> list[Scored]:
    return report.ordered(records, chosen, of)


def by_title(tables: Sequence[Table], start: str) -> Table:
    (found,) = [table for table in tables if table.title.startswith(start)]
    return found
