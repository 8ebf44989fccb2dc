"""What can be worked out from a text: days and hours counted from others, and numbers made of others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import combinations
from typing import NamedTuple

from userssim.values import words

__all__ = ("derived",)

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_NUMBERS = {words(number): number for number in range(2, 101)} | {
    "a": 1,
    "an": 1,
    "one": 1,
    "another": 1,
    "two more": 2,
}
_NUMBER = rf"(?:\d+(?:\.\d+)?|{'|'.join(sorted(map(re.escape, _NUMBERS), key=lambda each: (-len(each), each)))})"
_MONTH = "|".join(f"{name}|{name[:3]}" for name in _MONTHS)
_DATE = re.compile(
    rf"\b(?:(?P<iso>\d{{4}}-\d\d-\d\d)|(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\b"
    rf"|(?P<month2>{_MONTH}) (?:the )?(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?)\b"
)
_TIME = re.compile(r"(?<![\d:.])(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?![\d:]|\.\d)")
_LATER = r"\s+(?:after|later|from|past|on from|following|hence)\b"
_EARLIER = r"\s+(?:before|earlier|ahead of|prior to|ago)\b"
_AWAY = re.compile(
    rf"\b(?:in|within)\s+(?P<in>{_NUMBER}|a couple of)\s+(?P<unit_in>day|week|working day)s?\b"
    rf"|\b(?P<many>{_NUMBER}|the|a couple of)\s+(?P<unit>working day|day|week|fortnight)s?(?:'s time)?"
    rf"(?:(?P<later>{_LATER})|(?P<earlier>{_EARLIER}))"
)
_LENGTH = re.compile(
    rf"\b(?P<many>half an|an hour and a half|{_NUMBER})\s*-?(?P<unit>hours?|minutes?|min)?\s*"
    rf"(?:(?P<later>{_LATER})|(?P<earlier>{_EARLIER}))"
)
_STATED = re.compile(
    rf"(?<![\w.:/-])(?P<number>\d+(?:\.\d+)?|{'|'.join(n for n in _NUMBERS if len(n) > 3)})(?![\w:/-]|\.\d)"
)
_MORE = re.compile(r"\b(?:twice|double|half of|times|each|apiece|per|minus|less than|fewer|more than the)\b")


class _Said(NamedTuple):
    """Something that the text says, and the words of it."""

    value: float
    place: str


def derived(
    text: str, now: datetime, *, days: Sequence[date] = (), minute: int | None = None, number: float | None = None,
    kind: str = "",
) -> str:  # fmt: skip
    """The words of `text` from which the value can be worked out, "" where it cannot.

    The value is one of `days`, or `minute` of the day, or a `number` (of minutes for kind `duration`, of days for
    `period`). `now` is the task's time, from which "in three days" counts.
    """
    said = re.sub(r"\s+", " ", text.casefold())
    if days:
        return next((place for day, place in _counted_days(said, now.date()) if day in days), "")
    if minute is not None:
        return next((place for at, place in _counted_times(said) if at == minute), "")
    if number is None:
        return ""
    if kind == "duration":
        times = _times(said)
        return next((f"{a.place} ... {b.place}" for a, b in combinations(times, 2) if b.value - a.value == number), "")
    if kind == "period":
        dates = _dates(said, now.date())
        return next((f"{a} ... {b}" for (x, a), (y, b) in combinations(dates, 2) if abs((y - x).days) == number), "")
    return _arithmetic(said, number)


def _counted_days(said: str, today: date) -> Iterator[tuple[date, str]]:
    """Days at so many days or weeks from today, or from a day that is stated."""
    stated = _dates(said, today)
    for match in _AWAY.finditer(said):
        many = _many(match["in"] or match["many"])
        unit = match["unit_in"] or match["unit"]
        working = unit == "working day"
        length = int(many * {"day": 1, "working day": 1, "week": 7, "fortnight": 14}[unit])
        sign = -1 if match["earlier"] else 1
        for start, place in [(today, match[0]), *((day, f"{match[0]} ... {place}") for day, place in stated)]:
            if match["in"] and start != today:
                continue
            yield _working(start, sign * length) if working else start + timedelta(days=sign * length), place
    for day, place in stated:
        for name, away in (("next day", 1), ("day after that", 1), ("following day", 1), ("day before that", -1),
                           ("eve of", -1), ("same day a week later", 7), ("following week", 7)):  # fmt: skip
            if name in said:
                yield day + timedelta(days=away), f"{place} ... {name}"
        for number, weekday in enumerate(_WEEKDAYS):
            if re.search(rf"\b(?:the )?{weekday} (?:after|following)\b", said):
                yield day + timedelta(days=(number - day.weekday() - 1) % 7 + 1), f"{weekday} after {place}"
            if re.search(rf"\b(?:the )?{weekday} before\b", said):
                yield day - timedelta(days=(day.weekday() - number - 1) % 7 + 1), f"{weekday} before {place}"


def _working(start: date, length: int) -> date:
    step = timedelta(days=1 if length > 0 else -1)
    left = abs(length)
    while left:
        start += step
        left -= start.weekday() < 5
    return start


def _dates(said: str, today: date) -> list[tuple[date, str]]:
    found = []
    for match in _DATE.finditer(said):
        try:
            if match["iso"]:
                found.append((date.fromisoformat(match["iso"]), match[0]))
                continue
            month = match["month"] or match["month2"]
            number = next(place for place, name in enumerate(_MONTHS, 1) if name.startswith(month[:3]))
            found.append((date(today.year, number, int(match["day"] or match["day2"])), match[0]))
        except ValueError:
            continue
    return found


def _counted_times(said: str) -> Iterator[tuple[int, str]]:
    """Hours at so many minutes from one that is stated."""
    for match in _LENGTH.finditer(said):
        many = match["many"]
        if many in ("half an", "an hour and a half"):
            length = 30 if many == "half an" else 90
        elif not match["unit"]:
            continue
        else:
            length = int(_many(many) * (60 if match["unit"].startswith("h") else 1))
        for start in _times(said):
            yield int(start.value) + (-length if match["earlier"] else length), f"{match[0]} ... {start.place}"


def _times(said: str) -> list[_Said]:
    return [_Said(int(match["hour"]) * 60 + int(match["minute"]), match[0]) for match in _TIME.finditer(said)]


def _many(said: str) -> float:
    return {"the": 1.0, "a couple of": 2.0}.get(said) or _NUMBERS.get(said) or float(said)


def _arithmetic(said: str, number: float) -> str:
    """Two numbers that add up to it; with words that say so, also two that it is the difference or product of."""
    bare = _DATE.sub(" ", _TIME.sub(" ", re.sub(r"(?<=\d),(?=\d{3}\b)", "", said)))
    stated = [_Said(_many(match["number"]), match["number"]) for match in _STATED.finditer(bare)]
    told = bool(_MORE.search(bare))
    for one, other in combinations(stated, 2):
        a, b = one.value, other.value
        made = a + b == number and min(a, b) > 0
        if made or (told and number in (abs(a - b), a * b) and number not in (a, b)):
            return f"{one.place} ... {other.place}"
    if re.search(r"\b(?:twice|double)\b", bare):
        return next((f"twice {each.place}" for each in stated if 2 * each.value == number), "")
    if re.search(r"\bhalf (?:of|that|as)\b", bare):
        return next((f"half of {each.place}" for each in stated if each.value == 2 * number), "")
    return ""
