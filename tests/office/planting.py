"""How inconsistencies are planted in the rows of an office."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from benchmarks.office.people import Person
from benchmarks.office.world import ledger, world

__all__ = ("PLANTS", "Plant", "Row", "Rows", "changed", "day", "first", "mail", "person", "planted")

Row = dict[str, Any]
Rows = dict[str, dict[str, list[Row]]]
Plant = Callable[[Rows], None]
PLANTS: list[tuple[str, Plant]] = []
"""Rules, and what they have to find."""


def planted(rule: str) -> Callable[[Plant], Plant]:
    """Marks a plant with the rule that has to find it."""

    def mark(plant: Plant) -> Plant:
        PLANTS.append((rule, plant))
        return plant

    return mark


def person(post: str) -> Person:
    """Who holds a post in the office that is planted in."""
    return ledger().company.person(post)


def day(number: int) -> str:
    """The day of that number, as rows say it."""
    return str(world().now.date() + timedelta(days=number))


def first(rows: Rows, app: str, table: str, fits: Callable[[Row], Any]) -> Row:
    """The first row that fits."""
    return next(row for row in rows[app][table] if fits(row))


def mail(rows: Rows, has: str) -> Row:
    """A mail whose own words have that."""
    return first(rows, "gmail", "emails", lambda row: has in row["body"].partition(" wrote:\n>")[0])


def changed(row: Row, column: str, old: str, new: str) -> None:
    """Puts words in the place of others, once."""
    assert old in row[column], f"{old!r} is not in it: the plant does nothing"
    row[column] = row[column].replace(old, new, 1)
