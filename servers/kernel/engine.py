"""The copy-on-write store: many sandboxes over one immutable world, each only its differences.

A world's rows live once, in base tables. Every sandbox is a numbered layer; one delta table per
app table holds the rows that layers changed, and a view shows base rows that the current layer
has not touched, then the layer's own. The layer reaches the view through a DuckDB variable on the
layer's own cursor. What a layer touched is also indexed in memory (ids, not rows), so that a keyed
read is one statement and untouched tables cost nothing.

One engine serves one thread; nothing here waits.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import duckdb

from servers.kernel.app import App
from servers.kernel.errors import NotFound, Rejected, StateError, StateInUse, WorldMismatch
from servers.kernel.state import State
from servers.kernel.table import Table
from servers.kernel.world import Change, Edit, World, canonical

__all__ = ("Base", "Engine", "Layer", "fold")

T = TypeVar("T", bound=Table)

_CHECKPOINT_AFTER = 2_000
"""Layers closed between checkpoints: DuckDB keeps deleted rows until one."""


class _Names(NamedTuple):
    """Quoted SQL names of one table of one app in one world."""

    base: str
    delta: str
    view: str
    columns: str
    marks: str


@dataclass
class _Index:
    """What a layer touched in one table: id -> whether the row is gone, and the next number and place."""

    gone: dict[str, bool] = field(default_factory=dict)
    number: int = 0
    place: int = 0

    def copy(self) -> _Index:
        return _Index(dict(self.gone), self.number, self.place)


class _Loaded(NamedTuple):
    """A base table in memory: its names, highest id number and length."""

    names: _Names
    number: int
    length: int


class Base:
    """A world loaded into an engine. App tables are loaded when first needed."""

    def __init__(self, engine: Engine, world: World, prefix: str) -> None:
        self.engine, self.world, self.prefix = engine, world, prefix
        self._loaded: dict[type[Table], _Loaded] = {}

    def table(self, app: App, table: type[Table]) -> _Loaded:
        try:
            return self._loaded[table]
        except KeyError:
            if table not in app.tables:
                raise TypeError(f"{table.__name__} is not a table of {app.name}") from None
            return self._loaded.setdefault(table, self._load(app, table))

    def _load(self, app: App, table: type[Table]) -> _Loaded:
        schema, name = f"{self.prefix}_{app.name}", table.table_name
        base, delta = f'"{schema}"."_base_{name}"', f'"delta"."{app.name}__{name}"'
        columns = ", ".join(f'"{column.name}"' for column in table.columns)
        names = _Names(base, delta, f'"{schema}"."{name}"', columns, ", ".join("?" * len(table.columns)))
        typed = ", ".join(f'"{column.name}" {column.sql}' for column in table.columns)
        con = self.engine.connection
        known = con.execute(
            "SELECT count(*) FROM duckdb_tables() WHERE schema_name = ? AND table_name = ?",
            [schema, f"_base_{name}"],
        ).fetchone()
        if known == (0,):
            rows = [table.model_validate(row) for row in self.world.rows.get(app.name, {}).get(name, [])]
            ids = {row.id for row in rows}
            if len(ids) != len(rows) or "" in ids:
                raise StateError(f"world {self.world.name!r}: {app.name}.{name} has rows with an empty or repeated id")
            con.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
            con.execute(f"CREATE TABLE {base} (_ord BIGINT, {typed})")
            appender = con.appender(f"{schema}._base_{name}")
            appender.append_rows([(place, *row.stored()) for place, row in enumerate(rows)])
            appender.flush()
            con.execute(f'CREATE UNIQUE INDEX "{schema}_{name}_id" ON {base} (id)')
            con.execute(f"CREATE TABLE IF NOT EXISTS {delta} (_layer BIGINT, _gone BOOLEAN, _ord BIGINT, {typed})")
            con.execute(
                f"CREATE VIEW {names.view} AS "
                f"SELECT _ord, {columns} FROM {base} b WHERE NOT EXISTS (SELECT 1 FROM {delta} d "
                f"WHERE d._layer = getvariable('layer') AND d.id = b.id) UNION ALL "
                f"SELECT _ord, {columns} FROM {delta} WHERE _layer = getvariable('layer') AND NOT _gone"
            )
        every = con.execute(f"SELECT id FROM {base}").fetchall()
        return _Loaded(names, max((table.id_number(id) for (id,) in every), default=0), len(every))


class Engine:
    """One DuckDB instance, in memory or on one file, and the layers in it.

    Raises `StateInUse` when another process holds the file.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        config = {"threads": 1, "async_threads": 0, "enable_external_access": path is not None}
        try:
            self.connection = duckdb.connect(":memory:" if path is None else os.fspath(path), config=config)
        except duckdb.IOException as error:
            if path is not None and "lock" in str(error).lower():
                raise StateInUse(path) from None
            raise StateError(f"{path} cannot be opened: {error}") from None
        self.connection.execute("CREATE SCHEMA IF NOT EXISTS delta")
        self.connection.execute("CREATE TABLE IF NOT EXISTS delta._meta (key VARCHAR, value VARCHAR)")
        self._bases: dict[str, Base] = {}
        self._numbers = 0
        self._closed = 0
        self.open_transactions = 0

    def load(self, world: World) -> Base:
        """The world's base, loaded once per engine.

        Raises `WorldMismatch` when the engine's file was made from another world.
        """
        if world.digest not in self._bases:
            self._claim(world)
            self._bases[world.digest] = Base(self, world, f"w{len(self._bases)}")
        return self._bases[world.digest]

    def layer(self, base: Base, setup: Iterable[Edit] = (), apps: Iterable[App] = ()) -> Layer:
        """A new sandbox state over `base`, with `setup` applied as its starting point.

        `apps` are those that `setup` names. Raises `StateError` for a step that does not fit.
        """
        layer = Layer(self, base, self._next())
        if setup := tuple(setup):
            layer._apply(setup, {app.name: app for app in apps})
        return layer

    def resume(self, base: Base, apps: Iterable[App]) -> Layer:
        """The one layer that a state file keeps, as it was when last closed; a new one in a new file."""
        layer = Layer(self, base, 0)
        for app in apps:
            for table in app.tables:
                layer._reindex(app, table)
        return layer

    def checkpoint(self) -> None:
        """Give back what deleted rows held. Does nothing while a transaction is open."""
        if not self.open_transactions:
            self.connection.execute("CHECKPOINT")
            self._closed = 0

    def close(self) -> None:
        """Close the instance; a file keeps everything committed."""
        self.connection.close()

    def _next(self) -> int:
        self._numbers += 1
        return self._numbers

    def _forget(self) -> None:
        self._closed += 1
        if self._closed >= _CHECKPOINT_AFTER:
            self.checkpoint()

    def _claim(self, world: World) -> None:
        if self.path is None:
            return
        held = self.connection.execute("SELECT value FROM delta._meta WHERE key = 'world'").fetchone()
        wanted = f"{world.name}@{world.digest[:12]}"
        if held is None:
            self.connection.execute("INSERT INTO delta._meta VALUES ('world', ?)", [wanted])
        elif held[0] != wanted:
            raise WorldMismatch(self.path, held[0], wanted)


