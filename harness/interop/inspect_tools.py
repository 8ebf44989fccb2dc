"""JSON Schema of our tools as Inspect describes parameters: it knows no references."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspect_ai.tool import ToolParams

__all__ = ("parameters",)


def parameters(schema: Mapping[str, Any]) -> ToolParams:
    """The parameters of a tool, with what is referred to (`$defs`) in its place."""
    return ToolParams.model_validate(_inlined(schema, schema.get("$defs", {})))


def _inlined(schema: Any, known: Mapping[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_inlined(each, known) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    beside = {name: _inlined(value, known) for name, value in schema.items() if name not in ("$ref", "$defs")}
    name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    if name not in known:
        return beside
    # One that holds itself is described as far as it goes once; the app checks what is given anyway.
    return {**_inlined(known[name], {each: known[each] for each in known if each != name}), **beside}
