"""Arguments with one value in a place of its own: alone, in a list, in an object within the arguments."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any

__all__ = ("placed",)

_DEEPEST = 6
"""Levels of lists and objects, since a model may hold others of its kind."""


def placed(
    schema: Mapping[str, Any], given: Any, value: Any, kinds: Container[str], *, depth: int = 0
) -> Iterator[tuple[str, Any]]:
    """For each place that takes a value of one of the kinds: where it is, and the whole with the value there.

    What stands around is as in `given`, or what the schema needs. In a list it stands first, and then twice at the end.
    """
    kind = schema.get("type")
    if depth > _DEEPEST:
        return
    for option in schema.get("anyOf") or schema.get("oneOf") or ():
        yield from placed(option, given, value, kinds, depth=depth)
    if kind in kinds and depth:  # the arguments themselves are an object
        yield "", value
    if kind == "array":
        items = given if isinstance(given, list) else []
        for where, one in placed(schema.get("items", {}), items[0] if items else None, value, kinds, depth=depth + 1):
            yield f"[]{where}", [one, *items[1:]]
            yield f"[]{where}", [*items, one, one]
    if kind == "object":
        parts: Mapping[str, Any] = schema.get("properties", {})
        held = dict(given) if isinstance(given, Mapping) else {}
        around = {name: _least(parts[name]) for name in schema.get("required", ())} | held
        for name, part in parts.items():
            for where, one in placed(part, held.get(name), value, kinds, depth=depth + 1):
                yield f".{name}{where}", around | {name: one}
        if not parts and schema.get("additionalProperties") is not False:  # what it may hold is not said
            yield ".*", held | {"note": value}


def _least(schema: Mapping[str, Any]) -> Any:
    """A value that a schema takes."""
    if options := schema.get("anyOf") or schema.get("oneOf") or schema.get("enum"):
        return _least(options[0]) if isinstance(options[0], Mapping) else options[0]
    match schema.get("type"):
        case "array":
            return [_least(schema.get("items", {}))] * schema.get("minItems", 0)
        case "object":
            return {name: _least(schema["properties"][name]) for name in schema.get("required", ())}
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean" | "null" as kind:
            return True if kind == "boolean" else None
    days = {"date": "2024-03-07", "date-time": "2024-03-07T10:00:00"}
    return schema.get("const", days.get(schema.get("format", ""), "note"))
