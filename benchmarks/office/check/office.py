"""An office as rules look at it: its rows by id, and which events they are."""

from __future__ import annotations

import calendar
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, TypeVar

from benchmarks.office.check.reading import WEEKDAYS, amounts, days_in, parts, weekdays_in
from benchmarks.office.ledger import NOW, Event, FileVersion, Ledger, Mail
from benchmarks.office.people import CLOSED, OWNER, Person
from benchmarks.office.render.mailbox import mail_ids
from benchmarks.office.render.texts import Texts
from benchmarks.office.words import later, stated
from servers.kernel import World

__all__ = ("Office", "Problem", "Row")

Row: TypeAlias = Mapping[str, Any]
_E = TypeVar("_E", bound=Event)


class Problem(NamedTuple):
    """Something that does not agree: by which rule, where, and what."""

    rule: str
    where: str
    what: str


class Office:
    """The rows of a world beside the ledger that they tell. Whatever rules look up often is looked up once."""

    def __init__(self, world: World, ledger: Ledger) -> None:
        self.world, self.ledger = world, ledger
        self.today: date = world.now.date()
        self.now = str(world.now)
        self.texts = Texts(ledger, self.today)
        self.owner = ledger.company.person(OWNER)
        self.people: dict[str, Person] = {person.address: person for person in ledger.company.people.values()}
        self._own: dict[str, str] = {}

    def rows(self, app: str, table: str) -> Sequence[Row]:
        """Rows of a table; none where the world has no such table."""
        return self.world.rows.get(app, {}).get(table, ())

    def by_id(self, app: str, table: str) -> dict[str, Row]:
        """Rows of a table by id."""
        return {row["id"]: row for row in self.rows(app, table)}

    @cached_property
    def events(self) -> dict[str, Mail]:
        """Mails by the id of their row."""
        return {id: self.texts.mails[mail] for mail, id in mail_ids(self.texts).items()}

    @cached_property
    def mails(self) -> dict[str, Row]:
        """Rows of mails by id in order of time, those in the trash too."""
        found = {row["id"]: row for row in (*self.rows("gmail", "emails"), *self.rows("gmail", "trash"))}
        return dict(sorted(found.items(), key=lambda pair: (pair[1]["sent_datetime"], pair[0])))

    @cached_property
    def conversations(self) -> dict[str, list[Row]]:
        """Mails of each conversation in order of time."""
        found: dict[str, list[Row]] = {}
        for row in self.mails.values():
            found.setdefault(row["thread"] or row["id"], []).append(row)
        return found

    @cached_property
    def present(self) -> dict[str, frozenset[str]]:
        """Who wrote or got each mail: addresses."""
        to = {row["id"]: row["to"] for row in self.rows("gmail", "envelopes")}
        return {
            id: frozenset(
                (
                    self.sender(row),
                    *row["cc"],
                    *(to.get(id) or [row["address"] if row["folder"] == "outbox" else self.owner.address]),
                )
            )
            for id, row in self.mails.items()
        }

    @cached_property
    def versions(self) -> list[tuple[FileVersion, str, str]]:
        """Versions of files so far with path and text, in order of time."""
        return [(version, *self.texts.file(version)) for version in self.so_far(FileVersion)]

    @cached_property
    def named(self) -> dict[str, list[tuple[int, str]]]:
        """Since when a file of that name, in whatever folder, has said what."""
        found: dict[str, list[tuple[int, str]]] = {}
        for version, path, text in self.versions:
            found.setdefault(path.rpartition("/")[2], []).append((version.at, text))
        return found

    def file_then(self, name: str, at: int) -> str | None:
        """What a file said at that moment; None where there was none."""
        history = self.named.get(name, [])
        place = bisect_right([since for since, _ in history], at)
        return history[place - 1][1] if place else None

    @cached_property
    def dates(self) -> set[date]:
        """All days that facts of the ledger ever name."""
        facts = self.ledger.facts.values()
        return {later(self.today, int(value)) for fact in facts if fact.kind == "date" for _, value in fact.history}

    @cached_property
    def closed(self) -> list[date]:
        """Days on which nobody of the company works."""
        return [later(self.today, day) for day in sorted(CLOSED)]

    def so_far(self, kind: type[_E]) -> list[_E]:
        """Events of a kind that have happened by `now`."""
        return [event for event in self.ledger.of(kind) if event.at <= NOW]

    def sender(self, row: Row) -> str:
        """The address of whoever sent a mail."""
        return self.owner.address if row["folder"] == "outbox" else str(row["address"])

    def own(self, row: Row) -> str:
        """What a mail says itself."""
        if row["id"] not in self._own:
            self._own[row["id"]] = parts(row["body"])[0]
        return self._own[row["id"]]

    def at(self, stamp: str) -> int:
        """A moment of a row in minutes, as the ledger counts them."""
        return (datetime.fromisoformat(stamp) - datetime.combine(self.today, datetime.min.time())) // timedelta(
            minutes=1
        )

    def day(self, stamp: str) -> int:
        """The number of the day in a row."""
        return (date.fromisoformat(stamp[:10]) - self.today).days

    def ahead(self, stamp: str | None) -> bool:
        """Whether a moment in a row lies after `now`."""
        return bool(stamp) and str(stamp).replace("T", " ") > self.now

    def allowed(self, *events: Event) -> tuple[set[date], set[int]]:
        """Days and sums that texts of these events may name."""
        days, sums = set[date](), set[int]()
        for event in events:
            for fact in (self.ledger.facts[name] for name in stated(event)):
                value = fact.at(event.at)
                if fact.kind == "date":
                    days.add(later(self.today, int(value)))
                elif fact.kind == "money":
                    sums.add(int(value))
        return days, sums

    def addressed(self, row: Row) -> frozenset[str]:
        """To whom a mail goes, copies apart: addresses."""
        return self.present[row["id"]] - {*row["cc"], self.sender(row)}

    def said(self, where: str, text: str, *events: Event) -> Iterator[Problem]:
        """Holds the dates, weekdays and sums in a text to what its events state."""
        days, sums = self.allowed(*events)
        kept = any(name.endswith(".holiday") for event in events for name in stated(event))
        for year, month, day, weekday in days_in(text):
            closed = [each for each in self.closed if (each.month, each.day) == (month, day)]
            if closed and not kept:
                yield Problem("holidays", where, f"names {closed[0]}, on which nobody works")
            fitting = [each for each in days if (each.month, each.day) == (month, day) and year in (None, each.year)]
            if not fitting:
                yield Problem("dates", where, f"day {day} of month {month} is not a date that it states")
            elif weekday is not None and all(each.weekday() != weekday for each in fitting):
                yield Problem("weekdays", where, f"{calendar.day_name[weekday]} is not the weekday of {fitting[0]}")
        for name in weekdays_in(text):
            if WEEKDAYS[name.lower()] not in {each.weekday() for each in days}:
                yield Problem("weekdays", where, f"{name} is the weekday of no date that it states")
        for amount in amounts(text):
            if amount not in sums:
                yield Problem("amounts", where, f"{amount} is no sum that held then")
