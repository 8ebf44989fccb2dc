"""Does a text still give a value away? Compared in every shape that a reader would recognise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime

from harness.task import Slot
from userssim.values import words

__all__ = ("forms", "leaks", "plain")

_COUNTED = frozenset({"duration", "period", "threshold", "count"})
_DATED = frozenset({"date", "due_date"})


def plain(text: str) -> str:
    """Case folded, marks dropped, white space collapsed; digits keep their points and colons."""
    folded = re.sub(r"[^\w\s@.:%]|(?<!\d)[.:]|[.:](?!\d)", " ", text.casefold().replace("_", " "))
    return re.sub(r"\s+", " ", folded).strip()


def leaks(text: str, slot: Slot, now: datetime) -> str:
    """The first shape of the slot's value that `text` holds, "" if none.

    `now` is the task's time: "tomorrow" gives a date away.
    """
    searched = plain(text)
    for form in forms(slot, now):
        shape = plain(form)
        if shape and re.search(rf"(?<![\w.:]){re.escape(shape)}(?![\w:]|\.\d)", searched):
            return form
    return ""


def forms(slot: Slot, now: datetime) -> Iterator[str]:
    """Shapes in which the value may be said: as text, as data, as a name or address, a date, a number in words."""
    yield slot.text
    value = slot.value
    if isinstance(value, str):
        yield value
    if slot.kind in ("person", "customer"):
        yield from _names(slot)
    if slot.kind in _DATED:
        yield from (form for day in _days(slot, now) for form in _said(day, now.date()))
    if slot.kind == "time":
        yield from _clock(slot)
    if slot.kind in _COUNTED:
        yield from _counted(slot)
    if slot.kind in ("board", "list", "status", "product", "traffic_source", "metric", "plot_type"):
        yield from (text.removesuffix("s") for text in (slot.text, str(value)))
        yield from (f"{text}s" for text in (slot.text, str(value)))


def _names(slot: Slot) -> Iterator[str]:
    """A name leaks through any part of it, also inside an address."""
    for text in (slot.text, str(slot.value)):
        yield from re.findall(r"[^\W\d_]{2,}", text.partition("@")[0])
    if "@" in str(slot.value):
        yield str(slot.value)


def _days(slot: Slot, now: datetime) -> Iterator[date]:
    for text in (str(slot.value), slot.text):
        for found in re.findall(r"\d{4}-\d\d-\d\d", text):
            yield date.fromisoformat(found)


def _said(day: date, today: date) -> Iterator[str]:
    ordinal = f"{day.day}{'th' if 11 <= day.day <= 13 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day.day % 10, 'th')}"
    yield day.isoformat()
    for month in (f"{day:%B}", f"{day:%b}"):
        for number in (str(day.day), f"{day.day:02d}", ordinal):
            yield from (f"{month} {number}", f"{number} {month}", f"{number} of {month}")
    yield from (
        f"the {ordinal}",
        f"{day.month}/{day.day}",
        f"{day:%m/%d}",
        f"{day.day}.{day.month}.",
        f"{day:%d/%m/%Y}",
    )
    away = (day - today).days
    yield from {-1: ["yesterday"], 0: ["today"], 1: ["tomorrow"]}.get(away, [])
    if abs(away) <= 7:
        yield f"{day:%A}"
    if abs(away) == 7:
        yield "a week from now" if away > 0 else "a week ago"


def _clock(slot: Slot) -> Iterator[str]:
    for found in re.findall(r"\b(\d{1,2}):(\d\d)", str(slot.value)):
        hour, minute = int(found[0]), found[1]
        for shown in dict.fromkeys((hour, hour % 12 or 12)):
            half = "am" if hour < 12 else "pm"
            yield from (f"{shown}:{minute}", f"{shown:02d}:{minute}", f"{shown}:{minute}{half}")
            if minute == "00":
                yield from (f"{shown}{half}", f"{shown} {half}", f"{words(shown)} o'clock")
        if (hour, minute) == (12, "00"):
            yield "noon"


def _counted(slot: Slot) -> Iterator[str]:
    """The number in digits and in words; lengths also in other units."""
    number = slot.value if isinstance(slot.value, int | float) else None
    if number is None:
        found = re.search(r"\d+(\.\d+)?", slot.text)
        number = float(found[0]) if found else None
    if number is None:
        return
    if number != int(number):
        yield f"{number:g}"
        return
    count = int(number)
    if slot.kind == "duration":
        yield from (
            f"{shown} {unit}" for shown in (count, words(count)) for unit in ("minute", "minutes", "min", "mins")
        )
        if count % 60 == 0:
            yield from (f"{count // 60} hour", f"{count // 60} hours", f"{words(count // 60)} hours")
        yield from {30: ["half an hour", "half hour"], 60: ["an hour"], 90: ["an hour and a half"]}.get(count, [])
    elif slot.kind == "period":
        yield from (f"{count} days", f"{words(count)} days", f"{count} day")
        if count % 7 == 0:
            weeks = count // 7
            yield from (f"{weeks} weeks", f"{words(weeks)} weeks", f"{weeks} week")
        yield from {7: ["a week", "last week", "past week"], 14: ["a fortnight"], 30: ["a month"]}.get(count, [])
    else:
        yield from (f"{count}", f"{count}%", f"{count} percent", words(count))
