"""A world's rows in DuckDB: loaded once, never changed, shared by every sandbox."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any

from pydantic import ValidationError

from servers.kernel.database import Database
from servers.kernel.dated import moved
from servers.kernel.errors import Rejected, StateError
from servers.kernel.plain import unwritable
from servers.kernel.table import Column, Table, Tables
from servers.kernel.touched import Held
from servers.kernel.world import World, amiss

__all__ = ("LIVE", "START", "Base", "Shelf", "check_rows")

LIVE, START = 0, 1
"""The layers that a file keeps: the state, and what diffs are relative to."""

_CACHED = 4_096
"""Base rows kept in Python per table: a keyed read of one costs 0.003 ms instead of 0.4."""

_SMALL = 512
"""Rows of a table that is read as a whole when one of them is first asked for: hardly dearer than that one."""

_ROWS_A_STATEMENT = 200

_DERIVED = 16
"""What apps made of their rows, for so many states of them at a time."""

_ANSWERED, _EACH = 2**23, 128
"""Bytes of answers that are kept for a base at most, and what a row takes besides its texts. DuckDB takes 1 ms or more
to plan a search."""

_FIXED = frozenset({type(None), bool, int, float, str, bytes, date, datetime, Decimal})
"""Types of values that nobody can change."""


def check_rows(world: World, apps: Iterable[Tables]) -> None:
    """Raises `StateError` for rows of these apps that do not fit, which loading them would find only when needed.

    The world keeps them until a table is filled with them: trying them takes more than half of what loading takes.
    """
    for app in apps:
        if app not in world.tried:
            _check_tables(world, app)
            world.tried[app] = {table: list(_rows(world, app, table)) for table in app.tables}


def _check_tables(world: World, app: Tables) -> None:
    if stray := world.rows.get(app.name, {}).keys() - {table.table_name for table in app.tables}:
        raise StateError(
            f"world {world.name!r} has rows for {', '.join(sorted(stray))}, which {app.name} has no table for; it has "
            f"{', '.join(table.table_name for table in app.tables) or 'none'}"
        )


def _rows(world: World, app: Tables, table: type[Table]) -> Iterator[tuple[Any, ...]]:
    """A table's rows as they are stored, each behind its place. Raises `StateError` for one that does not fit."""
    seen: set[str] = set()
    for place, values in enumerate(world.rows.get(app.name, {}).get(table.table_name, [])):
        try:
            row = table.from_json(values)
            stored = row.stored()
            if world.days:
                stored = tuple(
                    moved(value, world.days) if column.dated else value
                    for column, value in zip(table.columns, stored, strict=True)
                )
        except (ValueError, TypeError, Rejected) as error:
            problem = amiss(error) if isinstance(error, ValidationError) else unwritable(values) or error
            where = world.place(app.name, table.table_name, place)
            raise StateError(f"{where}, does not fit: {problem}") from None
        if not row.id or row.id in seen:
            where = world.place(app.name, table.table_name, place)
            raise StateError(f"{where}, has an empty or repeated id: {row.id!r}")
        seen.add(row.id)
        yield (place, *stored)


