"""What the cases have in common: working days, who does what, and what holds once all is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final, NamedTuple

__all__ = (
    "CLOSED",
    "MEMBERS",
    "ROOT",
    "SHUT",
    "Books",
    "Joiner",
    "Leave",
    "Rows",
    "away",
    "cents",
    "doer",
    "packs",
    "working_day",
)

ROOT: Final = "/workspace/people"
Leave = Sequence[tuple[str, str, str]]
"""Who is away from when to when, both days included."""
Rows = list[tuple[Any, ...]]

CLOSED: Final = (
    ("2026-04-03", "Good Friday"),
    ("2026-04-06", "Easter Monday"),
    ("2026-05-04", "early May bank holiday"),
    ("2026-05-25", "late May bank holiday"),
)
SHUT: Final = tuple(day for day, _ in CLOSED)
MEMBERS: Final = (
    "planner", "logistics", "junior", "facility", "it", "accounts", "controller", "am1", "product", "hr", "recruiter",
)  # fmt: skip
"""Posts with whom the project is shared."""


class Joiner(NamedTuple):
    """Somebody who begins: `buddy` is a whole name, `worth` that of the kit in EUR."""

    name: str
    mail: str
    start: str
    buddy: str
    worth: Decimal


@dataclass(frozen=True, kw_only=True)
class Books:
    """What holds once all is read.

    `sheets` are, by path, what to do by when, the order of kit, and access; `total` is the sum of the order. `note` is
    the id of a note. The rest is what things are to be called, with {} for
    the name of whoever begins.
    """

    project: str
    joiners: tuple[Joiner, ...]
    sheets: Mapping[str, Rows]
    total: Decimal
    rules: str
    people: str
    papers: tuple[str, ...]
    mails: tuple[str, ...]
    query: str
    channel: str
    note: str = ""
    sign: str
    week: str
    hour: str
    minutes: int
    welcome: str
    order: str


def working_day(start: str, steps: int, closed: Iterable[str], own: Sequence[int] = (0, 1, 2, 3, 4)) -> str:
    """The day so many working days from the first one; after it, of those on which somebody works (Monday is 0)."""
    found, shut = date.fromisoformat(start), set(closed)
    days = own if steps > 0 else (0, 1, 2, 3, 4)
    for _ in range(abs(steps)):
        found += timedelta(days=1 if steps > 0 else -1)
        while found.weekday() not in days or found.isoformat() in shut:
            found += timedelta(days=1 if steps > 0 else -1)
    return found.isoformat()


def away(name: str, when: str, leave: Leave) -> bool:
    """Whether somebody is on leave that day."""
    return any(who == name and first <= when <= last for who, first, last in leave)


def doer(names: Sequence[str], when: str, leave: Leave) -> str:
    """The first of these who is there."""
    return next(name for name in names if not away(name, when, leave))


def cents(value: Decimal) -> Decimal:
    """Rounded to cents, half a cent up."""
    return value.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


def packs(pieces: int, pack: int) -> int:
    """Pieces in as many whole packs as hold them."""
    return -(-pieces // pack) * pack
