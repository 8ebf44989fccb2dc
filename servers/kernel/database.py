"""One DuckDB instance, in memory or with one file attached: what rows are kept in."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from servers.kernel.errors import StateError, StateInUse

__all__ = ("Database",)

_SWEEP_AFTER = 256
"""Numbers retired between sweeps of delta tables: one statement for many, where one each cost 0.3 ms."""

_FORMAT = "1"
"""Of state files. Raise it when their tables change."""


class Database:
    """One DuckDB instance, in memory or on one file. It knows of layers only the numbers under which they write.

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
        self._numbers = 0
        self._retired: dict[str, list[int]] = {}  # by the delta table that has rows under them
        self._waiting = 0
        self._in_use = False  # the state on the file
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

    def checkpoint(self) -> None:
        """Give back what closed, reset and restored layers held; DuckDB keeps deleted rows until told to."""
        for table, numbers in self._retired.items():
            self.connection.execute(f"DELETE FROM {table} WHERE _layer IN (SELECT unnest(?))", [numbers])
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

    # For those who keep rows here.

    def _next(self) -> int:
        self._numbers += 1
        return self._numbers

    def _retire(self, number: int, tables: Iterable[str]) -> None:
        """Leave the rows of that number behind in these delta tables; they are swept up with those of others."""
        for table in tables:
            self._retired.setdefault(table, []).append(number)
        self._waiting += 1
        if self._waiting >= _SWEEP_AFTER:
            self.checkpoint()

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

    def _noted(self, key: str) -> str | None:
        row = self.connection.execute("SELECT value FROM disk.kept._meta WHERE key = ?", [key]).fetchone()
        return None if row is None else str(row[0])

    def _note(self, key: str, value: str) -> None:
        if self._noted(key) is None:
            self.connection.execute("INSERT INTO disk.kept._meta VALUES (?, ?)", [key, value])
        else:
            self.connection.execute("UPDATE disk.kept._meta SET value = ? WHERE key = ?", [value, key])
