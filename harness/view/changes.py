"""Rows that changed: by each call, and over the whole trial against what was to change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from harness.core.suite import Suite, SuiteError, Told
from harness.core.task import Expected, Task
from harness.core.trajectory import Arrival, CallRecord, Landing, Trajectory
from harness.scoring.matching import Match, Near, best_match, nearest
from servers.kernel import Change, canonical

__all__ = ("Began", "Written", "beginning", "compared", "written")

_Row = tuple[str, str, str]
"""App, table and id."""

_UNKNOWN: Any = object()

Began = Callable[[str, str, str], Mapping[str, Any] | None]
"""App, table and id -> the row as it was at the start, without its id; None where nobody knows."""


def beginning(suite: Suite, task: Task, app: str, table: str, id: str) -> Mapping[str, Any] | None:
    """A row as a task starts with it, without its id; None where there is none or it cannot be had."""
    try:
        world = suite.load_world(task.world)
    except SuiteError:
        return None
    if world.days:  # its rows are dated otherwise than they are written
        return None
    rows = world.rows.get(app, {}).get(table, ())
    found = next((dict(row) for row in rows if str(row["id"]) == id), None)
    for edit in task.setup:
        if (edit.app, edit.table, edit.id) == (app, table, id):
            found = None if edit.op == "remove" else {**(found or {}), **edit.values}
    return found and {name: value for name, value in found.items() if name != "id"}


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


def compared(
    t: Trajectory,
    task: Task | None,
    suite: Suite | None = None,
    detail: Mapping[str, Any] | None = None,
    began: Began = lambda *_: None,
) -> dict[str, Any]:
    """Expected and actual changes, and which of the one were met by which of the other, as the suite's check has it.

    `task` is the one that was played; without it nothing is known to be expected. `detail` is that of the score which
    decides, None where there is none, as of an earlier try. `began` is asked for rows that were to change and are in
    no change of the trial.

    - `counts`: numbers of changes that were expected, `matched` and `unexpected`; None where the check counts none;
    - `pairs`: places of an expected change and of the actual one that met it. `near`: the same of one that is missing
      and the unexpected one most like it, with the `fields` that keep them apart and what texts say (`told`);
    - `paired`: whether these are known. Where they are not, `met` still says what the score does;
    - `unseen`: changes that the check takes for none.

    An expected change that wants texts to say something has these facts, each in a word or two, by field (`says`).
    """
    if task is None:
        actual = [{**_actual(each, t.defaults), "expected": None} for each in t.changes]
        return {"expected": [], "actual": actual, "unseen": [], **_unpaired(None)}
    held, seen = suite.settled(task, t) if suite and suite.settled else (task, t)
    if not held.ends:  # its checks look at something else than an accepted end
        return _told_by_score(t, task, suite, detail or {}, began)
    end, match = best_match(seen.changes, held.ends, held.compare, seen.defaults)
    if detail is not None and not _as_scored(end, match, detail):
        return _told_by_score(t, task, suite, detail, began)
    shown = _Shown(t, task, suite, began, task.ends[end].changes)
    return shown.paired(match, nearest(match, held.compare, seen.defaults, shown.share))


def _unpaired(counts: Mapping[str, int] | None) -> dict[str, Any]:
    return {"counts": counts, "paired": False, "pairs": [], "near": []}


def _as_scored(end: int, match: Match, detail: Mapping[str, Any]) -> bool:
    said = [detail.get(name) for name in ("end", "checkpoints", "unexpected")]
    return said == [end, list(match.checkpoints), len(match.unexpected)]


def _told_by_score(
    t: Trajectory, task: Task, suite: Suite | None, detail: Mapping[str, Any], began: Began
) -> dict[str, Any]:
    """What a score says by itself: of a check that counts no changes, or that was another one when it scored."""
    end, checkpoints = detail.get("end", 0), detail.get("checkpoints")
    wishes = task.ends[end].changes if isinstance(end, int) and 0 <= end < len(task.ends) else ()
    counts = None
    met: Sequence[bool | None] = [None] * len(wishes)
    if isinstance(checkpoints, list) and len(checkpoints) == len(wishes):
        met = [bool(each) for each in checkpoints]
        counts = {"expected": len(met), "matched": sum(map(bool, met)), "unexpected": int(detail.get("unexpected", 0))}
    shown = _Shown(t, task, suite, began, wishes)
    return {
        "expected": shown.expected(met),
        "actual": [{**_actual(each, t.defaults), "expected": None} for each in t.changes],
        "unseen": [],
        **_unpaired(counts),
    }


class _Shown:
    """Changes of a trial as they are shown: values as they are in its rows, whatever they are compared as."""

    def __init__(
        self, t: Trajectory, task: Task, suite: Suite | None, began: Began, wishes: Sequence[Expected]
    ) -> None:
        self.t, self.task, self.wishes, self._began = t, task, wishes, began
        self._told = suite.told if suite else None
        self._rows = {(each.app, each.table, each.id): each for each in t.changes}

    def share(self, wish: Expected, field: str, change: Change) -> float | None:
        """How much a text says of what it has to, None where it has to say nothing (`harness.scoring.matching`)."""
        found = self._said(wish, field, change)
        return None if found is None else found.share

    def paired(self, match: Match, near: Sequence[Near]) -> dict[str, Any]:
        """What `compared` says where it is known what met what."""
        made, missing = ([n for n, taken in enumerate(match.checkpoints) if taken is one] for one in (True, False))
        met = {id(change) for _, change in match.pairs}
        told = sorted(
            [*(change for _, change in match.pairs), *match.unexpected],
            key=lambda each: (each.app, each.table, len(each.id), each.id),
        )
        at = {id(change): n for n, change in enumerate(told)}
        rows = {(each.app, each.table, each.id) for each in told}
        return {
            "expected": self.expected(match.checkpoints),
            "actual": [{**_actual(self._row(each), self.t.defaults), "expected": id(each) in met} for each in told],
            "unseen": [_actual(each, self.t.defaults) for row, each in self._rows.items() if row not in rows],
            "counts": {
                "expected": len(match.checkpoints), "matched": len(match.pairs), "unexpected": len(match.unexpected),
            },
            "paired": True,
            "pairs": [[n, at[id(change)]] for n, (_, change) in zip(made, match.pairs, strict=True)],
            "near": [
                {
                    "expected": missing[each.n], "actual": at[id(each.change)], "fields": list(each.fields),
                    "told": self._texts(each),
                }
                for each in near
            ],
        }  # fmt: skip

    def expected(self, met: Sequence[bool | None]) -> list[dict[str, Any]]:
        """Expected changes, each with its row as it was before, and whether it was made; None where nobody counted."""
        t = self.t
        before: dict[_Row, Mapping[str, Any] | None] = {
            (each.app, each.table, each.id): each.before for each in (*t.start, *t.changes)
        }
        for wish in self.wishes:
            row = wish.app, wish.table, wish.id
            if wish.op != "insert" and row not in before:
                before[row] = self._began(*row)
        return [
            {**_expected(wish, before), "says": self._facts(wish), "met": taken}
            for wish, taken in zip(self.wishes, met, strict=True)
        ]

    def _facts(self, wish: Expected) -> dict[str, list[str]]:
        """By field the facts that a text has to say."""
        if self._told is None:
            return {}
        told = {field: self._told(value, "") for field, value in wish.values.items()}
        return {field: [fact for fact, _ in each.facts] for field, each in told.items() if each is not None}

    def _row(self, change: Change) -> Change:
        """The change as the trial has it; as it was compared where it has none, as of one copy of a mail to several."""
        return self._rows.get((change.app, change.table, change.id), change)

    def _said(self, wish: Expected, field: str, change: Change) -> Told | None:
        if self._told is None:
            return None
        return self._told(wish.values.get(field), (self._row(change).after or {}).get(field))

    def _texts(self, near: Near) -> dict[str, Any]:
        """By field what a text says of the facts that it has to say, and which of them it lacks."""
        found = {}
        for field in near.wish.values:
            if (told := self._said(near.wish, field, near.change)) is not None:
                found[field] = {
                    "said": [fact for fact, there in told.facts if there],
                    "missing": [fact for fact, there in told.facts if not there],
                    "enough": told.enough,
                }
        return found


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
