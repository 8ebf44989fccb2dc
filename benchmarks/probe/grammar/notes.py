"""In which document each note on a task stands: one in every document, and after what it takes off the table."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from datetime import date
from typing import NamedTuple

__all__ = ("Note", "hosts")


class Note(NamedTuple):
    """A note of a kind on a task that stands in the documents `homes`; `after` is the day of the one it answers.

    `risky`: it defeats a complete chain.
    """

    kind: str
    task: str
    homes: tuple[int, ...]
    after: date | None = None
    risky: bool = False


def hosts(draw: random.Random, notes: Sequence[Note], days: Sequence[date], live: Collection[int]) -> list[int]:
    """A document for each note, as many as there are notes.

    A note stands in none of its task's documents and, where that matters, in a later one. What defeats a complete chain
    stands in no document of the live one, without which that chain would be live too; the defeater of something else
    comes in its place, so that defeaters are no rarer there.

    Raises:
        ValueError: there is no such way, which 200 attempts did not find.
    """
    for _ in range(200):
        found = _placed(draw, notes, days)
        if found is not None and _parted(draw, found, notes, days, live):
            return found
    raise ValueError(f"no room for {len(notes)} notes in {len(days)} documents")


def _fits(note: Note, home: int, days: Sequence[date]) -> bool:
    return home not in note.homes and (note.after is None or days[home] > note.after)


def _placed(draw: random.Random, notes: Sequence[Note], days: Sequence[date]) -> list[int] | None:
    free = draw.sample(range(len(days)), len(days))
    found = [-1] * len(notes)
    for at in sorted(range(len(notes)), key=lambda at: notes[at].after or date.min, reverse=True):
        home = next((home for home in free if _fits(notes[at], home, days)), None)
        if home is None:
            return None
        free.remove(home)
        found[at] = home
    return found


def _parted(draw: random.Random, found: list[int], notes: Sequence[Note], days: Sequence[date],
            live: Collection[int]) -> bool:  # fmt: skip
    """Exchanges notes until no risky one stands in a document of the live chain; whether that could be done."""
    safe = [at for at, note in enumerate(notes) if note.kind != "mention" and not note.risky]
    for at in (at for at, note in enumerate(notes) if note.risky and found[at] in live):
        for other in draw.sample(safe, len(safe)):
            fits = _fits(notes[at], found[other], days) and _fits(notes[other], found[at], days)
            if fits and found[other] not in live:
                found[at], found[other] = found[other], found[at]
                break
        else:
            return False
    return True
