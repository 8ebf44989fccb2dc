"""Rows that changed: by each call, and over the whole trial against what was to change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from harness.core.task import Expected, Task
from harness.core.trajectory import Arrival, CallRecord, Landing, Trajectory
from harness.scoring.matching import best_match
from servers.kernel import Change, canonical

__all__ = ("Written", "compared", "written")

_Row = tuple[str, str, str]
"""App, table and id."""

_UNKNOWN: Any = object()

Began = Callable[[str, str, str], Mapping[str, Any] | None]
"""App, table and id -> the row as it was at the start, without its id; None where nobody knows."""


class Written(NamedTuple):
    """One row that an event wrote: its values before and after, None where it was not there."""

    row: _Row
    before: Any
    after: Mapping[str, Any] | None

    def shown(self) -> dict[str, Any]:
        """Each field that is another one now, before and after; None before where that was unknown or absent."""
        known: Mapping[str, Any] = self.before if isinstance(self.before, Mapping) else {}
        after = self.after or {}
        fields = {
            name: [known.get(name), after.get(name)]
            for name in dict.fromkeys([*known, *after])
            if not known or self.after is None or known.get(name) != after.get(name)
        }
        op = "insert" if self.before is None else "delete" if self.after is None else "update"
        return {"app": self.row[0], "table": self.row[1], "id": self.row[2], "op": op, "fields": fields}


def written(t: Trajectory) -> dict[int, list[Written]]:
    """What each event wrote, by its place.

    What a row held before it was first written follows from the end: a row that is in no change ended as it began. It
    is unknown where something arrived in a row that the agent had written by then.
    """
    writers = [(at, event) for at, event in enumerate(t.events) if isinstance(event, CallRecord | Landing | Arrival)]
    rows = _at_first(t, [event for _, event in writers])
    found: dict[int, list[Written]] = {}
    for at, event in writers:
        for write in event.writes:
            row = write.app, write.table, write.id
            before, rows[row] = rows[row], write.values
            found.setdefault(at, []).append(Written(row, before, write.values))
    return found


def _at_first(t: Trajectory, writers: Iterable[CallRecord | Landing | Arrival]) -> dict[_Row, Any]:
    """What each written row held before."""
    arrived_first: dict[_Row, bool] = {}
    arrived: set[_Row] = set()
    last: dict[_Row, Any] = {}
    for event in writers:
        for write in event.writes:
            row = write.app, write.table, write.id
            last[row] = write.values
            arrived_first.setdefault(row, isinstance(event, Arrival))
            if isinstance(event, Arrival):
                arrived.add(row)
    began = {(each.app, each.table, each.id): each.before for each in t.start}
    changed = {(each.app, each.table, each.id): each.before for each in t.changes}
    return {
        row: began.get(row, _UNKNOWN)
        if arrived_first[row]
        else _UNKNOWN
        if row in arrived
        else changed.get(row, values)
        for row, values in last.items()
    }


def compared(t: Trajectory, task: Task | None, began: Began = lambda *_: None) -> dict[str, Any]:
    """Expected and actual changes, and which of the one were met by which of the other.

    `task` is the one that was played; without it nothing is known to be expected. `unseen` are changes that the task
    takes for none. `began` is asked for rows that were to change and are in no change of the trial.
    """
    if task is None:
        actual = [{**_actual(each, t.defaults), "expected": None} for each in t.changes]
        return {"expected": [], "actual": actual, "pairs": [], "unseen": []}
    end, match = best_match(t.changes, task.ends, task.compare, t.defaults)
    wishes = task.ends[end].changes
    met = {id(change) for _, change in match.pairs}
    told = met | {id(change) for change in match.unexpected}
    shown = [change for change in t.changes if id(change) in told]
    place = {id(change): n for n, change in enumerate(shown)}
    pairs = iter(match.pairs)
    partners = [next(pairs)[1] if taken else None for taken in match.checkpoints]
    before: dict[_Row, Mapping[str, Any] | None] = {
        (each.app, each.table, each.id): each.before for each in (*t.start, *t.changes)
    }
    for wish in wishes:
        row = wish.app, wish.table, wish.id
        if wish.op != "insert" and row not in before:
            before[row] = began(*row)
    return {
        "expected": [
            {**_expected(wish, before), "met": taken} for wish, taken in zip(wishes, match.checkpoints, strict=True)
        ],
        "actual": [{**_actual(each, t.defaults), "expected": id(each) in met} for each in shown],
        "pairs": [[n, place[id(change)]] for n, change in enumerate(partners) if change is not None],
        "unseen": [_actual(each, t.defaults) for each in t.changes if id(each) not in told],
    }


def _actual(change: Change, defaults: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    fields = change.fields
    if change.op == "insert":
        fields = dict(_given(fields, defaults.get(f"{change.app}.{change.table}", {})))
    return {
        "app": change.app, "table": change.table, "id": change.id, "op": change.op, "fields": list(fields),
        "before": change.before, "after": change.after,
    }  # fmt: skip


def _expected(wish: Expected, before: Mapping[_Row, Mapping[str, Any] | None]) -> dict[str, Any]:
    return {
        "app": wish.app, "table": wish.table, "id": wish.id, "op": wish.op, "name": wish.name,
        "fields": list(wish.values),
        "before": before.get((wish.app, wish.table, wish.id)) if wish.op != "insert" else None,
        "after": None if wish.op == "delete" else dict(wish.values),
    }  # fmt: skip


def _given(values: Mapping[str, Any], usual: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Fields of a new row that somebody set: neither null nor as a row has them anyway."""
    for name, value in values.items():
        if value is not None and not (name in usual and canonical(value) == canonical(usual[name])):
            yield name, value
