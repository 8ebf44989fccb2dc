"""Rules about the calendar."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from benchmarks.office.check.office import Office, Problem, Row
from benchmarks.office.ledger import DAY, Meeting, day_of
from benchmarks.office.stage import weekday

__all__ = (
    "busy_times_are_of_colleagues",
    "days_of",
    "invitations_are_answered_by_whoever_could",
    "meetings_are_when_they_were_set",
    "rooms_hold_one_meeting",
)

_ROOM = re.compile(r"\broom\b|^Kitchen$|^Chamber$|^Hall$", re.IGNORECASE)


def _pairs(office: Office) -> Iterator[tuple[Row, Meeting]]:
    meetings = sorted(office.so_far(Meeting), key=lambda each: each.starts)
    return zip(office.rows("calendar", "events"), meetings, strict=False)


def meetings_are_when_they_were_set(office: Office) -> Iterator[Problem]:
    """Each meeting is at its time, on a working day, with people that there are, and moved from a day of its series."""
    rows = office.rows("calendar", "events")
    if len(rows) != len(office.so_far(Meeting)):
        yield Problem("rows", "calendar.events", f"has {len(rows)} rows and not {len(office.so_far(Meeting))}")
    starts = {row["id"]: date.fromisoformat(row["event_start"][:10]) for row in rows}
    for row, meeting in _pairs(office):
        where, day = f"calendar {row['id']}", starts[row["id"]]
        if row["event_start"] != office.texts.stamp(meeting.starts):
            yield Problem("moments", where, f"begins at {office.texts.stamp(meeting.starts)}")
        if row["duration"] != str(meeting.minutes):
            yield Problem("moments", where, f"takes {meeting.minutes} minutes")
        yield from office.said(where, f"{row['event_name']}\n{row['description']}", meeting)
        if day.weekday() > 4 and not row["all_day"]:
            yield Problem("weekdays", where, "lies on a weekend")
        days = [date.fromisoformat(each) for each in row["skipped"]]
        if row.get("series"):
            days, day = [date.fromisoformat(row["original"])], starts.get(row["series"], day)
        if any((each - day) % timedelta(days=7) for each in days):
            yield Problem("weekdays", where, "leaves out or moves a day that its series does not have")
        if row["until"] and date.fromisoformat(row["until"]) < day:
            yield Problem("order", where, "is over before it begins")


def invitations_are_answered_by_whoever_could(office: Office) -> Iterator[Problem]:
    """Who calls a meeting is there that day; who accepts is not on leave, and has worked since they were asked."""
    for row, meeting in _pairs(office):
        where, day = f"calendar {row['id']}", office.day(row["event_start"])
        caller = office.people.get(row["organizer"])
        if caller is None:
            yield Problem("people", where, f"{row['organizer']} is nobody")
        elif not row["all_day"] and not row["recurrence"] and not caller.works(day):
            yield Problem("leave", where, f"{caller.key} called it and is not there that day")
        if office.at(row["event_start"]) < meeting.at:
            yield Problem("order", where, "begins before anybody was invited")
        for asked in row["attendees"]:
            person = office.people.get(asked["address"])
            if person is None:
                yield Problem("people", where, f"{asked['address']} is nobody")
                continue
            if person.left is not None and day > person.left:
                yield Problem("leave", where, f"{person.key} has left by then")
            single = not row["all_day"] and not row["recurrence"]
            if asked["response"] == "accepted" and single and not person.works(day):
                yield Problem("leave", where, f"{person.key} accepted and is on leave that day")
            answered = asked["response"] != "needs action" and asked["address"] != row["organizer"]
            until = min(day, 0)
            if answered and not any(person.works(each) for each in range(min(day_of(meeting.at), until), until + 1)):
                yield Problem("order", where, f"{person.key} answered before they can have seen it")


def rooms_hold_one_meeting(office: Office) -> Iterator[Problem]:
    """No room has two meetings at once, series and their moved days counted, or one while the house is closed."""
    closed = {int(fact.at(0)) for id, fact in office.ledger.facts.items() if id.endswith(".closed")}
    moved = {(row["series"], row["original"]) for row in office.rows("calendar", "events") if row.get("series")}
    taken: dict[tuple[str, int], list[tuple[int, int, str]]] = {}
    for row in office.rows("calendar", "events"):
        if row["all_day"] or not _ROOM.search(row["location"]) or row.get("status") == "cancelled":
            continue
        at, minutes = office.at(row["event_start"]), int(row["duration"])
        for day in days_of(office, row, moved):
            if day in closed and not row["recurrence"]:
                yield Problem("clashes", f"calendar {row['id']}", "is in a room of a house that is closed that day")
            slots = taken.setdefault((row["location"], day), [])
            first = at % DAY
            for start, end, other in slots:
                if first < end and start < first + minutes:
                    yield Problem("clashes", f"calendar {row['id']}", f"{row['location']} is taken by {other}")
            slots.append((first, first + minutes, row["id"]))


def days_of(office: Office, row: Row, moved: set[tuple[str, str]]) -> Iterator[int]:
    """The days that a meeting is on, without those of a series that are left out or moved."""
    first = office.day(row["event_start"])
    if not row["recurrence"]:
        yield first
        return
    interval = int((re.search(r"INTERVAL=(\d+)", row["recurrence"]) or ["", "1"])[1])
    last = office.day(row["until"]) if row["until"] else 60
    for day in range(first, last + 1, 7 * interval):
        stamp = str(office.today + timedelta(days=day))
        if stamp not in row["skipped"] and (row["id"], stamp) not in moved:
            yield day


def busy_times_are_of_colleagues(office: Office) -> Iterator[Problem]:
    """Busy times and shared calendars are of people who are there then, and busy times on their working days."""
    spans: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for row in office.rows("calendar", "busy"):
        day, at = divmod(office.at(row["start"]), DAY)
        there = spans.setdefault((row["person"], day), [])
        if any(at < end and start < at + row["minutes"] for start, end in there):
            yield Problem("clashes", f"calendar.busy {row['id']}", "begins before another of theirs is over")
        there.append((at, at + row["minutes"]))
    for table, column in (("busy", "person"), ("calendars", "owner")):
        for row in office.rows("calendar", table):
            person, where = office.people.get(row[column]), f"calendar.{table} {row['id']}"
            if person is None or not person.inside or person is office.owner:
                yield Problem("people", where, f"{row[column]} is no colleague")
            elif table == "busy" and (not person.works(day := office.day(row["start"])) or weekday(day) > 4):
                yield Problem("leave", where, f"{person.key} is not there on {row['start'][:10]}")
            elif table == "calendars" and row["zone"] != person.zone:
                yield Problem("people", where, f"{person.key} lives in {person.zone}")
