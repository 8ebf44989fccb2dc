"""SQLite copies of the datastore, as bytes: one in tables with columns, one in the single table of the paper.

The paper's tool speaks SQLite (PROBE, section 3.5). A copy is made once for all sandboxes that have the same rows; each
query opens the bytes anew, so that nothing of one query is left for the next, whatever thread it runs in.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple

from servers.datastore.contents import COLUMNS, Item, items
from servers.kernel import State

__all__ = ("Copy", "one_table", "three_tables")


class Copy(NamedTuple):
    """A database of SQLite, read only: its tables with their columns, its bytes, and the length of its longest text."""

    tables: Mapping[str, Sequence[str]]
    image: bytes
    longest: int

    def schema(self) -> str:
        """Tables and columns, as an error names them."""
        return "; ".join(f"{table}({', '.join(columns)})" for table, columns in self.tables.items())


def three_tables(state: State) -> Copy:
    """Tables emails, events and documents, with a column for each field that is known."""
    kinds = {f"{kind}s": kind for kind in COLUMNS}
    tables = {table: ("id", *COLUMNS[kind]) for table, kind in kinds.items()}
    there = items(state)
    return _copied(
        tables,
        {
            table: [(item.id, *item.columns().values()) for item in there if item.kind == kind]
            for table, kind in kinds.items()
        },
    )


def one_table(state: State) -> Copy:
    """The table of the paper: documents(id, type, payload), each payload as JSON."""
    rows = [(item.id, item.kind, _json(item)) for item in items(state)]
    return _copied({"documents": ("id", "type", "payload")}, {"documents": rows})


def _json(item: Item) -> str:
    return json.dumps(item.payload, ensure_ascii=False)


def _copied(tables: Mapping[str, Sequence[str]], rows: Mapping[str, Sequence[Sequence[str | None]]]) -> Copy:
    with closing(sqlite3.connect(":memory:")) as database:
        for table, columns in tables.items():
            typed = ", ".join(f'"{column}" TEXT' for column in columns)
            database.execute(f'CREATE TABLE "{table}" ({typed})')
            database.executemany(f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(columns))})', rows[table])
        database.commit()
        return Copy(tables, database.serialize(), max(_lengths(rows.values()), default=0))


def _lengths(rows: Iterable[Sequence[Sequence[str | None]]]) -> Iterable[int]:
    return (len((value or "").encode()) for table in rows for row in table for value in row)
