"""Tasks over databases: questions, rows to add and rows to change, in DuckDB's dialect of SQL."""

from __future__ import annotations

from functools import cache

from benchmarks.drift.sql import (
    bakery,
    choir,
    clinic,
    fleet,
    gear,
    housing,
    makerspace,
    museum,
    orchard,
    roastery,
    school,
    theatre,
)
from benchmarks.drift.sql.schema import Schema
from benchmarks.drift.sql.schema import world as made
from benchmarks.drift.template import Rows, Template
from servers.kernel import World

__all__ = ("TEMPLATES", "WORLDS", "rows", "world")

_PLACES = (roastery, clinic, fleet, museum, school, housing, theatre, orchard, makerspace, bakery, gear, choir)

_SCHEMAS: dict[str, Schema] = {place.SCHEMA.name: place.SCHEMA for place in _PLACES}

WORLDS: tuple[str, ...] = tuple(_SCHEMAS)
"""Names of the databases."""

TEMPLATES: tuple[Template, ...] = tuple(template for place in _PLACES for template in place.TEMPLATES)


@cache
def world(name: str) -> World:
    """The starting rows of the app. Raises KeyError."""
    return made(_SCHEMAS[name])


@cache
def rows(name: str) -> Rows:
    """The same as plain Python. Raises KeyError."""
    return _SCHEMAS[name].rows()
