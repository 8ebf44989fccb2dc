"""Between the engine's rows and a database: what the rows say, and what a statement changed, written as rows.

Order is no part of a database. Rows of a relation are sorted by their cells wherever they go, so that two databases
whose rows are equal answer alike, however they came to be so.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from servers.kernel import State
from servers.sql.tables import Cell, Column, Record, Relation, record_id

__all__ = (
    "Contents",
    "Described",
    "Row",
    "apply",
    "contents",
    "described",
    "key",
    "key_after",
    "ordered",
    "records",
    "size",
)

Row: TypeAlias = tuple[Cell, ...]
Described: TypeAlias = list[tuple[str, list[tuple[str, str]], list[Row]]]
"""Relations by name: each its name, the names and types of its columns, and its rows, sorted."""


_json = json.JSONEncoder(ensure_ascii=False).encode


class Contents(NamedTuple):
    """What the rows of a state say: the columns of each relation, and the ids of its records by what they say.

    Where the `key` is the same, so is the rest.
    """

    columns: Mapping[str, list[tuple[str, str]]]
    ids: Mapping[str, Mapping[Row, Sequence[str]]]
    key: str

    @property
    def relations(self) -> Described:
        """All of it, in order."""
        return [
            (name, columns, ordered(row for row, same in self.ids[name].items() for _ in same))
            for name, columns in sorted(self.columns.items())
        ]

    def schema(self) -> str:
        """Relations with their columns, a line each."""
        return "\n".join(
            f"{name}({', '.join(f'{column} {kind}' for column, kind in columns)}), "
            f"{_count(sum(map(len, self.ids[name].values())))}"
            for name, columns in sorted(self.columns.items())
        )


def _count(rows: int) -> str:
    return f"{rows:,} row{'s' * (rows != 1)}"


def contents(state: State) -> Contents:
    """What is in the database, read from all its rows."""
    columns = {
        name: [(each["name"], each["type"]) for each in json.loads(told)]
        for name, told in state.query("SELECT id, header FROM relation ORDER BY id")
    }
    found = state.query("SELECT id, relation, cells FROM record ORDER BY relation, id")
    cells = json.loads(f"[{','.join(text for _, _, text in found)}]")
    ids: dict[str, dict[Row, list[str]]] = {name: defaultdict(list) for name in columns}
    for (id, relation, _), row in zip(found, cells, strict=True):
        ids[relation][tuple(row)].append(id)
    there = Contents(columns, ids, "")
    return there._replace(key=key(there.relations))


def ordered(rows: Iterable[Row]) -> list[Row]:
    """The rows by their cells, from the first column on; nothing stands behind everything."""
    found = list(rows)
    try:
        return sorted(found)
    except TypeError:  # nothing was compared with something
        return sorted(found, key=lambda row: [(cell is None, 0 if cell is None else cell) for cell in row])


def key(relations: Described) -> str:
    """SHA-256 over relations and rows, in order: what a database is known by that was read from rows."""
    return hashlib.sha256(json.dumps(relations).encode()).hexdigest()


def key_after(before: str, changed: Mapping[str, Any]) -> str:
    """What that database is known by after these changes. Where keys are the same, so are the databases."""
    return hashlib.sha256(f"{before}{json.dumps(changed)}".encode()).hexdigest()


def size(rows: Iterable[Row]) -> int:
    """Characters of rows as JSON."""
    return sum(len(_json(row)) for row in rows)


def described(given: Sequence[Any]) -> Described:
    """The relations as JSON brought them."""
    return [
        (name, [(column, kind) for column, kind in columns], [tuple(row) for row in rows])
        for name, columns, rows in given
    ]


def apply(state: State, before: Contents, changed: Mapping[str, Any], key: str) -> Contents:
    """Write what a statement changed as rows; gives what is there then, under that key.

    `changed` are relations `dropped` and `made`, and rows `gone` and `new` by relation. Of equal rows the last go.
    """
    columns, ids = dict(before.columns), dict(before.ids)
    touched: dict[str, dict[Row, Sequence[str]]] = {
        name: dict(ids.get(name, {})) for name in {**changed["gone"], **changed["new"]}
    }
    ids |= touched
    for name, rows in sorted(changed["gone"].items()):
        for row, many in Counter(map(tuple, rows)).items():
            had = sorted(touched[name].pop(row), key=lambda id: (len(id), id))
            left = had[:-many]
            for number, id in enumerate(had[-many:], len(left)):
                state.delete(Record(id=id, relation=name, cells=list(row), number=number))
            if left:
                touched[name][row] = left
    for name in changed["dropped"]:
        state.delete(state.get(Relation, name))
        del columns[name], ids[name]
    for name, described in changed["made"]:
        relation = Relation(id=name, name=name, header=[Column(name=column, type=kind) for column, kind in described])
        (state.save if name in columns else state.add)(relation)
        columns[name] = [(column, kind) for column, kind in described]
        ids.setdefault(name, {})
    for name, rows in sorted(changed["new"].items()):
        for row, many in Counter(map(tuple, rows)).items():
            there = touched[name].get(row, ())
            made = [record_id(name, row, number) for number in range(len(there), len(there) + many)]
            touched[name][row] = [*there, *made]
            for number, id in enumerate(made, len(there)):
                state.add(Record(id=id, relation=name, cells=list(row), number=number))
    return Contents(columns, ids, key)


def records(relation: str, rows: Iterable[Sequence[Cell]]) -> list[dict[str, Any]]:
    """Rows of a relation as a world has them: records with their ids, in order."""
    seen: dict[Row, int] = defaultdict(int)
    found = []
    for row in map(tuple, rows):
        number = seen[row]
        seen[row] += 1
        id = record_id(relation, row, number)
        found.append({"id": id, "relation": relation, "cells": list(row), "number": number})
    return found
