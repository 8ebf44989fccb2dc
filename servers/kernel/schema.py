"""JSON Schema of what goes into tools and comes out of them, as clients read it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

from pydantic.json_schema import GenerateJsonSchema

__all__ = ("Untitled", "holds_sets", "inlined", "names", "resolved", "shallow", "short", "takes_lists", "untitled")


class Untitled(GenerateJsonSchema):
    """JSON Schema without the generated titles, which cost tokens and say nothing."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def untitled(schema: dict[str, Any]) -> dict[str, Any]:
    """The same without the titles of whole models, which stay otherwise."""
    schema.pop("title", None)
    for definition in schema.get("$defs", {}).values():
        definition.pop("title", None)
    return schema


def short(schema: dict[str, Any]) -> dict[str, Any]:
    """Without the null that stands for a parameter left out: models leave it out."""
    properties = schema.get("properties", {})
    for name, given in properties.items():
        kinds = given.get("anyOf", ())
        if len(kinds) == 2 and kinds[1] == {"type": "null"} and "default" in given and given["default"] is None:
            rest = {key: value for key, value in given.items() if key not in ("anyOf", "default")}
            properties[name] = {**kinds[0], **rest}
    return schema


def takes_lists(schema: Mapping[str, Any]) -> bool:
    """Whether a schema takes lists, and no item alone."""
    kinds = {option.get("type") for option in schema.get("anyOf", [schema])}
    return "array" in kinds and "string" not in kinds


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without references, which not every client resolves; one that holds itself keeps them."""
    known = schema.get("$defs", {})
    refers = {name: re.findall(r'"#/\$defs/([^"]+)"', json.dumps(each)) for name, each in known.items()}
    try:
        TopologicalSorter(refers).prepare()
    except CycleError:
        return schema
    found: dict[str, Any] = inlined(schema, known)
    return found


def inlined(schema: Any, known: Mapping[str, Any]) -> Any:
    """A schema with the definitions that it refers to in their places, one that holds itself as far as it goes once."""
    if isinstance(schema, list):
        return [inlined(each, known) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    beside = {name: inlined(value, known) for name, value in schema.items() if name not in ("$ref", "$defs")}
    name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    if name not in known:
        return beside
    return {**inlined(known[name], {each: known[each] for each in known if each != name}), **beside}


def shallow(schema: Any, definitions: Mapping[str, Any], within: tuple[str, ...] = ()) -> bool:
    """Whether the type alone says how deep its values are nested: it is neither recursive nor open to any JSON."""
    if not isinstance(schema, dict):
        return False
    if name := schema.get("$ref", "").rpartition("/")[2]:
        return name not in within and shallow(definitions[name], definitions, (*within, name))
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return all(shallow(option, definitions, within) for option in options)
    parts = [*schema.get("properties", {}).values(), *schema.get("prefixItems", ())]
    parts += [schema[key] for key in ("items", "additionalProperties") if schema.get(key, False) is not False]
    return not {"type", "enum", "const"}.isdisjoint(schema) and all(shallow(p, definitions, within) for p in parts)


def holds_sets(schema: Mapping[str, Any]) -> bool:
    """Whether a value is or holds a set, which has no order: what is made of it differs between processes."""
    return '"uniqueItems": true' in json.dumps(schema)


def names(schema: Mapping[str, Any], within: Sequence[str | int]) -> list[str]:
    """The names that an object within the arguments may have; none where its schema does not say."""
    for part in within:
        schema = schema.get("items", {}) if isinstance(part, int) else schema.get("properties", {}).get(part, {})
        schema = next((one for one in schema.get("anyOf", ()) if one.get("type") != "null"), schema)
    return list(schema.get("properties", {}))
