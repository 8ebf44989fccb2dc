"""Places in an order and days of a month, as people write them in figures."""

from __future__ import annotations

__all__ = ("ordinal",)


def ordinal(number: int) -> str:
    """A place in an order in figures: 1st, 12th, 23rd."""
    ending = "th" if 11 <= number % 100 <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
