"""What time it is where: rows hold local times, everything is compared in UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from servers.calendar.tables import Event
from servers.kernel import Rejected, State, moment, zone

__all__ = (
    "FIRST",
    "LAST",
    "converted",
    "here",
    "home",
    "lasts",
    "local",
    "place",
    "skipped",
    "started",
    "stored",
    "utc",
    "within",
)

FIRST, LAST = date(1900, 1, 1), date(2199, 12, 31)
"""Days that a calendar has. Arithmetic with zones breaks at the ends of what Python calls a date."""

_LONGEST = 60 * 24 * 366


def home(state: State) -> str:
    """The time zone of the owner, by its IANA name."""
    return state.zone or "UTC"


def here(state: State, named: str | None = None) -> ZoneInfo:
    """The zone of that name, without one the owner's. Raises `Rejected`."""
    return zone(named or home(state))


def place(state: State, named: str) -> ZoneInfo:
    """The zone that a row names; the owner's where it names none, or none that exists."""
    try:
        return here(state, named)
    except Rejected:
        return here(state)


def utc(time: datetime, where: ZoneInfo) -> datetime:
    """A local time in UTC. One that summer time skips is as much later; of one that comes twice it is the first."""
    return time.replace(tzinfo=where).astimezone(UTC)


def local(time: datetime, where: ZoneInfo) -> datetime:
    """What a clock there shows."""
    return time.astimezone(where).replace(tzinfo=None)


def converted(time: datetime, where: ZoneInfo, *, whole: bool = False) -> datetime:
    """A start that an agent wrote, as a clock in that zone shows it.

    Raises `Rejected` outside of the calendar, for seconds, and for the second of two times that a clock shows alike,
    which rows cannot tell from the first; of `whole` days the time does not matter.
    """
    within(time.date(), "start")
    minute = time.replace(second=0, microsecond=0)
    if time != minute and not whole:
        raise Rejected(f"start: {time} is not a whole minute; write such as {minute:%Y-%m-%d %H:%M}.")
    time = minute
    if not time.tzinfo:
        return time
    shown = local(time, where).replace(fold=0)  # which rows do not keep
    if not whole and utc(shown, where) != time:
        raise Rejected(
            f"start: clocks in {where.key} show {shown:%Y-%m-%d %H:%M} twice, and this is the second time, which "
            "the calendar cannot keep there; give a zone whose clocks show it once, such as zone UTC."
        )
    return shown


def skipped(time: datetime, where: ZoneInfo) -> str:
    """What to say of a local time that clocks there skip when summer time begins; nothing for all others."""
    real = local(utc(time, where), where)
    return f"Clocks in {where.key} skip {time:%H:%M} on {time.date()}: it is at {real:%H:%M}." if real != time else ""


def within(day: date, argument: str) -> date:
    """Raises `Rejected` for a day that no calendar has."""
    if not FIRST <= day <= LAST:
        raise Rejected(f"{argument}: {day} is not between {FIRST} and {LAST}.")
    return day


@lru_cache(8_192)
def started(text: str) -> datetime | None:
    """The local start in a row; None where it is no time, or outside of the calendar."""
    found = moment(text)
    return found if found and FIRST - timedelta(days=1) <= found.date() <= LAST + timedelta(days=1) else None


def stored(time: datetime) -> str:
    """A local time as rows have it."""
    return f"{time:%Y-%m-%d %H:%M:%S}"


def lasts(event: Event | str) -> timedelta:
    """How long; nothing where a row says no number of minutes."""
    text = (event if isinstance(event, str) else event.duration).strip()
    minutes = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
    return timedelta(minutes=min(minutes, _LONGEST))
