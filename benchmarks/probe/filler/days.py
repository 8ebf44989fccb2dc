"""Days on which people work, and how they are written."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache

__all__ = ("FORMS", "dated", "form", "working", "working_days")

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
FORMS = ("{day} {month}", "{weekday} {day} {month}", "{month} {day}", "{day} {month} {year}")


def working(day: date) -> bool:
    """Whether it is neither a weekend nor a public holiday, nor between Christmas and the new year."""
    return day.weekday() < 5 and day not in _holidays(day.year)


@cache
def working_days(first: date, last: date) -> tuple[date, ...]:
    """Those from the first to the last day, both included."""
    days = (first + timedelta(days=ahead) for ahead in range((last - first).days + 1))
    return tuple(day for day in days if working(day))


def form(draw: random.Random) -> str:
    """One of the ways to write a day, for a document to keep to."""
    return draw.choice((*FORMS[:2], *FORMS))


def dated(day: date, way: str) -> str:
    """The day in one of `FORMS`."""
    return way.format(day=day.day, month=_MONTHS[day.month - 1], weekday=_WEEKDAYS[day.weekday()], year=day.year)


@cache
def _holidays(year: int) -> frozenset[date]:
    easter = _easter(year)
    return frozenset(
        (
            date(year, 1, 1),
            easter - timedelta(days=2),
            easter + timedelta(days=1),
            _monday(year, 5, range(1, 8)),
            _monday(year, 5, range(25, 32)),
            _monday(year, 8, range(25, 32)),
            *(date(year, 12, day) for day in range(24, 32)),
        )
    )


def _monday(year: int, month: int, days: Sequence[int]) -> date:
    return next(date(year, month, day) for day in days if date(year, month, day).weekday() == 0)


def _easter(year: int) -> date:
    """Easter Sunday, by the rule of Gauss as Oudin has it."""
    century, golden = year // 100, year % 19
    moon = (century - century // 4 - (century - (century - 17) // 25) // 3 + 19 * golden + 15) % 30
    moon -= (moon // 28) * (1 - (moon // 28) * (29 // (moon + 1)) * ((21 - golden) // 11))
    weekday = (year + year // 4 + moon + 2 - century + century // 4) % 7
    ahead = moon - weekday
    month = 3 + (ahead + 40) // 44
    return date(year, month, ahead + 28 - 31 * (month // 4))
