"""Reading a value out of what a person answered, by kind. Plain text in, a typed value or None out.

Values by kind: `person` first name in lower case; `customer` full name; `date` and `due_date` "YYYY-MM-DD";
`time` "HH:MM:SS"; `duration` minutes; `period` days; `threshold` and `count` a number; `subject`, `title`,
`event_name`, `task_name` and `body` the words quoted. Any other kind is a choice among `words`, which
maps what people say to the value that they mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Any

__all__ = ("defers", "parse")

_COUNTED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
)
_NUMBERS = {word: number for number, word in enumerate(_COUNTED.split())}
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBER = rf"((?<!\d)\d+(?:\.\d+)?|\ban?\b|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_MONTH = rf"({'|'.join(rf'{month[:3]}(?:{month[3:]})?' for month in _MONTHS)})\.?"
_QUOTED = re.compile(
    r'"([^"]++)"|“([^”]++)”|«([^»]++)»|(?:(?<=\s)|^)\'(.+?)\'(?=[\s.,;:!?)]|$)',
    re.DOTALL,
)
_SENTENCE = re.compile(r'(?:"[^"]*"|[^".!?]|[.!?](?!\s|$))+[.!?]*')
_DEFERS = re.compile(
    r"best judge?ment|use your judge?ment|\bdon'?t know|\bdo not know|not sure|no idea|up to you|your call"
    r"|you decide|decide that yourself|whatever you|no preference|leave (?:that|it) to you|do what you think"
    r"|can(?:no|')t (?:say|tell|remember)|couldn'?t (?:say|tell)|don'?t (?:remember|mind)",
    re.IGNORECASE,
)


_READ = 2_000
"""Characters of an answer that are read. Nobody says more at once, and searches here grow faster than the text."""


def defers(text: str) -> bool:
    """Whether the reply leaves the choice to whoever asked, or says that it cannot tell."""
    return _DEFERS.search(_QUOTED.sub(" ", _plain(text))) is not None


def parse(kind: str, text: str, *, now: datetime, role: str = "", words: Mapping[str, Any] | None = None) -> Any:
    """The value of that kind in the reply, None where it holds none or defers.

    Of a reply that says several things, sentences that name the role count, if any do.
    """
    sentences = [s for s in _SENTENCE.findall(_plain(text)) if role and role in _QUOTED.sub(" ", s).lower()]
    text = " ".join(sentences) or _plain(text)
    if defers(text):
        return None
    if kind in _READERS and not (kind == "person" and words):
        return _READERS[kind](text, now)
    return _choice(text, words or {})


def _plain(text: str) -> str:
    """As far as it is read, with a typewriter's apostrophes."""
    return text[:_READ].translate({0x2018: "'", 0x2019: "'"})


def _choice(text: str, words: Mapping[str, Any]) -> Any:
    """The longest phrase that the text contains as whole words; of equals, the one said first."""
    folded = " ".join(text.lower().split())
    found = [
        (-len(phrase), match.start(), value)
        for phrase, value in words.items()
        if (match := re.search(rf"(?<!\w){re.escape(phrase.lower())}(?!\w)", folded))
    ]
    return min(found, key=lambda hit: hit[:2])[2] if found else None


def _person(text: str, now: datetime) -> str | None:
    """An address's first part, else the last capitalised word that does not open a sentence, else a lone word."""
    before_at = "".join(run[0] for run in re.finditer(r"(?<![\w.])[\w.]++@", text))
    if address := re.search(r"[a-z]+", before_at, re.IGNORECASE):
        return address[0].lower()
    text = text.replace('"', "")
    inside = re.findall(r"(?<=[a-z,:] )([A-Z][a-z]+)", text)
    alone = re.fullmatch(r"\s*([A-Z][a-z]+)(?: [A-Z][a-z]+)?[.!]?\s*", text)
    return str(inside[-1]).lower() if inside else alone[1].lower() if alone else None


def _fullname(text: str, now: datetime) -> str | None:
    """What is quoted, else the last two capitalised words in a row."""
    found = re.findall(r"[A-Z][\w'-]+ [A-Z][\w'-]+", text)
    return _text(text, now) or (str(found[-1]) if found else None)


