"""Texts back to facts: the inverse of `saying.py`, by the same wordings.

A sentence is stripped of what it names (works, desks, persons, days, programs, references) and of what stands before
and after a wording. What is left is looked up among all wordings stripped in the same way; a sentence that is none of
them states nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cache, lru_cache
from typing import NamedTuple

from benchmarks.probe.grammar.entities import nouns, short_person
from benchmarks.probe.grammar.facts import ARGUMENTS, FACTS, NOTED, RECKONED, Fact
from benchmarks.probe.grammar.lines import entries, sections
from benchmarks.probe.grammar.reckoning import reckoned
from benchmarks.probe.grammar.saying import BOTH, COUNTS, MONTHS, ORDINALS, SLOTS, WEEKDAYS, every, slots

__all__ = ("Names", "located", "read", "sentences", "shown")

_REFERENCE = r"(?:[A-Z]-?\d{5}|\d{2}/\d{5}/[A-Z]{2})"
_MARKS = {
    "work": "\1", "desk": "\2", "person": "\3", "date": "\4", "system": "\5", "reference": "\6", "office": "\3",
    "event": "\7", "count": "\x08",
}  # fmt: skip
_COMMAS = re.compile("([\1-\x08]),")
_KEPT = 20_000
"""Sentences whose reading is remembered, as many as a few samples have: proofs read a sample again and again."""
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


class _Thing(NamedTuple):
    """patterns of full and shorter names, without article, and of any way to say."""

    full: str
    short: str
    whole: str


@cache
def _things() -> Mapping[str, _Thing]:
    areas, functions = _either(entries("areas")), _either(entries("functions"))
    found = {
        "work": (rf"{_either(entries('themes'))} {_either(nouns())}\b", "nicknamed works"),
        "desk": (rf"(?:{areas} {functions} desk\b|{functions} desk at {areas}\b)", "nicknamed desks"),
    }
    looks = _either(entries("nicknames"))
    near = {"work": rf"|{_either(entries('themes'))} {_either(entries('catchwords'))}\b", "desk": ""}
    return {
        sort: _Thing(full, short, _whole(full, short))
        for sort, (full, kinds) in found.items()
        for short in (rf"(?:{looks} {_either(entries(kinds))}\b{near[sort]})",)
    }


def _whole(full: str, short: str) -> str:
    """Any way to say a thing: by one name, or by both in the ways of `BOTH`, with or without a comma at their end."""
    tails: dict[bool, list[str]] = {True: [], False: []}
    for both in BOTH:
        begins = both.startswith("{full}")
        rest = re.escape(both.removeprefix("{full}").removeprefix("{short}")).replace(r"\{", "{").replace(r"\}", "}")
        rest = rest.removesuffix(",") + ",?" if rest.endswith(",") else rest
        tails[begins].append(rest.format(full=f"the {full}", short=f"the {short}", who="[A-Z][a-z]+"))
    after = {begins: f"(?:{'|'.join(rests)})?" for begins, rests in tails.items()}
    return rf"[Tt]he (?:{full}{after[True]}|{short}{after[False]})"


@cache
def _names() -> re.Pattern[str]:
    months, days = "|".join(MONTHS), "|".join(WEEKDAYS)
    given, family = _either(entries("given")), _either(entries("family"))
    things = _things()
    event = rf"[Tt]he {_either(entries('hosts'))} {_either(entries('occasions'))}\b"
    of_event = rf"[Tt]he (?:day of|{_either(ORDINALS)} working day (?:after|before)) {event.replace('[Tt]', 't')}"
    return re.compile(
        rf"\b(?:(?P<work>{things['work'].whole})|(?P<desk>{things['desk'].whole})|(?P<reference>{_REFERENCE}\b)"
        rf"|(?P<date>(?:(?:{days}),? )?\d{{1,2}} (?:{months})(?: \d{{4}})?\b|(?:{months}) \d{{1,2}}\b"
        rf"|\d{{4}}-\d\d-\d\d\b|{of_event})|(?P<event>{event})|(?P<count>{_either(COUNTS)} working days?\b)"
        rf"|(?P<office>[Tt]he {_either(entries('ranks'))} {_either(entries('offices'))}\b)"
        rf"|(?P<person>{given}(?: {family})?\b|[A-Z]\. {family}\b)"
        rf"|(?P<system>{_either(entries('systems'))}\b))"
    )


@cache
def _around() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What may stand before a wording, and after, its first comma being optional: a name may have swallowed it."""
    leads = [each[0].lower() + each[1:] for each in sections("wordings.txt")["leads"]]
    before, after = (sorted(map(re.escape, each), reverse=True) for each in (leads, sections("wordings.txt")["tails"]))
    return re.compile(f"(?:{'|'.join(before)}) "), re.compile(rf"(?:,|(?<=[\1-\x08])) (?:{'|'.join(after)})\.$")


