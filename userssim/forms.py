"""Forms of a value: regular expressions of the ways in which people say amounts, days, times of day and texts."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

__all__ = ("MEASURES", "NUMBER", "lasting", "loosely", "measure_of", "minutes", "pattern", "typed", "words")

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

MEASURES: Final = {
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
NUMBER: Final = re.compile(
    rf"(\d+(?:\.\d+)?|{'|'.join(_UNITS + _TENS[2:])})(?:[ -]?({'|'.join(MEASURES.values())}))?", re.IGNORECASE
)
_OTHER_WAYS: Final = {
    (15, "minute"): ("a quarter of an hour", "quarter of an hour", "quarter hour", "quarter-hour"),
    (30, "minute"): ("half an hour", "half hour", "half-hour"),
    (45, "minute"): ("three quarters of an hour", "three-quarters of an hour"),
    (60, "minute"): ("an hour", "one hour", "1 hour", "1h", "1 h", "full hour"),
    (90, "minute"): ("an hour and a half", "one and a half hours", "1.5 hours", "hour and a half"),
    (120, "minute"): ("two hours", "2 hours", "2h", "2 h"),
    (60, "second"): ("a minute", "one minute", "1 minute"),
    (90, "second"): ("a minute and a half", "one and a half minutes", "1.5 minutes"),
    (120, "second"): ("two minutes", "2 minutes"),
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
    (10, "percent"): ("a tenth",),
    (20, "percent"): ("a fifth",),
    (25, "percent"): ("a quarter",),
    (12, ""): ("a dozen",),
}
_WHOLE: Final = r"(?<!half )(?<!quarter of )(?<!quarters of )(?<!third of )(?<!thirds of )"
"""Before "an hour": of half an hour the end is no hour."""
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


@lru_cache(maxsize=4096)
def pattern(value: str, day: str = "") -> re.Pattern[str]:
    meant = _day(day)
    return re.compile("|".join((*_forms(value), *(_days(*meant, day[:4]) if meant else ()))), re.IGNORECASE)


def typed(value: str) -> bool:
    """Whether a value is an amount, a day or a time of day, which have forms of their own."""
    return any(of(value.strip()) for of in (_amount, _day, _clock))


def _forms(value: str) -> Iterator[str]:
    """Regular expressions of the ways to say a value, longer ones first where one begins with another."""
    amount = _amount(value)
    day = _day(value)
    clock = _clock(value)
    if amount:
        yield from _amounts(*amount)
    elif day:
        yield from _days(*day)
    elif clock:
        yield from _clocks(*clock)
    else:
        yield from _texts(value)


def _amount(value: str) -> tuple[float, str] | None:
    """A number and what it counts, of "30-minute", "two weeks", "an hour"."""
    plain = value.strip().casefold()
    if number := NUMBER.fullmatch(plain):
        digits = number[1]
        return float(digits) if digits[0].isdigit() else float(_count(digits)), measure_of(number[2])
    return next(((float(much), of) for (much, of), others in _OTHER_WAYS.items() if plain in others), None)


def _amounts(amount: float, measure: str) -> Iterator[str]:
    ways = [f"{amount:g}".replace(".", r"\.")]
    if amount == int(amount):
        ways.append(words(int(amount)).replace(" ", "[ -]"))
    others = "|".join(unit for name, unit in MEASURES.items() if name != measure)
    for other in _OTHER_WAYS.get((int(amount), measure), ()):
        yield rf"{_LEAD}{_WHOLE}{re.escape(other)}(?!\w)(?! and an? (?:half|quarter))(?! (?:of an hour|to|past) )"
    own = rf"(?:[ -]?(?:{MEASURES[measure]})(?!\w))?" if measure else ""
    # No part of a date, a clock's time, an ordinal, or an amount of something else.
    barred = others if measure else "(?!)"
    yield (
        rf"{_LEAD}{_NO_DATE}(?:{'|'.join(ways)}){own}"
        rf"(?![\w:/]|\.\d|-\d|[ -]?(?:{barred})(?!\w)| (?:am|pm|o'clock|of (?:{'|'.join(_MONTHS)}))(?!\w))"
    )


def measure_of(unit: str | None) -> str:
    return next((name for name, form in MEASURES.items() if unit and re.fullmatch(form, unit, re.IGNORECASE)), "")


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
    other = rf"(?!\w)(?! (?:of )?(?:{'|'.join(other for other in _MONTHS if other != name)}))"
    yield rf"{_LEAD}the {ordinal}{other}"
    yield rf"{_LEAD}{_NO_DATE}{day}{ending}{other}"
    if day == monthrange(2025, month)[1]:
        yield rf"{_LEAD}(?:the )?(?:last day|end) of {named}(?!\w)"
    yield rf"(?<!\d)(?:(?:{year})-|(?<!\d\d\d\d-)){month:02d}-{day:02d}(?!\d)"
    yield rf"{_LEAD}0?{month}/0?{day}(?!\d)"
    yield rf"{_LEAD}0?{day}\.0?{month}\."


def _clock(value: str) -> tuple[int, int] | None:
    """Hour and minute of a time of day: 16:30, 9 pm."""
    found = re.fullmatch(r"(\d{1,2})(?::(\d\d))?(?: ?([ap])\.?m\.?)?", value.strip(), re.IGNORECASE)
    if not found or not (found[2] or found[3]) or int(found[1]) > 23:
        return None
    hour = int(found[1]) % 12 + 12 * (found[3].casefold() == "p") if found[3] else int(found[1])
    return hour, int(found[2] or 0)


def _clocks(hour: int, minute: int) -> Iterator[str]:
    parts = "morning" if hour < 12 else "afternoon|evening"
    for shown in dict.fromkeys((hour, hour % 12 or 12)):
        half = "am" if hour < 12 else "pm"
        either = rf"(?:{shown}|{words(shown)})"
        yield rf"{_LEAD}0?{shown}[:.]{minute:02d}(?: ?[ap]\.?m\.?)?(?!\w)"
        if minute == 0:
            yield rf"{_LEAD}{either}(?: ?{half}| o'clock| sharp| in the (?:{parts}))(?!\w)"
            yield rf"(?<=at ){either}(?![\w:])"
        elif minute >= 10:
            yield rf"{_LEAD}{words(shown)}[ -]{words(minute).replace(' ', '[ -]')}(?!\w)"
        if minute in (15, 30):
            yield rf"{_LEAD}(?:a )?{'quarter' if minute == 15 else 'half'} past {either}(?!\w)"
        elif 0 < minute < 30:
            yield rf"{_LEAD}{_minutes(minute)} past {either}(?!\w)"
    for shown in dict.fromkeys(((hour + 1) % 24, (hour + 1) % 12 or 12)) if minute > 30 else ():
        left = "(?:a )?quarter" if minute == 45 else _minutes(60 - minute)
        yield rf"{_LEAD}{left} to (?:{shown}|{words(shown)})(?!\w)"
    if (hour, minute) == (12, 0):
        yield r"(?<!\w)noon(?!\w)"


_FROM_TO: Final = re.compile(
    r"(?<![\w:./-])(\d{1,2})(?:[:.](\d\d))?(?: ?([ap])\.?m\.?)?"
    r"( ?(?:to|till|until|-|\N{EN DASH}) ?(\d{1,2})(?:[:.](\d\d))?(?: ?([ap])\.?m\.?)?)(?![\w:/]|[.-]\d)",
    re.IGNORECASE,
)


def lasting(text: str) -> Iterator[tuple[tuple[int, int], int]]:
    """Where a text says how long something lasts by its two ends ("13:00 to 13:30"), and the minutes between them.

    The span is that of the second end, since the first is a time of day in its own right. Bare numbers ("10 to 12") are
    anything; at least one of the two has minutes or is in the morning or the afternoon.
    """
    for found in _FROM_TO.finditer(text):
        hour, minute, half, _, to_hour, to_minute, to_half = found.groups()
        if minute or half or to_minute or to_half:
            between = 60 * (int(to_hour) - int(hour)) + int(to_minute or 0) - int(minute or 0)
            yield found.span(4), between % 720


def minutes(value: str) -> int | None:
    """How many minutes a duration is: 30 of "half an hour", 120 of "2 hours"; None of what is no duration."""
    much, measure = _amount(value) or (0.0, "")
    each = {"minute": 1, "hour": 60}.get(measure)
    return int(much * each) if each else None


def _minutes(number: int) -> str:
    return rf"(?:{number}|{words(number).replace(' ', '[ -]')})(?: minutes)?"


def _texts(value: str) -> Iterator[str]:
    """The text, whatever its letter case, white space and end mark, in the singular or plural."""
    plain = value.strip().rstrip(".!?").removesuffix("s")
    flexible = r"[\s_-]+".join(map(re.escape, re.split(r"[\s_-]+", plain)))
    yield rf"(?<!\w){flexible}s?(?!\w)"
    kind_of = re.fullmatch(r"(.+) (visits?)", value, re.IGNORECASE)
    if kind_of:
        yield rf"(?<!\w){kind_of[2].removesuffix('s')}s? (?:from|by|via|through) {re.escape(kind_of[1])}(?!\w)"


_GROUPS: Final = (
    r"more|above|over|higher|greater|beyond|exceed(?:s|ed|ing)?|upwards? of|up",
    r"less|fewer|below|under|lower|beneath|smaller|shorter|down",
)
_DRAWN: Final = {"bar": "bars?", "line": "lines?", "scatter": "scatter|dots|cloud of points", "pie": "pie"}


@lru_cache(maxsize=4096)
def loosely(kind: str, value: str) -> re.Pattern[str] | None:
    """Ways to mean a value that say it only beside the question: "bars" for a bar plot, "over" for "more".

    None where there are none. In a text of its own such a word says nothing.
    """
    plain = value.strip().casefold()
    if kind == "comparison":
        ways = [f"(?:{words})" for words in _GROUPS if re.fullmatch(words, plain)]
    elif kind == "plot_type":
        drawn = re.fullmatch(r"(\w+)(?:[ -](?:plot|chart|graph|diagram))?", plain)
        ways = [rf"(?:{_DRAWN[drawn[1]]})(?: (?:plot|chart|graph|diagram)s?)?"] if drawn and drawn[1] in _DRAWN else []
    elif kind in ("metric", "traffic_source") and plain == "total visits":
        ways = [r"all (?:the )?visits", r"visits (?:in total|altogether|overall|in all)"]
    elif kind in ("metric", "traffic_source"):
        source = re.fullmatch(r"(?:visits (?:from|by|via|through) )?(.+?)(?: (?:visits?|traffic))?", plain)
        ways = [rf"{re.escape(source[1].removesuffix('s'))}s?"] if source and source[1] != plain else []
    else:
        ways = []
    return re.compile(rf"(?<!\w)(?:{'|'.join(ways)})(?!\w)", re.IGNORECASE) if ways else None
