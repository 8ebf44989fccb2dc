"""Between the engine's rows and a database: what the rows say, and what a statement changed, written as rows.

Order is no part of a database. Rows of a relation are sorted by their cells wherever they go, so that two databases
whose rows are equal answer alike, however they came to be so.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from servers.kernel import State
from servers.sql.tables import Cell, Column, Record, Relation, record_id

__all__ = ("Contents", "Described", "Row", "apply", "contents", "described", "key", "ordered", "records")

Row: TypeAlias = tuple[Cell, ...]
Described: TypeAlias = list[tuple[str, list[tuple[str, str]], list[Row]]]
"""Relations by name: each its name, the names and types of its columns, and its rows, sorted."""


class Contents(NamedTuple):
    """What the rows of a state say. `ids` are the ids of the records of a relation, by what they say."""

    relations: Described
    ids: Mapping[str, Mapping[Row, Sequence[str]]]
    key: str

    def schema(self) -> str:
        """Relations with their columns, a line each."""
        return "\n".join(
            f"{name}({', '.join(f'{column} {kind}' for column, kind in columns)}), {len(rows):,} row{'s' * (len(rows) != 1)}"
            for name, columns, rows in self.relations
        )


def contents(state: State) -> Contents:
    """What is in the database; for `State.derived`."""
    columns = dict(state.query("SELECT id, header FROM relation ORDER BY id"))
    found = state.query("SELECT id, relation, cells FROM record ORDER BY relation, id")
    cells = json.loads(f"[{','.join(text for _, _, text in found)}]")
    ids: dict[str, dict[Row, list[str]]] = {name: defaultdict(list) for name in columns}
    for (id, relation, _), row in zip(found, cells, strict=True):
        ids[relation][tuple(row)].append(id)
    relations = [
        (
            name,
            [(each["name"], each["type"]) for each in json.loads(told)],
            ordered([row for row, same in ids[name].items() for _ in same]),
        )
        for name, told in columns.items()
    ]
    return Contents(relations, ids, key(relations))


def ordered(rows: Iterable[Row]) -> list[Row]:
    """The rows by their cells, from the first column on; nothing stands behind everything."""
    return sorted(rows, key=lambda row: [(cell is None, 0 if cell is None else cell) for cell in row])


def key(relations: Described) -> str:
    """SHA-256 over relations and rows, in order: equal for equal databases."""
    return hashlib.sha256(json.dumps(relations, ensure_ascii=False).encode()).hexdigest()


def described(given: Sequence[Any]) -> Described:
    """The relations as JSON brought them."""
    return [
        (name, [(column, kind) for column, kind in columns], [tuple(row) for row in rows])
        for name, columns, rows in given
    ]


def apply(state: State, before: Contents, changed: Mapping[str, Any]) -> None:
    """Write what a statement changed: relations that are `dropped` or `made`, and rows `gone` and `new` by relation.

    A row that was there several times keeps its first numbers.
    """
    for name, rows in changed["gone"].items():
        left = {row: sorted(ids, key=lambda id: (len(id), id)) for row, ids in before.ids[name].items()}
        for row in rows:
            state.delete(state.get(Record, left[tuple(row)].pop()))
    for name in changed["dropped"]:
        state.delete(state.get(Relation, name))
    known = {name for name, _, _ in before.relations} - set(changed["dropped"])
    for name, columns in changed["made"]:
        relation = Relation(id=name, name=name, header=[Column(name=column, type=kind) for column, kind in columns])
        if name in known:
            state.save(relation)
        else:
            state.add(relation)
    gone = {name: {tuple(row) for row in rows} for name, rows in changed["gone"].items()}
    for name, rows in changed["new"].items():
        had = before.ids.get(name, {})
        there = {row: len(had[row]) if row in had and row not in gone.get(name, ()) else 0 for row in map(tuple, rows)}
        for row in map(tuple, rows):
            state.add(_record(name, row, there[row]))
            there[row] += 1


def records(relation: str, rows: Iterable[Sequence[Cell]]) -> list[dict[str, Any]]:
    """Rows of a relation as a world has them: records with their ids, in order."""
    seen: dict[Row, int] = defaultdict(int)
    found = []
    for row in map(tuple, rows):
        record = _record(relation, row, seen[row])
        seen[row] += 1
        found.append({"id": record.id, "relation": relation, "cells": list(row), "number": record.number})
    return found


def _record(relation: str, row: Row, number: int) -> Record:
    return Record(id=record_id(relation, row, number), relation=relation, cells=list(row), number=number)
