"""The operations of the sandbox service: one table that is both served and described."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pydantic import BaseModel

from harness.service.models import (
    START,
    Calls,
    Created,
    Diff,
    Fork,
    Listing,
    NewSandbox,
    NewSnapshot,
    Restore,
    RowChange,
    SandboxInfo,
    Scores,
    Snapshot,
    Summary,
)
from harness.service.sandboxes import Live, Sandboxes

__all__ = ("ROUTES", "Asked", "Route")


class Asked(NamedTuple):
    """A request, taken apart: the sandbox it names, its body, its query, and where the caller reached us."""

    sandboxes: Sandboxes
    live: Live
    body: Any
    query: dict[str, str]
    address: str


class Route(NamedTuple):
    """One operation. `{id}` in its path names a sandbox, and asks for its control token."""

    method: str
    path: str
    name: str
    summary: str
    handler: Callable[[Asked], Any]
    body: type[BaseModel] | None
    answer: type[BaseModel] | None
    status: int = 200
    query: tuple[tuple[str, str, str], ...] = ()
    """Parameters: name, default, description."""


async def _create(asked: Asked) -> Created:
    return _created(await asked.sandboxes.create(asked.body), asked)


async def _list(asked: Asked) -> Listing:
    now = asked.sandboxes.clock()
    return Listing(sandboxes=[_summary(live, now) for live in asked.sandboxes.all()])


async def _show(asked: Asked) -> SandboxInfo:
    return SandboxInfo(**_info(asked.live, asked))


async def _delete(asked: Asked) -> None:
    asked.sandboxes.delete(asked.live)


async def _snapshot(asked: Asked) -> Snapshot:
    return _state(asked.live, asked.live.snapshot(asked.body.name))


async def _restore(asked: Asked) -> Snapshot:
    asked.live.restore(asked.body.snapshot)
    return _state(asked.live, asked.body.snapshot)


async def _advance(asked: Asked) -> SandboxInfo:
    await asked.live.advance()
    return SandboxInfo(**_info(asked.live, asked))


async def _fork(asked: Asked) -> Created:
    return _created(await asked.sandboxes.fork(asked.live, asked.body.snapshot), asked)


async def _diff(asked: Asked) -> Diff:
    since = asked.query["since"]
    changes = [RowChange(op=each.op, **each.model_dump()) for each in asked.live.changes(since)]
    return Diff(since=since, changes=changes, digest=asked.live.layer.digest())


async def _calls(asked: Asked) -> Calls:
    return Calls(calls=[call.shown() for call in asked.live.sandbox.calls])


async def _score(asked: Asked) -> Scores:
    live = asked.live
    scores = live.score()
    assert live.played  # else there would be no score
    suite, task = live.played.suite, live.played.task
    return Scores(
        suite=suite.name,
        suite_version=suite.version,
        task=task.id,
        task_hash=task.hash,
        scores=dict(scores),
        calls=len(live.sandbox.calls),
        digest=live.layer.digest(),
    )


ROOT = "/v1/sandboxes"
ONE = f"{ROOT}/{{id}}"
ROUTES = (
    Route("POST", ROOT, "create", "Create a sandbox over a world or for a task", _create, NewSandbox, Created, 201),
    Route("GET", ROOT, "list", "List sandboxes, without what it takes to reach them", _list, None, Listing),
    Route("GET", ONE, "show", "Show a sandbox", _show, None, SandboxInfo),
    Route("DELETE", ONE, "delete", "Delete a sandbox and its snapshots", _delete, None, None, 204),
    Route("POST", f"{ONE}/snapshots", "snapshot", "Keep the state under a name", _snapshot, NewSnapshot, Snapshot, 201),
    Route("POST", f"{ONE}/restore", "restore", "Go back to a snapshot", _restore, Restore, Snapshot),
    Route("POST", f"{ONE}/advance", "advance", "End a session, begin the next", _advance, None, SandboxInfo),
    Route("POST", f"{ONE}/fork", "fork", "Copy a sandbox, from now or a snapshot", _fork, Fork, Created, 201),
    Route(
        "GET", f"{ONE}/diff", "diff", "What changed since a snapshot", _diff, None, Diff,
        query=(("since", START, "Name of a snapshot."),),
    ),
    Route("GET", f"{ONE}/calls", "calls", "The recorded tool calls", _calls, None, Calls),
    Route("GET", f"{ONE}/score", "score", "Score the task from calls and changes", _score, None, Scores),
)  # fmt: skip


def _info(live: Live, asked: Asked) -> dict[str, Any]:
    played = live.played
    return {
        "id": live.id,
        "urls": {app: f"{asked.address}/s/{live.id}/{app}/mcp" for app in live.sandbox.toolsets},
        "suite": played.suite.name if played else "",
        "task": played.task.id if played else "",
        "prompt": played.prompt if played else "",
        "request": played.request if played else "",
        "session": played.opened.session if played else 0,
        "sessions": len(played.task.sessions) if played else 0,
        "system": played.suite.system if played else "",
        "now": live.layer.now,
        "calls": len(live.sandbox.calls),
        "snapshots": list(live.snapshots),
        "digest": live.layer.digest(),
        "expires_in": asked.sandboxes.idle,
    }


def _created(live: Live, asked: Asked) -> Created:
    return Created(**_info(live, asked), control_token=live.control)


def _summary(live: Live, now: float) -> Summary:
    return Summary(
        prefix=live.id[:8],
        apps=list(live.sandbox.toolsets),
        suite=live.played.suite.name if live.played else "",
        task=live.played.task.id if live.played else "",
        calls=len(live.sandbox.calls),
        idle=round(now - live.used, 3),
    )


def _state(live: Live, name: str) -> Snapshot:
    return Snapshot(name=name, digest=live.layer.digest(), calls=len(live.sandbox.calls))
