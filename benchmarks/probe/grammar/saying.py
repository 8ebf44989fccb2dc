"""Facts as sentences: a wording of `wordings.txt`, its slots filled with one of the ways to name a thing."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache

from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.facts import ARGUMENTS, Fact
from benchmarks.probe.grammar.lines import sections

__all__ = ("MONTHS", "SLOTS", "WEEKDAYS", "Statement", "said", "wordings")

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
SLOTS = {
    "task": "work", "input": "work", "object": "work", "desk": "desk", "owner": "person", "person": "person",
    "decider": "person", "deadline": "date", "system": "system", "reference": "reference",
}  # fmt: skip
"""What stands in a slot: each sort is recognised in a text by a pattern of its own (`reading.py`)."""


@dataclass(frozen=True)
class Statement:
    """A fact to be said. `bare` keys are named without code (a person by initial), `full` ones by name and code."""

    fact: Fact
    bare: frozenset[str] = field(default=frozenset())
    full: frozenset[str] = field(default=frozenset())


@cache
def wordings(kind: str) -> tuple[str, ...]:
    """Sentences with slots for a kind of statement. Those of `why` still have `{cause}` in them.

    Raises:
        ValueError: a wording that lacks a slot of its kind or has another.
    """
    lines = sections("wordings.txt")[kind]
    wanted = sorted({"person", "cause"} if kind == "why" else ARGUMENTS[kind])
    for line in lines:
        if sorted(slots(line)) != wanted:
            raise ValueError(f"wordings.txt [{kind}]: {line!r} should have the slots {', '.join(wanted)}, once each")
    return lines


def slots(wording: str) -> list[str]:
    """The names of its slots, in order."""
    return [part.split("}")[0] for part in wording.split("{")[1:]]


def every(kind: str) -> Iterator[tuple[str, str]]:
    """(wording with slots for arguments only, id of a cause or nothing) of each way to say this kind of statement."""
    for wording in wordings(kind):
        if kind != "why":
            yield wording, ""
        else:
            yield from ((wording.replace("{cause}", why), each.id) for each in causes().values() for why in each.why)


def said(draw: random.Random, statement: Statement, names: Mapping[str, str], now: date) -> str:
    """The statement as a sentence, in one of its wordings."""
    fact = statement.fact
    wording = draw.choice(wordings(fact.kind))
    if fact.kind == "why":
        wording = wording.replace("{cause}", draw.choice(causes()[fact["cause"]].why))
    values = {name: _named(draw, name, statement, names, now) for name in slots(wording)}
    text = wording.format(**values)
    return text[0].upper() + text[1:]


def _named(draw: random.Random, slot: str, statement: Statement, names: Mapping[str, str], now: date) -> str:
    value = statement.fact[slot]
    sort = SLOTS[slot]
    if sort == "work":
        name = names[value]
        if slot in statement.bare:
            return f"the {name}"
        forms = (f"the {name} ({value})", f"{value} (the {name})", value, value)
        return draw.choice(forms[:2] if slot in statement.full else forms)
    if sort == "desk":
        name = names[value]
        if slot in statement.bare:
            return f"the {name}"
        return draw.choice(
            (f"the {name} ({value})",) if slot in statement.full else (f"the {name} ({value})", f"desk {value}")
        )
    if sort == "person" and slot in statement.bare:
        given, family = value.split(" ")
        return f"{given[0]}. {family}"
    if sort == "date":
        return _dated(draw, date.fromisoformat(value), now)
    return value


def _dated(draw: random.Random, day: date, now: date) -> str:
    """A day in one of the ways to write it; the year may only be left out where the day is near."""
    month = MONTHS[day.month - 1]
    near = (f"{day.day} {month}", f"{WEEKDAYS[day.weekday()]} {day.day} {month}", f"{month} {day.day}")
    exact = (
        f"{day.day} {month} {day.year}",
        day.isoformat(),
        f"{WEEKDAYS[day.weekday()]}, {day.day} {month} {day.year}",
    )
    return draw.choice((*near, *exact) if abs((day - now).days) < 150 else exact)
