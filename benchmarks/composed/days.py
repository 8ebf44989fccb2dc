"""Days as requests say them: "March 25" or "25 March"."""

from __future__ import annotations

from datetime import date
from typing import Final, Literal, NamedTuple

from benchmarks.drift.template import Value

__all__ = ("Day", "Order", "shape", "shown")

Order = Literal["month first", "day first"]

_MOST: Final = 10
"""Characters of a date as tools take it."""


class Day(NamedTuple):
    """A day, and in which order it is said."""

    day: date
    order: Order


def shown(day: date, order: Order) -> str:
    """The day as requests of that order say it."""
    return f"{day:%B} {day.day}" if order == "month first" else f"{day.day} {day:%B}"


def shape(value: Value) -> Day | None:
    """The day of a value that is said by day and month, None of any other."""
    try:
        day = date.fromisoformat(str(value.value)[:_MOST])
    except ValueError:
        return None
    orders: tuple[Order, ...] = ("month first", "day first")
    return next((Day(day, order) for order in orders if shown(day, order) == value.text), None)
