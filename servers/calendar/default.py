"""The surface for models at work and for people: calendars, invitations, series, time zones, free times."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import Field

from servers.calendar import people as who
from servers.calendar.clashes import clashes
from servers.calendar.finding import Target, located, once, slots
from servers.calendar.free import FreeTime, FreeTimes, Hours, free, unknown, zone_of
from servers.calendar.rules import EXAMPLE, LONGEST, NONE
from servers.calendar.series import Scope, Wish, altered, change, remove
from servers.calendar.shown import CalendarItem, Events, Whole, item, whole
from servers.calendar.tables import Calendar, Event, app
from servers.calendar.times import FIRST, LAST, here, home, local, place, skipped, started, utc, within
from servers.kernel import (
    Clock,
    Day,
    Minutes,
    Nobody,
    Ref,
    Rejected,
    Skip,
    State,
    When,
    Zone,
    paged,
    quoted,
    required,
)

__all__ = ("default",)

_YEAR = timedelta(days=365)
_NAME, _TITLE, _TEXT = 200, 1_000, 10_000

default = app.toolset(
    "default",
    "The calendar of {owner} ({address}). Begin with `find_events`, which shows upcoming events or "
    "those of other days. Times are in the user's time zone unless a tool is given another zone.",
    structured=False,
)


EventId = Annotated[
    str,
    Ref(Event),
    Field(description="Id, as returned by `find_events`; 00000012@2026-03-30 is one day of the series 00000012."),
]
CalendarId = Annotated[str | None, Ref(Calendar), Field(description="Id or name, as returned by `list_calendars`.")]
InZone = Annotated[Zone | None, Field(description="Show times in this zone, such as Asia/Tokyo.")]
EventZone = Annotated[Zone | None, Field(description="Time zone it follows, such as Asia/Tokyo.")]
Start = Annotated[
    When,
    Field(description="YYYY-MM-DD HH:MM in its zone; an offset or Z is converted. With all_day, YYYY-MM-DD will do."),
]
Which = Annotated[
    Scope,
    Field(description="For a series: this day, this and following days (which become a series of their own), or all."),
]
People = Annotated[list[str], Field(description="E-mail addresses, or names known here; 50 at most.")]
AllDay = Annotated[bool | None, Field(description="Whole days, of 1440 minutes each.")]
Free = Annotated[bool | None, Field(description="True if it does not block time.")]


@default.reads
def list_calendars(state: State) -> list[CalendarItem]:
    """List the user's calendars and those that colleagues share."""
    return [_calendar(state, each) for each in who.calendars(state)]


@default.writes
def create_calendar(
    state: State,
    name: Annotated[str, Field(max_length=_NAME, description="A new name.")],
    zone: Annotated[Zone | None, Field(description="Zone of its events, such as Asia/Tokyo.")] = None,
    colour: Annotated[str, Field(max_length=_NAME, description="Name of a colour.")] = "",
) -> CalendarItem:
    """Create a calendar for events that the user keeps apart, such as those of a project."""
    required(name=name.strip())
    if same := [each for each in who.calendars(state) if each.name.casefold() == name.strip().casefold()]:
        raise Rejected(f"name: there is a calendar of that name, {same[0].id}.")
    return _calendar(state, state.add(Calendar(name=name.strip(), zone=_named(state, zone), colour=colour)))


@default.reads
def find_events(
    state: State,
    query: Annotated[str, Field(description="Words that all occur in title, place, description or people.")] = "",
    person: Annotated[str | None, Field(description="Name or address of somebody taking part.")] = None,
    after: Annotated[
        Day | None,
        Field(
            description="First day, YYYY-MM-DD. Leave out for today; with `before` in the past, for a year up to it."
        ),
    ] = None,
    before: Annotated[Day | None, Field(description="Last day, inclusive. Leave out for a year of events.")] = None,
    calendar: CalendarId = None,
    zone: InZone = None,
    skip: Skip = 0,
    detail: Annotated[
        Literal["concise", "detailed"], Field(description="detailed adds descriptions and organizers.")
    ] = "concise",
) -> Events:
    """Find events by words, person, days and calendar; soonest first.

    With `before`, each day of a series is listed; otherwise only its first day. Without `calendar`, searches all of
    the user's own.
    """
    where = here(state, zone)
    first, last = _days(state, after, before, where)
    has, words = who.words(query)
    conditions, params = [has], list[Any](words)
    own = who.mine(state)
    among = own if calendar is None else [_column(who.calendar(state, calendar))]
    if person:
        address = who.anybody(state, person, "person").address
        if address.lower() != who.owner(state) or among[0] not in own:  # whose calendar it is takes part, named or not
            part, about = who.takes_part(address)
            conditions, params = [*conditions, part], [*params, *about]
    conditions.append(f"calendar IN ({', '.join('?' * len(among))})")
    low, high = (utc(datetime.combine(day, time()), where) for day in (first, last + timedelta(days=1)))
    found = slots(state, low, high, " AND ".join(conditions), [*params, *among], seen=where)
    if before is None:
        found = once(found)
    page = paged(found, skip, lambda one: item(state, one, where, detailed=detail == "detailed"))
    return Events(**dict(page), days=f"{first} to {last}", zone=where.key)