@cache
def _ways() -> Mapping[str, _Way]:
    """Each wording stripped of its slots.

    Raises:
        ValueError: two wordings that differ only in which slot stands where, or one that reads like a shorter one.
    """
    found: dict[str, _Way] = {}
    for kind in (*FACTS, *NOTED, *RECKONED):
        for wording, cause in every(kind):
            order = tuple(slots(wording))
            bare = wording.format(**{slot: _MARKS[SLOTS[slot]] for slot in order})
            bare = _COMMAS.sub(r"\1", bare[0].lower() + bare[1:])
            if bare in found:
                raise ValueError(f"wordings.txt [{kind}]: {wording!r} reads like a wording of {found[bare].kind}")
            if any(part.search(bare) for part in (re.compile("^" + _around()[0].pattern), _around()[1])):
                raise ValueError(f"wordings.txt [{kind}]: {wording!r} begins or ends like what may stand around one")
            found[bare] = _Way(kind, order, cause)
    return found


def _way(bare: str) -> _Way | None:
    """How a stripped sentence states something, whatever stands around the wording."""
    ways = _ways()
    bare = _COMMAS.sub(r"\1", bare[0].lower() + bare[1:])
    if bare in ways:
        return ways[bare]
    before, after = _around()
    if lead := before.match(bare):
        bare = bare[lead.end() :]
        bare = bare[0].lower() + bare[1:]
    if tail := after.search(bare):
        bare = bare[: tail.start()] + "."
    return ways.get(bare)


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
    """What texts call the same thing: a work or desk by two names, a person by given name or by initial and surname.

    Fed by every name that a text explains; `resolved` then takes each shorter one to the full name.
    """

    def __init__(self) -> None:
        self._full: dict[str, str] = {}

    def noted(self, sort: str, text: str) -> str:
        """The thing that a text names: its full name, or the shorter one for `resolved`."""
        if sort == "person":
            given, _, family = text.partition(" ")
            if family and not given.endswith("."):
                self._full[short_person(text)] = text
                self._full[given] = text if self._full.get(given, text) == text else given
            return text
        if sort in ("event", "office"):
            return text[len("the ") :]
        if sort == "count":
            return str(COUNTS.index(text.split(" ")[0]) + 1)
        if sort not in ("work", "desk"):
            return text
        long, short = _search(sort)
        full, shorter = long.search(text), short.search(text)
        if full is None:
            return "" if shorter is None else shorter[0]
        name = full[0]
        if sort == "desk" and " at " in name:
            function, area = name.split(" desk at ")
            name = f"{area} {function} desk"
        if shorter:
            self._full[shorter[0]] = name
        return name

    def resolved(self, value: str) -> str:
        return self._full.get(value, value)


@cache
def _search(sort: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    thing = _things()[sort]
    return re.compile(thing.full), re.compile(thing.short)


def read(texts: Mapping[str, str], now: date) -> dict[str, tuple[Fact, ...]]:
    """The facts that each text states, in order. Names, days and offices are resolved by all the texts together."""
    return reckoned(shown(texts, now), now)


def shown(texts: Mapping[str, str], now: date) -> dict[str, tuple[Fact, ...]]:
    """As `read`, but days that are told by events, and persons by offices, are left as they are told."""
    return {id: tuple(fact for _, fact in found) for id, found in located(texts, now).items()}


def located(texts: Mapping[str, str], now: date) -> dict[str, tuple[tuple[str, Fact], ...]]:
    """As `shown`, each fact with the sentence that states it."""
    names = Names()
    found = {
        id: [(each, fact) for each in sentences(text) if (fact := _read(each, names, now))]
        for id, text in texts.items()
    }
    return {
        id: tuple((each, Fact(fact.kind, tuple(map(names.resolved, fact.values)))) for each, fact in facts)
        for id, facts in found.items()
    }


@lru_cache(_KEPT)
def _taken_apart(sentence: str) -> tuple[_Way, tuple[tuple[str, str], ...]] | None:
    """How a sentence states something, and what it names, each with its sort; None where it states nothing."""
    named: list[tuple[str, str]] = []

    def mark(match: re.Match[str]) -> str:
        sort = str(match.lastgroup)
        named.append((sort, match[0]))
        return _MARKS[sort]

    bare = _names().sub(mark, sentence)
    way = _way(bare) if named and bare else None
    return way and (way, tuple(named))


def _read(sentence: str, names: Names, now: date) -> Fact | None:
    parts = _taken_apart(sentence)
    if parts is None:
        return None
    way, named = parts
    values = {"cause": way.cause}
    for slot, (sort, text) in zip(way.order, named, strict=True):
        values[slot] = _day(text, now) if sort == "date" else names.noted(sort, text)
    return Fact(way.kind, tuple(values[name] for name in ARGUMENTS[way.kind]))


def _day(text: str, now: date) -> str:
    """A day as ISO, one without a year being the nearest; one told by an event as that, `wardens' muster+3`."""
    if text[:4].isdigit():
        return text
    if text[:3].lower() == "the":
        far, _, event = text.partition(" of the ")
        if event:
            return f"{event}+0"
        _, far, _, _, way, _, event = text.split(" ", 6)
        return f"{event}{'+' if way == 'after' else '-'}{ORDINALS.index(far) + 1}"
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
