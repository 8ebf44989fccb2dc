"""Whether a text names a person, a piece of work, a day, a system or the object of a cause, by known aliases.

Names are compared as words without case, accents and punctuation; the longest name is read first, so that "Ada Fox" is
not Ada Berg although both are called Ada.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import date
from difflib import SequenceMatcher
from itertools import filterfalse
from typing import NamedTuple, TypeAlias

__all__ = ("Day", "Named", "Words", "days", "hinted", "named", "names", "person_names", "same_day", "vague", "words")

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
        r"(?P<day>\d{1,2})[./](?P<month>\d{1,2})[./](?P<year>\d{4}|\d{2})",
        rf"{_DAY}(?:\s+of)?\s+{_MONTH}\b\.?{_YEAR}",
        rf"{_MONTH}\b\.?\s+(?:the\s+)?{_DAY}\b{_YEAR}",
    )
)
_ALIKE = 0.87
"""How alike two names are, letter by letter, where one may be the other misspelt (difflib's ratio)."""
_SMALL = frozenset((*_ARTICLES, "of", "for", "to", "from", "at", "in", "on", "by", "with", "and", "completion"))
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
    plain = unicodedata.normalize("NFKD", text)
    if not plain.isascii():
        plain = "".join(filterfalse(unicodedata.combining, plain))
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
    places: dict[str, list[int]] = {}
    for place, word in enumerate(said):
        places.setdefault(word, []).append(place)
    ours = set(names(wanted))
    every = sorted(ours | set(names(others)), key=lambda name: (-len(name), name))
    taken = [False] * len(said)
    found = {True: False, False: False}
    for name in every:
        for start in places.get(name[0], ()):
            if said[start : start + len(name)] != name:
                continue
            span = range(start, start + len(name))
            if not any(taken[place] for place in span):
                found[name in ours] = True
                for place in span:
                    taken[place] = True
    return Named(found[True], found[False], tuple(word for word, one in zip(said, taken, strict=True) if not one))


def hinted(text: str, aliases: Iterable[str], alone: bool) -> bool:
    """Whether a text that has none of these names may mean one: misspelt, turned round, or a part of it.

    Where the name is `alone`, in a field of its own or at the end of one, another of as many words is another name.
    Otherwise it takes all words of one of these names, in any order; two or more of them that come one after another;
    its first with another of them; or a text that has nothing but words of it.
    """
    said = words(text)
    tail = [word for word in words(text.rpartition(":")[2]) if word not in _SMALL]
    found = False
    for name in names(aliases):
        if _alike(said, name):
            return True
        if len(name) < 2 or (alone and len(tail) == len(name) and set(tail) != set(name)):
            continue
        there = [word in name for word in said]
        rows = any(all(there[start : start + 2]) for start in range(len(said) - 1))
        both = name[0] in said and sum(word in said for word in set(name)) > 1
        found = found or rows or both or (bool(tail) and set(tail) <= set(name))
    return found


def days(text: str) -> list[Day]:
    """Days that a text names, in the order of the text; of figures alone the day comes before the month."""
    found: list[tuple[int, Day]] = []
    for form in _FORMS:
        for each in form.finditer(text):
            year, month = each["year"], each["month"].casefold()  # a long s, which the pattern takes for one, is an s
            number = int(month) if month.isdigit() else 1 + [name[:3] for name in _MONTHS].index(month[:3])
            day = (int(year.rjust(4, "0")) + 2000 * (len(year) == 2) if year else None, number, int(each["day"]))
            if _exists(*day):
                found.append((each.start(), day))
    return [day for _, day in sorted(found, key=lambda each: each[0])]


def same_day(day: Day, other: Day) -> bool:
    """Whether they are the same as far as both say."""
    return day[1:] == other[1:] and (day[0] is None or other[0] is None or day[0] == other[0])


def vague(text: str) -> bool:
    """Whether a text speaks of days without naming them: next Friday, the end of the month."""
    return bool(_VAGUE.search(text))


def _alike(said: Words, name: Words) -> bool:
    """Whether as many words of a text as a name has are spelt nearly as it is."""
    other = "".join(name)
    if len(other) <= 4 or any(len(word) == 1 for word in name):  # an initial may be anybody's
        return False
    compared = SequenceMatcher(None, "", other, autojunk=False)
    for start in range(len(said)):
        compared.set_seq1("".join(said[start : start + len(name)]))
        # Both quick ratios are upper bounds; most words differ too much in length or letters for more.
        if compared.real_quick_ratio() >= _ALIKE and compared.quick_ratio() >= _ALIKE and compared.ratio() >= _ALIKE:
            return True
    return False


def _exists(year: int | None, month: int, day: int) -> bool:
    try:
        date(year or 2000, month, day)
    except ValueError:
        return False
    return True