class Shelf:
    """One table of one app in one world: its base rows, and where layers write theirs.

    `base` holds the world's rows in row order; `delta` what layers changed, for SQL to see; `kept`,
    on a file, what must survive the process. `number` is the highest number in a base id, `length`
    the count of base rows. What is only for SQL is made when it is first named: most tables are never searched so.
    """

    def __init__(self, engine: Database, world: World, prefix: str, app: Tables, table: type[Table]) -> None:
        self.engine, self.app, self.table = engine, app, table
        name, home = table.table_name, "disk" if engine.path else "memory"
        self.schema = f"{prefix}_{app.name}"
        self.schemas = [self.schema]
        self.base = f'{home}."{self.schema}"."_base_{name}"'
        self.delta_name = f'memory."{self.schema}"."_delta_{name}"'
        self.kept = f'disk.kept."{app.name}.{name}"'
        self.columns = ", ".join(f'"{column.name}"' for column in table.columns)
        self._typed = ", ".join(f'"{column.name}" {column.sql}' for column in table.columns)
        self._layered = f"(_layer BIGINT, _gone BOOLEAN, _ord BIGINT, {self._typed})"
        self._read = lru_cache(_CACHED)(self._read_now)
        self._ids: set[str] | None = None  # every base id, once somebody asked for one that is none
        self._rows: dict[str, Held] | None = None  # every base row of a small table, once somebody asked for one
        self._marks = f"(?, ?, ?{', ?' * len(table.columns)})"
        self._lacking: list[Column] = []
        self._open(home, world)

    @cached_property
    def delta(self) -> str:
        """Where layers write what they changed."""
        self.engine.connection.execute(f"CREATE TABLE {self.delta_name} {self._layered}")
        return self.delta_name

    @cached_property
    def plain(self) -> str:
        """The schema where the table's name means the world's rows."""
        view = f'memory."{self.schema}"."{self.table.table_name}"'
        self.engine.connection.execute(f"CREATE VIEW {view} AS SELECT _ord, {self.columns} FROM {self.base}")
        return self.schema

    def row(self, id: str) -> Held | None:
        """The base row of that id, or None."""
        if self.length <= _SMALL:
            if self._rows is None:
                found = self.engine.connection.execute(f"SELECT _ord, {self.columns} FROM {self.base}").fetchall()
                self._rows = {row[1]: Held(row[0], row[1:], row[1:]) for row in found}
            return self._rows.get(id)
        if self._ids is not None and id not in self._ids:
            return None
        held = self._read(id)
        if held is None:
            self._ids = {id for (id,) in self.engine.connection.execute(f"SELECT id FROM {self.base}").fetchall()}
        return held

    def _read_now(self, id: str) -> Held | None:
        found = self.engine.connection.execute(
            f"SELECT _ord, {self.columns} FROM {self.base} WHERE id = ?", [id]
        ).fetchone()
        return None if found is None else Held(found[0], found[1:], found[1:])

    def write(self, target: str, layer: int, rows: Mapping[str, Held]) -> None:
        """Add rows to `delta` or `kept` under that layer."""
        blank = (None,) * (len(self.table.columns) - 1)
        left = iter(rows.items())
        while some := list(islice(left, _ROWS_A_STATEMENT)):
            values: list[Any] = []
            for id, held in some:
                values += (layer, held.values is None, held.place, *(held.values or (id, *blank)))
            marks = ", ".join([self._marks] * len(some))
            into = f"{target} (_layer, _gone, _ord, {self.columns})"
            self.engine.connection.execute(f"INSERT INTO {into} VALUES {marks}", values)

    def erase(self, target: str, layer: int, ids: Iterable[str]) -> None:
        """Drop rows from `delta` or `kept` under that layer."""
        self.engine.connection.execute(
            f"DELETE FROM {target} WHERE _layer = ? AND id IN (SELECT unnest(?))", [layer, list(ids)]
        )

    def keepsake(self, layer: int) -> dict[str, Held]:
        """What the file kept for that layer."""
        width = len(self.table.columns)
        mine, theirs = (", ".join(f'{t}."{column.name}"' for column in self.table.columns) for t in ("k", "b"))
        rows = self.engine.connection.execute(
            f"SELECT k._ord, k._gone, b.id IS NOT NULL, {mine}, {theirs} "
            f"FROM {self.kept} k LEFT JOIN {self.base} b ON b.id = k.id WHERE k._layer = ? ORDER BY k._ord, k.id",
            [layer],
        ).fetchall()
        return {
            row[3]: Held(row[0], None if row[1] else row[3 : 3 + width], row[3 + width :] if row[2] else None)
            for row in rows
        }

    def _open(self, home: str, world: World) -> None:
        con, name = self.engine.connection, self.table.table_name
        found = self._on_file() if home == "disk" else {}
        if not found:
            with self.engine.atomic():
                con.execute(f'CREATE SCHEMA IF NOT EXISTS {home}."{self.schema}"')
                con.execute(f"CREATE TABLE {self.base} (_ord BIGINT, {self._typed})")
                if self._fill(home, world) > _SMALL or home == "disk":
                    con.execute(f'CREATE UNIQUE INDEX "{self.schema}_{name}_id" ON {self.base} (id)')
                if home == "disk":
                    con.execute(f"CREATE TABLE {self.kept} {self._layered}")
        else:
            self._lacking = self._new(found)
            self._check_kept()
        ids = con.execute(f"SELECT id FROM {self.base}").fetchall()
        self.length = len(ids)
        self.number = max((self.table.id_number(id) for (id,) in ids), default=0)
        con.execute(f'CREATE SCHEMA IF NOT EXISTS memory."{self.schema}"')

    def _on_file(self) -> dict[str, str]:
        """The fields that the table has on the file, with their types; none where it is not there."""
        found = self.engine.connection.execute(
            "SELECT column_name, data_type FROM duckdb_columns() "
            "WHERE database_name = 'disk' AND schema_name = ? AND table_name = ? ORDER BY column_index",
            [self.schema, f"_base_{self.table.table_name}"],
        ).fetchall()
        return {column: sql for column, sql in found if column != "_ord"}

    def _new(self, found: Mapping[str, str]) -> list[Column]:
        """The fields that a table of a former version lacks on the file.

        Raises `StateError` where its fields are others, or one that it lacks has no default.
        """
        defaults, columns = self.table.stored_defaults(), {column.name: column for column in self.table.columns}
        lacking = [column for column in self.table.columns if column.name not in found]
        other = [f"{column.name}, which it lacks" for column in lacking if column.name not in defaults]
        for name, sql in found.items():
            if name not in columns:
                other.append(f"{name}, which is none any more")
            elif columns[name].sql != sql:
                other.append(f"{name}, which is {sql} there and {columns[name].sql} now")
        if other:
            raise StateError(
                f"{self.engine.path} was made by another version of {self.app.name}: its {self.table.table_name} have "
                f"other fields: {'; '.join(other)}. Give a new field a default and keep the others as they were, give "
                "another folder with --state, or remove that file."
            )
        return lacking

    def grow(self) -> None:
        """Give the table on the file the fields that it lacks, at their defaults, in a transaction of the caller's."""
        defaults = self.table.stored_defaults()
        for column in self._lacking:
            for target in (self.base, self.kept):
                self.engine.connection.execute(f'ALTER TABLE {target} ADD COLUMN "{column.name}" {column.sql}')
                self.engine.connection.execute(f'UPDATE {target} SET "{column.name}" = ?', [defaults[column.name]])
        self._lacking = []

    def _check_kept(self) -> None:
        """Raise `StateError` for a row on the file that the app took once, and that its types do not take any more."""
        there = [column for column in self.table.columns if column not in self._lacking]
        columns = ", ".join(f'"{column.name}"' for column in there)
        rows = self.engine.connection.execute(
            f"SELECT {columns} FROM {self.base} UNION ALL SELECT {columns} FROM {self.kept} WHERE NOT _gone"
        )
        while some := rows.fetchmany(2_000):
            for row in some:
                if problem := self._unfit(there, row):
                    raise StateError(
                        f"{self.engine.path}: {self.app.name}.{self.table.table_name} {row[0]} does not fit the app as "
                        f"it is now: {problem}. Let the field take that as before, give another folder with --state, "
                        "or remove that file."
                    )

    def _unfit(self, columns: Sequence[Column], row: tuple[Any, ...]) -> str:
        """What is wrong with stored values of these columns; "" if nothing is."""
        values, lost = {}, ""
        for column, value in zip(columns, row, strict=True):
            try:
                values[column.name] = value if value is None or column.decode is None else column.decode(value)
            except ValidationError as error:
                values[column.name], lost = json.loads(value), f"{column.name}: {amiss(error)}"
            except ValueError as error:  # of an enum
                values[column.name], lost = value, f"{column.name}: {error}"
        try:
            self.table.model_validate(values)
        except ValidationError as error:
            return amiss(error, values=True)
        return lost

    def named(self, *sql: str) -> str:
        """The id, and the columns that occur in some SQL."""
        words = {"id", *re.findall(r"\w+", " ".join(sql).casefold())}
        return ", ".join(f'"{column.name}"' for column in self.table.columns if column.name in words)

    def layered(self) -> str:
        """The schema where the table's name means the rows of the layer in the variable `layer`, not the world's."""
        schema = f"{self.schema}.{self.table.table_name}"
        if schema not in self.schemas:
            seen = self.seen("getvariable($$layer$$)")
            self.engine.connection.execute(f'CREATE SCHEMA memory."{schema}"')
            self.engine.connection.execute(f'CREATE VIEW memory."{schema}"."{self.table.table_name}" AS {seen}')
            self.schemas.append(schema)
        return schema

    def seen(self, layer: str, columns: str = "", *, shadowed: bool = True) -> str:
        """SQL for the rows that a layer sees: base rows it has not touched, then its own; all columns, or some.

        `shadowed` False promises that it touched none of the base, which saves a join (a quarter of
        a search in 500 rows).
        """
        columns = columns or self.columns
        base = f"SELECT _ord, {columns} FROM {self.base} b"
        if shadowed:
            base += f" WHERE NOT EXISTS (SELECT 1 FROM {self.delta} d WHERE d._layer = {layer} AND d.id = b.id)"
        return f"{base} UNION ALL SELECT _ord, {columns} FROM {self.delta} WHERE _layer = {layer} AND NOT _gone"

    def _fill(self, home: str, world: World) -> int:
        """Put the world's rows there, and say how many."""
        count = 0
        appender = self.engine.connection.appender(f"{home}.{self.schema}._base_{self.table.table_name}")
        rows = iter(world.tried.get(self.app, {}).pop(self.table, None) or _rows(world, self.app, self.table))
        while some := list(islice(rows, 2_000)):
            appender.append_rows(some)
            appender.flush()
            count += len(some)
        return count


