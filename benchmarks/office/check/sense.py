"""Rules about what nobody would write: then, to them, of those people, or in the middle of a meeting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

from benchmarks.office.check.meetings import days_of
from benchmarks.office.check.office import Office, Problem, Row
from benchmarks.office.check.reading import WEEKDAYS, days_in, weekdays_in
from benchmarks.office.ledger import DAY
from benchmarks.office.people import OWNER_ZONE
from benchmarks.office.render.texts import RULE
from benchmarks.office.styles import ASKING, PROPOSES
from benchmarks.office.timely import local, out_of_time

__all__ = (
    "copies_go_to_somebody",
    "nobody_is_there_before_they_join",
    "nobody_writes_in_a_meeting_that_they_hold",
    "numbers_are_of_one_person",
    "opinions_are_asked_for_once",
    "words_fit_the_hour",
)

_COPIED = re.compile(
    r"\b(?:copied from now on|whom I(?:'?ve| have) copied|I(?:'?ve| have) copied (?!it\b|the\b)|(?:is|are) in copy"
    r"|, copied\.)"
)
_PHONE = re.compile(r"020 7946 0\d{3}|\+1 416 555 0\d{3}|\+358 9 5550 \d{4}")
_BEFORE = "moves"
"""The story in which somebody is spoken of before they join."""


def _said(office: Office) -> Iterator[tuple[str, str, str, str]]:
    """Where, by which address, when and what, in mails and in chat, quotes and signatures apart."""
    members = {row["id"]: row["address"] for row in office.rows("chat", "members")}
    for id, row in office.mails.items():
        yield f"gmail {id}", office.sender(row), row["sent_datetime"], office.own(row).partition(RULE)[0]
    for row in office.rows("chat", "messages"):
        yield f"chat {row['id']}", members.get(row["author_id"], ""), row["sent"], row["text"]


def words_fit_the_hour(office: Office) -> Iterator[Problem]:
    """Nobody writes "this afternoon" in the evening, or names the weekday of today, without a date, for another day."""
    dated = _dated(office)
    for where, address, moment, text in _said(office):
        person = office.people.get(address)
        zone = person.zone if person else OWNER_ZONE
        for part in text.split("\n\n"):
            if words := out_of_time(part, local(office.at(moment), zone)):
                yield Problem("hours", where, f"says {words!r} at {moment[11:16]} on the owner's clock")
        today = (office.day(moment) + 2) % 7
        bare = {WEEKDAYS[name.lower()] for name in weekdays_in(text)}
        if person and today in bare - dated.get(where, set()):
            yield Problem("hours", where, "calls the day on which it is written by its weekday")


def _dated(office: Office) -> dict[str, set[int]]:
    """Mails -> weekdays of days other than their own that they or earlier mails of their conversation name by date."""
    found: dict[str, set[int]] = {}
    for rows in office.conversations.values():
        days = set[tuple[int, int]]()
        for row in rows:
            days |= {(month, day) for _, month, day, _ in days_in(f"{row['subject']}\n{row['body']}")}
            named = [each for each in office.dates if (each.month, each.day) in days]
            sent = office.today + timedelta(days=office.day(row["sent_datetime"]))
            found[f"gmail {row['id']}"] = {each.weekday() for each in named if each != sent}
    return found


def nobody_is_there_before_they_join(office: Office) -> Iterator[Problem]:
    """Nobody is written to, written of or invited for a day before they join, but by who makes their place ready."""
    late = [person for person in office.people.values() if person.joined is not None]
    firsts = [person.first for person in office.people.values()]
    for person in late:
        joined = person.joined or 0
        name = re.compile(rf"\b{person.first}\b") if firsts.count(person.first) == 1 else re.compile(person.name)
        for where, _, moment, text in _said(office):
            event = office.events.get(where.removeprefix("gmail "))
            if office.day(moment) < joined and not (event and event.story == _BEFORE):
                if name.search(text):
                    yield Problem("joiners", where, f"names {person.key}, who is not there yet")
                if event and person.address in office.present.get(where.removeprefix("gmail "), ()):
                    yield Problem("joiners", where, f"goes to {person.key}, who is not there yet")
        for row in office.rows("calendar", "events"):
            asked = {each["address"] for each in row["attendees"]}
            if person.address in asked and office.day(row["event_start"]) < joined:
                yield Problem("joiners", f"calendar {row['id']}", f"has {person.key}, who is not there yet")
        for row in office.rows("todoist", "comments"):
            if office.day(row["posted"]) < joined and name.search(row["text"]):
                yield Problem("joiners", f"todoist comment {row['id']}", f"names {person.key}, who is not there yet")


def nobody_writes_in_a_meeting_that_they_hold(office: Office) -> Iterator[Problem]:
    """The owner sends neither mail nor message while they sit in a meeting with others that they called or accepted."""
    rows = office.rows("calendar", "events")
    moved = {(row["series"], row["original"]) for row in rows if row.get("series")}
    taken: dict[int, list[tuple[int, int, str]]] = {}
    for row in rows:
        if row["all_day"] or row.get("status") == "cancelled" or not _held(office, row):
            continue
        at = office.at(row["event_start"]) % DAY
        for day in days_of(office, row, moved):
            taken.setdefault(day, []).append((at, at + int(row["duration"]), row["event_name"]))
    for where, address, moment, _ in _said(office):
        if address == office.owner.address:
            day, minute = divmod(office.at(moment), DAY)
            for start, end, name in taken.get(day, ()):
                if start <= minute < end:
                    yield Problem("meanwhile", where, f"is written at {moment[11:16]}, during {name!r}")


def _held(office: Office, row: Row) -> bool:
    own = row["organizer"] == office.owner.address
    return bool(row["attendees"]) and (own or row["response"] == "accepted")


def copies_go_to_somebody(office: Office) -> Iterator[Problem]:
    """Who says that somebody is in copy has put somebody in copy."""
    for id, row in office.mails.items():
        if _COPIED.search(office.own(row)) and not row["cc"]:
            yield Problem("copies", f"gmail {id}", "speaks of a copy, and goes to nobody in copy")


def opinions_are_asked_for_once(office: Office) -> Iterator[Problem]:
    """A closer that asks for an opinion stands behind a proposal or a question, once in a conversation."""
    for rows in office.conversations.values():
        asked = 0
        for row in rows:
            own = office.own(row).partition(RULE)[0]
            if closer := next((each for each in ASKING if f" {each}" in own), ""):
                asked += 1
                if not PROPOSES.search(own.replace(closer, "")):
                    yield Problem("fillers", f"gmail {row['id']}", f"says {closer!r}, and has proposed nothing")
        if asked > 1:
            yield Problem("fillers", f"gmail {rows[0]['id']}", "asks for opinions more than once in its conversation")


def numbers_are_of_one_person(office: Office) -> Iterator[Problem]:
    """No telephone number is that of two people: in signatures, in the CRM and in lists."""
    seen: dict[str, str] = {}
    found = [
        (f"gmail {id}", office.sender(row), phone)
        for id, row in office.mails.items()
        for phone in _PHONE.findall(office.own(row).partition(RULE)[2])
    ]
    found += [
        (f"crm {row['id']}", row["customer_email"], row["customer_phone"]) for row in office.rows("crm", "customers")
    ]
    for where, address, phone in found:
        if seen.setdefault(phone, address) != address:
            yield Problem("numbers", where, f"{phone} is the number of {seen[phone]}")
