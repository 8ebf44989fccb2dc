"""Do rows lead where their columns say, and can an app's tables hold what a task expects of them?"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from harness.audit.workplace import Workplace
from harness.core.near import near
from harness.core.suite import Suite
from harness.core.task import Compare, Expected, Task, referred
from servers import catalog
from servers.kernel import App, Edit, Table, World, first_amiss, refs

__all__ = ("dangling", "leads_nowhere", "unmet")

_SHOWN = 5
"""Rows of a column that are named; of more their number is told."""

Ids = Mapping[str, Mapping[str, Any]]
"""Table -> what there is by id."""


def unmet(suite: Suite, task: Task, place: Workplace) -> Iterator[str]:
    """What no row can be: expected changes of tables or columns that are not there, values that no column takes.

    So are names in `compare`, where a misspelt one leaves its field compared as it is. Each begins with the field.
    Values that the suite compares in a form of its own (`Suite.settled`), or the task without letter case, or not at
    all, may be anything.
    """
    yield from _uncompared(task.compare)
    for field, change in _expected(task):
        if change.app not in place.toolsets:
            yield f"{field}.app: the task does not open the app {change.app!r}.{_known(change.app, task.apps)}"
            continue
        app = place.toolsets[change.app].app
        tables = {table.table_name: table for table in app.tables}
        if change.table not in tables:
            yield f"{field}.table: {app.name} has no table {change.table!r}.{_known(change.table, tables)}"
            continue
        table = tables[change.table]
        loose = task.compare.text | task.compare.free
        for name, value in change.values.items():
            where, column = f"{field}.values.{name}", f"{app.name}.{table.table_name}.{name}"
            if name not in table.model_fields:
                yield f"{where}: {app.name}.{change.table} has no such column.{_known(name, table.model_fields)}"
            elif not suite.settled and column not in loose and not any(referred(value)):
                yield from (f"{where}: {said}" for said in _value(table, name, value))


@cache
def _uncompared(compare: Compare) -> tuple[str, ...]:
    """Names that are no field of any app there is. Tasks may share theirs, so it need not be one of the task's apps."""
    named = [(f"compare.text: {name}", name) for name in sorted(compare.text)]
    named += [(f"compare.free: {name}", name) for name in sorted(compare.free)]
    return tuple(f"{where}: {said}" for where, name in named if (said := _no_field(*name.split("."))))


def _no_field(app: str, table: str, field: str) -> str:
    if app not in (names := catalog.names()):
        return f"there is no app {app!r}.{near(app, names)}"
    tables = {each.table_name: each for each in catalog.app(app).tables}
    if table not in tables:
        return f"{app} has no table {table!r}.{_known(table, tables)}"
    fields = tables[table].model_fields
    return "" if field in fields else f"{app}.{table} has no such column.{_known(field, fields)}"


def _value(table: type[Table], name: str, value: Any) -> Iterator[str]:
    try:
        kept = _adapter(table, name).validate_json(json.dumps(value))
    except ValidationError as error:
        yield f"no row can have {value!r} there: {first_amiss(error)}"
        return
    if (told := _adapter(table, name).dump_python(kept, mode="json")) != value:
        yield f"a row never has {value!r} there, but {told!r}; write that"


@cache
def _adapter(table: type[Table], name: str) -> TypeAdapter[Any]:
    return TypeAdapter(table.model_fields[name].rebuild_annotation())


def leads_nowhere(suite: Suite, world: World, apps: Iterable[App]) -> Iterator[str]:
    """Rows of a world whose `Ref` is the id of no row there; nothing is said of tables that the world does not have."""
    for app in apps:
        held = world.rows.get(app.name, {})
        ids = {table: {row["id"]: row for row in rows} for table, rows in held.items()}
        for table in app.tables:
            for name, other in refs(table).items():
                lost = [
                    (n, id)
                    for n, row in enumerate(held.get(table.table_name, ()))
                    for id in _lost(row.get(name), other, ids)
                ]
                for n, id in lost[:_SHOWN]:
                    where = world.place(app.name, table.table_name, n)
                    where = where.removeprefix(f"{suite.files}/") if suite.files else where
                    yield f"{where}: {_nowhere(app.name, name, id, other)}"
                if len(lost) > _SHOWN:
                    yield f"{len(lost) - _SHOWN} more rows of {app.name}.{table.table_name} have such a {name}"


def dangling(task: Task, place: Workplace) -> Iterator[str]:
    """The same of what a task sets up, has arrive and expects; each begins with the field."""
    edits = [(f"setup.{n}", edit) for n, edit in enumerate(task.setup)]
    for m, session in enumerate(task.sessions):
        for k, arrival in enumerate(session.arrivals):
            edits += [(f"sessions.{m}.arrivals.{k}.edits.{n}", edit) for n, edit in enumerate(arrival.edits)]
    for field, edit in edits:
        yield from _of_values(field, edit, place)
    for n, edit in enumerate(task.setup):
        if edit.op == "remove":
            yield from _left_behind(f"setup.{n}", edit, place)
    for field, change in _expected(task):
        yield from _of_values(field, change, place)


def _of_values(field: str, written: Edit | Expected, place: Workplace) -> Iterator[str]:
    table = _table(written.app, written.table, place)
    for name, other in refs(table).items() if table else ():
        for id in _lost(written.values.get(name), other, place.rows.get(written.app, {})):
            yield f"{field}.values.{name}: {_nowhere(written.app, name, id, other)}"


def _left_behind(field: str, edit: Edit, place: Workplace) -> Iterator[str]:
    """Rows that still name what the setup removes."""
    gone = _table(edit.app, edit.table, place)
    if gone is None or edit.id in place.rows.get(edit.app, {}).get(edit.table, {}):
        return
    for table in place.toolsets[edit.app].app.tables:
        for name in (name for name, other in refs(table).items() if other is gone):
            rows = place.rows[edit.app].get(table.table_name, {})
            left = [id for id, row in rows.items() if edit.id in _ids(row.get(name))]
            if left:
                shown = ", ".join(left[:_SHOWN])
                where = f"{edit.app}.{table.table_name} {shown}"
                yield f"{field}: {where} still has {edit.id!r} as {name}; change or remove it"


def _table(app: str, name: str, place: Workplace) -> type[Table] | None:
    tables: Sequence[type[Table]] = place.toolsets[app].app.tables if app in place.toolsets else ()
    return next((table for table in tables if table.table_name == name), None)


def _lost(value: Any, other: type[Table], rows: Ids) -> list[str]:
    there = rows.get(other.table_name)
    return [id for id in _ids(value) if id not in there] if there is not None else []


def _ids(value: Any) -> list[str]:
    """The ids that a column holds: an empty text and null are none, and `{"ref": NAME}` is of a new row."""
    return [id for id in (value if isinstance(value, list) else [value]) if isinstance(id, str) and id]


def _nowhere(app: str, name: str, id: str, other: type[Table]) -> str:
    return f"{name} is {id!r}, and {app}.{other.table_name} has no such row; name one that is there, or add it"


def _expected(task: Task) -> Iterator[tuple[str, Expected]]:
    for n, end in enumerate(task.ends):
        yield from ((f"ends.{n}.changes.{k}", change) for k, change in enumerate(end.changes))
    for m, session in enumerate(task.sessions):
        for n, end in enumerate(session.ends):
            yield from ((f"sessions.{m}.ends.{n}.changes.{k}", change) for k, change in enumerate(end.changes))


def _known(name: str, known: Iterable[str]) -> str:
    return f"{near(name, known)} There is {', '.join(known) or 'none'}"
