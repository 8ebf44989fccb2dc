"""How events repeat: RRULE of RFC 5545, in whole days. The time of day is that of the event.

What is taken is what people say of meetings: every so many days, weeks, months or years, on days of the week, on the
second Tuesday or the last weekday of a month, on days of the month, so often or until a day. Rules that could never
match again, which a library would look for until the year 9999, cannot be written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from itertools import takewhile
from zoneinfo import ZoneInfo

from dateutil.rrule import rrule, rrulestr

from servers.calendar.times import LAST, local
from servers.kernel import Rejected, moment

__all__ = ("EXAMPLE", "LONGEST", "NONE", "before", "counted", "days", "sequence", "shifted", "written")

EXAMPLE = "FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20260630"
NONE = "none"
"""What is written in place of a rule for an event that is not to repeat."""

LONGEST = 1_000
"""Characters of a rule: one that names every day that it can needs half as many."""

_WEEK = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_NUMBER = r"[1-9][0-9]{0,2}"
_FORMS: Mapping[str, str] = {
    "FREQ": "DAILY|WEEKLY|MONTHLY|YEARLY",
    "INTERVAL": _NUMBER,
    "COUNT": _NUMBER,
    "BYMONTH": r"(?:1[0-2]|[1-9])",
    "BYDAY": rf"(?:[+-]?[1-5])?(?:{'|'.join(_WEEK)})(?:,(?:[+-]?[1-5])?(?:{'|'.join(_WEEK)}))*",
    "BYMONTHDAY": r"-?(?:3[01]|[12][0-9]|[1-9])(?:,-?(?:3[01]|[12][0-9]|[1-9]))*",
    "BYSETPOS": r"-?[1-5]",
    "WKST": "|".join(_WEEK),
}
"""The parts that a rule may have, in the order they are kept in. UNTIL is kept apart."""

_RIGHT: Mapping[str, str] = {
    "FREQ": "DAILY, WEEKLY, MONTHLY or YEARLY",
    "INTERVAL": "a number from 1 to 999",
    "COUNT": "a number from 1 to 999",
    "BYMONTH": "one month from 1 to 12",
    "BYDAY": "days such as MO,WE, or 2TU and -1FR of a month",
    "BYMONTHDAY": "days such as 1,15, or -1 for the last",
    "BYSETPOS": "a number from 1 to 5, or -1 to -5 from the end",
    "WKST": "a day such as MO",
}
"""What each takes, in words."""

_BY = ("BYMONTH", "BYDAY", "BYMONTHDAY", "BYSETPOS", "WKST")
_TAKES: Mapping[str, tuple[str, ...]] = {
    "DAILY": ("BYDAY",),
    "WEEKLY": ("BYDAY", "WKST"),
    "MONTHLY": ("BYDAY", "BYMONTHDAY", "BYSETPOS"),
    "YEARLY": _BY[:4],
}


def written(text: str, start: datetime, where: ZoneInfo) -> tuple[str, date | None]:
    """The rule as rows have it, and its last day, of an event that starts at that local time.

    Parts that say what the start says already are left out, so that a series can be moved. Raises `Rejected` for what
    is no rule, and for one that leaves out the day of the start.
    """
    parts = _parts(text)
    until = _until(parts.pop("UNTIL", ""), start, where)
    if until and "COUNT" in parts:
        raise _wrong("COUNT and UNTIL do not go together")
    if until and until < start.date():
        raise _wrong(f"it ends on {until}, before it starts on {start.date()}")
    kept = _joined(parts)
    first = next(sequence(kept, start.date(), None), None)
    if first != start.date():
        hint = f"start it on {first}" if first else "there is no such day"
        raise _wrong(f"{kept} leaves out {start:%A} {start.date()}, when it starts; {hint}")
    return _joined(_plain(parts, start.date())), until


def sequence(rule: str, start: date, until: date | None) -> Iterator[date]:
    """The days of a series, from the first on. Of a rule that is none, the start alone."""
    found = _rule(rule, start)
    last = min(until or LAST, LAST)
    if found is None:
        return iter([start] if start <= last else [])
    return takewhile(lambda day: day <= last, (time.date() for time in found))


def days(rule: str, start: date, until: date | None, first: date, last: date) -> list[date]:
    """The days of a series between two days, both included."""
    skip = _step(rule)
    if skip and first > start:  # whole steps ahead the series is the same, so that old ones cost no more than new ones
        start += (first - start) // skip * skip
    last = min(last, until or LAST, LAST)
    found = _rule(rule, start)
    if found is None:
        return [start] if first <= start <= last else []
    return [each.date() for each in found.between(_midnight(first), _midnight(last), inc=True)] if first <= last else []


def before(rule: str, start: date, day: date) -> int:
    """How many days of the series come before one."""
    return sum(1 for _ in takewhile(lambda each: each < day, sequence(rule, start, None)))


def counted(rule: str, gone: int | None) -> str:
    """The rule for what is left of a series of a certain number after so many days; None takes the number out."""
    parts = _parts(rule)
    if "COUNT" in parts:
        parts["COUNT"] = "" if gone is None else str(int(parts["COUNT"]) - gone)
    return _joined(parts)


def shifted(rule: str, by: int) -> str:
    """The rule of a series that begins so many days later: its days of the week move along."""
    parts = _parts(rule)
    if parts["FREQ"] == "WEEKLY" and "BYDAY" in parts:
        moved = sorted((_WEEK.index(day) + by) % 7 for day in parts["BYDAY"].split(","))
        parts["BYDAY"] = ",".join(_WEEK[day] for day in moved)
    return _joined(parts)


def _parts(text: str) -> dict[str, str]:
    given = "".join(text.upper().split()).removeprefix("RRULE:").rstrip(";")
    parts: dict[str, str] = {}
    for part in given.split(";"):
        name, _, value = part.partition("=")
        if name in parts:
            raise _wrong(f"{name} stands twice")
        if name in ("BYHOUR", "BYMINUTE", "BYSECOND"):
            raise _wrong(f"{name} is not taken, since `start` says the time of day")
        if name != "UNTIL" and name not in _FORMS:
            raise _wrong(
                f"{name or text!r} is not a part of a rule that can be used here; there are {', '.join(_FORMS)}, UNTIL"
            )
        if name != "UNTIL" and not re.fullmatch(_FORMS[name], value):
            raise _wrong(f"{name}={value} is not right; {name} takes {_RIGHT[name]}")
        parts[name] = value
    if "FREQ" not in parts:
        raise _wrong("FREQ is missing")
    _fitting(parts)
    return parts


def _fitting(parts: Mapping[str, str]) -> None:
    """Whether parts go together."""
    often = parts["FREQ"]
    for name in _BY:
        if name in parts and name not in _TAKES[often]:
            raise _wrong(f"{name} does not go with FREQ={often}")
    nth = bool(re.search("[0-9]", parts.get("BYDAY", "")))
    if nth and often in ("DAILY", "WEEKLY"):
        raise _wrong(f"BYDAY={parts['BYDAY']} does not go with FREQ={often}: a month has a second Tuesday")
    if often == "DAILY" and "BYDAY" in parts and parts.get("INTERVAL", "1") != "1":
        raise _wrong("BYDAY does not go with FREQ=DAILY and an INTERVAL; say FREQ=WEEKLY")
    if "BYDAY" in parts and "BYMONTHDAY" in parts:
        raise _wrong("BYDAY and BYMONTHDAY do not go together")
    if often == "YEARLY" and {"BYDAY", "BYMONTHDAY"} & parts.keys() and "BYMONTH" not in parts:
        raise _wrong("FREQ=YEARLY with days needs BYMONTH")
    if "BYMONTH" in parts and "BYMONTHDAY" in parts:
        most = _LENGTHS[int(parts["BYMONTH"]) - 1]
        if any(abs(int(day)) > most for day in parts["BYMONTHDAY"].split(",")):
            raise _wrong(f"BYMONTHDAY={parts['BYMONTHDAY']} is not a day of month {parts['BYMONTH']}")
    if "BYSETPOS" in parts and (nth or "BYDAY" not in parts):
        raise _wrong("BYSETPOS needs BYDAY with days of the week alone")


def _plain(parts: Mapping[str, str], start: date) -> dict[str, str]:
    """Without what the start says already."""
    said = {"INTERVAL": "1", "WKST": "MO"}
    match parts["FREQ"]:
        case "WEEKLY":
            said["BYDAY"] = _WEEK[start.weekday()]
        case "MONTHLY":
            said["BYMONTHDAY"] = str(start.day)
        case "YEARLY" if "BYDAY" not in parts:
            said |= {"BYMONTH": str(start.month), "BYMONTHDAY": str(start.day)}
            if parts.get("BYMONTHDAY", said["BYMONTHDAY"]) != said["BYMONTHDAY"]:
                del said["BYMONTH"]
    return {name: value for name, value in parts.items() if said.get(name) != value}


def _until(text: str, start: datetime, where: ZoneInfo) -> date | None:
    """The last day; of a moment in UTC the day it is there, or the one before if the event starts later in the day."""
    if not text:
        return None
    found = re.fullmatch(r"(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)(Z?))?", text)
    year, month, day, hour, minute, second, utc = found.groups() if found else [""] * 7
    when = moment(f"{year}-{month}-{day} {hour or '23'}:{minute or '59'}:{second or '59'}")
    if when is None or not start.year <= when.year < LAST.year:
        raise _wrong(f"UNTIL={text} is not a day between {start.date()} and {LAST}")
    if utc:
        when = local(when.replace(tzinfo=ZoneInfo("UTC")), where)
    return when.date() if when.time() >= start.time() else when.date() - timedelta(days=1)


@lru_cache(1_024)
def _step(rule: str) -> timedelta:
    """After how long such a rule is where it was; nothing where that differs, or days are counted."""
    try:
        parts = _parts(rule)
    except Rejected:
        return timedelta()
    every = {"DAILY": 1, "WEEKLY": 7}.get(parts["FREQ"], 0)
    return timedelta(days=every * int(parts.get("INTERVAL", "1")) * ("COUNT" not in parts))


@lru_cache(1_024)
def _rule(text: str, start: date) -> rrule | None:
    try:
        parts = _parts(text)
    except Rejected:
        return None
    found = rrulestr(_joined(parts), dtstart=_midnight(start), ignoretz=True)
    return found if isinstance(found, rrule) else None


def _joined(parts: Mapping[str, str]) -> str:
    return ";".join(f"{name}={parts[name]}" for name in _FORMS if parts.get(name))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time())


def _wrong(why: str) -> Rejected:
    return Rejected(
        f"repeats: {why}. Write an RRULE, such as {EXAMPLE} or FREQ=MONTHLY;BYDAY=2TU;COUNT=6, "
        f"or {NONE} for a single event."
    )
