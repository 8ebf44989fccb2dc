"""When a task comes back: a closed part of what people say, in the words that Todoist knows.

    every day, every 3 days, every week, every other month, every year
    every weekday, every Monday, every Tuesday and Friday, every other Tuesday, every 3 weeks on Monday
    every month on the 15th, every 3 months on the last day

`every!` in place of `every` counts from the day on which the task is completed, not from the day on which it was due.
A day of the month that is too short for it is its last day.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from dateutil.relativedelta import relativedelta

from servers.kernel import Rejected, ordinal, quoted

__all__ = ("Recurrence", "recurrence")

_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WORKING: Final = frozenset(range(5))
_LAST: Final = 31
_MOST: Final = 999
"""The highest count that can be said."""
_PLAIN: Final[Mapping[str, str]] = {
    "daily": "every day",
    "weekly": "every week",
    "monthly": "every month",
    "yearly": "every year",
}
_NAMES: Final = r"[a-z]+(?:(?:, and |, ?| and )[a-z]+)*"
_SAID = re.compile(
    r"every(?P<done>!?) (?:"
    r"(?:(?P<count>other|\d{1,3}) )?(?P<unit>day|week|month|year)s?(?: on the (?P<on>\d{1,2}(?:st|nd|rd|th)|last day))?"
    rf"|(?:(?P<weeks>other|\d{{1,3}}) )?weeks? on (?P<weekly>{_NAMES})"
    rf"|(?P<second>other )?(?P<days>{_NAMES})"
    r"|(?P<only>\d{1,2}(?:st|nd|rd|th)|last day)"
    r")"
)


@dataclass(frozen=True, kw_only=True)
class Recurrence:
    """Every so many units, or weekdays of every so many weeks (0 is Monday), or a day of the month (31 is the last)."""

    count: int = 1
    unit: str = "day"
    weekdays: frozenset[int] = frozenset()
    on: int | None = None
    from_done: bool = False

    def __str__(self) -> str:
        every = "every!" if self.from_done else "every"
        if self.weekdays == _WORKING and self.count == 1:
            return f"{every} weekday"
        if self.weekdays:
            days = ", ".join(_DAYS[day] for day in sorted(self.weekdays))
            return f"{every} {days}" if self.count == 1 else f"{every} {self.count} weeks on {days}"
        units = self.unit if self.count == 1 else f"{self.count} {self.unit}s"
        return f"{every} {units}" + (f" on the {_ordinal(self.on)}" if self.on else "")

    def first(self, start: date) -> date:
        """The first day that fits, not before `start`. Raises `Rejected` where the calendar ends."""
        return self._on(start) if self.weekdays or self.on else start

    def after(self, due: date, today: date) -> date:
        """The next day once the task that was due is done: after `today`, and after `due` if that is yet to come.

        Weeks and months that are left out are counted from when it was due, with `every!` from when it is done. Raises
        `Rejected` where the calendar ends.
        """
        since = today if self.from_done else due
        passed = max(due, today) if self.weekdays or self.on else max(since, today)
        try:
            if self.weekdays:
                return self._on(passed + timedelta(days=1), since - timedelta(days=since.weekday()))
            if self.unit in ("day", "week"):
                step = self.count * (7 if self.unit == "week" else 1)
                return since + timedelta(days=((passed - since).days // step + 1) * step)
            step = self.count * (12 if self.unit == "year" else 1)
            steps = ((passed.year - since.year) * 12 + passed.month - since.month) // step
            found = since + relativedelta(months=steps * step, day=self.on)
            return found if found > passed else since + relativedelta(months=(steps + 1) * step, day=self.on)
        except (OverflowError, ValueError):
            raise Rejected(f"There is no next day for {str(self)!r} before the year 10000.") from None

    def kept(self, due: date, found: date) -> Recurrence:
        """The rule by which what was due then, and now is on the day `found`, goes on.

        Every month from the 31st stays on the 31st, though a shorter month had it on its last day; every year from 29
        February goes on as every 12 months on the 29th.
        """
        months = self.count * {"month": 1, "year": 12}.get(self.unit, 0)
        clipped = 0 < months <= _MOST and not self.on and not self.from_done and found.day < due.day
        return replace(self, count=months, unit="month", on=due.day) if clipped else self

    def _on(self, start: date, week: date | None = None) -> date:
        """The first day from `start` on that fits, in that week or so many weeks later as the rule says."""
        try:
            if self.weekdays:
                days = (start + timedelta(days=ahead) for ahead in range(7 * self.count))
                return next(
                    day
                    for day in days
                    if day.weekday() in self.weekdays and (not week or (day - week).days // 7 % self.count == 0)
                )
            found = start + relativedelta(day=self.on)
            return found if found >= start else start + relativedelta(months=1, day=self.on)
        except (OverflowError, ValueError):
            raise Rejected(f"There is no day for {str(self)!r} before the year 10000.") from None


def recurrence(text: str, argument: str = "recurrence") -> Recurrence:
    """What a text says. Raises `Rejected`, naming the argument, with examples."""
    plain = " ".join(text.lower().split())
    said = _SAID.fullmatch(_PLAIN.get(plain, plain))
    found = said and _read(said)
    if not found:
        raise Rejected(
            f"{argument}: {quoted(text)} is not understood; write such as 'every day', 'every 3 days', 'every "
            "weekday', 'every Monday, Thursday', 'every 2 weeks on Monday', 'every month on the 15th', 'every month on "
            "the last day' or 'every year'; with 'every!' it counts from the day of completion. A time of the day goes "
            "with the due day."
        )
    return found


def _read(said: re.Match[str]) -> Recurrence | None:
    done = bool(said["done"])
    names = said["days"] or said["weekly"]
    if names:
        weeks = _count(said["weeks"] or (said["second"] or "").strip())
        days = _weekdays(names)
        plain = names == "weekday" and (weeks > 1 or said["weekly"])
        return Recurrence(count=weeks, weekdays=days, from_done=done) if days and weeks and not plain else None
    day = said["on"] or said["only"]
    on = _LAST if day == "last day" else int(day[:-2]) if day else None
    unit = said["unit"] or "month"
    count = _count(said["count"])
    if not count or (on is not None and (not 1 <= on <= _LAST or unit != "month")):
        return None
    return Recurrence(count=count, unit=unit, on=on, from_done=done)


def _count(said: str | None) -> int:
    return 2 if said == "other" else int(said or 1)


def _weekdays(text: str) -> frozenset[int] | None:
    if text == "weekday":
        return _WORKING
    found = set()
    for word in re.split(r", and |, ?| and ", text):
        fits = [number for number, day in enumerate(_DAYS) if len(word) >= 3 and day.lower().startswith(word)]
        if not fits:
            return None
        found.add(fits[0])
    return frozenset(found)


def _ordinal(day: int | None) -> str:
    return "last day" if day is None or day == _LAST else ordinal(day)
