"""A database to try statements in, and what else the tests of `sql` share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from servers.kernel import Engine, Failure, Layer, World
from servers.sql import app, records
from servers.sql.contents import Described
from servers.sql.database import _Database

__all__ = ("NOW", "ROOMS", "Database", "database", "filled", "held", "tables")

NOW = datetime(2026, 3, 9, 14, 30)

Cells = Sequence[Any]

ROOMS: tuple[tuple[int, str, str, str | None], ...] = (
    (1, "Attic", "420.00", "2026-03-20"),
    (2, "Cellar", "95.50", None),
    (4, "Office", "610.00", "2026-04-01"),
)


HELD = (
    "SELECT database_name, path FROM duckdb_databases() ORDER BY ALL",
    "SELECT database_name, schema_name FROM duckdb_schemas() ORDER BY ALL",
    "SELECT * EXCLUDE (database_oid, schema_oid, table_oid) FROM duckdb_tables() ORDER BY ALL",
    "SELECT * EXCLUDE (database_oid, schema_oid, table_oid) FROM duckdb_columns() WHERE NOT internal ORDER BY ALL",
    "SELECT table_name, constraint_text FROM duckdb_constraints() ORDER BY ALL",
    "SELECT table_name, index_name FROM duckdb_indexes() ORDER BY ALL",
    "SELECT database_name, view_name, sql FROM duckdb_views() ORDER BY ALL",
    "SELECT sequence_name, last_value FROM duckdb_sequences() ORDER BY ALL",
    "SELECT lower(type_name), labels, comment FROM duckdb_types() ORDER BY ALL",
    "SELECT function_name, macro_definition, comment FROM duckdb_functions() WHERE NOT internal ORDER BY ALL",
    "SELECT name, value, scope FROM duckdb_settings() ORDER BY ALL",
    "SELECT name, value FROM duckdb_variables() ORDER BY ALL",
    "SELECT name, statement FROM duckdb_prepared_statements() ORDER BY ALL",
    "SELECT name, type FROM duckdb_secrets() ORDER BY ALL",
    "SELECT current_database(), current_schemas(true)",
)
"""Statements that tell all that an instance of DuckDB can hold, but for its rows and what it estimates of them."""


def held(there: _Database) -> dict[str, Any]:
    """All that a database holds: tables with their rows where they lie and statistics, and what may stand beside."""
    there.renew()
    asked = list(HELD)
    for name, columns, _ in there.relations:
        asked += [f'SELECT rowid, * FROM "{name}"', f"SELECT stats, count FROM pragma_storage_info('{name}')"]
        asked += [f'SELECT stats("{column}") FROM "{name}" LIMIT 1' for column, _ in columns]
    return {statement: there._con.execute(statement).fetchall() for statement in asked}


def filled(relations: Described) -> _Database:
    """A database made of those rows."""
    there = _Database()
    there.become(relations, "")
    there.run("SELECT 1", str(NOW))
    return there


class Database:
    """Runs statements in one sandbox."""

    def __init__(self, layer: Layer) -> None:
        self.layer = layer

    def __call__(self, statement: str) -> str:
        """What `run_sql` gives; a failure is raised."""
        return app.default.tool("run_sql").call(self.layer.state(app), {"statement": statement}).text

    def rows(self, statement: str) -> list[str]:
        """The lines of a result below the names of its columns."""
        return self(statement).splitlines()[1:]

    def refusal(self, statement: str) -> str:
        """The text of the failure that the statement must end in; nothing may have changed."""
        before = self.layer.digest()
        try:
            told = self(statement)
        except Failure as failure:
            assert self.layer.digest() == before
            return str(failure)
        raise AssertionError(f"{statement} did not fail but gave {told}")

    def changes(self) -> list[tuple[str, Any]]:
        """What differs from the start: for each record its change, with what it says."""
        found = []
        for change in self.layer.changes():
            said = change.after or change.before or {}
            found.append((f"{change.op} {said.get('relation', said.get('name'))}", said.get("cells", "")))
        return sorted(found, key=repr)


def tables(given: Mapping[str, tuple[Mapping[str, str], Sequence[Cells]]]) -> dict[str, list[dict[str, Any]]]:
    """Rows of the app for relations by name: each with the types of its columns, and its rows."""
    return {
        "relation": [
            {"id": name, "name": name, "header": [{"name": column, "type": kind} for column, kind in columns.items()]}
            for name, (columns, _) in given.items()
        ],
        "record": [record for name, (_, rows) in given.items() for record in records(name, rows)],
    }


@contextmanager
def database(given: Mapping[str, tuple[Mapping[str, str], Sequence[Cells]]] | None = None) -> Iterator[Database]:
    """A sandbox of its own over those relations, by default the rooms."""
    columns = {"number": "INTEGER", "label": "VARCHAR", "rent": "DECIMAL(10,2)", "free_from": "DATE"}
    rows = tables({"rooms": (columns, ROOMS)} if given is None else given)
    engine = Engine()
    layer = engine.layer(engine.load(World("database", NOW, {"sql": rows})))
    yield Database(layer)
    layer.close()
    engine.close()
