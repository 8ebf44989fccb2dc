"""What lies ahead of `now` in the ledger, as rows that come to the office at their moment.

What the owner would do is left out, and what answers it: whoever is served is the owner now, and may do otherwise.
Rows that are there already are found by what they say, so nothing here counts on how they were numbered.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from benchmarks.office.ledger import (
    NOW,
    Busy,
    Chat,
    Comment,
    DealStep,
    Event,
    FileVersion,
    Ledger,
    Mail,
    Meeting,
    Note,
    ToDo,
    day_of,
)
from benchmarks.office.people import OWNER
from benchmarks.office.render import Texts
from benchmarks.office.render.mailbox import mail_ids
from benchmarks.office.words import later
from servers import catalog
from servers.kernel import Coming, Edit, Key, Like, World

__all__ = ("KINDS", "arrivals", "earlier")

_Row = dict[str, Any]
_Rows = Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]
_TYPES = {"csv": "text/csv", "md": "text/markdown", "json": "application/json"}


def arrivals(ledger: Ledger, today: date, rows: _Rows, apps: Container[str] | None = None) -> tuple[Coming, ...]:
    """What comes to an office whose `now` is on that day and whose rows are these, in order; of some apps alone."""
    there = _There(ledger, today, rows)
    left_out: set[str] = set()
    found: list[Coming] = []
    for event in ledger.events:
        if event.at > NOW and _of_owner(event, left_out):
            left_out.add(event.id)
            continue
        if apps is not None and event.app not in apps:
            continue
        if event.at > NOW and (make := KINDS.get(type(event))):
            found += make(there, event)
        if isinstance(event, ToDo) and event.done is not None and event.done > NOW:
            found += there.done(event, event.done)
    return tuple(sorted(found, key=lambda coming: coming.at))


def earlier(found: Sequence[Coming], days: int) -> tuple[Coming, ...]:
    """The same so many days earlier in columns that are dated, as a moved world has what it is to put later again."""
    apps = [catalog.app(name) for name in sorted({edit.app for each in found for edit in each.edits})]
    return tuple(World("", datetime.min, {}, -days, arrivals=found).coming(apps).values())


def _of_owner(event: Event, left_out: set[str]) -> bool:
    """Whether it is the owner's doing, or goes back to something that is left out."""
    if event.sender == OWNER or getattr(event, "draft", False):
        return True
    names = [getattr(event, name, None) for name in ("answers", "thread", "series", "parent", "task", "twin")]
    return any(name in left_out for name in (*names, *getattr(event, "files", ())))


