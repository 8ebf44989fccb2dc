"""When several people have time: what is left of their hours once all that is known of them is taken away."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from pydantic import BaseModel

from servers.calendar.clashes import taken, taken_by
from servers.calendar.finding import Slot
from servers.calendar.tables import Calendar
from servers.calendar.times import here, place, utc
from servers.kernel import Page, Person, State

__all__ = ("FreeTime", "FreeTimes", "Hours", "free", "unknown", "zone_of")

_DAY = timedelta(days=1)
_QUARTER = 15


class FreeTime(BaseModel):
    """A time that everybody has, as long as it lasts. `there`: what whose clocks show in other zones."""

    day: str
    start: str
    end: str
    minutes: int
    there: list[str] | None = None


class FreeTimes(Page[FreeTime]):
    """A page of free times, and what they rest on."""

    days: str
    zone: str
    note: str | None = None


class Hours(BaseModel):
    """From when to when people meet, each on the clock where they are, and whether on Saturdays and Sundays."""

    earliest: time
    latest: time
    weekends: bool = False

    def hopeless(self, today: date, minutes: int, first: date, last: date) -> str:
        """Why nothing can be found on some days, whoever has time; nothing where something could be."""
        window = (_at(first, self.latest) - _at(first, self.earliest)) // timedelta(minutes=1)
        if last < today:
            return f"These days are past; today is {today}."
        if minutes > window:
            return (
                f"{minutes} minutes do not fit between {self.earliest:%H:%M} and {self.latest:%H:%M}; give less, or "
                "another earliest or latest."
            )
        if not self.weekends and all((first + day * _DAY).weekday() > 4 for day in range((last - first).days + 1)):
            return "These days are a weekend, which weekends=true includes."
        return ""


def free(
    state: State, people: Sequence[Person], hours: Hours, minutes: int, first: date, last: date
) -> list[tuple[datetime, datetime]]:
    """Times in UTC that everybody has, the owner included, from now on; soonest first."""
    home = here(state)
    soonest = utc(_quarter(state.now), home)
    low, high = utc(_at(first - _DAY, time()), home), utc(_at(last + 2 * _DAY, time()), home)
    blocked = taken(state, low, high)
    for person in people:
        blocked += taken_by(state, person.address, low, high)
    zones = [home, *(zone_of(state, person) or home for person in people)]
    found = []
    for start, end in _shared(hours, dict.fromkeys(zones), first, last, home):
        found += [
            (begin, until)
            for begin, until in _left(max(start, soonest), end, blocked)
            if until - begin >= timedelta(minutes=minutes)
        ]
    return sorted(found)


def zone_of(state: State, person: Person) -> ZoneInfo | None:
    """Where somebody is, as far as a calendar of theirs says."""
    named = [each.zone for each in state.find(Calendar, "lower(owner) = lower(?)", [person.address]) if each.zone]
    return place(state, named[0]) if named else None


def unknown(state: State, people: Sequence[Person]) -> list[str]:
    """Of whom nothing is known but what stands in the owner's calendars."""
    told = {each.lower() for (each,) in state.query("SELECT owner FROM calendars UNION SELECT person FROM busy")}
    return [each.address for each in people if each.address.lower() not in told]


def _shared(
    hours: Hours, zones: Sequence[ZoneInfo] | dict[ZoneInfo, None], first: date, last: date, home: ZoneInfo
) -> list[tuple[datetime, datetime]]:
    """Working hours that all zones have at once, on days of the owner's."""
    low, high = utc(_at(first, time()), home), utc(_at(last + _DAY, time()), home)
    shared = [(low, high)]
    for zone in zones:
        own = []
        day = first - 2 * _DAY
        while day <= last + 2 * _DAY:
            if hours.weekends or day.weekday() < 5:
                own.append((utc(_at(day, hours.earliest), zone), utc(_at(day, hours.latest), zone)))
            day += _DAY
        shared = [
            (max(start, begin), min(end, until))
            for start, end in shared
            for begin, until in own
            if max(start, begin) < min(end, until)
        ]
    return shared


def _left(start: datetime, end: datetime, blocked: Sequence[Slot]) -> list[tuple[datetime, datetime]]:
    """What is left of a time."""
    found = []
    for one in sorted(each for each in blocked if each.start < end and each.end > start):
        if one.start > start:
            found.append((start, one.start))
        start = max(start, one.end)
    return [*found, (start, end)] if start < end else found


def _quarter(now: datetime) -> datetime:
    """The next full quarter of an hour."""
    left = -(now.minute % _QUARTER) % _QUARTER or (_QUARTER if now.second or now.microsecond else 0)
    return now.replace(second=0, microsecond=0) + timedelta(minutes=left)


def _at(day: date, clock: time) -> datetime:
    return datetime.combine(day, clock)
