"""Days that are told by events, and persons by offices: worked out from all that documents say of these.

An event stands first on a day, or at a distance from another event, with which it then moves; each notice that it was
moved is a change of its own, in working days, so that several add up in any order. An office is held by whoever took it
over last by today, and while somebody acts in it by that person. Notes that hold for a time count as they stand today.
What cannot be worked out counts against a chain: nobody could be sure of it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta

from benchmarks.probe.grammar.facts import ARGUMENTS, MENTIONS, PASSING, RECKONED, Fact

__all__ = ("Almanac", "leaned_on", "reckoned", "shifted")

_OF_EVENT = re.compile(r"(.+)([+-]\d+)")


def shifted(day: date, count: int) -> date:
    """So many working days (Mondays to Fridays, without exception) after a working day, or before it."""
    weeks, rest = divmod(day.weekday() + count, 5)
    return day - timedelta(days=day.weekday()) + timedelta(days=7 * weeks + rest)


class Almanac:
    """The days of events and the holders of offices, as these facts have them."""

    def __init__(self, facts: Collection[Fact], now: date) -> None:
        self._now = now
        self._first: dict[str, set[str]] = defaultdict(set)
        self._moved: dict[str, int] = defaultdict(int)
        self._offices: dict[str, list[Fact]] = defaultdict(list)
        self._holders: dict[str, str | None] = {}
        for fact in facts:
            match fact.kind:
                case "event":
                    self._first[fact["event"]].add(fact["day"])
                case "later":
                    self._moved[fact["event"]] += int(fact["count"])
                case "sooner":
                    self._moved[fact["event"]] -= int(fact["count"])
                case "office" | "office from" | "acting":
                    self._offices[fact["office"]].append(fact)

    def day(self, told: str, within: frozenset[str] = frozenset()) -> date | None:
        """The day that is told so, by its date or an event; None where nobody could say."""
        match = _OF_EVENT.fullmatch(told)
        if told[:1].isdigit() or match is None:
            return date.fromisoformat(told) if told[:1].isdigit() else None
        event, first = match[1], self._first[match[1]]
        if len(first) != 1 or event in within:
            return None
        start = self.day(min(first), within | {event})
        return start and shifted(start, self._moved[event] + int(match[2]))

    def holder(self, office: str) -> str | None:
        """Who has an office today; None where nobody could say."""
        if office not in self._holders:
            self._holders[office] = self._held(self._offices[office])
        return self._holders[office]

    def _held(self, known: Sequence[Fact]) -> str | None:
        """By whom an office of which these facts are known is held."""
        days = [[self.day(fact[name]) for name in ARGUMENTS[fact.kind][2:]] for fact in known]
        if any(day is None for each in days for day in each):
            return None
        spans = [(fact, [day for day in each if day]) for fact, each in zip(known, days, strict=True)]
        acting = {fact["person"] for fact, each in spans if len(each) == 2 and each[0] <= self._now <= each[1]}
        if acting:
            return acting.pop() if len(acting) == 1 else None
        begun = [(each, fact["person"]) for fact, each in spans if len(each) < 2 and each <= [self._now]]
        return max(begun)[1] if begun else None

    def holds(self, note: Fact) -> bool | None:
        """Whether a note that holds for a time does so today; None where nobody could say."""
        day = self.day(note["day"])
        if day is None:
            return None
        return self._now <= day if note.kind.startswith("until") else day <= self._now

    def plain(self, fact: Fact) -> Fact:
        """A fact with its days as dates, its persons by name, and what it says as it stands today."""
        if fact.kind in PASSING:
            key, kind = PASSING[fact.kind]
            return Fact(MENTIONS[key] if self.holds(fact) is False else kind, (fact[key],))
        if fact.kind in RECKONED:
            return fact
        values = list(fact.values)
        for at, name in enumerate(ARGUMENTS[fact.kind]):
            if name in ("owner", "decider") and values[at][:1].islower():
                values[at] = self.holder(values[at]) or ""
            elif name == "deadline" and not values[at][:1].isdigit():
                day = self.day(values[at])
                values[at] = day.isoformat() if day else ""
        return Fact(fact.kind, tuple(values))


def reckoned(stated: Mapping[str, Sequence[Fact]], now: date) -> dict[str, tuple[Fact, ...]]:
    """What each document states, worked out by what all of them say of events and offices."""
    almanac = Almanac([fact for facts in stated.values() for fact in facts], now)
    return {id: tuple(map(almanac.plain, facts)) for id, facts in stated.items()}


def leaned_on(told: Iterable[Fact], facts: Sequence[Fact]) -> frozenset[Fact]:
    """What of events and offices these facts, as they are told, depend on in the end."""
    of: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact.kind in RECKONED:
            of[fact.values[0]].append(fact)
    found: set[Fact] = set()
    left = [*told]
    while left:
        for value in left.pop().values:
            match = _OF_EVENT.fullmatch(value)
            new = [each for each in of.get(match[1] if match else value, ()) if each not in found]
            found.update(new)
            left += new
    return frozenset(found)
