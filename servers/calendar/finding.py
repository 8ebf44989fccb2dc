"""Where events are in time: series laid out in days, and ids taken apart.

`00000012@2026-03-30` is one of the series 00000012: the one whose day in the series is that, wherever it was moved.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from servers.calendar.rules import days, sequence
from servers.calendar.tables import Event
from servers.calendar.times import FIRST, LAST, here, lasts, local, place, started, stored, utc
from servers.kernel import NotFound, Rejected, State, day_of, quoted

__all__ = ("Slot", "Target", "coming", "located", "once", "overlapping", "slot", "slots")

_DAY = timedelta(days=1)
_ID = re.compile(r"[Ee]?0*([0-9]{1,8})")

_COLUMNS = "id, event_start, duration, zone, all_day, recurrence, until, skipped, series, original"


class Slot(NamedTuple):
    """An event in time, in UTC. `row` is the row that says what it is; `day` its day in a series, if it is of one."""

    start: datetime
    end: datetime
    id: str
    row: str
    day: date | None = None


class Target(NamedTuple):
    """What an id means: a single event, a series (`series` without `day`), or one of a series.

    `row` says what it is: for one that was changed on its own a row apart, else that of the series.
    """

    row: Event
    series: Event | None = None
    day: date | None = None

    @property
    def id(self) -> str:
        return f"{self.series.id}@{self.day}" if self.series and self.day else self.row.id


def slots(
    state: State,
    first: datetime,
    last: datetime,
    where: str = "true",
    params: Sequence[Any] = (),
    *,
    seen: ZoneInfo | None = None,
) -> list[Slot]:
    """Events that touch the time between two moments in UTC, each of a series apart; soonest first.

    `where` and `params` are further conditions on rows. All-day events are on the days of the zone that they are seen
    from, the owner's unless another one is given.
    """
    days_of = seen or here(state)
    begins_at = "TRY_CAST(event_start AS TIMESTAMP)"
    near = f"{begins_at} < ? AND ({begins_at} >= ? OR TRY_CAST(duration AS BIGINT) >= 1440)"
    low, high = (stored(time.replace(tzinfo=None)) for time in (first - 3 * _DAY, last + 3 * _DAY))
    rows = state.query(
        f"SELECT {_COLUMNS}, ({where}) FROM events "
        f"WHERE recurrence <> '' OR series <> '' OR ({near} AND ({where})) ORDER BY _ord",
        [*params, high, low, *params],
    )
    series = {row[0] for row in rows if row[5]}
    apart = {(row[8], row[9]) for row in rows if row[8] in series}
    found = []
    for id, start, duration, named, all_day, rule, until, skipped, of, original, fits in rows:
        begins = started(start)
        if begins is None or not fits:
            continue
        zone = days_of if all_day else place(state, named)
        taken = {*map(date.fromisoformat, json.loads(skipped))} if rule else set()
        on: list[date | None] = [None]
        if rule:
            length = lasts(duration) + _DAY
            bounds = max(first.date(), FIRST + 400 * _DAY) - length - _DAY, last.date() + _DAY
            on = [
                day for day in days(rule, begins.date(), until, *bounds) if day not in taken and (id, day) not in apart
            ]
        for day in on:
            begin = utc(datetime.combine(day, begins.time()) if day else begins, zone)
            end = _end(begin, duration, all_day, zone)
            if begin < last and (end > first or begin >= first):
                known = (of, original) in apart
                name = f"{id}@{day}" if day else f"{of}@{original}" if known else id
                found.append(Slot(begin, end, name, id, day or (original if known else None)))
    return sorted(found)


def once(found: Sequence[Slot]) -> list[Slot]:
    """The same with the first day alone of each series."""
    first: dict[str, Slot] = {}
    for one in found:
        first.setdefault(one.id.partition("@")[0] if one.day else one.id, one)
    return list(first.values())


def coming(state: State, series: Event) -> Iterator[date]:
    """The days of a series from today on, without those that were deleted from it."""
    start, today = started(series.event_start), state.now.date()
    every = sequence(series.recurrence, start.date(), series.until) if start else iter(())
    return (day for day in every if day >= today and day not in series.skipped)


def slot(state: State, target: Target, *, seen: ZoneInfo | None = None) -> Slot | None:
    """Where it is in time, of a series the first; None where its row says no time. As `slots` otherwise."""
    row = target.row
    begins = started(row.event_start)
    if begins is None:
        return None
    if row.recurrence:
        day = target.day or next((day for day in sequence(row.recurrence, begins.date(), row.until)), begins.date())
        begins = datetime.combine(day, begins.time())
    zone = (seen or here(state)) if row.all_day else place(state, row.zone)
    begin = utc(begins, zone)
    return Slot(begin, _end(begin, row.duration, row.all_day, zone), target.id, row.id, target.day)


def _end(begin: datetime, duration: str, all_day: bool, zone: ZoneInfo) -> datetime:
    """Days of an all-day event are those of the calendar, which may have 23 hours."""
    if not all_day:
        return begin + lasts(duration)
    return utc(local(begin, zone) + max(timedelta(days=lasts(duration).days), _DAY), zone)


def overlapping(one: Slot, other: Slot) -> bool:
    """Whether they share time, not a moment alone."""
    return one.start < other.end and other.start < one.end


def located(state: State, event_id: str) -> Target:
    """What an id means. Raises `NotFound`, and `Rejected` for a day that a series does not have."""
    name, _, text = event_id.partition("@")
    row = _row(state, name, event_id)
    if not text:
        if row.series and (series := _series(state, row.series)):
            return Target(row, series, row.original)
        return Target(row, row) if row.recurrence else Target(row)
    day = day_of(text)
    start = started(row.event_start)
    if day is None:
        raise Rejected(f"event_id: {quoted(event_id)} has no day behind the @; write it as {name}@2026-03-30.")
    if not row.recurrence or start is None:
        if start is None or start.date() != day:
            raise Rejected(f"event_id: event {row.id} does not repeat; give {row.id} alone.")
        return Target(row)
    changed = state.find(Event, "series = ? AND original = ?", [row.id, day])
    if changed:
        return Target(changed[0], row, day)
    low, high = max(day, FIRST + 400 * _DAY) - 366 * _DAY, min(day, LAST - 400 * _DAY) + 366 * _DAY
    near = [each for each in days(row.recurrence, start.date(), row.until, low, high) if each not in row.skipped]
    if day not in near:
        near = sorted(sorted(near, key=lambda each: abs(each - day))[:2])
        hint = f"; the nearest are {' and '.join(f'{row.id}@{each}' for each in near)}" if near else ""
        raise Rejected(f"event_id: event {row.id} is not on {day}{hint}.")
    return Target(row, row, day)


def _row(state: State, name: str, event_id: str) -> Event:
    """The row of that id; `12` and `E12` will do for 00000012."""
    number = _ID.fullmatch(name)
    for id in (name, Event.id_format.format(int(number[1])) if number else name):
        if row := state.there(Event, id):
            return row
    raise NotFound(Event.noun, event_id)


def _series(state: State, id: str) -> Event | None:
    found = state.there(Event, id)  # it may have been deleted alone, through a surface that knows no series
    return found if found and found.recurrence else None
