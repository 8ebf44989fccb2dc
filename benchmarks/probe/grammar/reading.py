"""Texts back to facts: the inverse of `saying.py`, by the same wordings.

A sentence is stripped of what it names (works, desks, persons, days, programs, references). What is left is looked up
among all wordings stripped in the same way; a sentence that is none of them states nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from typing import NamedTuple

from benchmarks.probe.grammar.entities import nouns
from benchmarks.probe.grammar.facts import ARGUMENTS, FACTS, NOTES, Fact
from benchmarks.probe.grammar.lines import entries
from benchmarks.probe.grammar.saying import MONTHS, SLOTS, WEEKDAYS, every, slots

__all__ = ("Names", "located", "read", "sentences")

_CODE = r"(?:[A-Z]{2}[-/]\d{4}|[A-Z]{2}\d{4}-[A-Z])"
_REFERENCE = r"(?:[A-Z]-?\d{5}|\d{2}/\d{5}/[A-Z]{2})"
_DESK = r"[A-Z]\d{2}"
_MARKS = {"work": "\1", "desk": "\2", "person": "\3", "date": "\4", "system": "\5", "reference": "\6"}
_BULLET = re.compile(r"(?:[-*•]|\d+[.)]) +")


class _Way(NamedTuple):
    """How a stripped sentence states something: the order of its slots, and the cause that its words tell."""

    kind: str
    order: tuple[str, ...]
    cause: str


def _either(words: Sequence[str]) -> str:
    """A pattern for any of these words, parted by first letters, so that few are tried at any place."""
    by_first: dict[str, list[str]] = {}
    for word in sorted(words, key=lambda each: (-len(each), each)):
        by_first.setdefault(word[0], []).append(re.escape(word[1:]))
    return "(?:" + "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in sorted(by_first.items())) + ")"


@cache
def _names() -> re.Pattern[str]:
    work = rf"{_either(entries('themes'))} {_either(nouns())}"
    desk = rf"{_either(entries('areas'))} {_either(entries('functions'))} desk"
    months, days = "|".join(MONTHS), "|".join(WEEKDAYS)
    return re.compile(
        rf"\b(?:(?P<work>[Tt]he {work}\b(?: \({_CODE}\))?|{_CODE}\b(?: \(the {work}\))?)"
        rf"|(?P<desk>[Tt]he {desk}(?: \({_DESK}\))?|[Dd]esk {_DESK}\b)"
        rf"|(?P<reference>{_REFERENCE}\b)"
        rf"|(?P<date>(?:(?:{days}),? )?\d{{1,2}} (?:{months})(?: \d{{4}})?\b|(?:{months}) \d{{1,2}}\b"
        rf"|\d{{4}}-\d\d-\d\d\b)"
        rf"|(?P<person>(?:{_either(entries('given'))}|[A-Z]\.) {_either(entries('family'))}\b)"
        rf"|(?P<system>{_either(entries('systems'))}\b))"
    )


@cache
def _ways() -> Mapping[str, _Way]:
    """Each wording stripped of its slots.

    Raises:
        ValueError: two wordings that differ only in which slot stands where.
    """
    found: dict[str, _Way] = {}
    for kind in (*FACTS, *NOTES):
        for wording, cause in every(kind):
            order = tuple(slots(wording))
            bare = wording.format(**{slot: _MARKS[SLOTS[slot]] for slot in order})
            bare = bare[0].lower() + bare[1:]
            if bare in found:
                raise ValueError(f"wordings.txt [{kind}]: {wording!r} reads like a wording of {found[bare].kind}")
            found[bare] = _Way(kind, order, cause)
    return found


@cache
def _ends() -> re.Pattern[str]:
    """Where a sentence ends: not after an initial that a surname follows."""
    return re.compile(rf"(?<=[.!?])(?!(?:(?<= [A-Z]\.)|(?<=^[A-Z]\.)) {_either(entries('family'))}\b) +")


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, line by line, without the marks of lists."""
    for line in text.splitlines():
        bullet = _BULLET.match(line)
        yield from _ends().split(line[bullet.end() :] if bullet else line)


class Names:
    """What texts call the same thing: a work or desk by name and code, a person by surname.

    Fed by every full name that a text gives; `resolved` then takes each short one to its code or full name.
    """

    def __init__(self) -> None:
        self._codes: dict[str, str] = {}
        self._persons: dict[str, str] = {}

    def noted(self, sort: str, text: str) -> str:
        """The thing that a text names: its code or full name, or the short name for `resolved`."""
        if sort == "person":
            given, family = text.split(" ")
            if not given.endswith("."):
                self._persons[f"{given[0]}. {family}"] = text
            return text
        if sort not in ("work", "desk"):
            return text
        name, code = _parts(text)
        if name and code:
            self._codes[name] = code
        return code or name

    def resolved(self, value: str) -> str:
        return self._codes.get(value) or self._persons.get(value) or value


_AS_CODE = re.compile(rf"{_CODE}|\b{_DESK}\b")


def _parts(text: str) -> tuple[str, str]:
    """(name without article, code) of a work or desk; either may be missing."""
    code = _AS_CODE.search(text)
    name = text if code is None else text.replace(code[0], "")
    name = name.replace("(", "").replace(")", "").strip()
    name = name[4:] if name[:4] in ("the ", "The ") else name
    return "" if name in ("desk", "Desk") else name, code[0] if code else ""


def read(texts: Mapping[str, str], now: date) -> dict[str, tuple[Fact, ...]]:
    """The facts that each text states, in order. Names are resolved by what all of these texts together say."""
    return {id: tuple(fact for _, fact in found) for id, found in located(texts, now).items()}


def located(texts: Mapping[str, str], now: date) -> dict[str, tuple[tuple[str, Fact], ...]]:
    """As `read`, each fact with the sentence that states it."""
    names = Names()
    found = {
        id: [(each, fact) for each in sentences(text) if (fact := _read(each, names, now))]
        for id, text in texts.items()
    }
    return {
        id: tuple((each, Fact(fact.kind, tuple(map(names.resolved, fact.values)))) for each, fact in facts)
        for id, facts in found.items()
    }


def _read(sentence: str, names: Names, now: date) -> Fact | None:
    named: list[tuple[str, str]] = []

    def mark(match: re.Match[str]) -> str:
        sort = str(match.lastgroup)
        named.append((sort, match[0]))
        return _MARKS[sort]

    bare = _names().sub(mark, sentence)
    if not named or not bare:
        return None
    way = _ways().get(bare[0].lower() + bare[1:])
    if way is None:
        return None
    values = {"cause": way.cause}
    for slot, (sort, text) in zip(way.order, named, strict=True):
        values[slot] = _day(text, now) if sort == "date" else names.noted(sort, text)
    return Fact(way.kind, tuple(values[name] for name in ARGUMENTS[way.kind]))


def _day(text: str, now: date) -> str:
    """A day as ISO; one without a year is the nearest."""
    if text[:4].isdigit():
        return text
    words = text.replace(",", "").split()
    month = next(number for number, name in enumerate(MONTHS, 1) if name in words)
    numbers = [int(word) for word in words if word.isdigit()]
    if len(numbers) == 2:
        return date(numbers[1], month, numbers[0]).isoformat()
    near = (_date(year, month, numbers[0]) for year in (now.year - 1, now.year, now.year + 1))
    return min((day for day in near if day), key=lambda day: abs(day - now)).isoformat()


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:  # 29 February of another year
        return None
