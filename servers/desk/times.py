"""When entries are due, in the local time of the sandbox, which has no zone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import takewhile

from servers.desk.tables import Entry

__all__ = ("due", "upcoming")

_DAY = timedelta(days=1)
_SATURDAY = 5


def due(entry: Entry, after: datetime, until: datetime) -> tuple[datetime, ...]:
    """The times at which an entry comes back, later than `after` and not later than `until`, in order.

    Spans that follow on one another, each `after` the `until` before it, have each time once.
    """
    return tuple(takewhile(lambda time: time <= until, _times(entry, after)))


def upcoming(entry: Entry, after: datetime) -> datetime | None:
    """The first time later than `after`; None where there is none any more."""
    return next(_times(entry, after), None)


def _times(entry: Entry, after: datetime) -> Iterator[datetime]:
    """All times later than `after`, up to the end of the calendar."""
    if entry.repeat == "once":
        yield from [entry.due] if entry.due > after else []
        return
    step = 7 * _DAY if entry.repeat == "week" else _DAY
    passed = (after - entry.due) // step + 1 if after >= entry.due else 0
    try:
        time = entry.due + passed * step
        while True:
            if entry.repeat != "weekday" or time.weekday() < _SATURDAY:
                yield time
            time += step
    except OverflowError:
        return
