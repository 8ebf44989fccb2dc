"""What changes when an event does: alone, one of a series, one and all that follow, or all.

One of a series that is changed alone becomes a row of its own. A change from some day on ends the series on the day
before, and begins another one. Whatever changes for all reaches those that were changed alone, too; but one that was
moved alone stays at its own time, unless it is the one that was named: that one takes whatever is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Any, Literal
from zoneinfo import ZoneInfo

from servers.calendar.finding import Target, coming
from servers.calendar.people import invited
from servers.calendar.rules import NONE, before, counted, days, sequence, shifted, written
from servers.calendar.tables import Attendee, Event
from servers.calendar.times import converted, home, lasts, local, place, started, stored, utc, within
from servers.kernel import Rejected, State

__all__ = ("Scope", "Wish", "altered", "change", "remove")

Scope = Literal["this", "following", "all"]

_DAY = timedelta(days=1)


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What is to change: columns, and what follows from others. None, or nothing, leaves it as it is."""

    fields: dict[str, Any] = field(default_factory=dict)
    start: datetime | None = None
    minutes: int | None = None
    all_day: bool | None = None
    zone: str | None = None
    repeats: str | None = None
    invite: Sequence[Attendee] = ()
    uninvite: Sequence[str] = ()

    @property
    def timed(self) -> bool:
        return any(each is not None for each in (self.start, self.minutes, self.all_day, self.zone))

    @property
    def single(self) -> bool:
        """Whether it is not to repeat."""
        return self.repeats is not None and self.repeats.strip().lower() == NONE


def change(state: State, target: Target, scope: Scope, wish: Wish) -> tuple[Target, str]:
    """Make the change. Gives what there is now, and a note on what was lost by it. Raises `Rejected`."""
    if target.series is None:
        row = _repeating(state, altered(state, target.row, wish), wish)
        return Target(state.save(row), row if row.recurrence else None), ""
    day = _day(state, target, scope)
    if scope == "this" and day:
        if wish.repeats is not None:
            raise Rejected("repeats: one day of a series has no rule of its own; give scope following or all.")
        own = _apart(target.row, target.series, day)
        row = altered(state, own, wish)
        if row == own and not row.id:
            return target, ""
        return Target(state.save(row) if row.id else state.add(row), target.series, day), ""
    series = target.series
    if scope == "following" and day:
        series = _split(state, series, day)
    if wish.single:
        return _single(state, series, day, wish)
    return _all(state, series, day, wish)


def remove(state: State, target: Target, scope: Scope) -> str:
    """Delete it. Gives what is gone, in words. Raises `Rejected`."""
    title = target.row.event_name
    if target.series is None:
        state.delete(target.row)
        return f"{target.id} ({title}) is deleted."
    series, day = target.series, _day(state, target, scope)
    start = started(series.event_start)
    if scope == "all" or day is None or start is None:
        apart = _changed(state, series)
        for row in (*apart, series):
            state.delete(row)
        return f"The series {series.id} ({title}) is deleted, with all its days."
    if scope == "this":
        for row in _changed(state, series):
            if row.original == day:
                state.delete(row)
        _keep(state, series.model_copy(update={"skipped": sorted({*series.skipped, day})}))
        return f"{target.id} ({title}) is deleted; the other days of the series stay."
    for row in _changed(state, series):
        if row.original and row.original >= day:
            state.delete(row)
    ended = {"until": day - _DAY, "recurrence": counted(series.recurrence, None)}
    _keep(state, series.model_copy(update={**ended, "skipped": [each for each in series.skipped if each < day]}))
    return f"The series {series.id} ({title}) ends before {day}; the days before stay."


def altered(state: State, event: Event, wish: Wish) -> Event:
    """The event as the wish has it, its rule apart. Raises `Rejected`."""
    return _placed(state, _peopled(event.model_copy(update=wish.fields), wish), wish)


def _repeating(state: State, event: Event, wish: Wish) -> Event:
    if wish.repeats is None or wish.single:
        return event
    start = started(event.event_start)
    if start is None:
        raise Rejected(f"repeats: {event.event_start!r}, when it starts, is not a time; give start too.")
    rule, until = written(wish.repeats, start, place(state, event.zone))
    return event.model_copy(update={"recurrence": rule, "until": until})


