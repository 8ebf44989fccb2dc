"""Which values of a result Python has otherwise than DuckDB: months of an interval, nanoseconds, days without end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ctypes import c_float
from datetime import date
from math import isfinite
from typing import Any, Final

__all__ = ("as_texts", "shortest")

_ALWAYS: Final = "INTERVAL|TIME_NS|TIMESTAMP(?:TZ)?_NS"
_ENDS: Final = rf"DATE|TIMESTAMP(?:_S|_MS)?(?: WITH TIME ZONE)?|{_ALWAYS}"

_TYPE: Final = r"""(?P<quoted>"(?:[^"]|"")*"|'(?:[^']|'')*')|\b(?:{})(?=[],)[]|$)"""
"""A type within one that may be composed. Names of fields stand in quotes, or have a space behind them."""


def as_texts(kinds: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    """The types that columns of these types are to be cast to, so that each value is what DuckDB says.

    They are the same where Python has the same. A first or last day is cast, since it may stand for one without end.
    """
    lossy = re.compile(_TYPE.format(_ENDS if any(map(_at_an_end, rows)) else _ALWAYS))
    return [lossy.sub(lambda found: found["quoted"] or "VARCHAR", kind) for kind in kinds]


def shortest(kinds: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """The rows with the fewest digits that tell a FLOAT from all others: Python takes 0.1 for 0.10000000149011612.

    A column that holds DOUBLEs too, such as one of structs, stays as it is.
    """
    singles = ["FLOAT" in kind and "DOUBLE" not in kind for kind in kinds]
    return [tuple(_short(cell) if single else cell for cell, single in zip(row, singles, strict=True)) for row in rows]


def _at_an_end(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_at_an_end, value))
    if isinstance(value, dict):
        return _at_an_end([*value, *value.values()])
    return isinstance(value, date) and value.year in (date.min.year, date.max.year)


def _short(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_short(each) for each in value]
    if isinstance(value, dict):
        return {_short(name): _short(each) for name, each in value.items()}
    if not isinstance(value, float) or not isfinite(value):
        return value
    told = (float(f"{value:.{digits}g}") for digits in range(6, 10))  # nine digits tell any two apart
    return next(short for short in told if c_float(short).value == value)
