"""What lies in the office before a workflow begins: files, mails, deals, tasks and the rest, as edits of its world."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from io import StringIO
from typing import Any, Final

from benchmarks.office.people import OWNER, Company, Person
from benchmarks.office.world import ledger, world
from servers.kernel import Edit, World

__all__ = ("TODAY", "Layout", "address", "as_csv", "attachment", "company", "first", "guest", "office", "person")

TODAY: Final = "2026-03-18"
"""A Wednesday; it is 08:30 when a workflow begins."""

_NUMBERED: Final = re.compile(r"([A-Z]*)(\d+)")


@cache
def _last(app: str, table: str) -> tuple[int, int]:
    """The highest number of the office's ids in a table, and the digits it has; 0 where there are none."""
    found = [_NUMBERED.fullmatch(row["id"]) for row in office().rows.get(app, {}).get(table, ())]
    numbers = [each[2] for each in found if each]
    return max(map(int, numbers), default=0), max((len(each) for each in numbers if each[0] == "0"), default=1)


def office() -> World:
    """The world that all workflows begin in."""
    return world()


def company() -> Company:
    """Who is in the office and around it."""
    return ledger().company


def person(post: str) -> Person:
    """Who holds a post ("owner", "logistics", "buyer"); `benchmarks/office/people.py` lists them."""
    return company().person(post)


def first(post: str) -> str:
    """The first name of whoever holds a post, as requests say it."""
    return person(post).first


