"""A table's values as text, the same wherever it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ("texts",)


def texts(column: Sequence[Any]) -> list[str]:
    """A column's values: its numbers with as many decimals (three at most) as the one that needs most, nothing as "-".

    What is less than a thousandth and not 0 has two digits.
    """
    numbers = [value for value in column if isinstance(value, float)]
    most = max((len(f"{value:.3f}".rstrip("0").partition(".")[2]) for value in numbers), default=0)
    return [_text(value, most) for value in column]


def _text(value: Any, decimals: int) -> str:
    if value is None:
        return "-"
    if not isinstance(value, float):
        return str(value)
    return f"{value:.2g}" if 0 < abs(value) < 0.001 else f"{value:.{decimals}f}"
