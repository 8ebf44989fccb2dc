"""JSON Schema of our tools as Inspect describes parameters: it knows no references."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspect_ai.tool import ToolParams

from servers.kernel.schema import inlined

__all__ = ("parameters",)


def parameters(schema: Mapping[str, Any]) -> ToolParams:
    """The parameters of a tool, with what is referred to in its place: schemas of older records have `$defs`."""
    return ToolParams.model_validate(inlined(schema, schema.get("$defs", {})))
