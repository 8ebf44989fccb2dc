"""The lists of words that faults take from: `words.yaml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from servers.kernel import own_yaml

__all__ = ("words",)


@cache
def _book() -> dict[str, Any]:
    loaded: dict[str, Any] = own_yaml(Path(__file__).with_name("words.yaml").read_text(encoding="utf-8"))
    return loaded


def words(of: str) -> Any:
    """A part of the book. Raises KeyError."""
    return _book()[of]