@default.reads
def get_event(state: State, event_id: EventId, zone: InZone = None) -> Whole:
    """Show one event in full, with its description and people's responses.

    The id of a series shows its first day, its rule, which days were changed or deleted, and the next ones.
    """
    return whole(state, located(state, event_id), here(state, zone))


@default.writes
def create_event(
    state: State,
    title: Annotated[str, Field(max_length=_TITLE, description="Title.")],
    start: Start,
    minutes: Annotated[Minutes | None, Field(description="Length. Leave out for 30, or one whole day.")] = None,
    people: People = [],  # noqa: B006
    location: Annotated[str, Field(max_length=_TITLE, description="Where.")] = "",
    description: Annotated[str, Field(max_length=_TEXT, description="What it is about.")] = "",
    repeats: Annotated[str | None, Field(max_length=LONGEST, description=f"RRULE, such as {EXAMPLE}.")] = None,
    all_day: AllDay = None,
    zone: EventZone = None,
    calendar: CalendarId = None,
    free: Free = None,
) -> Whole:
    """Create an event or a series, with the people who are invited. They are listed but not notified.

    `overlaps` in the result names what it clashes with; it is created anyway.
    """
    required(title=title.strip())
    owned = _own(state, calendar)
    made = Event(
        event_name=title,
        participant_email="",
        event_start="",
        duration="30",
        calendar=_column(owned),
        location=location,
        description=description,
        organizer=who.owner(state),
        free=bool(free),
    )
    wish = Wish(
        start=_timed(start, whole=bool(all_day)),
        minutes=minutes,
        all_day=all_day,
        zone=zone or owned.zone or home(state),
        invite=who.guests(state, people, "people"),
    )
    row = state.add(altered(state, made, wish))
    target = Target(row)
    if repeats is not None:
        target, _ = change(state, target, "this", Wish(repeats=repeats))
    return _result(state, target)


@default.writes(destructive=True, idempotent=True)
def update_event(
    state: State,
    event_id: EventId,
    scope: Which = "this",
    title: Annotated[str | None, Field(max_length=_TITLE, description="New title.")] = None,
    start: Annotated[
        When | None,
        Field(description="New start of the day in the id, whatever the scope."),
    ] = None,
    minutes: Annotated[Minutes | None, Field(description="New length.")] = None,
    invite: People = [],  # noqa: B006
    uninvite: People = [],  # noqa: B006
    location: Annotated[str | None, Field(max_length=_TITLE, description="New place, or empty.")] = None,
    description: Annotated[str | None, Field(max_length=_TEXT, description="New description, or empty.")] = None,
    repeats: Annotated[
        str | None, Field(max_length=LONGEST, description=f"RRULE, such as {EXAMPLE}; {NONE} keeps only the first day.")
    ] = None,
    all_day: AllDay = None,
    zone: Annotated[Zone | None, Field(description="New zone; without `start`, the time on its clock stays.")] = None,
    calendar: CalendarId = None,
    free: Free = None,
) -> Whole:
    """Change only the given fields of an event. A new start keeps the length; guests are not notified.

    A change to a whole series also applies to days changed on their own; other days moved on their own keep their time.
    For the user's own response, use `respond_to_event`.
    """
    target = _writable(state, event_id)
    if title is not None:
        required(title=title.strip())
    given: dict[str, Any] = {"event_name": title, "location": location, "description": description, "free": free}
    if calendar is not None:
        given["calendar"] = _column(_own(state, calendar))
    wish = Wish(
        fields={name: value for name, value in given.items() if value is not None},
        start=_timed(start, whole=target.row.all_day if all_day is None else all_day),
        minutes=minutes,
        all_day=all_day,
        zone=zone,
        repeats=repeats,
        invite=who.guests(state, invite, "invite"),
        uninvite=_leaving(state, target, uninvite),
    )
    if not (wish.fields or wish.timed or wish.invite or wish.uninvite or repeats is not None):
        raise Rejected("Nothing is to change; give what is new, such as title or start.")
    return _result(state, *change(state, target, scope, wish))


