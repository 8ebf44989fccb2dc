"""Views for predicates: of a session that has ended, and of one that is at a hand-over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from benchmarks.pi.predicates import Read
from harness.trajectory import CallRecord, HandOver, Landing, Trajectory, Write
from servers.kernel import Change, Since, World

__all__ = ("LiveView", "Rows", "TrialView", "of_trajectory")

Row = Mapping[str, Any]


class Rows(Protocol):
    """Reads the rows of a table as they are now, each with its `id`."""

    def __call__(self, app: str, table: str) -> Iterable[Row]: ...


@dataclass(frozen=True)
class TrialView:
    """A finished trial: rows of the world, setup and changes, and what is on record of calls and messages."""

    ended: Mapping[tuple[str, str], Mapping[str, Row]]
    began: Mapping[tuple[str, str], Mapping[str, Row]]
    events: Sequence[object] = ()

    def rows(self, app: str, table: str) -> Iterable[Row]:
        return tuple(self.ended.get((app, table), {}).values())

    def existed(self, app: str, table: str) -> Iterable[Row]:
        was = list(self.began.get((app, table), {}).values())
        return (*was, *(row for name, row in _written(self.events) if name == (app, table)))

    def reads(self) -> Iterable[Read]:
        acts = [event for event in self.events if isinstance(event, CallRecord | Landing)]  # a late effect is one too
        last: dict[tuple[str, str, str], tuple[int, Write]] = {}
        for n, act in enumerate(acts):
            last.update({(each.app, each.table, each.id): (n, each) for each in act.writes})
        for (app, table, id), (n, write) in last.items():
            if write.values is not None:
                returned = tuple(act.text for act in acts[n + 1 :] if act.status == "ok" and not act.writes)
                yield Read(app, table, {**write.values, "id": id}, returned)

    def said(self) -> Sequence[str]:
        return tuple(event.text for event in self.events if isinstance(event, HandOver))

    def files(self) -> Mapping[str, str]:
        return _files(self.rows("filesystem", "entries"))


@dataclass(frozen=True)
class LiveView:
    """A session at a hand-over: `now` reads rows as they are, `heard` are the messages so far, `since` what was done.

    Calls come without their results, so nothing counts as `seen` yet; what existed is what is there now and what was
    written since the last hand-over.
    """

    now: Rows
    heard: Sequence[str]
    since: Since = field(default_factory=Since)

    def rows(self, app: str, table: str) -> Iterable[Row]:
        return self.now(app, table)

    def existed(self, app: str, table: str) -> Iterable[Row]:
        written = (each for each in self.since.changed if (each.app, each.table) == (app, table))
        return (*self.now(app, table), *({**each.values, "id": each.id} for each in written if each.values is not None))

    def reads(self) -> Iterable[Read]:
        return ()

    def said(self) -> Sequence[str]:
        return self.heard

    def files(self) -> Mapping[str, str]:
        return _files(self.now("filesystem", "entries"))


def of_trajectory(trajectory: Trajectory, world: World, session: int | None = None) -> TrialView:
    """What predicates see of a trial over that world; of one of its sessions, counted from 0, if one is named."""
    began = {
        (app, table): {str(row["id"]): row for row in rows}
        for app, tables in world.rows.items()
        for table, rows in tables.items()
    }
    _apply(began, trajectory.start)
    ended = {name: dict(rows) for name, rows in began.items()}
    if session is None:
        events = trajectory.events
        _apply(ended, trajectory.changes)
    else:
        before = [event for event in trajectory.events if event.session < session]
        events = [event for event in trajectory.events if event.session == session]
        _replay(began, before)
        ended = {name: dict(rows) for name, rows in began.items()}
        _replay(ended, events)
    return TrialView(ended, began, tuple(events))


def _apply(rows: dict[tuple[str, str], dict[str, Row]], changes: Iterable[Change]) -> None:
    for change in changes:
        table = rows.setdefault((change.app, change.table), {})
        if change.after is None:
            table.pop(change.id, None)
        else:
            table[change.id] = {**change.after, "id": change.id}


def _replay(rows: dict[tuple[str, str], dict[str, Row]], events: Iterable[object]) -> None:
    for event in events:
        for write in getattr(event, "writes", ()):
            table = rows.setdefault((write.app, write.table), {})
            if write.values is None:
                table.pop(write.id, None)
            else:
                table[write.id] = {**write.values, "id": write.id}


def _written(events: Iterable[object]) -> Iterable[tuple[tuple[str, str], Row]]:
    for event in events:
        for write in getattr(event, "writes", ()):
            if write.values is not None:
                yield (write.app, write.table), {**write.values, "id": write.id}


def _files(entries: Iterable[Row]) -> dict[str, str]:
    return {str(row["id"]): row["text"] for row in entries if isinstance(row.get("text"), str)}
