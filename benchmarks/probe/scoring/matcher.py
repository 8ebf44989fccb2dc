"""Whether a text names a person, a piece of work, a day, a system or the object of a cause, by known aliases.

Names are compared as words without case, accents and punctuation; the longest name is read first, so that "Ada Fox" is
not Ada Berg although both are called Ada.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple, TypeAlias

__all__ = ("Day", "Named", "Words", "days", "named", "names", "person_names", "same_day", "vague", "words")

Words = tuple[str, ...]
"""A text for comparison."""

Day: TypeAlias = tuple[int | None, int, int]
"""Year (None where it is left out), month and day."""

_WORD = re.compile(r"[^\W\d_]+|\d+")
_ARTICLES = ("the", "a", "an", "our", "their", "his", "her", "my")
_ADDRESS = re.compile(r"^\s*(.*?)\s*<([^<>]+@[^<>]+)>\s*$", re.S)

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTH = rf"(?P<month>{'|'.join(rf'{name[:3]}(?:{name[3:]})?' if name != 'may' else name for name in _MONTHS)})"
_DAY, _YEAR = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?", r"(?:,?\s+(?P<year>\d{4}))?"
_FORMS = tuple(
    re.compile(rf"(?<![\d.]){form}(?!\d)", re.I)
    for form in (
        r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})",
        r"(?P<day>\d{1,2})[./](?P<month>\d{1,2})[./](?P<year>\d{4})",
        rf"{_DAY}(?:\s+of)?\s+{_MONTH}\b\.?{_YEAR}",
        rf"{_MONTH}\b\.?\s+(?:the\s+)?{_DAY}\b{_YEAR}",
    )
)
_VAGUE = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:today|tomorrow|tonight|fortnight)\b"
    r"|\b(?:next|this|end of(?: the)?|within an?|in an?|in \w+) (?:days?|weeks?|months?|quarter|year)\b",
    re.I,
)


class Named(NamedTuple):
    """Whether a text has one of the names looked for, whether it has others, and the words that belong to none."""

    wanted: bool
    others: bool
    rest: Words

    @property
    def figures(self) -> bool:
        """Whether figures are left, as of a second reference beside the one that was looked for."""
        return any(word.isdigit() for word in self.rest)


def words(text: str) -> Words:
    """Letters and figures of a text as words, without case and accents: "PRJ-104" is prj and 104."""
    plain = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    return tuple(_WORD.findall(plain.casefold()))


def names(aliases: Iterable[str]) -> list[Words]:
    """Aliases as words, without articles in front; those of nothing are left out."""
    found: list[Words] = []
    for alias in aliases:
        name = words(alias)
        while len(name) > 1 and name[0] in _ARTICLES:
            name = name[1:]
        if name:
            found.append(name)
    return found


def person_names(aliases: Iterable[str]) -> list[str]:
    """Aliases of a person, where "Name <address>" is a name and an address."""
    found: list[str] = []
    for alias in aliases:
        parts = _ADDRESS.match(alias)
        found += [part for part in parts.groups() if part] if parts else [alias]
    return list(dict.fromkeys(found))


def named(text: str, wanted: Iterable[str], others: Iterable[str] = ()) -> Named:
    """Which of the names a text has; longer names are read before shorter ones, and no word belongs to two."""
    said = words(text)
    ours = set(names(wanted))
    every = sorted(ours | set(names(others)), key=lambda name: (-len(name), name))
    taken = [False] * len(said)
    found = {True: False, False: False}
    for name in every:
        for start in _places(said, name):
            span = range(start, start + len(name))
            if not any(taken[place] for place in span):
                found[name in ours] = True
                for place in span:
                    taken[place] = True
    return Named(found[True], found[False], tuple(word for word, one in zip(said, taken, strict=True) if not one))


def days(text: str) -> list[Day]:
    """Days that a text names, in the order of the text; of figures alone the day comes before the month."""
    found: list[tuple[int, Day]] = []
    for form in _FORMS:
        for each in form.finditer(text):
            year, month = each["year"], each["month"].lower()
            number = int(month) if month.isdigit() else 1 + [name[:3] for name in _MONTHS].index(month[:3])
            day = (int(year) if year else None, number, int(each["day"]))
            if _exists(*day):
                found.append((each.start(), day))
    return [day for _, day in sorted(found, key=lambda each: each[0])]


def same_day(day: Day, other: Day) -> bool:
    """Whether they are the same as far as both say."""
    return day[1:] == other[1:] and (day[0] is None or other[0] is None or day[0] == other[0])


def vague(text: str) -> bool:
    """Whether a text speaks of days without naming them: next Friday, the end of the month."""
    return bool(_VAGUE.search(text))


def _exists(year: int | None, month: int, day: int) -> bool:
    try:
        date(year or 2000, month, day)
    except ValueError:
        return False
    return True


def _places(said: Sequence[str], name: Words) -> list[int]:
    return [start for start in range(len(said) - len(name) + 1) if tuple(said[start : start + len(name)]) == name]
