"""Facts as sentences: a wording of `wordings.txt`, its slots filled with one of the ways to name a thing.

A wording may have something before it and after it (`leads`, `tails`). Things are called by their full name, by a
shorter one that only some texts explain, or by both, where it is explained.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache

from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.entities import desk_forms
from benchmarks.probe.grammar.facts import ARGUMENTS, RECKONED, Fact
from benchmarks.probe.grammar.lines import entries, sections

__all__ = (
    "BOTH", "COUNTS", "MONTHS", "ORDINALS", "SLOTS", "WEEKDAYS", "Statement", "every", "said", "slots", "told_by",
    "wordings",
)  # fmt: skip

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
SLOTS = {
    "task": "work", "input": "work", "object": "work", "desk": "desk", "owner": "person", "person": "person",
    "decider": "person", "deadline": "date", "system": "system", "reference": "reference", "day": "date",
    "since": "date", "until": "date", "event": "event", "office": "office", "count": "count",
}  # fmt: skip
"""What stands in a slot: each sort is recognised in a text by a pattern of its own (`reading.py`)."""
COUNTS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
)  # fmt: skip
BOTH = (
    "{full}, or {short} as {who} calls it,",
    "{full}, which most of us call {short},",
    "{full} ({short}, as they say upstairs)",
    "{full}, known as {short},",
    "{full}, {short} for short,",
    "{full} (better known as {short})",
    "{short} ({full}, to give it its proper name)",
    "{short}, that is {full},",
    "{short}, as {who} calls {full},",
    "{short} ({full} in the books)",
)
"""How something is called by both its names, `{who}` being anybody's given name."""
_LED, _TAILED = 0.3, 0.15
"""How many statements have something before them, and how many after."""
_DOUBLED = re.compile(r",(?=[,.;:)])")


@dataclass(frozen=True)
class Statement:
    """A fact to be said. Keys of the types in `bare` are called by their shorter name, those in `full` by both."""

    fact: Fact
    bare: frozenset[str] = field(default=frozenset())
    full: frozenset[str] = field(default=frozenset())


@cache
def wordings(kind: str) -> tuple[str, ...]:
    """Sentences with slots for a kind of statement, `due past` among them. Those of `why` still have `{cause}` in them.

    Raises:
        ValueError: a wording that lacks a slot of its kind or has another.
    """
    lines = sections("wordings.txt")[kind]
    wanted = sorted({"person", "cause"} if kind == "why" else ARGUMENTS[kind.removesuffix(" past")])
    for line in lines:
        if sorted(slots(line)) != wanted:
            raise ValueError(f"wordings.txt [{kind}]: {line!r} should have the slots {', '.join(wanted)}, once each")
    return lines


def slots(wording: str) -> list[str]:
    """The names of its slots, in order."""
    return [part.split("}")[0] for part in wording.split("{")[1:]]


def every(kind: str) -> Iterator[tuple[str, str]]:
    """(wording with slots for arguments only, id of a cause or nothing) of each way to say this kind of statement."""
    if kind == "due":
        yield from ((wording, "") for past in ("", " past") for wording in wordings(f"due{past}"))
        return
    for wording in wordings(kind):
        if kind != "why":
            yield wording, ""
        else:
            yield from ((wording.replace("{cause}", why), each.id) for each in causes().values() for why in each.why)


def said(draw: random.Random, statement: Statement, names: Mapping[str, str], now: date) -> str:
    """The statement as a sentence, in one of its wordings. `names` has the shorter names of things."""
    fact = statement.fact
    past = fact.kind == "due" and fact["deadline"] <= now.isoformat()
    text = draw.choice(wordings("due past" if past else fact.kind))
    if fact.kind == "why":
        text = text.replace("{cause}", draw.choice(causes()[fact["cause"]].why))
    text = text.format(**{name: _named(draw, name, statement, names, now) for name in slots(text)})
    around = 1.0 if fact.kind in RECKONED else draw.random()  # "it was mentioned again" would tell of a change twice
    if around < _LED:
        text = f"{draw.choice(sections('wordings.txt')['leads'])} {text}"
    elif around < _LED + _TAILED:
        text = f"{text[:-1]}, {draw.choice(sections('wordings.txt')['tails'])}."
    text = _DOUBLED.sub("", text)
    return text[0].upper() + text[1:]


def _named(draw: random.Random, slot: str, statement: Statement, names: Mapping[str, str], now: date) -> str:
    value = statement.fact[slot]
    sort = SLOTS[slot]
    if sort == "date":
        return told_by(value) if value[0].isalpha() else _dated(draw, date.fromisoformat(value), now)
    if sort == "count":
        return f"{COUNTS[int(value) - 1]} working day{'' if value == '1' else 's'}"
    if sort in ("event", "office") or (sort == "person" and value[0].islower()):
        return f"the {value}"
    if sort == "person":
        return names[value] if slot in statement.bare else value
    if sort not in ("work", "desk"):
        return value
    full = draw.choice(desk_forms(value)) if sort == "desk" else f"the {value}"
    if slot in statement.bare:
        return f"the {names[value]}"
    if slot in statement.full:
        return draw.choice(BOTH).format(full=full, short=f"the {names[value]}", who=draw.choice(entries("given")))
    return full


def told_by(value: str) -> str:
    """In words a day that is told by an event: `wardens' muster+3` is the third working day after it."""
    event, sign, count = re.fullmatch(r"(.+)([+-])(\d+)", value).groups()  # type: ignore[union-attr]
    if count == "0":
        return f"the day of the {event}"
    return f"the {ORDINALS[int(count) - 1]} working day {'after' if sign == '+' else 'before'} the {event}"


def _dated(draw: random.Random, day: date, now: date) -> str:
    """A day in one of the ways to write it; the year may only be left out where the day is near."""
    month = MONTHS[day.month - 1]
    near = (f"{day.day} {month}", f"{WEEKDAYS[day.weekday()]} {day.day} {month}", f"{month} {day.day}")
    exact = (f"{day.day} {month} {day.year}", f"{WEEKDAYS[day.weekday()]} {day.day} {month} {day.year}")
    return draw.choice((*near, *near, *exact) if abs((day - now).days) < 150 else exact)
