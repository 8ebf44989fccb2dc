"""The rows of pi-Bench's table of tools that are about alarms and the time."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field

from servers.kernel import Clock, Day, NotFound, Page, Ref, Rejected, Skip, State, paged, to_minute, zone
from servers.phone.lines import mine
from servers.phone.pi import pi
from servers.phone.tables import WEEKDAYS, Alarm, Weekday

__all__ = ("rings",)

_LABEL, _MOST = 200, 100


AlarmId = Annotated[str, Ref(Alarm), Field(description="Id of an alarm (A2), from `view_alarm`.")]
At = Annotated[Clock, Field(description="Time of day, HH:MM.")]
Days = Annotated[list[Weekday], Field(description="Days of the week on which it rings; empty for once.")]
Once = Annotated[Day | None, Field(description="The one day on which it rings, as YYYY-MM-DD.")]
Snooze = Annotated[int, Field(ge=0, le=60, description="Minutes after which it rings again; 0 for none.")]


class Now(BaseModel):
    """What the phone's clock shows."""

    date: str
    weekday: str
    time: str
    zone: str


class Ringing(BaseModel):
    """An alarm, and when it rings next; without a next time, never."""

    id: str
    time: str
    label: str | None
    days: list[Weekday] | None
    day: str | None
    on: bool
    snooze: int
    next: str | None
    note: str | None


@pi.reads
def get_date_and_time(state: State) -> Now:
    """Show the date and the time on the phone. No login is needed."""
    now = state.now
    return Now(date=f"{now:%Y-%m-%d}", weekday=WEEKDAYS[now.weekday()], time=f"{now:%H:%M}", zone=state.zone or "UTC")


@pi.reads
def view_alarm(
    state: State,
    alarm_id: Annotated[
        str | None,
        Ref(Alarm),
        Field(description="Id of an alarm (A2), as `view_alarm` and `create_alarm` return it; leave out for all."),
    ] = None,
    skip: Skip = 0,
) -> Ringing | Page[Ringing]:
    """Show an alarm, or all of them by time of day."""
    line = mine(state)
    if alarm_id is not None:
        return _shown(state, _own(state, alarm_id))
    found = sorted(state.find(Alarm, "username = ?", [line.username]), key=lambda each: (each.time, each.id))
    page = paged(found, skip, lambda each: _shown(state, each))
    return Page[Ringing](**vars(page))


@pi.writes
def create_alarm(
    state: State,
    at: At,
    label: Annotated[str, Field(max_length=_LABEL, description="What it is for.")] = "",
    days: Days = [],  # noqa: B006
    day: Once = None,
    snooze: Snooze = 10,
) -> Ringing:
    """Set an alarm: on days of the week, on one day, or, with neither, the next time that clocks show `at`."""
    line = mine(state)
    if len(state.find(Alarm, "username = ?", [line.username])) >= _MOST:
        raise Rejected(f"The phone has {_MOST} alarms, which is as many as it takes; change one with `update_alarm`.")
    made = Alarm(username=line.username, time=f"{at:%H:%M}", label=label, days=_in_order(days), day=day, snooze=snooze)
    return _shown(state, state.add(_checked(state, made)))


@pi.writes(destructive=True, idempotent=True)
def update_alarm(
    state: State,
    alarm_id: AlarmId,
    at: Annotated[At | None, Field(description="New time of day, HH:MM.")] = None,
    label: Annotated[str | None, Field(max_length=_LABEL, description="What it is for now; empty for nothing.")] = None,
    days: Annotated[list[Weekday] | None, Field(description="New days of the week; empty for once.")] = None,
    day: Annotated[Day | None, Field(description="The one day on which it rings now, in place of others.")] = None,
    on: Annotated[bool | None, Field(description="Whether it rings at all.")] = None,
    snooze: Annotated[int | None, Field(ge=0, le=60, description="New minutes of snooze; 0 for none.")] = None,
) -> Ringing:
    """Change an alarm, or switch it on or off. What is left out stays as it is."""
    alarm = _own(state, alarm_id)
    given = {"time": at and f"{at:%H:%M}", "label": label, "on": on, "snooze": snooze}
    changes: dict[str, object] = {name: value for name, value in given.items() if value is not None}
    if days is not None:
        changes["days"] = _in_order(days)
        if days or alarm.days:  # with neither, it rings once as before, on the day that it has
            changes["day"] = None
    if day is not None:
        changes |= {"day": day, "days": changes.get("days", [])}
    if not changes:
        raise Rejected("Nothing to change; give a new time, label, days, day, snooze, or on.")
    return _shown(state, state.save(_checked(state, alarm.model_copy(update=changes))))


def rings(alarm: Alarm, now: datetime) -> datetime | None:
    """When it rings next after now; None where it never does again."""
    if not alarm.on:
        return None
    clock = time.fromisoformat(alarm.time)
    if alarm.day is not None:
        at = datetime.combine(alarm.day, clock)
        return at if at > now else None
    soon = (datetime.combine(now.date() + timedelta(days=ahead), clock) for ahead in range(8))
    return next((at for at in soon if at > now and (not alarm.days or WEEKDAYS[at.weekday()] in alarm.days)), None)


def _real(at: datetime, where: ZoneInfo) -> datetime:
    """The time that clocks there show then: later than what is said, where they skip that when summer time begins."""
    return at.replace(tzinfo=where).astimezone(UTC).astimezone(where).replace(tzinfo=None)


def _checked(state: State, alarm: Alarm) -> Alarm:
    """The alarm as it may be kept, with the day on which it rings next if it is on without any. Raises `Rejected`."""
    if alarm.days and alarm.day:
        raise Rejected("An alarm rings on days of the week or on one day: give days or day, not both.")
    if not alarm.on:
        return alarm
    at = rings(alarm, state.now)
    if at is None:
        raise Rejected(f"{alarm.day} {alarm.time} is not later than now, {state.now:%Y-%m-%d %H:%M}.")
    return alarm if alarm.days else alarm.model_copy(update={"day": at.date()})


def _own(state: State, id: str) -> Alarm:
    line = mine(state)
    alarm = state.get(Alarm, id)
    if alarm.username != line.username:
        raise NotFound("alarm", id)
    return alarm


def _in_order(days: list[Weekday]) -> list[Weekday]:
    return [each for each in WEEKDAYS if each in days]


def _shown(state: State, alarm: Alarm) -> Ringing:
    at = rings(alarm, state.now)
    real = at and _real(at, zone(state.zone))
    skipped = f"Clocks skip {at:%H:%M} on {at.date()}: it rings at {real:%H:%M}." if at and real != at else None
    return Ringing(
        id=alarm.id,
        time=alarm.time,
        label=alarm.label or None,
        days=alarm.days or None,
        day=alarm.day.isoformat() if alarm.day else None,
        on=alarm.on,
        snooze=alarm.snooze,
        next=to_minute(real) if real else None,
        note=skipped,
    )
