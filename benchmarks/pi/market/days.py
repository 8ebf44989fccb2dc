"""Days as a rates desk counts them: year fractions, the holidays of London and of TARGET, rolls, schedules."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date, timedelta
from functools import cache
from typing import Final, Literal

from dateutil.easter import easter
from dateutil.relativedelta import relativedelta

__all__ = ("BASES", "Basis", "Calendar", "add_business_days", "anniversary", "business", "fraction", "holidays", "roll")

Basis = Literal["ACT/365F", "ACT/360", "30/360"]
Calendar = Literal["London", "TARGET"]

_FRIDAY: Final = 4


def _bond_basis(start: date, end: date) -> float:
    first = min(start.day, 30)
    last = 30 if end.day == 31 and first == 30 else end.day
    return (360 * (end.year - start.year) + 30 * (end.month - start.month) + last - first) / 360


BASES: Final[dict[Basis, Callable[[date, date], float]]] = {
    "ACT/365F": lambda start, end: (end - start).days / 365,
    "ACT/360": lambda start, end: (end - start).days / 360,
    "30/360": _bond_basis,
}
"""Sterling counts ACT/365F, the euro money market ACT/360, bonds of some markets 30/360."""


def fraction(start: date, end: date, basis: Basis) -> float:
    """The part of a year between two days, in years."""
    return BASES[basis](start, end)


@cache
def holidays(calendar: Calendar, year: int) -> frozenset[date]:
    """The weekdays of a year on which London, or TARGET, is closed.

    By the rules in force since 2000; days that were proclaimed once (a coronation, a jubilee) are not among them.
    """
    sunday = easter(year)
    around_easter = {sunday - timedelta(2), sunday + timedelta(1)}
    if calendar == "TARGET":
        fixed = {date(year, 1, 1), date(year, 5, 1), date(year, 12, 25), date(year, 12, 26)}
        return frozenset(each for each in around_easter | fixed if each.weekday() <= _FRIDAY)
    mondays = {_monday(date(year, 5, 1)), _monday(date(year, 5, 25)), _monday(date(year, 8, 25))}
    closed = around_easter | mondays
    for day in (date(year, 1, 1), date(year, 12, 25), date(year, 12, 26)):
        while day.weekday() > _FRIDAY or day in closed:  # a substitute for a day that falls on a weekend
            day += timedelta(1)
        closed.add(day)
    return frozenset(closed)


def _monday(day: date) -> date:
    """The first Monday from a day on."""
    return day + timedelta(-day.weekday() % 7)


def business(day: date, calendars: Collection[Calendar]) -> bool:
    """Whether all of the calendars are open."""
    return day.weekday() <= _FRIDAY and not any(day in holidays(each, day.year) for each in calendars)


def roll(day: date, calendars: Collection[Calendar]) -> date:
    """The day itself or the next business day, but the last one before where that is in another month."""
    found = day
    while not business(found, calendars):
        found += timedelta(1)
    if found.month != day.month:
        found = day
        while not business(found, calendars):
            found -= timedelta(1)
    return found


def add_business_days(day: date, count: int, calendars: Collection[Calendar]) -> date:
    """The day that is `count` business days later, or earlier where it is negative; with 0 the day itself."""
    step = timedelta(1 if count > 0 else -1)
    for _ in range(abs(count)):
        day += step
        while not business(day, calendars):
            day += step
    return day


def anniversary(start: date, years: int, calendars: Collection[Calendar]) -> date:
    """When the payment of that year is made: the same date `years` later, rolled."""
    return roll(start + relativedelta(years=years), calendars)
