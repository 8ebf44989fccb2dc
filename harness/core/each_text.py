"""JSON values with their texts rewritten."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

__all__ = ("each_text",)


def each_text(value: Any, change: Callable[[str], str]) -> Any:
    """The same JSON-able value with every text in it changed, however deep; keys stay."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: each_text(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(each_text(item, change) for item in value)
    return value