@default.writes(destructive=True)
def delete_event(
    state: State,
    event_id: EventId,
    scope: Annotated[Scope, Field(description="For a series: this day, this and following days, or all.")] = "this",
) -> str:
    """Delete an event, or days of a series, for good. To decline an invitation, use `respond_to_event`."""
    return remove(state, _writable(state, event_id), scope)


@default.writes(idempotent=True)
def respond_to_event(
    state: State,
    event_id: EventId,
    response: Annotated[Literal["accepted", "declined", "tentative"], Field(description="The user's response.")],
    scope: Which = "this",
) -> Whole:
    """Respond to an invitation for the user; nobody is notified. A declined event stays but does not block time."""
    target = located(state, event_id)
    if target.row.organizer and target.row.organizer.lower() == who.owner(state):
        raise Rejected(f"Event {target.id} is the user's own; invitations are events of others.")
    return _result(state, *change(state, target, scope, Wish(fields={"response": response})))


@default.reads
def find_free_times(
    state: State,
    minutes: Annotated[Minutes, Field(description="Minimum length.")],
    people: People = [],  # noqa: B006
    after: Annotated[Day | None, Field(description="First day, YYYY-MM-DD. Leave out for today.")] = None,
    before: Annotated[Day | None, Field(description="Last day, inclusive. Leave out for a week.")] = None,
    earliest: Annotated[Clock, Field(description="Earliest start, HH:MM, in people's own time zones.")] = time(9),
    latest: Annotated[Clock, Field(description="Latest end, HH:MM, in people's own time zones.")] = time(17),
    weekends: Annotated[bool, Field(description="Include Saturdays and Sundays.")] = False,
    zone: InZone = None,
    skip: Skip = 0,
) -> FreeTimes:
    """Find times when the user and others are all free, soonest first; `note` says whose times are not fully known."""
    where = here(state, zone)
    first = max(within(after, "after"), FIRST + timedelta(days=3)) if after else state.now.date()
    last = min(within(before, "before"), LAST - timedelta(days=3)) if before else first + timedelta(days=6)
    if not timedelta(0) <= last - first <= timedelta(days=92):
        raise Rejected(f"before: {last} is not within three months after {first}.")
    if earliest >= latest:
        raise Rejected(f"latest: {latest:%H:%M} is not after {earliest:%H:%M}.")
    if len(people) > who.MOST:
        raise Rejected(f"people has {len(people)} people; it may have {who.MOST}.")
    known = who.known(state)
    asked = list(dict.fromkeys(who.anybody(state, text, "people", known) for text in people))
    asked = [person for person in asked if person.address != who.owner(state)]
    hours = Hours(earliest=earliest, latest=latest, weekends=weekends)
    zones: dict[ZoneInfo, list[str]] = {}
    for person in asked:
        zones.setdefault(zone_of(state, person) or here(state), []).append(person.name or person.address)

    def show(one: tuple[datetime, datetime]) -> FreeTime:
        start, end = (local(each, where) for each in one)
        return FreeTime(
            day=f"{start:%a}",
            start=f"{start:%Y-%m-%d %H:%M}",
            end=f"{end:%H:%M}" if end.date() == start.date() else f"{end:%Y-%m-%d %H:%M}",
            minutes=int((one[1] - one[0]).total_seconds()) // 60,
            there=[f"{_there(one, other)}: {', '.join(whose)}" for other, whose in zones.items() if other != where]
            or None,
        )

    found = free(state, asked, hours, minutes, first, last)
    page = paged(found, skip, show)
    said = ["" if found else hours.hopeless(state.now.date(), minutes, first, last)]
    said.append(_unknown(unknown(state, asked), {each.address for each in known}))
    days, note = f"{first} to {last}", " ".join(filter(None, said)) or None
    return FreeTimes(shown=page.shown, items=page.items, next=page.next, days=days, zone=where.key, note=note)


