"""Reads figures that were worked out by hand, and holds tables against them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

__all__ = ("differing", "expected")

Row = Mapping[str, Any]

_LOW, _HIGH = ("low", "from"), ("high", "to")
"""How the names of columns with limits end."""


def expected(file: Path) -> dict[str, list[dict[str, str]]]:
    """Tables by title. Under `== TITLE` each line is a column, under `-- TITLE` a row, behind one with the names.

    `#` begins a remark, two spaces part cells. A column of one cell is the same in every row, and one goes on in a line
    that begins with a space. What stands behind `>` begins each of the rows below it.
    """
    found: dict[str, list[dict[str, str]]] = {}
    _, *parts = re.split(r"^(==|--) ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for mark, part in zip(parts[::2], parts[1::2], strict=True):
        title, *lines = (line.partition("#")[0].rstrip() for line in part.splitlines())
        cells = [re.split(r"\s{2,}", line) for line in lines if line]
        assert title not in found, f"{title} is there twice"
        found[title] = _of_columns(cells, title) if mark == "==" else _of_rows(cells)
    return found


def _of_columns(lines: Iterable[Sequence[str]], title: str) -> list[dict[str, str]]:
    columns: dict[str, list[str]] = {}
    name = ""
    for first, *cells in lines:
        name = first or name
        columns.setdefault(name, []).extend(cells)
    rows = max(map(len, columns.values()))
    for name, cells in columns.items():
        assert len(cells) in (1, rows), f"{title}: {name} has {len(cells)} cells of {rows}"
    return [{name: cells[row if len(cells) > 1 else 0] for name, cells in columns.items()} for row in range(rows)]


def _of_rows(lines: Sequence[Sequence[str]]) -> list[dict[str, str]]:
    names, *rest = lines
    rows: list[dict[str, str]] = []
    start: Sequence[str] = ()
    for cells in rest:
        if cells[0].startswith("> "):
            start = (cells[0].removeprefix("> "), *cells[1:])
        else:
            rows.append(dict(zip(names, (*start, *cells), strict=True)))
    return rows


def differing(rows: Sequence[Row], wanted: Sequence[Mapping[str, str]], *, near: float = 1e-12) -> list[str]:
    """What a table has otherwise than it should, a sentence for each cell. Fractions need not be nearer than `near`."""
    if len(rows) != len(wanted):
        return [f"{len(rows)} rows, not {len(wanted)}"]
    return [problem for n, row in enumerate(rows, 1) for problem in _row(n, row, wanted[n - 1], near)]


def _row(number: int, row: Row, wanted: Mapping[str, str], near: float) -> Iterator[str]:
    if list(row) != list(wanted):
        yield f"row {number} has the columns {list(row)}, not {list(wanted)}"
        return
    figure: Any = None
    for name, cell in row.items():
        limit = name.endswith((*_LOW, *_HIGH))
        if wanted[name] != "~":
            held = _equal(cell, wanted[name], near)
        else:
            held = limit and None not in (cell, figure) and (cell <= figure if name.endswith(_LOW) else cell >= figure)
        if not held:
            yield f"row {number}, {name}: {cell!r}, not {wanted[name]}"
        if not limit:
            figure = cell


def _equal(cell: Any, wanted: str, near: float) -> bool:
    """Rounded figures are as they stand; a share that is not rounded is written as a fraction."""
    if cell is None or isinstance(cell, str):
        return wanted == ("-" if cell is None else cell)
    if "/" in wanted:
        return bool(abs(cell - float(Fraction(wanted))) <= near)
    try:
        return bool(cell == float(wanted))
    except ValueError:
        return False
