"""The office as a world, which is rendered anew for the day that it is moved to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any

from benchmarks.office.arrivals import arrivals, earlier
from benchmarks.office.ledger import NOW as MINUTE
from benchmarks.office.ledger import Ledger
from benchmarks.office.people import OWNER, OWNER_ZONE, founded
from benchmarks.office.render import rendered
from benchmarks.office.stage import keyed
from benchmarks.office.stories import Size, told
from servers import catalog
from servers.kernel import Owner, World
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
    earlier, so
    that what is loaded is what was rendered.
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
        rows = rendered(self.ledger, now.date())
        coming = earlier(arrivals(self.ledger, now.date(), rows), days)
        return replace(self, now=now, days=days, rows=_back(rows, days), arrivals=coming)

    def aside(self, name: str) -> str:
        """The ledger, at this world's time."""
        if self.ledger is None:
            return super().aside(name)
        return json.dumps(self.ledger.to_json(self.now.date()), indent=1, ensure_ascii=False) + "\n"


@lru_cache(_KEPT)
def ledger(seed: int = SEED, size: str = "small") -> Ledger:
    """What happens in the office of a seed and a size. Raises ValueError where there is not enough text for it."""
    found = Ledger(seed=seed, company=founded(seed, keyed(seed, "company")))
    told(found, SIZES[size])
    return found


@lru_cache(_KEPT)
def world(seed: int = SEED, size: str = "small") -> OfficeWorld:
    """The office of a seed and a size."""
    return make_world(ledger(seed, size), name=named(seed, size))


def named(seed: int, size: str) -> str:
    """What the office of a seed and a size is called."""
    return f"office-{seed}" if size == "small" else f"office-{size}-{seed}"


def make_world(told: Ledger, today: date = NOW.date(), *, name: str = "") -> OfficeWorld:
    """The office of a ledger where `now` is that day, written as it is there."""
    owner = told.company.person(OWNER)
    now = datetime.combine(today, NOW.time())
    rows = rendered(told, today)
    return OfficeWorld(
        name or named(told.seed, "small"),
        now,
        rows,
        arrivals=arrivals(told, today, rows),
        beside={"ledger.json": LEDGER},
        owner=Owner(name=owner.name, address=owner.address, zone=OWNER_ZONE),
        ledger=told,
    )


def _back(rows: Mapping[str, Mapping[str, Any]], days: int) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Rows with their dated columns so many days earlier."""
    found: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for app, tables in rows.items():
        columns = {
            table.table_name: {column.name for column in table.columns if column.dated}
            for table in catalog.app(app).tables
        }
        found[app] = {
            name: [
                {key: _earlier(value, days) if key in columns[name] else value for key, value in row.items()}
                for row in some
            ]
            for name, some in tables.items()
        }
    return found


def _earlier(value: Any, days: int) -> Any:
    return [moved(each, -days) for each in value] if isinstance(value, list) else moved(value, -days)
