"""A table's values as text, the same wherever it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, overload

__all__ = ("percent", "rounded", "texts")


@overload
def rounded(value: float, decimals: int) -> float: ...
@overload
def rounded(value: float | None, decimals: int) -> float | None: ...
def rounded(value: float | None, decimals: int) -> float | None:
    """A number with so many decimals, halves rounded away from 0: 0.075 is 0.08.

    What is meant is the fraction that the number stands for: binary, 0.075 is a little less, and 3 of 40 were 0.07 in
    one place and 8% in another. A number too large to have decimals, or that is none, stays as it is, as does None.
    """
    if value is None or not abs(value) < 1e15:
        return value
    return float(Decimal(f"{value:.12f}").quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)) + 0.0  # no -0.0


def percent(share: float | None) -> float | None:
    """A share in percent, to a tenth."""
    return None if share is None else rounded(100 * share, 1)


def texts(column: Sequence[Any], name: str = "") -> list[str]:
    """A column's values: its numbers with as many decimals (three at most) as the one that needs most, nothing as "-".

    What is less than a thousandth and not 0 has two digits; in a column whose `name` ends in `USD`, less than a cent.
    """
    least = 0.01 if name.endswith("USD") else 0.001
    numbers = [value for value in column if isinstance(value, float)]
    most = max((len(f"{rounded(value, 3):.3f}".rstrip("0").partition(".")[2]) for value in numbers), default=0)
    return [_text(value, most, least) for value in column]


def _text(value: Any, decimals: int, least: float) -> str:
    if value is None:
        return "-"
    if not isinstance(value, float):
        return str(value)
    return f"{value:.2g}" if 0 < abs(value) < least else f"{rounded(value, decimals):.{decimals}f}"
