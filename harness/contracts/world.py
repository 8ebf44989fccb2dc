"""Rows that nobody wrote: some of every type for any table, so that a new app can be tried at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from servers.kernel import App, Table, World, refs
from servers.kernel.schema import takes_lists

__all__ = ("invented", "world_of")

Rows = Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]


def world_of(apps: Iterable[App], written: Rows | None = None) -> World:
    """Rows for every table of every app: those `written`, by app and table, else rows made from its types.

    A table that is written without rows is empty: right for one that the app itself fills, and no id refers to.
    Raises TypeError naming app, table and column where none can be made.
    """
    given = written or {}
    rows: dict[str, dict[str, Sequence[Mapping[str, Any]]]] = {}
    for app in apps:
        held = given.get(app.name, {})
        try:
            rows[app.name] = {
                table.table_name: held[table.table_name] if table.table_name in held else invented(table)
                for table in app.tables
            }
        except TypeError as error:
            raise TypeError(f"{app.name}.{error}") from None
    return World("contract", datetime(2024, 3, 6, 10, 30), rows)


def invented(table: type[Table]) -> list[dict[str, Any]]:
    """Four rows of the right types; a reference points at a row that this makes for the other table.

    A table whose ids are a closed set has a row for each, and no more. Raises TypeError naming table and column where
    no value is known for its type.
    """
    schema = table.model_json_schema()
    only = schema["properties"]["id"]
    ids = [only["const"]] if "const" in only else only.get("enum") or map(table.id_format.format, range(1, 5))
    pointing = refs(table)
    rows: list[dict[str, Any]] = []
    for place, id in enumerate(ids):
        row: dict[str, Any] = {"id": id}
        for name, part in schema["properties"].items():
            if name in pointing:
                there = pointing[name].id_format.format(place + 1)
                row[name] = [there] if takes_lists(part) else there
            elif name != "id":
                try:
                    row[name] = _value(part, schema.get("$defs", {}), name, place)
                except LookupError:
                    raise TypeError(
                        f"{table.table_name}.{name}: no value can be made up for a column of type "
                        f"{table.model_fields[name].annotation}; write rows of your own for this table"
                    ) from None
        rows.append(row)
    return rows


def _value(schema: dict[str, Any], definitions: dict[str, Any], name: str, place: int) -> Any:
    if "$ref" in schema:
        kind = schema["$ref"].rpartition("/")[2]
        schema, definitions = definitions[kind], {name: d for name, d in definitions.items() if name != kind}
    if options := [option for option in schema.get("anyOf", ()) if _ends(option, definitions)]:
        return _value(options[place % len(options)], definitions, name, place)
    if choices := schema.get("enum"):
        return choices[place % len(choices)]
    if schema.get("type") == "object":
        parts = {key: part for key, part in schema.get("properties", {}).items() if _ends(part, definitions)}
        return {key: _value(part, definitions, key, place) for key, part in parts.items()}
    plain = {
        "date": f"2024-03-{1 + place:02d}",
        "date-time": f"2024-03-{1 + place:02d}T09:00:00",
        "base64url": "cm93" * place,
        "string": f"{name.replace('_', ' ')} {place}",
        "integer": _within(schema, place),
        "number": _within(schema, place + 0.5),
        "boolean": place % 2 == 0,
        "array": [],
        "null": None,
    }
    if "const" in schema:
        return schema["const"]
    if not schema.keys() - {"title", "description", "default", "examples"}:
        return plain["string"]  # it takes anything
    given: str = schema.get("format", "")
    return plain[given if given in plain else schema["type"]]


def _within(schema: Mapping[str, Any], value: float) -> float:
    """The number, moved to where a column with bounds takes it."""
    if "exclusiveMinimum" in schema:
        value = max(value, schema["exclusiveMinimum"] + 1)
    least: float = schema.get("minimum", value)
    value = max(value, least)
    most: float = schema.get("maximum", value)
    return min(value, most)


def _ends(schema: dict[str, Any], definitions: dict[str, Any]) -> bool:
    """Whether it is no model within one of its own kind, which has no definition there any more."""
    return "$ref" not in schema or schema["$ref"].rpartition("/")[2] in definitions
