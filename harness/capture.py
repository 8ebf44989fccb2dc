"""A draft task from a job that a person did: what was asked, the changes it left, how it was done.

Every choice follows a rule, and is written into the draft with its reason (`Task.facts["captured"]`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import timedelta
from typing import Any, Final, get_args

import anyio

from harness.audit.certificate import EXCEPTIONS
from harness.audit.ends import normal
from harness.audit.play import Played, Player
from harness.audit.workplace import folded, pointers
from harness.core.suite import Suite
from harness.core.task import Call, Compare, End, Expected, Session, Task, made_id
from harness.core.trajectory import CallRecord, Write
from servers.kernel import Change, Edit, Ref, Table, Toolset, World

__all__ = ("FACTS", "draft", "solution")

FACTS: Final = "captured"
"""`Task.facts[FACTS]` of a draft: `compare`, a reason per field that is not compared as it is, and `notes`.

Fields that are not compared at all are declared to the audit as well (`Task.facts[EXCEPTIONS]`).
"""

PROSE: Final = 8
"""Words from which a text is prose, which everybody words in their own way."""

_LATER: Final = timedelta(days=1, hours=1, minutes=1, seconds=1)

_Key = tuple[str, str, str]
"""App, table, id."""


def draft(
    suite: Suite,
    id: str,
    request: str,
    world: World,
    toolsets: Mapping[str, Toolset],
    calls: Sequence[CallRecord],
    changes: Sequence[Change],
    setup: Sequence[Edit] = (),
) -> Task:
    """The task that the calls did, which left these changes.

    Expected are the changes as they are, new rows by content and never by id. Not compared are fields that hold
    another value when the same calls are made later, and prose that the request does not dictate; other texts of
    several words are compared without letter case and line breaks. The reference calls are `solution`'s, without
    those whose work was undone, if the others come to the same.
    """
    names = _names(changes, toolsets)
    there = {*_rows(world), *((edit.app, edit.table, edit.id) for edit in setup)}

    def written(chosen: Sequence[CallRecord], **more: Any) -> tuple[Task, list[str]]:
        steps, notes = solution(chosen, request, toolsets, there)
        ends = (End(changes=tuple(_expected(change, names, toolsets) for change in changes)),)
        task = Task(
            id=id,
            world=world.name,
            apps=tuple(toolsets),
            sessions=(Session(requests={"original": request}),),
            ends=ends,
            setup=tuple(setup),
            solution=steps,
            template=id,
            **more,
        )
        return task, notes

    player = Player(Suite(suite.name, suite.version, "", (), lambda _: world, {}, toolsets=suite.toolsets))
    try:
        chosen: Sequence[CallRecord] = _lasting(calls, changes)
        task, notes = written(chosen)
        if undone := len(calls) - len(chosen):
            if _played(player, task).end == normal(changes):
                notes.append(f"{_count(undone)} did what was undone again, and {_left(undone)}")
            else:
                chosen = calls
                task, notes = written(chosen)
        stamped, problem = _stamped(player, task, world)
    finally:
        player.close()
    compare, reasons = _compare(task.ends[0], request, stamped, world)
    free = {field: reasons[field] for field in sorted(compare.free)}
    said = [*problem, *notes, *([] if changes else ["nothing changed: the draft says that nothing may change"])]
    facts = {FACTS: {"compare": reasons, "notes": said}, **({EXCEPTIONS: free} if free else {})}
    return written(chosen, compare=compare, facts=facts)[0]


def _lasting(calls: Sequence[CallRecord], changes: Sequence[Change]) -> list[CallRecord]:
    """Without calls that wrote rows which are as they were at the end."""
    differ = set(map(_key, changes))
    return [call for call in calls if not call.writes or any(_key(w) in differ for w in call.writes)]


def _count(n: int) -> str:
    return f"{n} call{'s' * (n != 1)}"


def _left(n: int) -> str:
    return f"{'is' if n == 1 else 'are'} left out"


def solution(
    calls: Sequence[CallRecord], request: str, toolsets: Mapping[str, Toolset], there: Set[_Key]
) -> tuple[tuple[Call, ...], list[str]]:
    """The reference calls, and notes on what was left out or could not be done.

    All writing calls that succeeded, and each call that looked up a text which a later one gives and the request
    does not state; where nothing was written, all that succeeded. An id that a call made is bound to a name; `there`
    are the rows of the start.
    """
    done = [call for call in calls if call.status == "ok" and call.app in toolsets]
    kept = _kept(done, request) if any(call.writes for call in done) else done
    notes = []
    if failed := len(calls) - len(done):
        notes.append(f"{_count(failed)} failed and {_left(failed)}")
    if unused := len(done) - len(kept):
        notes.append(f"{_count(unused)} looked up what nothing used, and {_left(unused)}")
    made: dict[_Key, tuple[int, str]] = {}
    steps: list[Call] = []
    fresh: set[_Key] = set()
    for n, call in enumerate(kept):
        arguments, tool = dict(call.arguments), toolsets[call.app].tools[call.tool]
        for pointer in pointers(tool, arguments):
            table = tool.refs[pointer.name]
            key = (call.app, table.table_name, pointer.value) if isinstance(pointer.value, str) else None
            if key in made:
                at, bind = made[key]
                steps[at] = steps[at].model_copy(update={"bind": bind})
                arguments[pointer.name] = pointer.turned(arguments[pointer.name], {"ref": bind})
            elif key in fresh:
                notes.append(
                    f"reference call {n + 1} names the new {table.noun} {pointer.value} as it was numbered here, since "
                    "what the call that made it gives is not its id alone"
                )
        steps.append(Call(app=call.app, tool=call.tool, arguments=arguments))
        for key in (_key(w) for w in call.writes if w.values):
            if key not in there and key not in fresh and made_id(call.data) == key[2]:
                made[key] = n, f"{key[1]}-{n + 1}"
            fresh |= {key} - there
    return tuple(steps), notes


def _kept(done: Sequence[CallRecord], request: str) -> list[CallRecord]:
    """From the last call to the first: what writes, and what finds a text that a call kept already gives."""
    stated, needed, kept = folded(request), set[str](), list[CallRecord]()
    for call in reversed(done):
        found = needed & set(_texts(call.data))
        if call.writes or found:
            needed -= found
            needed |= {text for text in _texts(call.arguments) if text and not _says(stated, text)}
            kept.append(call)
    return kept[::-1]


def _says(request: str, text: str) -> bool:
    """Whether a text stands in a folded request as words of its own, and not within another (`3` in `2023`)."""
    return re.search(rf"(?<!\w){re.escape(folded(text))}(?!\w)", request) is not None


def _rows(world: World) -> Iterator[_Key]:
    yield from ((app, name, row["id"]) for app, tables in world.rows.items() for name in tables for row in tables[name])


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(item)


def _names(changes: Sequence[Change], toolsets: Mapping[str, Toolset]) -> dict[_Key, str]:
    """A name for each new row that another changed row refers to."""
    new = {_key(c): f"{c.table}-{n}" for n, c in enumerate(changes, start=1) if c.op == "insert"}
    used = {key for change in changes for key in _referred(change, toolsets).values()}
    return {key: name for key, name in new.items() if key in used}


def _referred(change: Change, toolsets: Mapping[str, Toolset]) -> dict[str, _Key]:
    """Field -> the row that its new value names."""
    tables = {table.table_name: table for table in toolsets[change.app].app.tables}
    return {
        field: (change.app, target.table_name, value)
        for field, value in change.fields.items()
        if isinstance(value, str) and (target := _target(tables[change.table], field))
    }


def _target(table: type[Table], field: str) -> type[Table] | None:
    """The table whose rows a column names, by its `Ref`."""
    info = table.model_fields[field]
    marks = [
        *info.metadata,
        *(mark for part in get_args(info.annotation) for mark in getattr(part, "__metadata__", ())),
    ]
    return next((mark.table for mark in marks if isinstance(mark, Ref)), None)


def _expected(change: Change, names: Mapping[_Key, str], toolsets: Mapping[str, Toolset]) -> Expected:
    refs = {field: names[key] for field, key in _referred(change, toolsets).items() if key in names}
    values = {
        field: {"ref": refs[field]} if field in refs else value
        for field, value in change.fields.items()
        if value is not None or change.op == "update"
    }
    return Expected(
        op=change.op,
        app=change.app,
        table=change.table,
        id="" if change.op == "insert" else change.id,
        values=values,
        name=names.get(_key(change), ""),
    )


def _played(player: Player, task: Task) -> Played:
    return anyio.run(player.play, task, task.solution)


def _stamped(player: Player, task: Task, world: World) -> tuple[set[str], list[str]]:
    """Fields whose new value depends on when the calls are made, found by making them at another time."""
    (session,) = task.sessions
    later = task.model_copy(update={"sessions": (session.model_copy(update={"now": world.now + _LATER}),)})
    first, second = _played(player, task), _played(player, later)
    if first.effects != second.effects or [_key(c) for c in first.trajectory.changes] != [
        _key(c) for c in second.trajectory.changes
    ]:
        return set(), ["made a day later the calls do something else, so no field could be told to hold the time"]
    return {
        f"{a.app}.{a.table}.{field}"
        for a, b in zip(first.trajectory.changes, second.trajectory.changes, strict=True)
        for field, value in (a.after or {}).items()
        if value != (b.after or {}).get(field)
    }, []


def _key(row: Change | Write) -> _Key:
    return row.app, row.table, row.id


def _compare(end: End, request: str, stamped: set[str], world: World) -> tuple[Compare, dict[str, str]]:
    """How the expected fields are compared, with a reason for each that is not compared as it is."""
    stated, free, text = folded(request), dict.fromkeys(stamped, "not compared: it holds the time of the call"), {}
    for change in end.changes:
        for name, value in change.values.items():
            field = f"{change.app}.{change.table}.{name}"
            if field in stamped or not isinstance(value, str) or not _wordy(value):
                continue
            if any(row.get(name) == value for row in world.rows.get(change.app, {}).get(change.table, ())):
                continue  # one of the values that there are, such as a status or a list
            if len(value.split()) >= PROSE and folded(value) not in stated:
                free[field] = "not compared: prose that the request does not dictate"
            else:
                text[field] = "compared without letter case and line breaks"
    folds = {field: reason for field, reason in text.items() if field not in free}
    return Compare(text=frozenset(folds), free=frozenset(free)), dict(sorted({**free, **folds}.items()))


def _wordy(value: str) -> bool:
    """Several words, at least one of letters alone; a date and a time are none."""
    return bool(re.search(r"\s", value.strip()) and re.search(r"\b[^\W\d_]{2,}\b", value))
