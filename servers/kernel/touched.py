"""What a layer touched in one table."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b

from servers.kernel.base import Held

__all__ = ("Mark", "Touched")

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
