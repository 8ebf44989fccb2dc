"""Values as people say them: whether a text says one, in whatever form, and how a user says it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from userssim.wish import Known

__all__ = ("said", "spoken", "words")

_UNITS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS: Final = (
    "", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth", "twenty-first", "twenty-second", "twenty-third", "twenty-fourth", "twenty-fifth", "twenty-sixth",
    "twenty-seventh", "twenty-eighth", "twenty-ninth", "thirtieth", "thirty-first",
)  # fmt: skip
_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip

_MEASURES: Final = {
    "minute": r"min(?:ute)?s?",
    "hour": r"h(?:ou)?rs?|h",
    "day": "days?",
    "week": "weeks?|wks?",
    "month": "months?",
    "year": "years?",
    "percent": r"percent|per cent|pct|%",
    "second": "sec(?:ond)?s?",
    "point": "(?:percentage )?points?",
    "euro": "euros?|eur|€",
    "dollar": r"dollars?|usd|\$",
}
_NUMBER: Final = re.compile(
    rf"(\d+(?:\.\d+)?|{'|'.join(_UNITS + _TENS[2:])})(?:[ -]?({'|'.join(_MEASURES.values())}))?", re.IGNORECASE
)
_OTHER_WAYS: Final = {
    (30, "minute"): ("half an hour", "half hour", "half-hour"),
    (45, "minute"): ("three quarters of an hour",),
    (60, "minute"): ("an hour", "one hour", "1 hour", "1h", "1 h", "full hour"),
    (90, "minute"): ("an hour and a half", "one and a half hours", "1.5 hours", "hour and a half"),
    (120, "minute"): ("two hours", "2 hours", "2h", "2 h"),
    (1, "hour"): ("an hour", "60 minutes", "sixty minutes", "60 min"),
    (2, "hour"): ("120 minutes", "120 min"),
    (7, "day"): ("a week", "one week", "1 week"),
    (14, "day"): ("two weeks", "2 weeks", "a fortnight"),
    (21, "day"): ("three weeks", "3 weeks"),
    (28, "day"): ("four weeks", "4 weeks"),
    (30, "day"): ("a month", "one month"),
    (1, "week"): ("a week", "seven days", "7 days"),
    (2, "week"): ("a fortnight", "fourteen days", "14 days"),
    (1, "day"): ("a day",),
    (1, "month"): ("a month",),
}
_PEOPLE: Final = frozenset({"person", "customer", "contact", "colleague", "client", "employee", "name"})
_WORDED: Final = frozenset({"subject", "body", "title", "event_name", "task_name", "message", "text", "name"})
_LEAD: Final = r"(?<![\w:./-])"
_NO_DATE: Final = "".join(f"(?<!{month} )(?<!{month[:3]} )" for month in _MONTHS)


def words(number: int) -> str:
    """A whole number up to 9,999 in words; larger ones stay digits."""
    if not 0 <= number < 10_000:
        return str(number)
    if number >= 1000:
        return f"{words(number // 1000)} thousand {words(number % 1000) if number % 1000 else ''}".strip()
    if number >= 100:
        return f"{words(number // 100)} hundred {words(number % 100) if number % 100 else ''}".strip()
    if number >= 20:
        return f"{_TENS[number // 10]} {_UNITS[number % 10] if number % 10 else ''}".strip()
    return _UNITS[number]


def said(text: str, item: Known) -> list[tuple[int, int]]:
    """Where a text says the item's value, in whatever form: half an hour for 30-minute, Ms Stanhope, the 11th of March.

    Spans of characters, in order. A first name before another surname is somebody else, a number with another unit
    another amount.
    """
    if _is_name(item):
        return list(_names(text, item.value))
    return [match.span() for match in _pattern(item.value, item.day).finditer(text)]


def _is_name(item: Known) -> bool:
    return item.kind in _PEOPLE and bool(re.fullmatch(r"[^\W\d_][\w'.-]*( [^\W\d_][\w'.-]*){0,3}", item.value))


def _names(text: str, value: str) -> Iterator[tuple[int, int]]:
    parts = value.split()
    ends = 0
    whole = rf"(?<!\w){re.escape(value)}(?!\w)"
    for match in re.finditer(
        rf"{whole}|(?<!\w)(?:{'|'.join(re.escape(part) for part in parts if len(part) > 1)})(?!\w)", text, re.IGNORECASE
    ):
        if match.start() < ends:
            continue
        if len(parts) > 1 and match[0].casefold() == parts[0].casefold():
            # "Orlando Underhill" is not Orlando Stanhope.
            another = re.match(r" ([A-Z][a-z]+)", text[match.end() :])
            if another and another[1] not in parts and match[0][0].isupper():
                continue
        ends = match.end()
        yield match.span()


@lru_cache(maxsize=4096)
def _pattern(value: str, day: str = "") -> re.Pattern[str]:
    meant = _day(day)
    return re.compile("|".join((*_forms(value), *(_days(*meant, day[:4]) if meant else ()))), re.IGNORECASE)


def _forms(value: str) -> Iterator[str]:
    """Regular expressions of the ways to say a value, longer ones first where one begins with another."""
    number = _NUMBER.fullmatch(value.strip())
    day = _day(value)
    clock = re.fullmatch(r"(\d{1,2}):(\d\d)", value.strip())
    if number:
        yield from _amounts(number)
    elif day:
        yield from _days(*day)
    elif clock:
        yield from _clocks(int(clock[1]), clock[2])
    else:
        yield from _texts(value)


def _amounts(number: re.Match[str]) -> Iterator[str]:
    digits = number[1].casefold()
    amount = float(digits) if digits[0].isdigit() else float(_count(digits))
    measure = _measure(number[2])
    ways = [f"{amount:g}".replace(".", r"\.")]
    if amount == int(amount):
        ways.append(words(int(amount)).replace(" ", "[ -]"))
    others = "|".join(unit for name, unit in _MEASURES.items() if name != measure)
    for other in _OTHER_WAYS.get((int(amount), measure), ()):
        yield rf"{_LEAD}{re.escape(other)}(?!\w)"
    own = rf"(?:[ -]?(?:{_MEASURES[measure]})(?!\w))?" if measure else ""
    # No part of a date, a clock's time, an ordinal, or an amount of something else.
    barred = others if measure else "(?!)"
    yield (
        rf"{_LEAD}{_NO_DATE}(?:{'|'.join(ways)}){own}"
        rf"(?![\w:/]|\.\d|-\d|[ -]?(?:{barred})(?!\w)| (?:am|pm|o'clock|of (?:{'|'.join(_MONTHS)}))(?!\w))"
    )


def _measure(unit: str | None) -> str:
    return next((name for name, form in _MEASURES.items() if unit and re.fullmatch(form, unit, re.IGNORECASE)), "")


def _count(word: str) -> int:
    return _UNITS.index(word) if word in _UNITS else 10 * _TENS.index(word)


def _day(value: str) -> tuple[int, int] | None:
    """Month and day of a date that names both."""
    months = "|".join(month[:3] for month in _MONTHS)
    found = re.fullmatch(
        rf"(?:({months})[a-z]* )?(\d{{1,2}})(?:st|nd|rd|th)?(?: (?:of )?({months})[a-z]*)?", value, re.I
    )
    if found and (found[1] or found[3]) and 1 <= int(found[2]) <= 31:
        month = (found[1] or found[3])[:3].casefold()
        return next(n for n, name in enumerate(_MONTHS, 1) if name.startswith(month)), int(found[2])
    iso = re.fullmatch(r"\d{4}-(\d\d)-(\d\d)", value)
    return (int(iso[1]), int(iso[2])) if iso and 1 <= int(iso[1]) <= 12 and 1 <= int(iso[2]) <= 31 else None


def _days(month: int, day: int, year: str = r"\d{4}") -> Iterator[str]:
    """A day with or without its year; with another it is another day."""
    behind = rf"(?!\w)(?:,? {year}(?![\w-])|(?!,? \d{{4}}(?![\w-])))"
    name = _MONTHS[month - 1]
    named = rf"(?:{name}|{name[:3]}\.?)"
    ending = "th" if 11 <= day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    ordinal = rf"(?:{day}{ending}|{_ORDINALS[day].replace('-', '[ -]')})"
    either = rf"(?:0?{day}|{ordinal})"
    yield rf"(?<!\w){named},? (?:the )?{either}{behind}"
    yield rf"{_LEAD}(?:the )?{either} (?:of )?{named}{behind}"
    yield rf"{_LEAD}the {ordinal}(?!\w)(?! (?:of )?(?:{'|'.join(other for other in _MONTHS if other != name)}))"
    yield rf"(?<!\d)(?:(?:{year})-|(?<!\d\d\d\d-)){month:02d}-{day:02d}(?!\d)"
    yield rf"{_LEAD}0?{month}/0?{day}(?!\d)"
    yield rf"{_LEAD}0?{day}\.0?{month}\."


def _clocks(hour: int, minute: str) -> Iterator[str]:
    for shown in dict.fromkeys((hour, hour % 12 or 12)):
        half = "am" if hour < 12 else "pm"
        yield rf"{_LEAD}0?{shown}[:.]{minute}(?: ?[ap]\.?m\.?)?(?!\w)"
        if minute == "00":
            yield rf"{_LEAD}(?:{shown}|{words(shown)})(?: ?{half}| o'clock)(?!\w)"
            yield rf"(?<=at )(?:{shown}|{words(shown)})(?![\w:])"
        if minute == "30":
            yield rf"{_LEAD}half past (?:{shown}|{words(shown)})(?!\w)"
    if (hour, minute) == (12, "00"):
        yield r"(?<!\w)noon(?!\w)"


def _texts(value: str) -> Iterator[str]:
    """The text, whatever its letter case, white space and end mark, in the singular or plural."""
    plain = value.strip().rstrip(".!?").removesuffix("s")
    flexible = r"[\s_-]+".join(map(re.escape, re.split(r"[\s_-]+", plain)))
    yield rf"(?<!\w){flexible}s?(?!\w)"
    kind_of = re.fullmatch(r"(.+) (visits?)", value, re.IGNORECASE)
    if kind_of:
        yield rf"(?<!\w){kind_of[2].removesuffix('s')}s? (?:from|by|via|through) {re.escape(kind_of[1])}(?!\w)"


def spoken(item: Known, request: str = "") -> str:
    """The value as a person says it: half an hour, five percent; in double quotes where it is words to be copied.

    A unit that the request has right behind the value is said with it.
    """
    value = item.value
    if item.kind in _WORDED:
        return f'"{value}"'
    number = _NUMBER.fullmatch(value.strip())
    if not number:
        return value
    measure = _measure(number[2]) or _unit_behind(value, request)
    digits = number[1].casefold()
    if not digits[0].isdigit():
        return f"{digits} {_plural(measure, 2 if digits != 'one' else 1)}".strip()
    amount = float(digits)
    way = {(30, "minute"): "half an hour", (60, "minute"): "an hour", (90, "minute"): "an hour and a half"}
    if (amount, measure) in way:
        return way[int(amount), measure]
    shown = words(int(amount)) if amount == int(amount) and amount <= 12 and measure else number[1]
    return f"{shown} {_plural(measure, amount)}".strip()


def _unit_behind(value: str, request: str) -> str:
    behind = re.search(rf"(?<!\w){re.escape(value)}[ -]?({'|'.join(_MEASURES.values())})(?!\w)", request, re.IGNORECASE)
    return _measure(behind[1]) if behind else ""


def _plural(measure: str, amount: float) -> str:
    return measure if not measure or measure == "percent" or amount == 1 else f"{measure}s"
