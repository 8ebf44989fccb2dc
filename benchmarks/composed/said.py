"""Faults in how a value is said: two mentions that disagree (A3), and an informal word that means the same (E1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from benchmarks.composed.days import shape
from benchmarks.composed.ways import Way, instead, leaves, once
from benchmarks.composed.words import words
from benchmarks.composed.world import Spot
from benchmarks.drift.need import Refused
from benchmarks.drift.template import Draw, Value

__all__ = ("conflict", "lexical")

_NEAR: Final = 3
"""Days within which the nearest day of a weekday is unique."""

_WEEK: Final = 7


def conflict(spot: Spot) -> Iterator[Way]:
    """A3: a weekday and a date, two clocks, two lengths, a name and an address; which is right falls by hash.

    Raises `Refused`.
    """
    choice = Draw(spot.where, "A3")
    others = sorted(spot.rivals[1:], key=lambda each: choice.number(each.text, 1 << 30))
    for other in others:
        both = (spot.own, other)
        first, second = both if choice.number(f"{other.text} first", 2) else both[::-1]
        said = _both(spot, first, second)
        if said:
            yield Way("A3", spot, instead("A3", spot, said), said, leaves("A3", spot, both), both)
    if not any(_both(spot, spot.own, other) for other in others):
        raise Refused("A3", spot.where, f"there is no second way to say {spot.own.text!r} that could disagree with it")


def _both(spot: Spot, first: Value, second: Value) -> str:
    """The first value in its own words, with another mention that would be right of the second; "" for none."""
    one, two = shape(first), shape(second)
    if one and two and 0 < abs((one.day - two.day).days) <= _NEAR and one.day.year == two.day.year:
        comma = "," if one.order == "month first" else ""
        return f"{two.day:%A}{comma} {first.text}"
    if spot.slot.kind == "time":
        return _clocks(first, second)
    if spot.slot.kind == "period":
        return _lengths(first, second)
    if spot.slot.kind == "person" and not _possessive(spot) and (address := spot.place.address(second.text)):
        return f"{first.text} ({address})"
    return ""


def _possessive(spot: Spot) -> bool:
    return spot.request[once("A3", spot).end() :].startswith(("'", "\u2019"))


def _clocks(first: Value, second: Value) -> str:
    """Two hours in the afternoon, one by each clock: 15:00 (5 pm)."""
    hours = [re.fullmatch(r"(\d\d?):(\d\d)(?::00)?", str(each.value)) for each in (first, second)]
    if not hours[0] or not hours[1]:
        return ""
    (one, its), (two, other) = ((int(each[1]), each[2]) for each in hours if each)
    if one <= 12 or two <= 12 or its != other or one == two:
        return ""
    minutes = "" if other == "00" else f":{other}"
    return f"{first.text} ({two - 12}{minutes} pm)"


def _lengths(first: Value, second: Value) -> str:
    """One in weeks and one in days: 3 weeks (14 days)."""
    if not isinstance(second.value, int) or "week" not in first.text or second.value % _WEEK or second.value > 60:
        return ""
    return f"{first.text} ({second.value} days)"


def lexical(spot: Spot) -> Iterator[Way]:
    """E1: an informal word that means this value and no other. Raises `Refused`."""
    known = words("informal").get(spot.slot.kind, {}).get(spot.own.text) or _day(spot)
    if not known:
        raise Refused("E1", spot.where, f"no informal word means {spot.own.text!r} and nothing else")
    for word in [known] if isinstance(known, str) else known:
        yield Way("E1", spot, instead("E1", spot, word), word, "robust", (spot.own,))


def _day(spot: Spot) -> str:
    """A day by its distance from today: Friday week."""
    own = shape(spot.own)
    if own is None or not re.search(
        r"\b(?:on|by|for|until|before|after)$", spot.request[: once("E1", spot).start()].rstrip()
    ):
        return ""
    return _away(own.day, spot.now.date())


def _away(day: date, today: date) -> str:
    away = (day - today).days
    if 1 < away < _WEEK:
        return f"this coming {day:%A}"
    return f"{day:%A} week" if _WEEK < away < 2 * _WEEK else ""
