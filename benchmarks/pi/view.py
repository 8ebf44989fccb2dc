"""Views for predicates: of a session that has ended, and of one that is at a hand-over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from benchmarks.pi.predicates import Read
from harness.trajectory import CallRecord, HandOver, Landing, QuestionRecord, Trajectory, Write
from servers.kernel import Since, World

__all__ = ("LiveView", "Rows", "TrialView", "message", "of_trajectory", "read", "written")

Row = Mapping[str, Any]


class Rows(Protocol):
    """Reads the rows of a table as they are now, each with its `id`."""

    def __call__(self, app: str, table: str) -> Iterable[Row]: ...


@dataclass(frozen=True)
class TrialView:
    """A session as it is on record: rows as they are and as they were at its begin, and what has happened in it."""

    ended: Mapping[tuple[str, str], Mapping[str, Row]]
    began: Mapping[tuple[str, str], Mapping[str, Row]]
    events: Sequence[object] = ()

    def rows(self, app: str, table: str) -> Iterable[Row]:
        return tuple(self.ended.get((app, table), {}).values())

    def existed(self, app: str, table: str) -> Iterable[Row]:
        was = list(self.began.get((app, table), {}).values())
        return (*was, *(row for name, row in written(self.events) if name == (app, table)))

    def reads(self) -> Iterable[Read]:
        return read([event for event in self.events if isinstance(event, CallRecord | Landing)])

    def said(self) -> Sequence[str]:
        return tuple(message(event) for event in self.events if isinstance(event, HandOver | QuestionRecord))

    def files(self) -> Mapping[str, str]:
        return _files(self.rows("filesystem", "entries"))


@dataclass(frozen=True)
class LiveView:
    """A session at a hand-over: `now` reads rows as they are, `heard` are the messages so far, `since` what was done.

    Calls come without their results and rows as they were left, so nothing is `seen`, and what existed is what is there
    now and what was written since the last hand-over: `validators` keep both out of what intents are `done` by.
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


def of_trajectory(trajectory: Trajectory, world: World, sessions: int = 1) -> list[tuple[TrialView, ...]]:
    """What predicates see of each session of a trial over that world: at each of its hand-overs, and at its end last.

    A hand-over is an end of a turn, or a question. There are `sessions` of them, also where the trial had fewer.
    """
    rows: _Tables = {
        (app, table): {str(row["id"]): row for row in rows}
        for app, tables in world.rows.items()
        for table, rows in tables.items()
    }
    for change in trajectory.start:
        _put(rows, change.app, change.table, change.id, change.after)
    views = []
    for number in range(sessions):
        events = [event for event in trajectory.events if event.session == number]
        began, seen = dict(rows), []
        for at, event in enumerate(events):
            if isinstance(event, HandOver | QuestionRecord):
                seen.append(TrialView(dict(rows), began, tuple(events[: at + 1])))
            for write in getattr(event, "writes", ()):
                _put(rows, write.app, write.table, write.id, write.values)
        views.append((*seen, TrialView(dict(rows), began, tuple(events))))
    return views


_Tables = dict[tuple[str, str], dict[str, Row]]


def _put(tables: _Tables, app: str, table: str, id: str, values: Row | None) -> None:
    """Change one row, in a table of its own: views that were made before share the one that there was."""
    rows = {name: row for name, row in tables.get((app, table), {}).items() if name != id or values is not None}
    if values is not None:
        rows[id] = {**values, "id": id}
    tables[app, table] = rows


def message(event: HandOver | QuestionRecord) -> str:
    """What the agent says at a hand-over."""
    return event.text if isinstance(event, HandOver) else f"{event.context}\n{event.text}".strip()


def read(acts: Sequence[CallRecord | Landing]) -> Iterator[Read]:
    """The rows that calls, or late effects, wrote last, with what later ones that wrote nothing returned."""
    last: dict[tuple[str, str, str], tuple[int, Write]] = {}
    for n, act in enumerate(acts):
        last.update({(each.app, each.table, each.id): (n, each) for each in act.writes})
    for (app, table, id), (n, write) in last.items():
        if write.values is not None:
            returned = tuple(act.text for act in acts[n + 1 :] if act.status == "ok" and not act.writes)
            yield Read(app, table, {**write.values, "id": id}, returned)


def written(events: Iterable[object]) -> Iterator[tuple[tuple[str, str], Row]]:
    """The rows that events wrote, by app and table, in order."""
    for event in events:
        for write in getattr(event, "writes", ()):
            if write.values is not None:
                yield (write.app, write.table), {**write.values, "id": write.id}


def _files(entries: Iterable[Row]) -> dict[str, str]:
    return {str(row["id"]): row["text"] for row in entries if isinstance(row.get("text"), str)}