class Layer:
    """One sandbox's state: the rows it changed, over a base.

    `start` is the state that diffs and digests are relative to: None for the bare world.
    """

    def __init__(self, engine: Engine, base: Base, number: int, start: Layer | None = None) -> None:
        self.engine, self.base, self.number, self.start = engine, base, number, start
        self.now: datetime = base.world.now
        self.written: list[tuple[str, str, str, dict[str, Any] | None]] = []
        self._states: dict[str, State] = {}
        self._index: dict[type[Table], _Index] = {}
        self._apps: dict[type[Table], App] = {}
        self._cursor: Any = None
        self._path = ""
        self._depth = 0
        self._readonly = False
        self._undo: dict[type[Table], _Index | None] | None = None
        self._owns_start = False

    # What an app does, through its State.

    def state(self, app: App) -> State:
        """The app's own view of this layer."""
        if app.name not in self._states:
            self._states[app.name] = State(self, app)
        return self._states[app.name]

    def get(self, app: App, table: type[T], id: str) -> T:
        loaded = self.base.table(app, table)
        gone = self._touched(table, id)
        if gone is None:
            sql, params = f"SELECT {loaded.names.columns} FROM {loaded.names.base} WHERE id = ?", [id]
        elif gone:
            raise NotFound(table.noun, id)
        else:
            sql = f"SELECT {loaded.names.columns} FROM {loaded.names.delta} WHERE _layer = {self.number} AND id = ?"
            params = [id]
        row = self._run(sql, params).fetchone()
        if row is None:
            raise NotFound(table.noun, id)
        restored: T = table.restored(row)
        return restored

    def find(
        self, app: App, table: type[T], where: str, params: Sequence[Any], order: str, limit: int | None
    ) -> list[T]:
        names = self.base.table(app, table).names
        source = names.view if table in self._index else names.base
        sql = f"SELECT {names.columns} FROM {source}"
        if where:
            sql += f" WHERE {where}"
        sql += f" ORDER BY {order}, _ord" if order else " ORDER BY _ord"
        if limit is not None:
            sql += f" LIMIT {int(limit)}"
        return [table.restored(row) for row in self._run(sql, list(params)).fetchall()]

    def query(self, app: App, sql: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
        for table in app.tables:
            self.base.table(app, table)
        schema = f"{self.base.prefix}_{app.name}"
        if self._path != schema:
            self._run(f"SET search_path = '{schema}'")
            self._path = schema
        rows: list[tuple[Any, ...]] = self._run(sql, list(params)).fetchall()
        return rows

    def add(self, app: App, row: T) -> T:
        table = type(row)
        loaded = self.base.table(app, table)
        index = self._writable(app, table)
        if row.id:
            gone = self._touched(table, row.id)
            if gone is False or (gone is None and self._in_base(loaded, row.id)):
                raise Rejected(f"There is already a {table.noun} with the id {row.id!r}.")
        else:
            gone = None
            row = row.model_copy(update={"id": table.id_format.format(index.number + 1)})
        values = [index.place, *row.stored()]
        if gone:  # the place of a removed row is not taken up again: re-adding appends
            self._forget_row(loaded, row.id)
        self._run(f"INSERT INTO {loaded.names.delta} VALUES ({self.number}, false, ?, {loaded.names.marks})", values)
        index.gone[row.id] = False
        index.place += 1
        index.number = max(index.number, table.id_number(row.id))
        self._wrote(app, row)
        return row

    def save(self, app: App, row: T) -> T:
        table = type(row)
        loaded = self.base.table(app, table)
        names = loaded.names
        index = self._writable(app, table)
        gone = self._touched(table, row.id)
        if gone:
            raise NotFound(table.noun, row.id)
        values = row.stored()
        if gone is None:
            done = self._run(
                f"INSERT INTO {names.delta} SELECT {self.number}, false, _ord, {names.marks} "
                f"FROM {names.base} WHERE id = ? RETURNING 1",
                [*values, row.id],
            ).fetchall()
            if not done:
                raise NotFound(table.noun, row.id)
        else:
            sets = ", ".join(f'"{column.name}" = ?' for column in table.columns)
            self._run(f"UPDATE {names.delta} SET {sets} WHERE _layer = {self.number} AND id = ?", [*values, row.id])
        index.gone[row.id] = False
        self._wrote(app, row)
        return row

    def delete(self, app: App, row: Table) -> None:
        table = type(row)
        names = self.base.table(app, table).names
        index = self._writable(app, table)
        gone = self._touched(table, row.id)
        if gone:
            raise NotFound(table.noun, row.id)
        if gone is None:
            done = self._run(
                f"INSERT INTO {names.delta} (_layer, _gone, _ord, id) SELECT {self.number}, true, _ord, id "
                f"FROM {names.base} WHERE id = ? RETURNING 1",
                [row.id],
            ).fetchall()
            if not done:
                raise NotFound(table.noun, row.id)
        else:
            self._run(f"UPDATE {names.delta} SET _gone = true WHERE _layer = {self.number} AND id = ?", [row.id])
        index.gone[row.id] = True
        self.written.append((app.name, table.table_name, row.id, None))

    @contextmanager
    def transaction(self, app: App, *, readonly: bool = False) -> Iterator[None]:
        """All or nothing. Opened for real at the first write, so that reading costs nothing."""
        if self._depth:
            raise RuntimeError("transactions do not nest")
        self._depth, self._readonly = 1, readonly
        mark = len(self.written)
        try:
            yield
            if self._undo is not None:
                self._end("COMMIT")
        except BaseException:
            if self._undo is not None:
                undo = self._undo
                self._end("ROLLBACK")
                for table, before in undo.items():
                    if before is None:
                        del self._index[table]
                    else:
                        self._index[table] = before
            del self.written[mark:]
            raise
        finally:
            self._depth, self._readonly = 0, False

    # What a harness does with the whole state.

    def changes(self, since: Layer | None = None) -> list[Change]:
        """What differs from `since` (default: the start), by app, table and id; no-ops dropped.

        Costs one or two statements per table that either state touched, whatever the world's size.
        """
        since = since or self.start
        tables = set(self._index) | (set(since._index) if since else set())
        found: list[Change] = []
        for table in tables:
            app = self._apps.get(table) or (since._apps[table] if since else None)
            assert app is not None
            mine = self._rows(app, table)
            theirs = since._rows(app, table) if since else {}
            base = self._base_rows(app, table, mine.keys() | theirs.keys())
            for id in mine.keys() | theirs.keys():
                before, after = theirs.get(id, base.get(id)), mine.get(id, base.get(id))
                if before != after:
                    found.append(
                        Change(
                            app=app.name,
                            table=table.table_name,
                            id=id,
                            before=_json(before),
                            after=_json(after),
                        )
                    )
        found.sort(key=lambda change: (change.app, change.table, change.id))
        return found

    def digest(self) -> str:
        """SHA-256 of world, starting changes and changes since: equal iff the states are."""
        start = self.start.changes() if self.start else []
        return fold(self.base.world.digest, start, self.changes())

    def fork(self) -> Layer:
        """A copy with a life of its own: a snapshot, if left alone."""
        copy = Layer(self.engine, self.base, self.engine._next(), self.start)
        copy._take(self)
        return copy

    def restore(self, snapshot: Layer) -> None:
        """Become what `snapshot` is, ids to come included."""
        self._clear()
        self._take(snapshot)

    def reset(self) -> None:
        """Back to the start."""
        self._clear()
        if self.start:
            self._take(self.start)

    def close(self) -> None:
        """Give everything back. The layer cannot be used again."""
        self._clear()
        if self._cursor is not None:
            self._cursor.close()
            self._cursor = None
        if self._owns_start and self.start:
            self.start.close()
        self.engine._forget()

    # Inside.

    def _run(self, sql: str, params: list[Any] | None = None) -> Any:
        if self._cursor is None:
            self._cursor = self.engine.connection.cursor()
            self._cursor.execute(f"SET VARIABLE layer = {self.number}")
        return self._cursor.execute(sql, params)

    def _touched(self, table: type[Table], id: str) -> bool | None:
        """None: as in the base; False: changed or added; True: gone."""
        index = self._index.get(table)
        return None if index is None else index.gone.get(id)

    def _in_base(self, loaded: _Loaded, id: str) -> bool:
        return self._run(f"SELECT 1 FROM {loaded.names.base} WHERE id = ?", [id]).fetchone() is not None

    def _forget_row(self, loaded: _Loaded, id: str) -> None:
        self._run(f"DELETE FROM {loaded.names.delta} WHERE _layer = {self.number} AND id = ?", [id])

    def _writable(self, app: App, table: type[Table]) -> _Index:
        """The table's index, ready to be changed and, inside a transaction, to be put back."""
        if self._readonly:
            raise TypeError("a tool declared with `reads` tried to write")
        if self._depth and self._undo is None:
            self._run("BEGIN")
            self.engine.open_transactions += 1
            self._undo = {}
        index = self._index.get(table)
        if self._undo is not None and table not in self._undo:
            self._undo[table] = index.copy() if index else None
        if index is None:
            loaded = self.base.table(app, table)
            index = self._index[table] = _Index(number=loaded.number, place=loaded.length)
            self._apps[table] = app
        return index

    def _end(self, how: str) -> None:
        self._undo = None
        self.engine.open_transactions -= 1
        self._run(how)

    def _wrote(self, app: App, row: Table) -> None:
        values = row.model_dump(mode="json", exclude={"id"})
        self.written.append((app.name, row.table_name, row.id, values))

    def _rows(self, app: App, table: type[Table]) -> dict[str, Table | None]:
        """Rows this layer touched, by id; None where gone."""
        if table not in self._index:
            return {}
        names = self.base.table(app, table).names
        rows = self._run(f"SELECT _gone, {names.columns} FROM {names.delta} WHERE _layer = {self.number}").fetchall()
        return {values[1]: None if values[0] else table.restored(values[1:]) for values in rows}

    def _base_rows(self, app: App, table: type[Table], ids: Iterable[str]) -> dict[str, Table]:
        names = self.base.table(app, table).names
        wanted = sorted(ids)
        rows = self._run(
            f"SELECT {names.columns} FROM {names.base} WHERE id IN ({', '.join('?' * len(wanted))})", wanted
        ).fetchall()
        return {values[0]: table.restored(values) for values in rows}

    def _take(self, other: Layer) -> None:
        for table, index in other._index.items():
            app = other._apps[table]
            names = self.base.table(app, table).names
            self._run(
                f"INSERT INTO {names.delta} SELECT {self.number}, _gone, _ord, {names.columns} "
                f"FROM {names.delta} WHERE _layer = {other.number}"
            )
            self._index[table], self._apps[table] = index.copy(), app
        self.now = other.now

    def _clear(self) -> None:
        for table in self._index:
            names = self.base.table(self._apps[table], table).names
            self._run(f"DELETE FROM {names.delta} WHERE _layer = {self.number}")
        self._index.clear()
        self.written.clear()

    def _reindex(self, app: App, table: type[Table]) -> None:
        """Rebuild the index from the file: rows that are gone stay listed, so no id comes back."""
        loaded = self.base.table(app, table)
        rows = self._run(f"SELECT id, _gone, _ord FROM {loaded.names.delta} WHERE _layer = {self.number}").fetchall()
        if rows:
            self._index[table] = _Index(
                {id: gone for id, gone, _ in rows},
                max(loaded.number, *(table.id_number(id) for id, _, _ in rows)),
                max(loaded.length, *(place + 1 for _, _, place in rows)),
            )
            self._apps[table] = app

    def _apply(self, setup: Sequence[Edit], apps: Mapping[str, App]) -> None:
        for step, edit in enumerate(setup):
            try:
                app = apps[edit.app]
                table = app.table(edit.table)
                if edit.op == "add":
                    self.add(app, table.model_validate({"id": edit.id, **edit.values}))
                elif edit.op == "remove":
                    self.delete(app, self.get(app, table, edit.id))
                else:
                    row = self.get(app, table, edit.id)
                    self.save(app, table.model_validate({**row.model_dump(), **edit.values, "id": edit.id}))
            except (KeyError, ValueError, NotFound, Rejected) as error:
                raise StateError(
                    f"setup step {step} ({edit.op} {edit.app}.{edit.table} {edit.id}) does not fit: {error}"
                ) from None
        self.written.clear()
        self.start = self.fork()
        self.start.start = None
        self._owns_start = True


def _json(row: Table | None) -> dict[str, Any] | None:
    return None if row is None else row.model_dump(mode="json", exclude={"id"})


def fold(world: str, start: Sequence[Change], changes: Sequence[Change]) -> str:
    """The digest of a state: SHA-256 over its world's digest, its start and its changes since."""
    body = [world, [c.model_dump(mode="json") for c in start], [c.model_dump(mode="json") for c in changes]]
    return hashlib.sha256(canonical(body)).hexdigest()
