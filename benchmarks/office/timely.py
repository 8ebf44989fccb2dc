"""Words that fit the moment at which they are written: `this afternoon`, a weekday, a day that is said to come."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from benchmarks.office.ledger import DAY, Chat, Event, Fact, Mail, day_of
from benchmarks.office.people import OWNER_ZONE, Company
from benchmarks.office.words import TOKEN

__all__ = ("AHEAD_OF_OWNER", "local", "out_of_time", "untimely")

AHEAD_OF_OWNER = {OWNER_ZONE: 0, "Europe/Helsinki": 120, "America/Toronto": -300}
"""By how many minutes a zone's clock is ahead of the owner's."""
_WORDS = (
    (re.compile(r"^(?:good )?morning\b", re.IGNORECASE), 5 * 60, 12 * 60),
    (re.compile(r"\bthis morning\b", re.IGNORECASE), 5 * 60, 20 * 60),
    (re.compile(r"\bthis afternoon\b", re.IGNORECASE), 6 * 60, 16 * 60),
    (re.compile(r"\b(?:tonight|this evening)\b", re.IGNORECASE), 6 * 60, 18 * 60 + 30),
)
"""Words, and from which minute of the day until which they can be written."""
_COMING = re.compile(r"d[1-9]\d*")


def local(at: int, zone: str) -> int:
    """The minute of the day that a moment is on the clock of a zone."""
    return (at + AHEAD_OF_OWNER[zone]) % DAY


def out_of_time(text: str, minute: int) -> str:
    """The first words of a text that nobody writes at that minute of the day; empty where there are none."""
    for pattern, first, last in _WORDS:
        if (found := pattern.search(text)) and not first <= minute <= last:
            return found[0]
    return ""


def untimely(events: Sequence[Event], facts: Mapping[str, Fact], company: Company) -> bool:
    """Whether a conversation says words of the day too late, or names a day to come (`{d3}`) that is there or past.

    A day is to come where it is named first; later mails may look back at it. A weekday without its date is never that
    of today, nor that of today in a week unless the date has been named.
    """
    named, dated = set[str](), set[str]()
    for event in sorted(events, key=lambda each: each.at):
        if not isinstance(event, Mail | Chat):
            continue
        dated.update(name for _, name, form in TOKEN.findall(event.text) if form != "wd")
        person = company.people.get(event.sender)
        if person and out_of_time(event.text, local(event.at, person.zone)):
            return True
        for _, name, form in TOKEN.findall(event.text):
            fact = facts.get(name)
            if fact is None or fact.kind != "date":
                continue
            day = int(fact.at(event.at))
            if form == "wd" and day % 7 == day_of(event.at) % 7 and (day == day_of(event.at) or name not in dated):
                return True
            if _COMING.fullmatch(name.rpartition(".")[2]) and name not in named and day <= day_of(event.at):
                return True
            named.add(name)
    coming = [int(facts[name].at(0)) for name in named if _COMING.fullmatch(name.rpartition(".")[2])]
    return len(set(coming)) < len(coming)
