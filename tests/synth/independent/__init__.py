"""What is right, worked out a second time: from the words of a request and the rows of the world, in plain Python.

Written apart from the templates: nothing here imports `benchmarks` or `servers`, and no outcome function was read for
it. A module maps a template's name to a function of rows and slot values that gives the changes a right answer makes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

Row = Mapping[str, Any]
Values = Mapping[str, Any]


class Office(NamedTuple):
    """The rows of each table, in order, and today's date (`YYYY-MM-DD`)."""

    emails: Sequence[Row]
    events: Sequence[Row]
    visits: Sequence[Row]
    tasks: Sequence[Row]
    customers: Sequence[Row]
    people: Sequence[Row]
    today: str


class Change(NamedTuple):
    """`op` is insert, update or delete; `id` is empty for an insert; `values` are all fields set, none for a delete."""

    op: str
    table: str
    id: str
    values: Mapping[str, Any]


Work = Callable[[Office, Values], list[Change]]