def _day(state: State, target: Target, scope: Scope) -> date | None:
    """The day that is meant, where the scope needs one."""
    if target.series and target.day is None and scope != "all":
        start = started(target.row.event_start)
        day = next(coming(state, target.series), start.date() if start else date(2026, 3, 30))
        raise Rejected(
            f"scope: event {target.series.id} repeats; give the id of one day of it, such as {target.series.id}@{day}, "
            "or scope all."
        )
    return target.day


def _apart(row: Event, series: Event, day: date) -> Event:
    """One of a series as a row of its own, as it is now; without an id where it is none yet."""
    start = started(series.event_start)
    if row.series or start is None:
        return row
    own: dict[str, Any] = {"recurrence": "", "until": None, "skipped": [], "series": series.id, "original": day}
    return row.model_copy(update={"id": "", "event_start": stored(datetime.combine(day, start.time())), **own})


def _split(state: State, series: Event, day: date) -> Event:
    """Begin another series on a day, and end this one on the day before. The series itself if it begins there."""
    start = started(series.event_start)
    gone = before(series.recurrence, start.date(), day) if start else 0
    if start is None or not gone:
        return series
    new = state.add(
        series.model_copy(
            update={
                "id": "",
                "event_start": stored(datetime.combine(day, start.time())),
                "recurrence": counted(series.recurrence, gone),
                "skipped": [each for each in series.skipped if each >= day],
            }
        )
    )
    for row in _changed(state, series):
        if row.original and row.original >= day:
            state.save(row.model_copy(update={"series": new.id}))
    ended = {"until": day - _DAY, "recurrence": counted(series.recurrence, None)}
    _keep(state, series.model_copy(update={**ended, "skipped": [each for each in series.skipped if each < day]}))
    return new


def _all(state: State, series: Event, day: date | None, wish: Wish) -> tuple[Target, str]:
    """Change a whole series; a new start is that of the day named: all move as many days, to that time of day."""
    start = started(series.event_start)
    if start is None:
        row = state.save(_repeating(state, altered(state, series, wish), wish))
        return Target(row, row), ""
    apart = _changed(state, series)
    named = next((own for own in apart if day and own.original == day), None)
    day = day or start.date()
    there = series.model_copy(update={"event_start": stored(datetime.combine(day, start.time()))})
    row = altered(state, there, _of_others(state, there, named, wish) if named else wish)
    begins = started(row.event_start) or start
    shift = begins.date() - day
    first = datetime.combine(within(start.date() + shift, "start"), begins.time())
    rule, until, zone = series.recurrence, series.until, place(state, row.zone)
    if wish.repeats is not None:
        rule, until = written(wish.repeats, first, zone)
    elif shift:
        rule, _ = written(shifted(rule, shift.days), first, zone)
        until = until and until + shift
    update = {"event_start": stored(first), "recurrence": rule, "until": until}
    other = wish.repeats is not None or bool(shift)

    def stays(each: date) -> bool:
        return not other or each in days(rule, first.date(), until, each, each)

    skipped = [each + shift for each in series.skipped if stays(each + shift)]
    row = state.save(row.model_copy(update={**update, "skipped": skipped}))
    lost, notes = 0, []
    for own in apart:
        original = (own.original or day) + shift
        if not stays(original):
            state.delete(own)
            lost += 1
            continue
        new = altered(state, own, wish) if own is named else _follows(own, series, row, wish)
        state.save(new.model_copy(update={"original": original}))
        if own is named and wish.start and new.event_start != stored(datetime.combine(original, begins.time())):
            notes.append(
                f"The start shown is that of the first day by the rule; {row.id}@{original}, which stands on its own, "
                "has the one given."
            )
    notes += [f"{lost} that had been changed alone are on no day of the new rule, and gone."] if lost else []
    return Target(row, row), " ".join(notes)


def _single(state: State, series: Event, day: date | None, wish: Wish) -> tuple[Target, str]:
    """End the repetition: the first day that is left stays, under the id of the series, and takes what is given."""
    start = started(series.event_start)
    every = sequence(series.recurrence, start.date(), series.until) if start else iter(())
    first = next((each for each in every if each not in series.skipped), None)
    if wish.start and day and day != first:
        raise Rejected(f"start: only the first day, {series.id}@{first}, stays; give its id.")
    kept = _apart(series, series, first) if first else series
    for own in _changed(state, series):
        if first and own.original == first:
            kept = own
        state.delete(own)
    alone: dict[str, Any] = {"recurrence": "", "until": None, "skipped": [], "series": "", "original": None}
    row = altered(state, kept.model_copy(update={"id": series.id, **alone}), wish)
    return Target(state.save(row)), "It does not repeat any more; the days after it are gone."


