"""What tools show of calendars and events."""

from __future__ import annotations

from datetime import timedelta
from itertools import islice
from typing import Any, Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel

from servers.calendar.finding import Slot, Target, coming, slot
from servers.calendar.people import invited
from servers.calendar.tables import Event
from servers.calendar.times import home, lasts, local, started
from servers.kernel import Page, State, few, snippet

__all__ = ("CalendarItem", "EventItem", "Events", "Guest", "Whole", "item", "span", "whole")

_COMING, _LISTED, _TEXT = 3, 20, 15_000
_ONE = "one of a series"


class CalendarItem(BaseModel):
    """A calendar. `owner` is a colleague who shares it; the user's own have none."""

    id: str
    name: str
    zone: str
    colour: str | None = None
    owner: str | None = None


class Guest(BaseModel):
    """Somebody who is invited. Without a response nobody knows of one."""

    address: str
    name: str | None = None
    response: str | None = None
    optional: Literal[True] | None = None


class EventItem(BaseModel):
    """An event in a list. `there` is its start in its own zone, where that is another."""

    id: str
    title: str
    day: str | None = None
    start: str
    end: str | None = None
    there: str | None = None
    people: list[str] | None = None
    location: str | None = None
    calendar: str | None = None
    repeats: str | None = None
    response: str | None = None
    status: str | None = None
    organizer: str | None = None
    description: str | None = None


class Events(Page[EventItem]):
    """A page of events, and which days and zone it is about."""

    days: str
    zone: str


class Whole(EventItem):
    """An event with all that is known of it; `zone` is that of the times."""

    minutes: int | None = None
    all_day: Literal[True] | None = None
    free: Literal[True] | None = None
    guests: list[Guest] | None = None
    skipped: list[str] | None = None
    changed: list[str] | None = None
    coming: list[str] | None = None
    zone: str
    overlaps: list[str] | None = None
    note: str | None = None


def item(state: State, one: Slot, zone: ZoneInfo, *, detailed: bool = False) -> EventItem:
    """An event in a list."""
    event = state.get(Event, one.row)
    people = [each.address for each in invited(event)]
    found = EventItem(
        id=one.id,
        title=event.event_name,
        **_when(state, event, one, zone),
        people=(people if detailed else few(people, 5)) or None,
        location=event.location or None,
        calendar=event.calendar or None,
        repeats=_rule(event) or (_ONE if one.day else None),
        response=event.response or None,
        status=None if event.status == "confirmed" else event.status,
    )
    if not detailed:
        return found
    return found.model_copy(
        update={"organizer": event.organizer or None, "description": snippet(event.description, 300) or None}
    )


def whole(state: State, target: Target, zone: ZoneInfo, *, overlaps: list[str] | None = None, note: str = "") -> Whole:
    """Everything about an event, or about a series if no day of it is meant."""
    event, one = target.row, slot(state, target, seen=zone)
    listed = bool(event.attendees)
    found = Whole(
        id=target.id,
        title=event.event_name,
        **(_when(state, event, one, zone) if one else {"start": event.event_start}),
        location=event.location or None,
        calendar=event.calendar or None,
        repeats=_repeats(target),
        response=event.response or None,
        status=None if event.status == "confirmed" else event.status,
        organizer=event.organizer or None,
        description=_cut(event.description) or None,
        minutes=int(lasts(event).total_seconds()) // 60,
        all_day=True if event.all_day else None,
        free=True if event.free else None,
        guests=[
            Guest(
                address=each.address,
                name=each.name or None,
                response=each.response if listed else None,
                optional=True if each.optional else None,
            )
            for each in invited(event)
        ]
        or None,
        zone=zone.key,
        overlaps=overlaps or None,
        note=note or None,
    )
    if target.series is None or target.day:
        return found
    changed = state.find(Event, "series = ?", [event.id], order="original")
    return found.model_copy(
        update={
            "skipped": few([*map(str, sorted(event.skipped))], _LISTED) or None,
            "changed": few([f"{event.id}@{each.original}" for each in changed], _LISTED) or None,
            "coming": _coming(state, event) or None,
        }
    )


def span(one: Slot, zone: ZoneInfo) -> str:
    """From when to when, in words."""
    return f"{local(one.start, zone):%Y-%m-%d %H:%M} to {_until(one, zone)}"


def _when(state: State, event: Event, one: Slot, zone: ZoneInfo) -> dict[str, Any]:
    if event.all_day:
        start, end = (local(time, zone) for time in (one.start, one.end))
        last = (end - timedelta(days=1)).date()
        return {
            "day": f"{start:%a}",
            "start": str(start.date()),
            "end": str(last) if last > start.date() else None,
            "there": None,
        }
    start = local(one.start, zone)
    own = event.zone or home(state)
    there = None
    if own != zone.key and (begins := started(event.event_start)):
        day = one.day if event.recurrence and one.day else begins.date()
        there = f"{day} {begins:%H:%M} {own}"
    return {"day": f"{start:%a}", "start": f"{start:%Y-%m-%d %H:%M}", "end": _until(one, zone), "there": there}


def _cut(text: str) -> str:
    return text if len(text) <= _TEXT else f"{text[:_TEXT]} ... ({len(text) - _TEXT:,} more characters are not shown)"


def _until(one: Slot, zone: ZoneInfo) -> str:
    """When it ends, on the day on which it starts as a time of day alone."""
    start, end = local(one.start, zone), local(one.end, zone)
    if end.date() != start.date():
        return f"{end:%Y-%m-%d %H:%M}"
    return f"{end:%H:%M}" + (" (clocks go back)" if end - start < one.end - one.start else "")


def _rule(event: Event) -> str:
    return event.recurrence + (f";UNTIL={event.until:%Y%m%d}" if event.recurrence and event.until else "")


def _repeats(target: Target) -> str | None:
    rule = _rule(target.series or target.row)
    return f"{_ONE}: {rule}" if rule and target.day else rule or None


def _coming(state: State, event: Event) -> list[str]:
    """Ids of the next ones."""
    return [f"{event.id}@{day}" for day in islice(coming(state, event), _COMING)]
