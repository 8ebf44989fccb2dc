"""In which document each note stands: one in every document, and what takes another back after that one."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from datetime import date
from typing import NamedTuple

from benchmarks.probe.grammar.saying import Statement

__all__ = ("Note", "hosts")

_ATTEMPTS = 200


class Note(NamedTuple):
    """A note to be said, that stands in none of the documents `homes`.

    `after` is the day of what it answers, `before` of what takes it back; `only` is the document in which it stands
    where that is settled. `risky`: it defeats a complete chain. `against`: it speaks against something, at least in
    looks.
    """

    said: Statement
    homes: tuple[int, ...]
    after: date | None = None
    before: date | None = None
    only: int | None = None
    risky: bool = False
    against: bool = False


def hosts(draw: random.Random, notes: Sequence[Note], days: Sequence[date], live: Collection[int]) -> list[int]:
    """A document for each note, as many as there are notes.

    What defeats a complete chain stands in no document of the live one, without which that chain would be live too;
    something else of its kind comes in its place, so that such notes are no rarer there.

    Raises:
        ValueError: there is no such way, which 200 attempts did not find.
    """
    for _ in range(_ATTEMPTS):
        found = _placed(draw, notes, days)
        if found is not None and _parted(draw, found, notes, days, live):
            return found
    raise ValueError(f"no room for {len(notes)} notes in {len(days)} documents")


def _fits(note: Note, home: int, days: Sequence[date]) -> bool:
    if note.only is not None:
        return home == note.only
    early = note.after is not None and days[home] <= note.after
    late = note.before is not None and days[home] >= note.before
    return home not in note.homes and not early and not late


def _placed(draw: random.Random, notes: Sequence[Note], days: Sequence[date]) -> list[int] | None:
    """The tightest first: those of one document, then those with the fewest that they may stand in."""
    free = draw.sample(range(len(days)), len(days))
    found = [-1] * len(notes)
    rooms = [sum(_fits(note, home, days) for home in free) for note in notes]
    for at in sorted(range(len(notes)), key=rooms.__getitem__):
        home = next((home for home in free if _fits(notes[at], home, days)), None)
        if home is None:
            return None
        free.remove(home)
        found[at] = home
    return found


def _parted(draw: random.Random, found: list[int], notes: Sequence[Note], days: Sequence[date],
            live: Collection[int]) -> bool:  # fmt: skip
    """Exchanges notes until no risky one stands in a document of the live chain; whether that could be done."""
    safe = [at for at, note in enumerate(notes) if note.against and not note.risky]
    for at in (at for at, note in enumerate(notes) if note.risky and found[at] in live):
        for other in draw.sample(safe, len(safe)):
            fits = _fits(notes[at], found[other], days) and _fits(notes[other], found[at], days)
            if fits and found[other] not in live:
                found[at], found[other] = found[other], found[at]
                break
        else:
            return False
    return True
