"""A row's table in the app `sql`: as a world to start from, and what a statement makes of it there."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Final, NamedTuple

from benchmarks.dbbench.published import Row
from harness.task import Expected
from servers.kernel import Change, Engine, Layer, Rejected, World
from servers.sql import Record, app, records
from servers.sql.tables import Cell

__all__ = ("NOW", "Left", "answered", "changed", "hashed", "world")

NOW: Final = datetime(2026, 5, 11, 9, 0)
"""The time there; no row asks for it."""

_PREFIX: Final = 5
"""Hexadecimal digits that are taken of each row: 20 bits."""


class Left(NamedTuple):
    """What a statement leaves: records that are gone or new, and the published kind of hash of the whole table."""

    changes: tuple[Expected, ...]
    md5: str


def world(name: str, row: Row) -> World:
    """The row's table and nothing else. Columns are VARCHAR, DuckDB's TEXT."""
    header = [{"name": column, "type": "VARCHAR"} for column in row.columns]
    relation = {"id": row.relation, "name": row.relation, "header": header}
    return World(name, NOW, {"sql": {"relation": [relation], "record": records(row.relation, row.cells)}})


def changed(row: Row, statement: str) -> Left:
    """What the statement leaves of the row's table. Raises `Rejected` where the app refuses it."""
    with _run(row, statement) as (layer, _):
        changes = tuple(_expected(each) for each in layer.changes())
        return Left(changes, hashed([each.cells for each in layer.state(app).find(Record)]))


def answered(row: Row, statement: str) -> list[str]:
    """What the statement gives, cell by cell. Raises `Rejected` where the app refuses it, or cuts what it gives."""
    with _run(row, statement) as (_, text):
        _, *lines = text.splitlines()
    if any(line.startswith("[cut") for line in lines):
        raise Rejected("The result is longer than the app shows")
    rows = [json.loads(line, parse_float=Decimal) for line in lines if line != "[no rows]"]
    return [str(cell) for cells in rows for cell in cells]


@contextmanager
def _run(row: Row, statement: str) -> Iterator[tuple[Layer, str]]:
    """A sandbox of the app after one call of its tool, and what that said."""
    engine = _engine()
    base = engine.load(world("dbbench", row))
    layer = engine.layer(base)
    try:
        yield layer, app.default.tool("run_sql").call(layer.state(app), {"statement": statement}).text
    finally:
        layer.close()
        engine.forget(base)


@cache
def _engine() -> Engine:
    return Engine()


def _expected(change: Change) -> Expected:
    """A change as tasks state it. Records are added and removed, never changed: their id follows from their cells."""
    if change.table != Record.table_name:
        raise Rejected("The statement changes the table itself, not its rows")
    if change.after is None:
        return Expected(op="delete", app=change.app, table=change.table, id=change.id)
    kept = {name: value for name, value in change.after.items() if name != "number" or value}
    return Expected(op="insert", app=change.app, table=change.table, values=kept)


def hashed(rows: Sequence[Sequence[Cell]]) -> str:
    """The published hash of a table: MD5 over the sorted first five digits of the MD5 of each row, commas between.

    A row is its cells with commas between, those left out that are null. Five digits are 20 bits: of a million rows
    that differ, one is taken for the one that is there.
    """
    told = (",".join(str(cell) for cell in cells if cell is not None) for cells in rows)
    found = sorted(hashlib.md5(each.encode(), usedforsecurity=False).hexdigest()[:_PREFIX] for each in told)
    return hashlib.md5(",".join(found).encode(), usedforsecurity=False).hexdigest()
