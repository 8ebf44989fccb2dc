"""How the reference programs find things: through tools alone, within the tools' limits; `rows` is its twin."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import date, datetime, timedelta
from typing import Any

from benchmarks.workbench.synth.office import first_gap
from harness.agents.reference import GiveUp, Worker

__all__ = (
    "AT_MOST", "Found", "address", "ago", "coming", "customer", "customers", "daily", "events", "first_slot",
    "latest_mail", "mails", "on_day", "tasks", "yesterday",
)  # fmt: skip

AT_MOST = 5
"""Searches in mail, calendar and CRM give this many results and leave out the rest."""

Found = list[dict[str, Any]]


async def address(worker: Worker, name: str) -> str:
    """The one address that the name finds. Raises `GiveUp` when there are none or several."""
    found = await worker.call("directory", "find_email_address", name=name)
    if len(found) != 1:
        raise GiveUp(f"The directory has {len(found)} addresses for {name!r}, not one.")
    return str(found[0])


async def every(search: Callable[[int, int], Awaitable[Found]], first: int, last: int) -> Found:
    """All results between two whole numbers (days, minutes), by halving whatever a search cuts short."""
    found = await search(first, last)
    if len(found) < AT_MOST:
        return found
    if first == last:
        raise GiveUp(f"A search gives {AT_MOST} results for the narrowest window there is, and may hide more.")
    middle = (first + last) // 2
    return [*await every(search, first, middle), *await every(search, middle + 1, last)]


def ago(worker: Worker, days: int) -> str:
    return str(worker.now.date() - timedelta(days=days))


def yesterday(worker: Worker) -> str:
    return ago(worker, 1)


async def mails(worker: Worker, query: str, days: int) -> Found:
    """Inbox mails of the days before today that match the query, newest first."""
    today = worker.now.date().toordinal()

    async def search(first: int, last: int) -> Found:
        dates = {"date_min": str(date.fromordinal(first)), "date_max": str(date.fromordinal(last))}
        found: Found = await worker.call("gmail", "search_emails", query=query, **dates)
        return found

    found = [mail for mail in await every(search, today - days, today - 1) if mail["inbox/outbox"] == "inbox"]
    return sorted(found, key=lambda mail: str(mail["sent_datetime"]), reverse=True)


async def latest_mail(worker: Worker, query: str, *, subject: str = "", sender: str = "") -> dict[str, Any]:
    """The newest inbox mail with that subject, from that sender, as far as given. Raises `GiveUp` if there is none.

    Searches newest first; results that merely mention the words push the window back.
    """
    until = worker.now.date()
    while True:
        found: Found = await worker.call("gmail", "search_emails", query=query, date_max=str(until))
        for mail in found:
            about = not subject or mail["subject"].casefold() == subject.casefold()
            if about and mail["inbox/outbox"] == "inbox" and sender in ("", mail["sender/recipient"]):
                return mail
        if len(found) < AT_MOST:
            which = f"{f' about {subject!r}' if subject else ''}{f' from {sender}' if sender else ''}"
            raise GiveUp(f"There is no mail{which}.")
        oldest = date.fromisoformat(found[-1]["sent_datetime"][:10])
        until = min(oldest, until - timedelta(days=1))


async def events(worker: Worker, query: str, first: datetime, last: datetime) -> Found:
    """Events that match and start in [first, last), in order."""
    minutes = int((last - first).total_seconds()) // 60 - 1

    async def search(low: int, high: int) -> Found:
        begin, end = first + timedelta(minutes=low), first + timedelta(minutes=high)
        window = {"time_min": str(begin), "time_max": str(end)}
        found: Found = await worker.call("calendar", "search_events", query=query, **window)
        return found

    unique = {event["event_id"]: event for event in await every(search, 0, minutes)}
    inside = [event for event in unique.values() if str(first) <= event["event_start"] < str(last)]
    return sorted(inside, key=lambda event: str(event["event_start"]))


async def coming(worker: Worker, field: str, value: str) -> Found:
    """Meetings of the year ahead that have that value, first one first."""
    found = await events(worker, value, worker.now, worker.now + timedelta(days=365))
    return [event for event in found if event[field].casefold() == value.casefold()]


async def on_day(worker: Worker, day: str) -> Found:
    """All events of a day, first one first."""
    midnight = datetime.fromisoformat(day)
    return await events(worker, "", midnight, midnight + timedelta(days=1))


async def first_slot(worker: Worker, minutes: int) -> str:
    """Start of the first free stretch of that length within working hours, from tomorrow."""
    day = worker.now.date()
    while True:
        day += timedelta(days=1)
        if day.weekday() < 5 and (start := first_gap(day, await on_day(worker, str(day)), minutes)):
            return str(start)


async def daily(worker: Worker, metric: str, first: str) -> dict[str, float]:
    """A website figure by day, from `first` up to yesterday."""
    window = {"time_min": first, "time_max": yesterday(worker)}
    tool = {
        "total_visits": "total_visits_count",
        "user_engaged": "engaged_users_count",
        "session_duration_seconds": "get_average_session_duration",
    }.get(metric, "traffic_source_count")
    source = metric.removeprefix("visits_").replace("_", " ")
    extra = {"traffic_source": source} if tool == "traffic_source_count" else {}
    found: dict[str, float] = await worker.call("analytics", tool, **window, **extra)
    return found


async def tasks(worker: Worker, assignee: str, **terms: str) -> Found:
    """Project tasks of somebody; this search has no limit."""
    found: Found = await worker.call("projects", "search_tasks", assigned_to_email=assignee, **terms)
    return found


async def customers(worker: Worker, last: date, **terms: str) -> Found:
    """Customers that match and were last contacted within the year up to `last`."""

    async def search(low: int, high: int) -> Found:
        first, last = str(date.fromordinal(low)), str(date.fromordinal(high))
        window = {"last_contact_date_min": first, "last_contact_date_max": last}
        found: Found = await worker.call("crm", "search_customers", **terms, **window)
        return found

    return await every(search, last.toordinal() - 365, last.toordinal())


async def customer(worker: Worker, name: str) -> dict[str, Any]:
    """The one customer of that name. Raises `GiveUp` when there are none or several."""
    found: Found = await worker.call("crm", "search_customers", customer_name=name)
    rows = [row for row in found if row["customer_name"].casefold() == name.casefold()]
    if len(rows) != 1:
        raise GiveUp(f"The CRM has {len(rows)} customers called {name!r}, not one.")
    return rows[0]
