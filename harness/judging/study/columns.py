"""Rows as columns of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ("columns",)


def columns(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """A line of names and one for each row, in columns."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    cells = [names, *([_cell(row.get(name)) for name in names] for row in rows)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(names))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells]


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
