"""The copy-on-write store: many sandboxes over one immutable world, each only its differences.

A world's rows live once, in base tables. A sandbox is a layer: it holds the rows it changed, and
writes them to delta tables, under a number of its own, when a search is about to look there; a
view shows base rows that the layer has not touched, then its own. So keyed reads of changed rows,
writes, diffs, snapshots and resets ask the database nothing.

One engine serves one thread; nothing here waits. `docs/state-engine.md` says why it is so.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb

from servers.kernel.app import App
from servers.kernel.base import Base, Held, Shelf
from servers.kernel.errors import StateError, StateInUse, WorldMismatch
from servers.kernel.layer import Layer
from servers.kernel.world import Came, Edit, Former, Owner, World, canonical

__all__ = ("Engine",)

_SWEEP_AFTER = 256
"""Numbers retired between sweeps of delta tables: one statement for many, where one each cost 0.3 ms."""

_FORMAT = "1"
"""Of state files. Raise it when their tables change."""

_LIVE, _START = 0, 1
"""The layers that a file keeps: the state, and what diffs are relative to."""


class Engine:
    """One DuckDB instance, in memory or on one file, and the layers in it.

    Raises `StateInUse` when another process holds the file, `StateError` when it is none of ours.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        config = {"threads": 1, "async_threads": 0, "enable_external_access": path is not None}
        self.connection = duckdb.connect(":memory:", config=config)
        # Fetching columns late costs more than it saves: 28% of an ordered search in 500 rows, nothing in 50,000.
        self.connection.execute("SET disabled_optimizers = 'late_materialization'")
        self._reader = self.connection.cursor()
        self._path: tuple[str, ...] = ()
        self._number = 0
        self._bases: list[tuple[World, Base]] = []  # each with the world that was asked for
        self._loads = 0
        self._numbers = 0
        self._retired: dict[Shelf, list[int]] = {}
        self._waiting = 0
        self._kept: Layer | None = None
        if path is not None:
            self._attach(path)

    @staticmethod
    def check(path: Path) -> None:
        """Raises `StateError` for a path under which DuckDB keeps no file, whatever is there."""
        try:
            os.fspath(path).encode()
        except UnicodeEncodeError:
            raise StateError(f"{str(path)!a} cannot hold a state: its name is not UTF-8; choose another") from None
        # DuckDB takes what follows a `?` for parameters: the name of its log would end before them, in another folder.
        if "?" in os.path.realpath(path).removeprefix("\\\\?\\"):
            raise StateError(f"{path} cannot hold a state: DuckDB keeps none where its path has a `?`; choose another")

    def load(self, world: World) -> Base:
        """The world's base, loaded once per engine.

        A file that was made from other rows of a world of that name goes on with its own (`Former`). Raises
        `WorldMismatch` when it was made from another world.
        """
        for asked, base in self._bases:
            if asked is world or asked.digest == world.digest:
                return base
        with self._filed():
            there = world if self.path is None else self._claimed(self.path, world)
            base = Base(self, there, f"w{self._loads}")
        self._loads += 1  # a file has one world, and so always "w0"
        self._bases.append((world, base))
        return base

    def forget(self, base: Base) -> None:
        """Give back what a world's base holds, once all layers over it are closed; it can be loaded again.

        Raises `StateError` where a file has it, which keeps its world.
        """
        if self.path is not None:
            raise StateError(f"{self.path} keeps its world")
        self._bases = [pair for pair in self._bases if pair[1] is not base]
        shelves = base.shelves
        for shelf in shelves:
            self._retired.pop(shelf, None)
        for schema in dict.fromkeys(schema for shelf in shelves for schema in shelf.schemas):
            self.connection.execute(f'DROP SCHEMA memory."{schema}" CASCADE')

    def layer(self, base: Base, setup: Iterable[Edit] = (), apps: Iterable[App] = ()) -> Layer:
        """A new sandbox state over `base`, with `setup` applied as its starting point.

        `apps` are those that `setup` names. Raises `StateError` for a step that does not fit.
        """
        layer = Layer(self, base)
        if setup := tuple(setup):
            layer._apply(setup, {app.name: app for app in apps})
        return layer

    def resume(self, base: Base, apps: Iterable[App], setup: Iterable[Edit] = ()) -> Layer:
        """The one layer that a state file keeps, as it was at its last commit; a new one in a new file.

        A new file starts with `setup` applied, and remembers that start. Give the same setup, or
        none, when opening it again; another one raises `StateError`.
        """
        apps, setup = tuple(apps), tuple(setup)
        if self.path is None:
            return self.layer(base, setup, apps)
        if self._kept is not None:
            raise StateError(f"{self.path} is in use already, by this process.")
        with self._filed():
            layer = self._resumed(base, apps, setup)
        layer._kept = True
        self._kept = layer
        return layer

    def _resumed(self, base: Base, apps: tuple[App, ...], setup: tuple[Edit, ...]) -> Layer:
        for app in apps:
            for table in app.tables:
                base.shelf(app, table)
        with self.atomic():  # once all fit: a version that is refused leaves the file to the one before
            for shelf in base.shelves:
                shelf.grow()
        wanted = hashlib.sha256(canonical([edit.model_dump(mode="json") for edit in setup])).hexdigest()
        held = self._noted("setup")
        if held is None:
            layer = self.layer(base, setup, apps)
            with self.atomic():
                for number, source in ((_LIVE, layer), (_START, layer.start)):
                    for shelf, touched in source._touched.items() if source else ():
                        shelf.write(shelf.kept, number, touched.rows)
                self._note("setup", wanted)
                self._note("started", "yes" if setup else "no")
                self._note("now", layer.now.isoformat())
        elif setup and held != wanted:
            raise StateError(
                f"{self.path} was started from another task. Give another folder with --state, or remove that file."
            )
        else:
            start = self._recalled(base, apps, _START) if self._noted("started") == "yes" else None
            layer = self._recalled(base, apps, _LIVE, start)
            layer.now = datetime.fromisoformat(self._noted("now") or base.world.now.isoformat())
            layer.came = tuple(map(Came.model_validate, json.loads(self._noted("came") or "[]")))
        return layer

    def checkpoint(self) -> None:
        """Give back what closed, reset and restored layers held; DuckDB keeps deleted rows until told to."""
        for shelf, numbers in self._retired.items():
            self.connection.execute(f"DELETE FROM {shelf.delta} WHERE _layer IN (SELECT unnest(?))", [numbers])
        self._retired.clear()
        self._waiting = 0
        self.connection.execute("CHECKPOINT memory")

    def close(self) -> None:
        """Close the instance and let go of it; a file keeps everything committed."""
        for name in ("_reader", "connection"):
            if connection := vars(self).pop(name, None):
                connection.close()

    @contextmanager
    def atomic(self) -> Iterator[None]:
        """One transaction of the database, for loading and for what a file keeps.

        Raises `StateError` where the file cannot be written.
        """
        with self._filed():
            self.connection.execute("BEGIN")
            try:
                yield
            except BaseException:
                self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")

    # For layers.

    def _next(self) -> int:
        self._numbers += 1
        return self._numbers

    def _retire(self, number: int, shelves: Iterable[Shelf]) -> None:
        for shelf in shelves:
            self._retired.setdefault(shelf, []).append(number)
        self._waiting += 1
        if self._waiting >= _SWEEP_AFTER:
            self.checkpoint()

    def _keep(
        self,
        rows: Mapping[Shelf, Mapping[str, Held | None]],
        start: Mapping[Shelf, Mapping[str, Held]] | None = None,
        came: str = "",
    ) -> None:
        """Bring a file up to date: rows of its state, and where something came those of the start that it moved."""
        with self.atomic():
            for number, some in ((_LIVE, rows), (_START, start or {})):
                for shelf, held in some.items():
                    shelf.erase(shelf.kept, number, held)
                    shelf.write(shelf.kept, number, {id: row for id, row in held.items() if row is not None})
            if start is not None:
                self._note("started", "yes")
                self._note("came", came)

    def _query(self, path: tuple[str, ...], number: int, sql: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Rows of a SELECT over the views of the schemas in `path`, the first that has a name going before.

        `number` is that of the layer whose rows they show, 0 if it has none in any of them. The statement's kind is
        not enough to go by: a WITH may insert. The transaction is.
        """
        statements = self._reader.extract_statements(sql)
        if [statement.type for statement in statements] != [duckdb.StatementType.SELECT]:
            raise ValueError(f"a query is one SELECT statement, not {sql!r}")
        if number and self._number != number:
            self._reader.execute(f"SET VARIABLE layer = {number}")
            self._number = number
        if self._path != path:
            names = ",".join(f'memory."{schema}"' for schema in path)
            self._reader.execute(f"SET search_path = '{names}'")
            self._path = path
        self._reader.execute("BEGIN TRANSACTION READ ONLY")
        try:
            rows: list[tuple[Any, ...]] = self._reader.execute(statements[0], list(params)).fetchall()
        finally:
            self._reader.execute("ROLLBACK")
        return rows

    # The file.

    @contextmanager
    def _filed(self) -> Iterator[None]:
        """What DuckDB finds wrong with a file, or with the disk under it, as a `StateError`."""
        try:
            yield
        except duckdb.Error as error:
            if self.path is None:
                raise
            raise StateError(f"{self.path} cannot be used as a state file: {error}") from error

    def _attach(self, path: Path) -> None:
        self.check(path)
        name = os.fspath(path).replace("'", "''")
        try:
            self.connection.execute(f"ATTACH '{name}' AS disk")
            self.connection.execute("SET enable_external_access = false")
            self.connection.execute("CREATE SCHEMA IF NOT EXISTS disk.kept")
            self.connection.execute("CREATE TABLE IF NOT EXISTS disk.kept._meta (key VARCHAR, value VARCHAR)")
            found = self._noted("format")
            if found is None:
                self._note("format", _FORMAT)
        except duckdb.Error as error:
            self.close()
            if isinstance(error, duckdb.ResourceInUseException) or "lock on file" in str(error):
                raise StateInUse(path) from None
            raise StateError(f"{path} cannot be used as a state file: {error}") from None
        if found not in (None, _FORMAT):
            self.close()
            raise StateError(f"{path} has state format {found}; this version reads {_FORMAT}.")

    def _claimed(self, path: Path, world: World) -> World:
        """The world that the file is of, which is noted in a new one."""
        name = f"{world.name}{world.days:+}d" if world.days else world.name
        held, wanted = self._noted("world"), f"{name}@{world.digest[:12]}"
        if held is None:
            self._note("digest", world.digest)
            self._note("owner", world.owner.model_dump_json() if world.owner else "")
            self._note("began", world.now.isoformat())
            self._note("world", wanted)
        if held in (None, wanted):
            return world
        if held.rpartition("@")[0] != name:
            raise WorldMismatch(path, held, wanted)
        owner, began = self._noted("owner"), self._noted("began")
        return Former(
            world.name,
            datetime.fromisoformat(began) if began else world.now,
            {},
            world.days,
            world.owner if owner is None else Owner.model_validate_json(owner) if owner else None,
            held=self._noted("digest") or held.rpartition("@")[2],
        )

    def _noted(self, key: str) -> str | None:
        row = self.connection.execute("SELECT value FROM disk.kept._meta WHERE key = ?", [key]).fetchone()
        return None if row is None else str(row[0])

    def _note(self, key: str, value: str) -> None:
        if self._noted(key) is None:
            self.connection.execute("INSERT INTO disk.kept._meta VALUES (?, ?)", [key, value])
        else:
            self.connection.execute("UPDATE disk.kept._meta SET value = ? WHERE key = ?", [value, key])

    def _recalled(self, base: Base, apps: Iterable[App], number: int, start: Layer | None = None) -> Layer:
        layer = Layer(self, base, start)
        for app in apps:
            for table in app.tables:
                layer._recall(base.shelf(app, table), number)
        return layer