def as_csv(rows: Iterable[Sequence[Any]]) -> str:
    """Rows as the text of a CSV file, sums and counts as they are given."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def attachment(number: int) -> str:
    """The id of the attachment that a case lays out as its first, second, ... (from 1)."""
    return f"F{_last('gmail', 'attachments')[0] + number}"


class Layout:
    """Rows laid out for one task, in the order in which they were. Moments are `YYYY-MM-DD HH:MM`.

    Posts stand for people of the office, by the names that `benchmarks/office/people.py` gives them; whoever is
    none of them is named by an address. Every method returns the id of what it laid out.
    """

    def __init__(self) -> None:
        self._edits: list[Edit] = []
        self._number: dict[str, int] = {}
        self._files: list[str] = []
        self._folders = {row["id"] for row in office().rows["filesystem"]["entries"] if row["kind"] == "directory"}

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What to add to the world."""
        return tuple(self._edits)

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of the files, in order."""
        return tuple(self._files)

    def add(self, app: str, table: str, prefix: str = "", /, *, id: str = "", **values: Any) -> str:
        """Any row; its id is the next behind those of the office, with their prefix, unless it is given."""
        if not id:
            last, digits = _last(app, table)
            number = self._number[f"{app}.{table}"] = self._number.get(f"{app}.{table}", last) + 1
            id = f"{prefix}{number:0{digits}d}"
        self._edits.append(Edit(op="add", app=app, table=table, id=id, values=values))
        return id

    def change(self, app: str, table: str, id: str, **values: Any) -> None:
        """Fields of a row that the office has."""
        self._edits.append(Edit(op="change", app=app, table=table, id=id, values=values))

    # -- files

    def folder(self, path: str, *, at: str = "2026-01-05 09:00") -> str:
        """A directory below /workspace, with those above it."""
        parent = path.rpartition("/")[0]
        if parent not in ("", "/workspace") and parent not in self._folders:
            self.folder(parent, at=at)
        if path not in self._folders:
            self._folders.add(path)
            self._entry(path, "directory", None, at)
        return path

    def file(self, path: str, text: str, *, at: str) -> str:
        """A text file below /workspace, last written at that moment."""
        self.folder(path.rpartition("/")[0], at=at)
        self._files.append(path)
        self._entry(path, "file", text, at)
        return path

    def sheet(self, path: str, rows: Iterable[Sequence[Any]], *, at: str) -> str:
        """A CSV file."""
        return self.file(path, as_csv(rows), at=at)

    def _entry(self, path: str, kind: str, text: str | None, at: str) -> None:
        moment = f"{at.replace(' ', 'T')}:00"
        self.add("filesystem", "entries", id=path, path=path, kind=kind, text=text, created=moment, modified=moment)

    # -- mail

    def mail(
        self,
        sender: str,
        subject: str,
        text: str,
        *,
        at: str,
        to: str = OWNER,
        cc: Sequence[str] = (),
        answers: str = "",
        files: Mapping[str, str] | None = None,
        read: bool = True,
    ) -> str:
        """A mail that the owner got, or sent if `sender` is the owner. `answers` is the mail that began the thread."""
        ours = sender == OWNER
        id = self.add(
            "gmail", "emails", folder="outbox" if ours else "inbox", address=address(to if ours else sender),
            subject=subject, sent_datetime=f"{at}:00", body=text, thread=answers or None,
            cc=[address(each) for each in cc],
        )  # fmt: skip
        if not ours:
            name = person(sender).name if "@" not in sender else ""
            self.add("gmail", "envelopes", id=id, to=[], sender_name=name)
        if not answers:
            self.add("gmail", "threads", id=id, archived=False, read=read, starred=False, category="primary")
        for name, content in (files or {}).items():
            kind = "text/csv" if name.endswith(".csv") else "text/plain"
            self.add("gmail", "attachments", "F", email=id, name=name, type=kind, text=content)
        return id

    # -- chat

    def message(self, channel: str, author: str, text: str, *, at: str, thread: str = "") -> str:
        """A line in a channel that the office has, by its name (`operations`)."""
        rows = office().rows["chat"]
        (place,) = (row["id"] for row in rows["channels"] if row["name"] == channel)
        (member,) = (row["id"] for row in rows["members"] if row["address"] == address(author))
        return self.add(
            "chat", "messages", "M", channel_id=place, author_id=member, text=text,
            sent=f"{at.replace(' ', 'T')}:00", thread=thread or None,
        )  # fmt: skip

    # -- calendar

    def event(
        self,
        title: str,
        *,
        start: str,
        minutes: int,
        people: Sequence[str] = (),
        location: str = "",
        description: str = "",
        organizer: str = OWNER,
    ) -> str:
        """An event in the owner's calendar, accepted by all."""
        return self.add(
            "calendar", "events", event_name=title, participant_email=address(people[0]) if people else "",
            event_start=f"{start}:00", duration=str(minutes), location=location, description=description,
            organizer=address(organizer), attendees=[{**guest(each), "response": "accepted"} for each in people],
            response="" if organizer == OWNER else "accepted",
        )  # fmt: skip

    # -- CRM

    def customer(self, name: str, **values: Any) -> str:
        """A company in the CRM: `industry`, `domain`, `phone`, `owner` (a post), `description`."""
        return self.add("crm", "companies", "C", name=name, **_owned(values))

    def contact(self, name: str, *, email: str, owner: str, company_id: str = "", **values: Any) -> str:
        """A person in the CRM."""
        return self.add(
            "crm", "customers", customer_name=name, customer_email=email, assigned_to_email=address(owner),
            company_id=company_id or None, **{"status": "Qualified", **values},
        )  # fmt: skip

    def deal(self, title: str, *, owner: str, amount: float, stage: str, close_date: str, **values: Any) -> str:
        """A deal in EUR: also `company_id`, `contact_id`, `closed`, `reason`, `description`."""
        return self.add(
            "crm", "deals", "D", title=title, owner=address(owner), amount=amount, currency="EUR", stage=stage,
            close_date=close_date, **values,
        )  # fmt: skip

    def about(self, record: str, text: str, *, author: str, day: str, type: str = "note") -> str:
        """A note to a record of the CRM."""
        return self.add("crm", "notes", "N", record_id=record, type=type, text=text, day=day, author=address(author))

    # -- tasks and notes

    def project(self, name: str, *, members: Sequence[str] = (), description: str = "") -> str:
        """A project in Todoist."""
        return self.add(
            "todoist", "projects", "P", name=name, description=description, owner=person(OWNER).address,
            members=[address(each) for each in members],
        )  # fmt: skip

    def section(self, project: str, name: str, position: int = 0) -> str:
        """A section of a project."""
        return self.add("todoist", "sections", "S", project_id=project, name=name, position=position)

    def task(self, title: str, *, project: str, due: str = "", assignee: str = "", **values: Any) -> str:
        """A task in Todoist: also `section_id`, `description`, `priority`, `completed`."""
        return self.add(
            "todoist", "tasks", "T", content=title, project_id=project, due_date=due or None,
            assignee=address(assignee) if assignee else None, **values,
        )  # fmt: skip

    def note(self, title: str, text: str, *, at: str, tags: Sequence[str] = ()) -> str:
        """A note of the owner's."""
        moment = f"{at.replace(' ', 'T')}:00"
        return self.add(
            "simple_note", "notes", "N", title=title, text=text, tags=list(tags), created=moment, changed=moment
        )


def guest(who: str) -> dict[str, Any]:
    """Somebody as an event lists them."""
    name = person(who).name if "@" not in who else ""
    return {"address": address(who), "name": name, "response": "needs action", "optional": False}


def address(who: str) -> str:
    """The address of a post, or the address itself."""
    return who if "@" in who else person(who).address


def _owned(values: Mapping[str, Any]) -> dict[str, Any]:
    return {**values, **({"owner": address(values["owner"])} if "owner" in values else {})}
