"""How outcomes find things: rows of a world, picked by plain Python. `find` does the same through tools."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from benchmarks.workbench.synth.office import Office, Rows
from benchmarks.workbench.synth.templates.steps import Row

__all__ = ("coming", "daily", "mails", "on_day", "where")


def where(rows: Iterable[Row], **fields: str) -> list[Row]:
    """Those whose fields have these very values, in their order."""
    if isinstance(rows, Rows):  # the suite asks some 35,000 times while it is built, mostly what it asked before
        return [*rows.having(fields)]
    return [row for row in rows if all(row[field] == value for field, value in fields.items())]


def mails(office: Office, **fields: str) -> list[Row]:
    """Inbox mails with these values, oldest first."""
    return where(office.mails, folder="inbox", **fields)


def coming(office: Office, **fields: str) -> list[Row]:
    """Meetings that start now or later and have these values, first one first."""
    now = str(office.world.now)
    return _in_order([event for event in where(office.events, **fields) if event["event_start"] >= now])


def on_day(office: Office, day: str) -> list[Row]:
    """All events of a day, first one first."""
    return _in_order(office.by_day.get(date.fromisoformat(day), ()))


def _in_order(events: Sequence[Row]) -> list[Row]:
    return sorted(events, key=lambda event: str(event["event_start"]))


def daily(office: Office, metric: str, first: str) -> Mapping[str, float]:
    """A website figure by day, from `first` up to yesterday, for days that had visits."""
    return office.since(metric, first)
