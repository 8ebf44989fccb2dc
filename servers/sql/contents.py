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
    "Reading",
    "Row",
    "apply",
    "as_json",
    "contents",
    "described",
    "key",
    "key_of",
    "ordered",
    "records",
)

Row: TypeAlias = tuple[Cell, ...]
Described: TypeAlias = list[tuple[str, list[tuple[str, str]], list[Row]]]
"""Relations by name: each its name, the names and types of its columns, and its rows, sorted."""


class Contents(NamedTuple):
    """What the rows of a state say. `ids` are the ids of the records of a relation, by what they say."""

    relations: Described
    ids: Mapping[str, Mapping[Row, Sequence[str]]]
    key: str

    def after(self, changed: Mapping[str, Any], key: str) -> Contents:
        """What is there once a statement's changes are made: relations dropped or made, rows gone and new by relation.

        Of equal rows the last go first. The `key` of what is there then is known already.
        """
        found = {name: (columns, rows) for name, columns, rows in self.relations if name not in changed["dropped"]}
        ids = {name: same for name, same in self.ids.items() if name in found}
        for name, columns in changed["made"]:
            _, rows = found.get(name, ([], []))
            found[name] = [(column, kind) for column, kind in columns], rows
            ids.setdefault(name, {})
        for name in sorted(found.keys() & {**changed["gone"], **changed["new"]}.keys()):
            columns, _ = found[name]
            gone, new = (Counter(map(tuple, changed[what].get(name, ()))) for what in ("gone", "new"))
            same = dict(ids[name])
            for row in {**gone, **new}:
                had = sorted(same.pop(row, ()), key=lambda id: (len(id), id))
                left = had[: len(had) - gone[row]]
                if left or new[row]:
                    same[row] = [*left, *(record_id(name, row, len(left) + more) for more in range(new[row]))]
            found[name] = columns, ordered(row for row, several in same.items() for _ in several)
            ids[name] = same
        return Contents([(name, *found[name]) for name in sorted(found)], ids, key)

    def schema(self) -> str:
        """Relations with their columns, a line each."""
        return "\n".join(
            f"{name}({', '.join(f'{column} {kind}' for column, kind in columns)}), {_count(rows)}"
            for name, columns, rows in self.relations
        )


def _count(rows: Sequence[Row]) -> str:
    return f"{len(rows):,} row{'s' * (len(rows) != 1)}"


def contents(state: State) -> Contents:
    """What is in the database, read from all its rows."""
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


class Reading:
    """Makes the contents of a state, for `State.derived`: what is `ready` where a statement led there.

    All are equal, since what they make is.
    """

    def __init__(self, ready: Contents | None = None) -> None:
        self._ready = ready

    def __call__(self, state: State) -> Contents:
        return self._ready or contents(state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reading)

    def __hash__(self) -> int:
        return hash(Reading)


def ordered(rows: Iterable[Row]) -> list[Row]:
    """The rows by their cells, from the first column on; nothing stands behind everything."""
    found = list(rows)
    try:
        return sorted(found)
    except TypeError:  # nothing was compared with something
        return sorted(found, key=lambda row: [(cell is None, 0 if cell is None else cell) for cell in row])


def key(relations: Described) -> str:
    """SHA-256 over relations and rows, in order: equal for equal databases."""
    return key_of(as_json(relations))


def key_of(text: str) -> str:
    """The key of relations from their JSON."""
    return hashlib.sha256(text.encode()).hexdigest()


def as_json(relations: Described) -> str:
    """The relations as JSON."""
    return json.dumps(relations, ensure_ascii=False)


def described(given: Sequence[Any]) -> Described:
    """The relations as JSON brought them."""
    return [
        (name, [(column, kind) for column, kind in columns], [tuple(row) for row in rows])
        for name, columns, rows in given
    ]


def apply(state: State, before: Contents, after: Contents) -> None:
    """Write the difference as rows. What is in both is not touched."""
    had, has = ({name: columns for name, columns, _ in side.relations} for side in (before, after))
    for name, same in before.ids.items():
        if same is after.ids.get(name):
            continue
        left = {id for ids in after.ids.get(name, {}).values() for id in ids}
        for id in (id for ids in same.values() for id in ids if id not in left):
            state.delete(state.get(Record, id))
    for name in sorted(had.keys() - has.keys()):
        state.delete(state.get(Relation, name))
    for name, columns in has.items():
        relation = Relation(id=name, name=name, header=[Column(name=column, type=kind) for column, kind in columns])
        if name not in had:
            state.add(relation)
        elif had[name] != columns:
            state.save(relation)
    for name, same in after.ids.items():
        if same is before.ids.get(name):
            continue
        there = {id for ids in before.ids.get(name, {}).values() for id in ids}
        for row, ids in same.items():
            for number, id in enumerate(ids):
                if id not in there:
                    state.add(Record(id=id, relation=name, cells=list(row), number=number))


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
