"""What a layer touched in one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

__all__ = ("Held", "Mark", "Touched")


class Held(NamedTuple):
    """One row as a layer has it.

    `place` is its position in row order, `values` what it holds (None: gone), `base` what the
    world holds under that id (None: nothing), so that a diff asks the database nothing.
    """

    place: int
    values: tuple[Any, ...] | None
    base: tuple[Any, ...] | None


Mark = tuple[dict[str, Held], int, int, bytes]
"""What there was at some moment, to go back to."""


@dataclass(slots=True)
class Touched:
    """What a layer touched in one table, and how far the delta table has followed.

    `number` and `place` are the last id number and the next place in row order. The delta table
    is written only when SQL is about to look (most sandboxes write last and never look again):
    `stale` are ids whose row there is out of date, `mirrored` those that have one. `stamp` is a
    digest of all that was put here, in turn: where it is the same, over one base, so are the rows.
    """

    rows: dict[str, Held]
    number: int
    place: int
    stale: set[str] = field(default_factory=set)
    mirrored: set[str] = field(default_factory=set)
    stamp: bytes = b""

    def put(self, id: str, held: Held) -> None:
        self.rows[id] = held
        self.stale.add(id)
        told = repr((self.stamp, id, held.place, held.values))
        self.stamp = blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).digest()

    def copy(self) -> Touched:
        return Touched(dict(self.rows), self.number, self.place, set(self.rows), stamp=self.stamp)

    def mark(self) -> Mark:
        return dict(self.rows), self.number, self.place, self.stamp

    def back_to(self, mark: Mark) -> None:
        rows = mark[0]
        self.stale |= {id for id, held in self.rows.items() if rows.get(id) is not held}
        self.rows, self.number, self.place, self.stamp = mark

    def behind(self) -> tuple[set[str], dict[str, Held]]:
        """Ids to take out of the delta table, and rows to put into it, for SQL to see what is here.

        Rows that are there lie in row order, whenever SQL looked in between: a query that does not say in which order
        it wants them gets the same in every sandbox with these rows.
        """
        there = self.mirrored - self.stale
        last = max((held.place for id in there if (held := self.rows[id]).values is not None), default=-1)
        fresh = {id for id in self.stale if id in self.rows}
        if any(held.values is not None and held.place < last for held in map(self.rows.__getitem__, fresh)):
            there, fresh = set(), {*self.rows}
        rows = sorted(((id, self.rows[id]) for id in fresh), key=lambda row: row[1].place)
        # What was added here and is gone again needs no row: there is nothing for it to hide.
        return self.mirrored - there, {
            id: held for id, held in rows if held.values is not None or held.base is not None
        }

    def follow(self, old: set[str], fresh: Mapping[str, Held]) -> None:
        """That is done."""
        self.mirrored = (self.mirrored - old) | fresh.keys()
        self.stale.clear()
