"""The tables of reports as the page shows them, each row with the trials that it is made from."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from harness.core.suite import Table
from harness.report import plots
from harness.report.page import shown

__all__ = ("Chosen", "tables")

Chosen = Mapping[str, Collection[Any]]
"""Columns of the index that a list can be filtered by -> the values there are."""

_ABOUT: Final = frozenset(
    {"check", "criterion", "user", "level", "note", "status", "source", "tools offered", "model", "suite"}
)
"""Columns of words that choose no trials: a row is made from the same ones whatever they say."""

_COLOURS: Final = (
    "<style>svg{--paper:#fff;--ink:#1b1f24;--faint:#d5dae0;--first:#0072b2;--second:#d55e00;--mark:#1b1f24;"
    "font-family:system-ui,sans-serif}"
    "@media(prefers-color-scheme:dark){svg{--paper:#14181d;--ink:#e8ebee;--faint:#3a424c;--first:#56b4e9;"
    "--second:#e69f00;--mark:#fff}}</style>"
)
"""A drawing shown as an image has no page around it that would bring these."""


_WIDTH: Final = 440
"""Pixels of a drawing, where there are as many."""


def tables(found: Sequence[Table], name: str, chosen: Chosen) -> dict[str, Any]:
    """Tables with drawings, and for each row a filter of the list or None."""
    drawing = plots.available()
    return {"tables": [_table(table, f"{name}-{n}", drawing, chosen) for n, table in enumerate(found)]}


def _table(table: Table, anchor: str, drawing: bool, chosen: Chosen) -> dict[str, Any]:
    ready = shown(table, anchor, drawing)
    return {
        "title": table.title,
        "columns": list(table.columns),
        "rows": [{name: row.get(name) for name in table.columns} for row in table.rows],
        "numeric": list(ready.numeric),
        "notes": list(table.notes),
        "folded": ready.folded,
        "plots": [{"name": name, "svg": _alone(svg)} for name, svg in ready.drawings.items()],
        "links": [_link(row, table.columns, chosen) for row in table.rows],
    }


def _link(row: Mapping[str, Any], columns: Sequence[str], chosen: Chosen) -> dict[str, Any] | None:
    """The trials that a row is made from, None where the list cannot be filtered to them."""
    found = {}
    for name in columns:
        value = row.get(name)
        column = _column(name, chosen)
        if column and value is not None:
            fitting = [each for each in chosen[column] if _fits(value, each)]
            if len(fitting) != 1:
                return None
            found[column] = fitting[0]
        elif isinstance(value, str) and name not in _ABOUT:
            return None
    return found or None


def _column(name: str, chosen: Chosen) -> str:
    """The column of the index that a column of a table is about, "" for none: `designed class`, `dimension`."""
    plain = name.replace(" ", "_")
    return next((each for each in (plain, f"{plain}s") if each in chosen), "")


def _fits(value: Any, cell: Any) -> bool:
    """Whether a cell of the index is what a table names, or one of several of which it is made."""
    return str(value) == str(cell) or (isinstance(cell, str) and str(value) in cell.split(" + "))


def _alone(svg: str) -> str:
    """With a size of its own, as an image without one takes no room beside others."""
    opening, body = svg.split(">", 1)
    across, down = (float(size) for size in re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', opening)[0])
    size = f'width="{_WIDTH}" height="{_WIDTH * down / across:.0f}"'
    return f"{opening} {size}>{_COLOURS}{body}"
