"""The second route to what a task comes to: SQL, run by the app itself in its world."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any, TypeAlias

from harness.task import Call
from servers.kernel import Engine, Layer, World
from servers.sql import app

__all__ = ("answering", "asked", "changing", "quoted")

Taken: TypeAlias = Mapping[str, Any]
"""Slot -> value, as `Template.truth` takes them."""


def quoted(value: Any) -> str:
    """A value as SQL writes it."""
    if value is None:
        return "NULL"
    if isinstance(value, bool | int):
        return str(value).upper()
    return "'" + str(value).replace("'", "''") + "'"


def changing(statement: Callable[[Taken], str]) -> Callable[[Any, Taken], Sequence[Call]]:
    """How a change is solved: by one statement."""
    return lambda rows, taken: [_run(statement(taken))]


def answering(world: World, statement: Callable[[Taken], str]) -> Callable[[Any, Taken], Sequence[Call]]:
    """How a read is solved: by one statement, whose first column is submitted."""

    def solve(rows: Any, taken: Taken) -> Sequence[Call]:
        sql = statement(taken)
        answers = [str(row[0]) for row in asked(world.name, sql, lambda: world)]
        return [_run(sql), Call(app="answer", tool="submit_answer", arguments={"answers": answers})]

    return solve


def _run(sql: str) -> Call:
    return Call(app="sql", tool="run_sql", arguments={"statement": sql})


_LAYERS: dict[str, Layer] = {}


def asked(name: str, sql: str, world: Callable[[], World]) -> list[list[Any]]:
    """The rows of a SELECT in the starting rows of the world of that name; decimals with all their digits."""
    if name not in _LAYERS:
        engine = Engine()
        _LAYERS[name] = engine.layer(engine.load(world()))
    return _asked(name, sql)


@cache
def _asked(name: str, sql: str) -> list[list[Any]]:
    text = app.default.tool("run_sql").call(_LAYERS[name].state(app), {"statement": sql}).text
    lines = [line for line in text.splitlines()[1:] if line != "[no rows]"]
    return [json.loads(line, parse_float=Decimal) for line in lines]
