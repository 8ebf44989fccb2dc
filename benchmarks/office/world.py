"""The office as a world, which is rendered anew for the day that it is moved to."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any, overload

from benchmarks.office.arrivals import arrivals, earlier
from benchmarks.office.ledger import NOW as MINUTE
from benchmarks.office.ledger import Ledger
from benchmarks.office.people import OWNER, OWNER_ZONE, founded
from benchmarks.office.render import Rendered
from benchmarks.office.stage import keyed
from benchmarks.office.stories import Size, told
from servers import catalog
from servers.kernel import Coming, Owner, Tables, World, canonical
from servers.kernel.dated import moved

__all__ = ("LEDGER", "NOW", "SEED", "SIZES", "OfficeWorld", "ledger", "make_world", "named", "world")

SEED = 20260318

SIZES = {
    "small": Size(mails=390, everyday=0.4, twice=2, orders=0),
    "medium": Size(mails=2_000, everyday=1, twice=4, orders=4),
    "large": Size(mails=10_000, everyday=1, twice=8, orders=16),
}
"""Small is the default."""

_KEPT = 8

NOW = datetime(2026, 3, 18) + timedelta(minutes=MINUTE)
"""A Wednesday morning: mails of the night are there, the day is still to come."""


LEDGER = "The answer key: what happened, what is wrong on purpose, what lies ahead. No tool shows it."


@dataclass(frozen=True)
class OfficeWorld(World):
    """A world that knows its ledger. Moved, it is told anew for that day: `12 March` becomes another day too.

    Whoever loads a moved world puts dated columns `days` later. Its rows therefore have these dates as many days
    earlier, so that what is loaded is what was rendered.
    """

    ledger: Ledger | None = field(default=None, compare=False)

    def moved(self, days: int) -> World:
        """The same office so many days later: whole weeks, or its weekdays would be others. Raises ValueError."""
        if not days or self.ledger is None:
            return self
        if days % 7:
            raise ValueError(f"an office moves by whole weeks, not by {days} days: its weekdays are in its texts")
        days += self.days
        now = NOW + timedelta(days=days)
        told, rows = self.ledger, Rendered(self.ledger, now.date())
        ahead = _Ahead(lambda: earlier(arrivals(told, now.date(), rows), days))
        return replace(self, now=now, days=days, rows=_Back(rows, days), arrivals=ahead)

    def holds(self, app: str) -> bool:
        """Whether it has any row of that app: it has of all that it tells of, and none need be made to know."""
        return app in tuple(self.rows)

    def coming(self, apps: Iterable[Tables]) -> dict[int, Coming]:
        """As of any world; of these apps alone, so that a server of one need not import the others to know."""
        if self.ledger is None or not isinstance(self.arrivals, _Ahead):
            return super().coming(apps)
        return dict(enumerate(arrivals(self.ledger, self.now.date(), self._seen, {app.name for app in apps})))

    @functools.cached_property
    def digest(self) -> str:
        """As of any world, and of a moved one over its rows as they are seen there: no app is imported for it."""
        return hashlib.sha256(canonical({**self._head(), "rows": dict(self._seen)})).hexdigest()

    @property
    def _seen(self) -> Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]:
        """Rows as they are for whoever looks at this world."""
        return self.rows.seen if isinstance(self.rows, _Back) else self.rows

    def aside(self, name: str) -> str:
        """The ledger, at this world's time."""
        if self.ledger is None:
            return super().aside(name)
        return json.dumps(self.ledger.to_json(self.now.date()), indent=1, ensure_ascii=False) + "\n"


def ledger(seed: int = SEED, size: str = "small") -> Ledger:
    """What happens in the office of a seed and a size. Raises ValueError where there is not enough text for it."""
    return _ledger(seed, size)  # one and the same, however its arguments are given


@lru_cache(_KEPT)
def _ledger(seed: int, size: str) -> Ledger:
    found = Ledger(seed=seed, company=founded(seed, keyed(seed, "company")))
    told(found, SIZES[size])
    return found


def world(seed: int = SEED, size: str = "small") -> OfficeWorld:
    """The office of a seed and a size."""
    return _world(seed, size)


@lru_cache(_KEPT)
def _world(seed: int, size: str) -> OfficeWorld:
    return make_world(ledger(seed, size), name=named(seed, size))


def named(seed: int, size: str) -> str:
    """What the office of a seed and a size is called."""
    return f"office-{seed}" if size == "small" else f"office-{size}-{seed}"


def make_world(told: Ledger, today: date = NOW.date(), *, name: str = "") -> OfficeWorld:
    """The office of a ledger where `now` is that day, written as it is there."""
    owner = told.company.person(OWNER)
    now = datetime.combine(today, NOW.time())
    rows = Rendered(told, today)
    return OfficeWorld(
        name or named(told.seed, "small"),
        now,
        rows,
        arrivals=_Ahead(lambda: arrivals(told, today, rows)),
        beside={"ledger.json": LEDGER},
        owner=Owner(name=owner.name, address=owner.address, zone=OWNER_ZONE),
        ledger=told,
    )


class _Ahead(Sequence[Coming]):
    """What is ahead, worked out once somebody looks."""

    def __init__(self, make: Callable[[], tuple[Coming, ...]]) -> None:
        self._make = make

    @functools.cached_property
    def _all(self) -> tuple[Coming, ...]:
        return self._make()

    @overload
    def __getitem__(self, at: int) -> Coming: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Coming]: ...

    def __getitem__(self, at: int | slice) -> Coming | Sequence[Coming]:
        return self._all[at]

    def __len__(self) -> int:
        return len(self._all)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(other) == self._all

    __hash__ = None  # type: ignore[assignment]


class _Back(Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]):
    """Rows by app with their dated columns so many days earlier: of an app once somebody asks for it.

    Which columns those are its tables know, and a server of one app shall not import them all.
    """

    def __init__(self, seen: Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]], days: int) -> None:
        self.seen = seen
        self._days = days
        self._made: dict[str, dict[str, list[Mapping[str, Any]]]] = {}

    def __getitem__(self, app: str) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        if app not in self._made:
            self._made[app] = {name: list(rows) for name, rows in self._back(app)}
        return self._made[app]

    def __iter__(self) -> Iterator[str]:
        return iter(self.seen)

    def __len__(self) -> int:
        return len(self.seen)

    def _back(self, app: str) -> Iterator[tuple[str, Iterator[Mapping[str, Any]]]]:
        tables = {table.table_name: table for table in catalog.app(app).tables}
        for name, rows in self.seen[app].items():
            dated = {column.name for column in tables[name].columns if column.dated}
            yield name, (self._row(row, dated) for row in rows)

    def _row(self, row: Mapping[str, Any], dated: set[str]) -> dict[str, Any]:
        return {key: _earlier(value, self._days) if key in dated else value for key, value in row.items()}


def _earlier(value: Any, days: int) -> Any:
    return [moved(each, -days) for each in value] if isinstance(value, list) else moved(value, -days)