def _date(text: str, now: datetime) -> str | None:
    text, today = text.lower(), now.date()
    if found := re.search(r"\b(\d{4})-(\d{2})-(\d{2})\b", text):
        return _valid(int(found[1]), int(found[2]), int(found[3]))
    month_first = re.search(rf"\b{_MONTH} (\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}}))?", text)
    day_first = re.search(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? (\d{{4}}))?", text)
    if month_first or day_first:
        month, day, year = month_first.groups() if month_first else _swapped(day_first)
        years = [int(year)] if year else [today.year - 1, today.year, today.year + 1]
        number = [name[:3] for name in _MONTHS].index(month[:3]) + 1
        dates = [valid for y in years if (valid := _valid(y, number, int(day)))]
        return min(dates, key=lambda d: abs(date.fromisoformat(d) - today), default=None)
    for word, shift in (("day after tomorrow", 2), ("tomorrow", 1), ("yesterday", -1), ("today", 0)):
        if word in text:
            return str(today + timedelta(days=shift))
    if found := re.search(rf"\bin {_NUMBER} (day|week)s?\b", text):
        return str(today + timedelta(days=int(_amount(found[1])) * (7 if found[2] == "week" else 1)))
    if found := re.search(rf"\b(next |last )?({'|'.join(_WEEKDAYS)})\b", text):
        ahead = (_WEEKDAYS.index(found[2]) - today.weekday() - 1) % 7 + 1
        if found[1] == "last ":
            return str(today + timedelta(days=ahead - 7 if ahead < 7 else -7))
        this_week = today.weekday() + ahead < 7
        return str(today + timedelta(days=ahead + 7 if found[1] == "next " and this_week else ahead))
    return None


def _swapped(found: re.Match[str] | None) -> tuple[str, str, str]:
    assert found is not None
    return found[2], found[1], found[3]


def _valid(year: int, month: int, day: int) -> str | None:
    try:
        return str(date(year, month, day))
    except ValueError:
        return None


def _time(text: str, now: datetime) -> str | None:
    text = text.lower()
    if "noon" in text.split() or "noon." in text.split():
        return "12:00:00"
    clock = re.search(r"\b(\d{1,2})[:.](\d{2})(?::\d{2})?\s*([ap])?\.?(?:m\b)?", text)
    hour = re.search(r"\b(\d{1,2})\s*([ap])\.?m\b", text) or re.search(r"\b(\d{1,2})\s*(o'clock)", text)
    if clock:
        return _clock(int(clock[1]), int(clock[2]), clock[3])
    return _clock(int(hour[1]), 0, hour[2]) if hour else None


def _clock(hour: int, minute: int, half: str | None) -> str | None:
    if half in ("a", "p"):
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour:02d}:{minute:02d}:00" if hour < 24 and minute < 60 else None


def _duration(text: str, now: datetime) -> int | None:
    text = text.lower().replace("-", " ")
    if re.search(r"\ban hour and a half\b", text):
        return 90
    if re.search(r"\bhalf (?:an )?hour\b", text):
        return 30
    hours = re.search(rf"{_NUMBER} ?(?:hours?|hrs?|h)\b", text)
    minutes = re.search(rf"{_NUMBER} ?(?:minutes?|mins?)\b", text)
    if not hours and not minutes:
        return None
    return round((60 * _amount(hours[1]) if hours else 0) + (_amount(minutes[1]) if minutes else 0))


def _period(text: str, now: datetime) -> int | None:
    text = text.lower().replace("-", " ")
    if "fortnight" in text:
        return 14
    if found := re.search(rf"{_NUMBER} (day|week)s?\b", text):
        return round(_amount(found[1]) * (7 if found[2] == "week" else 1))
    return 7 if re.search(r"\b(?:last|past) week\b", text) else None


def _number(text: str, now: datetime) -> int | float | None:
    if found := re.search(rf"(?<![\w.-])(-?\d+(?:\.\d+)?)(?![\w-])|\b({'|'.join(_NUMBERS)})\b", text.lower()):
        amount = float(found[1]) if found[1] else _NUMBERS[found[2]]
        return int(amount) if amount == int(amount) else amount
    return None


def _text(text: str, now: datetime) -> str | None:
    """The first quoted passage, else what follows a colon."""
    if found := _QUOTED.search(text):
        return next(group for group in found.groups() if group is not None)
    _, colon, rest = text.partition(": ")
    return rest.strip() if colon and rest.strip() else None


def _amount(word: str) -> float:
    return 1 if word in ("a", "an") else float(_NUMBERS.get(word, word))


_READERS: Mapping[str, Callable[[str, datetime], Any]] = {
    "person": _person,
    "customer": _fullname,
    "date": _date,
    "due_date": _date,
    "time": _time,
    "duration": _duration,
    "period": _period,
    "threshold": _number,
    "count": _number,
    "subject": _text,
    "title": _text,
    "event_name": _text,
    "task_name": _text,
    "body": _text,
}
