"""Is a value described by something else of its row, so that whoever looks it up needs nobody to tell it?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.template import Rows
from benchmarks.lhaw.leaks import plain

__all__ = ("SHORTEST", "predicate")

SHORTEST: Final = 4
"""Letters that a cell needs to count as said: shorter ones stand in many texts by chance."""


def predicate(rows: Rows, value: Any, domain: Sequence[Any], text: str) -> str:
    """The cells in `text` that together are true of one row alone, that of `value`; "" where there are none such.

    A table counts where values name its rows: it has a column in which none stands twice, with all of `domain` in it.
    """
    searched = plain(text)
    for table, column, row in _named(rows, value, domain):
        said = {
            name: cell for name, cell in row.items() if name != column and cell != value and _stands(cell, searched)
        }
        if said and [other for other in rows[table] if said.items() <= other.items()] == [row]:
            return f"{table}: " + " and ".join(f"{name} {cell!r}" for name, cell in said.items())
    return ""


def _named(rows: Rows, value: Any, domain: Sequence[Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    wanted = {repr(each) for each in (value, *domain)}
    for table, lines in rows.items():
        for column in lines[0] if lines else ():
            held = {repr(row.get(column)): row for row in lines}
            if len(held) == len(lines) and wanted <= held.keys():
                yield table, column, held[repr(value)]


def _stands(cell: Any, searched: str) -> bool:
    if not isinstance(cell, str) or len(cell) < SHORTEST or "\n" in cell:
        return False
    shape = plain(cell)
    return bool(shape) and re.search(rf"(?<![\w.:]){re.escape(shape)}(?![\w:]|\.\d)", searched) is not None
