"""Reading texts back: what a mail says itself, and the dates, weekdays, sums and files that a text names."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator

__all__ = ("STAMPED", "WEEKDAYS", "amounts", "days_in", "files_in", "parts", "weekdays_in")

_MONTHS = {name.lower(): n for n in range(1, 13) for name in (calendar.month_name[n], calendar.month_abbr[n])}
WEEKDAYS = {name.lower(): n for n in range(7) for name in (calendar.day_name[n], calendar.day_abbr[n])}
"""Names of weekdays, short and long, in lower case."""
_WORDS = "|".join(sorted((name.title() for name in _MONTHS), key=len, reverse=True))
_DAYS = "|".join(calendar.day_name)
_DATE = re.compile(
    rf"(?:(?P<wd>{_DAYS}|Mon|Tue|Wed|Thu|Fri|Sat|Sun)[ ,-]+)?"
    r"(?:(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)|(?P<us>\d{1,2})/(?P<usd>\d{1,2})\b"
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?P<month>{_WORDS})\b(?: (?P<year>\d{{4}}))?"
    rf"|(?P<month2>{_WORDS}) (?P<day2>\d{{1,2}})\b)"
)
_WEEKDAY = re.compile(rf"\b(?:{_DAYS})\b")
_MONEY = re.compile(r"€([\d,]*\d)|EUR ([\d,]*\d)|([\d,]*\d) (?:EUR|euros)\b")
_QUOTE = re.compile(r"\n\nOn (\d{1,2} \w+ \d{4}) at (\d\d:\d\d), (.+) wrote:\n(?=>)")
_FILE = re.compile(r"\b\w[\w-]*\.(?:csv|md|json)\b")
STAMPED = re.compile(r"(?<!\d)(\d{4})(\d\d)(\d\d)(?!\d)")
"""A day in the name of a file."""


def parts(body: str) -> tuple[str, re.Match[str] | None, str]:
    """What a mail says itself, the line above its quote, and what it quotes."""
    found = _QUOTE.search(body)
    if found is None:
        return body, None, ""
    lines = body[found.end() :].split("\n")
    return body[: found.start()], found, "\n".join(line.removeprefix(">").removeprefix(" ") for line in lines)


def days_in(text: str) -> Iterator[tuple[int | None, int, int, int | None]]:
    """Year, month, day and weekday of each date in a text, as far as it says them."""
    for found in _DATE.finditer(text):
        year, month, day = found["y"] or found["year"], found["m"] or found["us"], found["d"] or found["usd"]
        if found["month"] or found["month2"]:
            month, day = _MONTHS[(found["month"] or found["month2"]).lower()], found["day"] or found["day2"]
        weekday = WEEKDAYS[found["wd"].lower()] if found["wd"] else None
        yield int(year) if year else None, int(month), int(day), weekday


def weekdays_in(text: str) -> list[str]:
    """Weekdays that stand without a date."""
    return _WEEKDAY.findall(_DATE.sub("", text))


def amounts(text: str) -> list[int]:
    """The sums of money in a text."""
    return [int("".join(found.groups("")).replace(",", "")) for found in _MONEY.finditer(text)]


def files_in(text: str) -> list[str]:
    """Names of files in a text, without folders."""
    return _FILE.findall(text)