def _unknown(people: list[str], known: set[str]) -> str:
    """What is to be said of those of whom little is known, or nothing."""
    little, nothing = [each for each in people if each in known], [each for each in people if each not in known]
    said = [f"Of {', '.join(little)} only what is in the user's calendars is known."] if little else []
    said += [f"It is not known when {', '.join(nothing)} can come."] if nothing else []
    return " ".join(said)


def _there(one: tuple[datetime, datetime], zone: ZoneInfo) -> str:
    start, end = (local(each, zone) for each in one)
    return f"{start:%Y-%m-%d %H:%M} to {end:%H:%M} {zone.key}"


def _timed(start: date | None, *, whole: bool) -> datetime | None:
    """The start of an event. Raises `Rejected` for a day without a time of day, unless it is of whole days."""
    if start is None or isinstance(start, datetime):
        return start
    if not whole:
        raise Rejected(
            f"start: {start} has no time of day; write YYYY-MM-DD HH:MM, such as {start} 09:30, or give all_day=true "
            "for the whole day."
        )
    return datetime.combine(start, time())


def _days(state: State, after: date | None, before: date | None, zone: ZoneInfo) -> tuple[date, date]:
    """From which day to which. Raises `Rejected`."""
    today = local(utc(state.now, here(state)), zone).date()
    if after and before and before < after:
        raise Rejected(f"before: {before} is earlier than {after}, the first day.")
    first = after or (today if before is None or before >= today else before - min(_YEAR, before - date.min))
    last = before or first + min(_YEAR, date.max - first)
    first, last = max(first, FIRST), min(last, LAST)
    if last - first > 5 * _YEAR:
        raise Rejected(f"before: from {first} to {last} are more than five years; ask for fewer days.")
    return first, last


def _result(state: State, target: Target, note: str = "") -> Whole:
    zone = here(state)
    notes = [note, _skipped(state, target)]
    return whole(state, target, zone, overlaps=clashes(state, target, zone), note=" ".join(filter(None, notes)))


def _skipped(state: State, target: Target) -> str:
    """That clocks skip the time at which an event starts, where they do."""
    begins = started(target.row.event_start)
    if begins is None or target.row.all_day:
        return ""
    day = target.day if target.row.recurrence and target.day else begins.date()
    return skipped(datetime.combine(day, begins.time()), place(state, target.row.zone))


def _writable(state: State, event_id: str) -> Target:
    """An event in a calendar of the user's. Raises `NotFound`, and `Rejected` for a colleague's."""
    target = located(state, event_id)
    if target.row.calendar:
        _own(state, target.row.calendar)
    return target


def _own(state: State, text: str | None) -> Calendar:
    """A calendar that the user may write to. Raises `NotFound` and `Rejected`."""
    found = who.calendar(state, text or "main")
    if found.owner.lower() not in ("", who.owner(state)):
        raise Rejected(f"calendar: {found.id} is the calendar of {found.owner}, which the user can only read.")
    return found


def _leaving(state: State, target: Target, texts: list[str]) -> list[str]:
    """Addresses of people who are invited. Raises `Rejected` for others."""
    there = [each.address for each in who.invited(target.row)]
    among = [each for each in who.known(state) if each.address in there] if texts else []
    invited = f"Invited are {', '.join(there) or 'nobody'}."
    try:
        return [who.one(state, text, "uninvite", among).address for text in texts]
    except Nobody as error:
        raise Rejected(f"uninvite: {quoted(error.text)} is not invited. {invited}") from None
    except Rejected as error:
        raise Rejected(f"{error} {invited}") from None


def _column(calendar: Calendar) -> str:
    """The calendar's id as events have it."""
    return "" if calendar.id == "main" else calendar.id


def _named(state: State, zone: str | None) -> str:
    return "" if zone in (None, home(state)) else zone or ""


def _calendar(state: State, each: Calendar) -> CalendarItem:
    owned = each.owner and each.owner.lower() != who.owner(state)
    return CalendarItem(
        id=each.id,
        name=each.name,
        zone=each.zone or home(state),
        colour=each.colour or None,
        owner=each.owner if owned else None,
    )