class Answers:
    """What questions to rows that never change were answered: the latest, of so many bytes in all."""

    def __init__(self, most: int = _ANSWERED) -> None:
        self._most, self._held = most, 0
        self._known: dict[Hashable, tuple[int, list[tuple[Any, ...]]]] = {}

    def to(self, question: Hashable, ask: Callable[[], list[tuple[Any, ...]]]) -> list[tuple[Any, ...]]:
        """The answer that is known, else what `ask` gives; a list of the caller's own."""
        known = self._known.pop(question, None)
        if known is None:
            found = ask()
            size = _size(found)
            if size > self._most // 8 or any(type(value) not in _FIXED for row in found for value in row):
                return found
            self._held += size
            known = size, found
        self._known[question] = known
        while self._held > self._most:
            self._held -= self._known.pop(next(iter(self._known)))[0]
        return [*known[1]]

    def clear(self) -> None:
        """Forget them: what is asked next is looked up."""
        self._known.clear()
        self._held = 0


def _size(rows: list[tuple[Any, ...]]) -> int:
    """About how many bytes an answer takes."""
    texts = sum(len(value) for row in rows for value in row if isinstance(value, str | bytes))
    return _EACH * (1 + len(rows)) + texts


class Base:
    """A world loaded into an engine. App tables are loaded when first needed."""

    def __init__(self, engine: Database, world: World, prefix: str) -> None:
        self.engine, self.world, self.prefix = engine, world, prefix
        self._shelves: dict[tuple[str, type[Table]], Shelf] = {}
        self._derived: dict[Hashable, Any] = {}
        self.answers = Answers()

    def derived(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` gives for that key, made once while it is among those asked for last."""
        found = self._derived.pop(key) if key in self._derived else make()
        self._derived[key] = found
        if len(self._derived) > _DERIVED:
            del self._derived[next(iter(self._derived))]
        return found

    @property
    def shelves(self) -> tuple[Shelf, ...]:
        """Those that were needed so far."""
        return tuple(self._shelves.values())

    def shelf(self, app: Tables, table: type[Table]) -> Shelf:
        """Where that table of that app is."""
        try:
            return self._shelves[app.name, table]
        except KeyError:
            if table not in app.tables:
                raise TypeError(f"{table.__name__} is not a table of {app.name}") from None
            _check_tables(self.world, app)
            shelf = self._shelves[app.name, table] = Shelf(self.engine, self.world, self.prefix, app, table)
            return shelf