def _of_others(state: State, there: Event, named: Event, wish: Wish) -> Wish:
    """The wish for the day named, which stands on its own, as its series takes it.

    A new start is as many days from the day of the series, `there`, as it is from where the one named stands.
    """
    new = altered(state, named, wish)
    old, stands, begins = (started(each.event_start) for each in (there, named, new))
    if wish.start is None or old is None or stands is None or begins is None:
        return wish
    whole = there.all_day if wish.all_day is None else wish.all_day
    if not (named.all_day or there.all_day):
        stands = _seen(stands, place(state, named.zone), place(state, there.zone))
    if not (new.all_day or whole):
        begins = _seen(begins, place(state, new.zone), place(state, there.zone if wish.zone is None else wish.zone))
    clock = old if new.all_day and not whole else begins
    return replace(wish, start=datetime.combine(old.date() + (begins.date() - stands.date()), clock.time()))


def _seen(time: datetime, where: ZoneInfo, there: ZoneInfo) -> datetime:
    """What a clock there shows at a local time; the same zone leaves a time that it skips as it is."""
    return time if where == there else local(utc(time, where), there)


def _follows(own: Event, before: Event, after: Event, wish: Wish) -> Event:
    """One that was changed alone, once its series has changed."""
    start, begins = started(before.event_start), started(after.event_start)
    new = _peopled(own.model_copy(update=wish.fields), wish)
    if not wish.timed or start is None or begins is None or own.original is None:
        return new
    shift = begins.date() - start.date()
    unmoved = stored(datetime.combine(own.original, start.time())) == own.event_start and own.zone == before.zone
    if unmoved and own.all_day == before.all_day:
        time = stored(datetime.combine(own.original + shift, begins.time()))
        new = new.model_copy(update={"event_start": time, "zone": after.zone, "all_day": after.all_day})
    if own.duration == before.duration and new.all_day == after.all_day:
        new = new.model_copy(update={"duration": after.duration})
    return new


def _changed(state: State, series: Event) -> list[Event]:
    """Those of a series that were changed alone."""
    return state.find(Event, "series = ?", [series.id])


def _keep(state: State, series: Event) -> None:
    """Save a series, or delete it if none of its days is left."""
    start = started(series.event_start)
    every = sequence(series.recurrence, start.date(), series.until) if start else iter(())
    left = [day for day in islice(every, len(series.skipped) + 1) if day not in series.skipped]
    if left:
        state.save(series)
    else:
        state.delete(series)


def _peopled(event: Event, wish: Wish) -> Event:
    if not wish.invite and not wish.uninvite:
        return event
    if both := {each.address for each in wish.invite}.intersection(each.lower() for each in wish.uninvite):
        raise Rejected(f"{', '.join(sorted(both))} is in invite and in uninvite; say which.")
    there = [each for each in invited(event) if each.address not in wish.uninvite]
    known = {each.address for each in there}
    there += [each for each in wish.invite if each.address not in known]
    first = there[0].address if there else ""
    # Of one who is known by address alone the row says all without a list, as every other surface leaves it.
    listed = [] if there == [Attendee(address=first)] else there
    return event.model_copy(update={"attendees": listed, "participant_email": first})


def _placed(state: State, event: Event, wish: Wish) -> Event:
    """The event at its new time. Times without an offset are those of its zone."""
    if not wish.timed:
        return event
    zone = event.zone if wish.zone is None else "" if wish.zone == home(state) else wish.zone
    all_day = event.all_day if wish.all_day is None else wish.all_day
    if event.all_day and not all_day and (wish.start is None or wish.minutes is None):
        raise Rejected("all_day: give start, such as 2026-03-12 09:30, and minutes too.")
    start = converted(wish.start, place(state, zone), whole=all_day) if wish.start else started(event.event_start)
    minutes = wish.minutes or (1440 if all_day and not event.all_day else int(lasts(event).total_seconds()) // 60)
    if all_day and minutes % 1440:
        raise Rejected("minutes: an all-day event lasts whole days; write 1440 for one, 2880 for two.")
    if start and all_day:
        start = datetime.combine(start.date(), datetime.min.time())
    return event.model_copy(
        update={
            "event_start": stored(start) if start else event.event_start,
            "duration": str(minutes) if wish.minutes or all_day != event.all_day else event.duration,
            "zone": "" if all_day else zone,
            "all_day": all_day,
        }
    )
