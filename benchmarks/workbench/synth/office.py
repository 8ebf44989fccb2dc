"""A world as outcome functions read it: plain rows, and the few questions that several of them ask.

Nothing here runs or imports an app, so that expected outcomes do not come from the code under test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any

from benchmarks.workbench.synth.names import BOARDS, PRODUCTS
from servers.kernel import World

__all__ = ("CLOSES", "METRICS", "OPENS", "REACH", "Office", "Rows", "first_gap", "is_overdue")

OPENS, CLOSES = time(9), time(18)
"""Meetings lie within these hours, Monday to Friday."""

REACH = 120
"""Days back that requests are about."""

METRICS: Mapping[str, str] = {
    "total_visits": "total visits",
    "session_duration_seconds": "average session duration",
    "user_engaged": "engaged users",
    "visits_direct": "direct visits",
    "visits_referral": "referral visits",
    "visits_search_engine": "search engine visits",
    "visits_social_media": "social media visits",
}
"""What `create_plot` takes, and what people call it."""


class Rows(list[Mapping[str, Any]]):
    """Rows that stay as they are, and are asked again and again for those with some values."""

    def having(self, fields: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """Those that have these values, in their order: looked for among those with the rarest, and remembered."""
        asked = tuple(fields.items())
        if asked not in self._found:
            few = min((self._index(field).get(value, ()) for field, value in asked), key=len, default=self)
            self._found[asked] = [row for row in few if all(row[field] == value for field, value in asked)]
        return self._found[asked]

    def _index(self, field: str) -> Mapping[Any, Sequence[Mapping[str, Any]]]:
        if field not in self._indexes:
            index = self._indexes[field] = {}
            for row in self:
                index.setdefault(row[field], []).append(row)
        return self._indexes[field]

    @cached_property
    def _found(self) -> dict[tuple[tuple[str, Any], ...], list[Mapping[str, Any]]]:
        return {}

    @cached_property
    def _indexes(self) -> dict[str, dict[Any, list[Mapping[str, Any]]]]:
        return {}


@dataclass(frozen=True, eq=False)
class Office:
    """Rows of one world by app, as they are before a task starts.

    Only what a request can mean: what is not older than `REACH`, mails from colleagues, tasks on the boards, customers
    for our products. At scale 1 that is everything. The rest of a scaled world (years past, the archive, other
    senders and product lines) is there to be searched through, and would cost outcome functions their time.
    """

    world: World

    @property
    def today(self) -> date:
        return self.world.now.date()

    @cached_property
    def mails(self) -> Rows:
        """Mails from colleagues, oldest first."""
        first, colleagues = self.ago(REACH), set(self.people.values())
        rows = self.world.rows["gmail"]["emails"]
        return Rows(row for row in rows if row["sent_datetime"] >= first and row["address"] in colleagues)

    @cached_property
    def events(self) -> Rows:
        """Meetings, earliest first."""
        first = self.ago(REACH)
        return Rows(row for row in self.world.rows["calendar"]["events"] if row["event_start"] >= first)

    @cached_property
    def tasks(self) -> Rows:
        return Rows(row for row in self.world.rows["projects"]["tasks"] if row["board"] in BOARDS)

    @cached_property
    def customers(self) -> Rows:
        return Rows(row for row in self.world.rows["crm"]["customers"] if row["product_interest"] in PRODUCTS)

    @cached_property
    def people(self) -> Mapping[str, str]:
        """First name in lower case -> address, in the directory's order."""
        rows = self.world.rows["directory"]["people"]
        return {row["email_address"].partition(".")[0]: row["email_address"] for row in rows}

    @cached_property
    def staff(self) -> Sequence[str]:
        """First names of those who have project tasks; only they can be given one."""
        busy = {row["assigned_to_email"] for row in self.tasks}
        return [name for name, address in self.people.items() if address in busy]

    @cached_property
    def sales(self) -> Sequence[str]:
        """First names of those who look after customers."""
        busy = {row["assigned_to_email"] for row in self.customers}
        return [name for name, address in self.people.items() if address in busy]

    @cached_property
    def daily(self) -> Mapping[str, Mapping[str, float]]:
        """Metric -> day -> value, for every day that had visits."""
        first = self.ago(REACH)
        days: dict[str, list[Mapping[str, Any]]] = {}
        for visit in self.world.rows["analytics"]["visits"]:
            if visit["date_of_visit"] < first:
                continue
            days.setdefault(visit["date_of_visit"], []).append(visit)
        found: dict[str, dict[str, float]] = {metric: {} for metric in METRICS}
        for day, visits in days.items():
            found["total_visits"][day] = len(visits)
            found["user_engaged"][day] = sum(visit["user_engaged"] for visit in visits)
            seconds = sum(visit["session_duration_seconds"] for visit in visits)
            found["session_duration_seconds"][day] = seconds / len(visits)
            for source in ("direct", "referral", "search engine", "social media"):
                hits = sum(visit["traffic_source"] == source for visit in visits)
                found[f"visits_{source.replace(' ', '_')}"][day] = hits
        return found

    @cached_property
    def by_day(self) -> Mapping[date, Sequence[Mapping[str, Any]]]:
        """Events by the day they are on."""
        days: dict[date, list[Mapping[str, Any]]] = {}
        for event in self.events:
            days.setdefault(date.fromisoformat(event["event_start"][:10]), []).append(event)
        return days

    def ago(self, days: int) -> str:
        """The date so many days before today."""
        return str(self.today - timedelta(days=days))

    def workdays(self, count: int) -> list[str]:
        """The next working days, from tomorrow."""
        days = (self.today + timedelta(days=n) for n in range(1, 2 * count + 5))
        return [str(day) for day in days if day.weekday() < 5][:count]

    def first_slot(self, minutes: int) -> str:
        """Start of the first free stretch of that length within working hours, from tomorrow."""
        if minutes not in self._first_slots:
            day = self.today + timedelta(days=1)
            while day.weekday() >= 5 or not (start := first_gap(day, self.by_day.get(day, ()), minutes)):
                day += timedelta(days=1)
            self._first_slots[minutes] = str(start)
        return self._first_slots[minutes]

    def since(self, metric: str, first: str) -> Mapping[str, float]:
        """A website figure by day, from `first` up to yesterday, for days that had visits."""
        asked = metric, first
        if asked not in self._since:
            self._since[asked] = {day: figure for day, figure in self.daily[metric].items() if day >= first}
        return self._since[asked]

    @cached_property
    def _first_slots(self) -> dict[int, str]:
        return {}

    @cached_property
    def _since(self) -> dict[tuple[str, str], dict[str, float]]:
        return {}


def first_gap(day: date, events: Sequence[Mapping[str, Any]], minutes: int) -> datetime | None:
    """Start of the first stretch of that length on the day that no event touches, None if there is none."""
    length = timedelta(minutes=minutes)
    begins = [(datetime.fromisoformat(event["event_start"]), int(event["duration"])) for event in events]
    start = datetime.combine(day, OPENS)
    for begin, lasts in sorted(begins):
        if begin - start >= length:
            break
        start = max(start, begin + timedelta(minutes=lasts))
    return start if start + length <= datetime.combine(day, CLOSES) else None


def is_overdue(task: Mapping[str, Any], today: date) -> bool:
    """Due before today and not completed."""
    return bool(task["due_date"] < str(today)) and task["list_name"] != "Completed"
