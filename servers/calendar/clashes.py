"""What an event falls together with: other events of the owner, and what is known of those who are invited."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from servers.calendar.finding import Slot, Target, overlapping, slot, slots
from servers.calendar.people import invited, mine, takes_part
from servers.calendar.shown import span
from servers.calendar.tables import Busy, Calendar, Event
from servers.calendar.times import LAST, here, utc
from servers.kernel import State, few

__all__ = ("busy", "clashes", "taken", "taken_by")

_NAMED = 5
_AHEAD = timedelta(days=92)
"""How far ahead a series is compared with others."""


def clashes(state: State, target: Target, zone: ZoneInfo) -> list[str]:
    """What the event overlaps, of a series within the next three months; the first few by name."""
    first = slot(state, target)
    event = target.row
    if first is None or event.free or event.status == "cancelled":
        return []
    own = [first]
    if target.series and not target.day:
        since = max(first.start, utc(state.now, here(state)))
        own = slots(state, since, since + _AHEAD, "id = ? OR series = ?", [event.id, event.id])
    if not own or own[0].start.date() > LAST - _AHEAD:
        return []
    start, end = own[0].start, max(one.end for one in own)
    ours = {one.id for one in own}
    found = [
        (other.start, f"{state.get(Event, other.row).event_name} ({other.id}), {span(other, zone)}")
        for other in (taken(state, start, end) if event.calendar in mine(state) else [])
        if other.id not in ours and any(overlapping(one, other) for one in own)
    ]
    found += [
        (other.start, f"{state.get(Busy, other.row).person} is busy {span(other, zone)}")
        for other in busy(state, [each.address for each in invited(event)], start, end)
        if any(overlapping(one, other) for one in own)
    ]
    return few([text for _, text in sorted(found)], _NAMED)


def taken(state: State, first: datetime, last: datetime) -> list[Slot]:
    """When the owner has something on."""
    marks = ", ".join("?" * len(own := mine(state)))
    where = f"NOT free AND status <> 'cancelled' AND response <> 'declined' AND calendar IN ({marks})"
    return slots(state, first, last, where, own)


def taken_by(state: State, address: str, first: datetime, last: datetime) -> list[Slot]:
    """When somebody else has something on, as far as events here and their busy times tell."""
    shared = [each.id for each in state.find(Calendar, "lower(owner) = lower(?)", [address])]
    part, params = takes_part(address)
    marks = ", ".join("?" * len(shared)) or "NULL"
    where = f"NOT free AND status <> 'cancelled' AND ({part} OR calendar IN ({marks}))"
    found = slots(state, first, last, where, [*params, *shared])
    return [one for one in found if not _declined(state.get(Event, one.row), address)] + busy(
        state, [address], first, last
    )


def busy(state: State, people: Sequence[str], first: datetime, last: datetime) -> list[Slot]:
    """Busy times of people that are rows of their own."""
    marks = ", ".join("?" * len(people)) or "NULL"
    rows: Iterable[Busy] = state.find(Busy, f"lower(person) IN ({marks})", [each.lower() for each in people])
    zone = here(state)
    found = []
    for row in rows:
        if not 1900 < row.start.year < 2199:
            continue
        start = utc(row.start, zone).astimezone(UTC)
        one = Slot(start, start + timedelta(minutes=min(max(row.minutes, 0), 60 * 24 * 366)), row.id, row.id)
        if one.start < last and one.end > first:
            found.append(one)
    return found


def _declined(event: Event, address: str) -> bool:
    answers = [each.response for each in invited(event) if each.address == address]
    return "declined" in answers and event.organizer.lower() != address
