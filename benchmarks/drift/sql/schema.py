"""A database of this environment: its tables, how its rows are made, and both as the engine and as Python have them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeAlias

from benchmarks.drift.template import Draw, Outcome, Rows
from harness.task import Expected
from servers.kernel import World
from servers.sql import record_id, records

__all__ = ("NOW", "Schema", "Table", "changes", "world")

NOW: Final = datetime(2026, 5, 11, 9, 0)
"""The time in all of them: a Monday."""

Table: TypeAlias = Sequence[Mapping[str, Any]]


class Schema(NamedTuple):
    """Table -> its columns with their types, in order; and what makes the rows, in plain Python.

    Values are as DuckDB writes them: decimals with all their digits and dates as YYYY-MM-DD are texts.
    """

    name: str
    tables: Mapping[str, Mapping[str, str]]
    make: Callable[[Draw], Rows]

    def rows(self) -> Rows:
        """All rows, the same at each call."""
        made = self.make(Draw(self.name))
        return {
            table: [{column: row[column] for column in columns} for row in made[table]]
            for table, columns in self.tables.items()
        }


def world(schema: Schema) -> World:
    """The starting rows of the app."""
    relation = [
        {"id": table, "name": table, "header": [{"name": name, "type": kind} for name, kind in columns.items()]}
        for table, columns in schema.tables.items()
    ]
    record = [
        each for table, rows in schema.rows().items() for each in records(table, [tuple(row.values()) for row in rows])
    ]
    return World(schema.name, NOW, {"sql": {"relation": relation, "record": record}})


def changes(before: Rows, after: Rows) -> Outcome | None:
    """What right work comes to, as the records that are gone and new; None where nothing changes.

    A row that is changed is a record less and a record more: the id of a record follows from what it says.
    """
    found: list[Expected] = []
    for table in before:
        if before[table] == after[table]:  # most are: to compare them costs little, to count their rows much
            continue
        had, has = (Counter(tuple(row.values()) for row in side[table]) for side in (before, after))
        for row in {**had, **has}:
            found += [
                Expected(op="delete", app="sql", table="record", id=record_id(table, row, number))
                for number in range(has[row], had[row])
            ]
            found += [
                Expected(
                    op="insert",
                    app="sql",
                    table="record",
                    values={"relation": table, "cells": list(row), **({"number": number} if number else {})},
                )
                for number in range(had[row], has[row])
            ]
    return Outcome(changes=tuple(sorted(found, key=lambda each: each.model_dump_json()))) if found else None