class _There:
    """The rows so far: those of the office, and those that come before."""

    def __init__(self, ledger: Ledger, today: date, rows: _Rows) -> None:
        self.ledger, self.texts = ledger, Texts(ledger, today)
        self._ids = mail_ids(self.texts)
        self._given, self._rows = rows, dict[str, dict[str, dict[str, _Row]]]()
        self._numbers: dict[tuple[str, str], int] = {}
        self._events = {event.id: event for event in ledger.events}

    def rows(self, app: str, table: str, **fields: Any) -> Iterator[_Row]:
        """Rows that have these values."""
        for row in self._table(app, table).values():
            if all(row.get(name) == value for name, value in fields.items()):
                yield row

    def has(self, app: str, table: str, id: str) -> bool:
        """Whether there is a row of that id."""
        return id in self._table(app, table)

    def one(self, app: str, table: str, **fields: Any) -> _Row:
        """The first of them. Raises ValueError."""
        for row in self.rows(app, table, **fields):
            return row
        raise ValueError(f"{app}.{table} has no row with {fields}")

    def add(self, app: str, table: str, values: _Row, id: str = "") -> Edit:
        """A row that is to come, by default with the next id."""
        some = self._table(app, table)
        model = catalog.app(app).table(table)
        if not id:
            last = self._numbers.get((app, table)) or max(map(model.id_number, some), default=0)
            self._numbers[app, table] = last + 1
            id = model.id_format.format(last + 1)
        some[id] = {"id": id, **values}
        return Edit(op="add", app=app, table=table, id=id, values=values)

    def change(self, app: str, table: str, id: str, **values: Any) -> Edit:
        """Fields that are to be others."""
        self._table(app, table)[id].update(values)
        return Edit(op="change", app=app, table=table, id=id, values=values)

    def coming(
        self,
        event: Event,
        text: str,
        *edits: Edit,
        at: int | None = None,
        needs: Sequence[Key] = (),
        unless: Sequence[Like] = (),
    ) -> Coming:
        """All of it, at the event's moment or another."""
        moment = self.texts.moment(event.at if at is None else at)
        return Coming(at=moment, text=text, edits=edits, needs=tuple(needs), unless=tuple(unless))

    def moment(self, at: int) -> str:
        return f"{self.texts.moment(at):%Y-%m-%dT%H:%M:%S}"

    def day(self, day: int) -> str:
        return str(later(self.texts.today, day))

    def address(self, key: str) -> str:
        return self.ledger.company.person(key).address

    # One kind each.

    def mail(self, event: Mail) -> Iterator[Coming]:
        """Mail to the owner. Its conversation is unread then, and in the inbox again if it was archived."""
        texts, id = self.texts, self._ids[event.id]
        thread = self._ids[event.thread] if event.thread else id
        edits = [
            self.add("gmail", "emails", {
                "folder": "inbox",
                "address": texts.address(event.sender),
                "subject": texts.subject(event),
                "sent_datetime": texts.stamp(event.at),
                "body": texts.body(event),
                "starred": False,
                "thread": self._ids[event.thread] if event.thread else None,
                "cc": [texts.address(key) for key in event.cc],
            }, id),
            self.add("gmail", "envelopes", {
                "to": [texts.address(key) for key in event.to] if event.to != (OWNER,) else [],
                "sender_name": texts.name(event.sender),
            }, id),
        ]  # fmt: skip
        for file in event.files:
            path, text = texts.file(self._event(file))
            name = path.rpartition("/")[2]
            kind = _TYPES.get(name.rpartition(".")[2], "text/plain")
            edits.append(self.add("gmail", "attachments", {"email": id, "name": name, "type": kind, "text": text}))
        if self.has("gmail", "threads", thread):
            edits.append(self.change("gmail", "threads", thread, read=False, archived=False))
        else:
            category = {"bulk": "updates", "spam": "promotions"}.get(event.kind, "primary")
            values = {"archived": False, "read": False, "starred": False, "category": category}
            edits.append(self.add("gmail", "threads", values, thread))
        yield self.coming(event, f"Mail from {texts.name(event.sender)}: {texts.subject(event)}", *edits)

    def chat(self, event: Chat) -> Iterator[Coming]:
        """A message, in a direct conversation that begins with it where there is none yet."""
        people = event.channel.split("+") if "+" in event.channel else []
        if people and OWNER not in people:
            return
        edits: list[Edit] = []
        author = self._member(event.sender)
        if people:
            channel = self._direct([self._member(key) for key in people], event, edits)
        else:
            channel = str(self.one("chat", "channels", name=event.channel)["id"])
        root = self._said(event.answers) if event.answers else None
        message = self.add("chat", "messages", {
            "channel_id": channel,
            "author_id": author,
            "text": self.texts.chat(event, event.text),
            "sent": self.moment(event.at),
            "thread": root,
        })  # fmt: skip
        edits.append(message)
        for emoji, who in event.reactions:
            if who != OWNER:
                values = {"message_id": message.id, "member_id": self._member(who), "emoji": emoji}
                edits.append(self.add("chat", "reactions", values))
        needs = [Key(app="chat", table="messages", id=root)] if root else []
        where = "a direct conversation" if people else f"#{event.channel}"
        yield self.coming(event, f"Message from {self.texts.name(event.sender)} in {where}", *edits, needs=needs)

    def meeting(self, event: Meeting) -> Iterator[Coming]:
        """An invitation, which waits for the owner's answer; or one of a series that is moved or called off."""
        people, texts = self.ledger.company.people, self.texts
        asked = [(event.sender, "accepted"), *(pair for pair in event.people if pair[0] not in (OWNER, event.sender))]
        values: _Row = {
            "event_name": texts.plain(event, event.title),
            "participant_email": people[asked[0][0]].address,
            "event_start": texts.stamp(event.starts),
            "duration": str(event.minutes),
            "all_day": event.all_day,
            "location": texts.plain(event, event.place),
            "description": texts.plain(event, event.text),
            "organizer": people[event.sender].address,
            "attendees": [
                {"address": people[key].address, "name": people[key].name, "response": said} for key, said in asked
            ],
            "response": "needs action",
            "recurrence": event.recurrence,
            "until": None if event.until is None else self.day(event.until),
            "skipped": [self.day(day) for day in event.skipped],
        }
        if event.cancelled:
            values["status"] = "cancelled"
        needs: list[Key] = []
        unless: list[Like] = []
        if event.series:
            series = self._meeting(event.series)
            values |= {"series": series, "original": self.day(event.original or 0)}
            needs.append(Key(app="calendar", table="events", id=series))
            same = {"series": series, "original": values["original"]}
            unless.append(Like(app="calendar", table="events", values=same))
        what = "Meeting moved" if event.series else "Invitation"
        edit = self.add("calendar", "events", values)
        yield self.coming(
            event, f"{what} by {people[event.sender].name}: {values['event_name']}", edit, needs=needs, unless=unless
        )

    def todo(self, event: ToDo) -> Iterator[Coming]:
        """A task in a project that the owner sees."""
        project = next(self.rows("todoist", "projects", name=event.project), None)
        edits = []
        if project is None:
            own = self.address(OWNER)
            helpers = sorted({event.sender, *([event.assignee] if event.assignee else [])} - {OWNER})
            values = {"name": event.project, "owner": own, "members": [self.address(key) for key in helpers]}
            edits.append(self.add("todoist", "projects", values))
            project = {"id": edits[0].id}
        parent = self._task(self._event(event.parent)) if event.parent else ""
        there = self.rows("todoist", "sections", project_id=project["id"], name=event.section)
        positions = [int(row.get("position", 0)) for row in self.rows("todoist", "tasks")]
        content = self.texts.plain(event, event.text)
        edits.append(self.add("todoist", "tasks", {
            "content": content,
            "project_id": project["id"],
            "section_id": next((row["id"] for row in there), None),
            "parent_id": parent,
            "assignee": self.address(event.assignee) if event.assignee else None,
            "due_date": None if event.due is None else self.day(event.due),
            "priority": f"p{event.priority}",
            "position": max(positions, default=-1) + 1,
        }))  # fmt: skip
        needs = [Key(app="todoist", table="tasks", id=parent)] if parent else []
        yield self.coming(event, f"Task from {self.texts.name(event.sender)}: {content}", *edits, needs=needs)

    def comment(self, event: Comment) -> Iterator[Coming]:
        """What somebody writes below a task."""
        values = {
            "task_id": self._task(self._event(event.task)),
            "text": self.texts.chat(event, event.text),
            "posted": self.moment(event.at),
            "author": self.address(event.sender),
        }
        text = f"Comment by {self.texts.name(event.sender)}"
        yield self.coming(event, text, self.add("todoist", "comments", values))

    def busy(self, event: Busy) -> Iterator[Coming]:
        """A time at which a colleague turns out to be busy."""
        values = {"person": self.address(event.sender), "start": self.moment(event.starts), "minutes": event.minutes}
        yield self.coming(event, f"{self.texts.name(event.sender)} is busy", self.add("calendar", "busy", values))

    def done(self, event: ToDo, at: int) -> Iterator[Coming]:
        """A task that somebody else completes later."""
        who = event.assignee or event.sender
        if who == OWNER:
            return
        edit = self.change("todoist", "tasks", self._task(event), completed=self.moment(at))
        yield self.coming(event, f"Task completed by {self.texts.name(who)}", edit, at=at)

    def deal(self, event: DealStep) -> Iterator[Coming]:
        """A step of a deal that a colleague makes."""
        ledger, told = self.ledger, self.ledger.deals[event.deal]
        row = self.one("crm", "deals", title=told["title"])
        day, by = self.day(day_of(event.at)), self.address(event.sender)
        edits = [self.add("crm", "stage_changes", {
            "deal_id": row["id"], "before": row["stage"], "after": event.stage, "day": day, "by": by,
            "reason": event.reason,
        })]  # fmt: skip
        if event.note:
            text = self.texts.plain(event, event.note)
            edits.append(self.add("crm", "notes", {"record_id": row["id"], "text": text, "day": day, "author": by}))
        closed = {"closed": day, "reason": event.reason} if event.stage in ("Won", "Lost") else {}
        amount = ledger.facts[event.amount].at(event.at)
        edits.append(self.change("crm", "deals", row["id"], stage=event.stage, amount=amount, **closed))
        yield self.coming(event, f"Deal {told['title']}: {event.stage}", *edits)

    def file(self, event: FileVersion) -> Iterator[Coming]:
        """A version of a file that a colleague saves, and the directories above it."""
        path, text = self.texts.file(event)
        at = self.moment(event.at)
        if self.has("filesystem", "entries", path):
            edit = self.change("filesystem", "entries", path, text=text, modified=at)
            yield self.coming(event, f"File changed: {path}", edit)
            return
        parts = path.split("/")
        folders = ["/".join(parts[:depth]) for depth in range(3, len(parts))]
        for folder in folders:  # each for itself: the owner may have made it by then
            if not self.has("filesystem", "entries", folder):
                values = {"path": folder, "kind": "directory", "created": at, "modified": at}
                yield self.coming(event, f"New folder: {folder}", self.add("filesystem", "entries", values, folder))
        values = {"path": path, "kind": "file", "text": text, "created": at, "modified": at}
        needs = [Key(app="filesystem", table="entries", id=folder) for folder in folders]
        edit = self.add("filesystem", "entries", values, path)
        yield self.coming(event, f"New file: {path}", edit, needs=needs)

    def note(self, event: Note) -> Iterator[Coming]:
        """Notes are the owner's alone."""
        yield from ()

    # What is there already.

    def _table(self, app: str, table: str) -> dict[str, _Row]:
        """Rows by id; those of an app are taken up when it is first asked for."""
        if app not in self._rows:
            tables = self._given.get(app, {})
            self._rows[app] = {name: {str(row["id"]): dict(row) for row in some} for name, some in tables.items()}
        return self._rows[app].setdefault(table, {})

    def _event(self, id: str) -> Any:
        return self._events[id]

    def _member(self, key: str) -> str:
        return str(self.one("chat", "members", address=self.address(key))["id"])

    def _direct(self, members: list[str], event: Chat, edits: list[Edit]) -> str:
        """The direct conversation of some people."""
        for row in self.rows("chat", "channels", kind="direct"):
            there = [each["member_id"] for each in self.rows("chat", "channel_members", channel_id=row["id"])]
            if sorted(there) == sorted(members):
                return str(row["id"])
        channel = self.add("chat", "channels", {"kind": "direct", "created": self.moment(event.at)})
        edits.append(channel)
        for member in members:
            values = {"channel_id": channel.id, "member_id": member, "last_read": None}
            edits.append(self.add("chat", "channel_members", values))
        return channel.id

    def _said(self, id: str) -> str:
        earlier = self._event(id)
        fields = {"author_id": self._member(earlier.sender), "sent": self.moment(earlier.at)}
        return str(self.one("chat", "messages", **fields)["id"])

    def _meeting(self, id: str) -> str:
        series = self._event(id)
        name, start = self.texts.plain(series, series.title), self.texts.stamp(series.starts)
        return str(self.one("calendar", "events", event_name=name, event_start=start)["id"])

    def _task(self, event: ToDo) -> str:
        project = self.one("todoist", "projects", name=event.project)["id"]
        content = self.texts.plain(event, event.text)
        return str(self.one("todoist", "tasks", project_id=project, content=content)["id"])


KINDS: dict[type[Any], Callable[[_There, Any], Iterator[Coming]]] = {
    Mail: _There.mail,
    Chat: _There.chat,
    Meeting: _There.meeting,
    Busy: _There.busy,
    ToDo: _There.todo,
    Comment: _There.comment,
    DealStep: _There.deal,
    FileVersion: _There.file,
    Note: _There.note,
}
"""What makes rows of each kind of event."""
