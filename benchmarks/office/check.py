"""Do the rows of an office agree with its ledger and with each other? Texts are read back, not rendered again."""

from __future__ import annotations

import calendar
import csv
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from io import StringIO
from typing import Any, NamedTuple, TypeVar
from zoneinfo import ZoneInfo

from benchmarks.office.ledger import NOW, Chat, DealStep, Event, FileVersion, Ledger, Mail, Meeting, Note, ToDo, day_of
from benchmarks.office.people import OWNER, OWNER_ZONE, Person
from benchmarks.office.render.mailbox import mail_ids
from benchmarks.office.render.texts import Texts
from benchmarks.office.words import later, stated
from servers import catalog
from servers.kernel import World

__all__ = ("Problem", "amounts", "check", "days_in", "parts")

_MONTHS = {name.lower(): n for n in range(1, 13) for name in (calendar.month_name[n], calendar.month_abbr[n])}
_WEEKDAYS = {name.lower(): n for n in range(7) for name in (calendar.day_name[n], calendar.day_abbr[n])}
_WORDS = "|".join(sorted((name.title() for name in _MONTHS), key=len, reverse=True))
_DAYS = "|".join(calendar.day_name)
_DATE = re.compile(
    rf"(?:(?P<wd>{_DAYS}|Mon|Tue|Wed|Thu|Fri|Sat|Sun)[ ,-]+)?"
    r"(?:(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)|(?P<us>\d{1,2})/(?P<usd>\d{1,2})\b"
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?P<month>{_WORDS})\b(?: (?P<year>\d{{4}}))?"
    rf"|(?P<month2>{_WORDS}) (?P<day2>\d{{1,2}})\b)"
)
_WEEKDAY = re.compile(rf"\b(?:{_DAYS})\b")
_MONEY = re.compile(r"€([\d,]*\d)|EUR ([\d,]*\d)|([\d,]*\d) (?:EUR|euros)\b")
_QUOTE = re.compile(r"\n\nOn (\d{1,2} \w+ \d{4}) at (\d\d:\d\d), (.+) wrote:\n(?=>)")
_STAMPED = re.compile(r"(?<!\d)(\d{4})(\d\d)(\d\d)(?!\d)")

_E = TypeVar("_E", bound=Event)
_Row = dict[str, Any]


class Problem(NamedTuple):
    """Something that does not agree: by which rule, where, and what."""

    rule: str
    where: str
    what: str


def parts(body: str) -> tuple[str, re.Match[str] | None, str]:
    """What a mail says itself, the line above its quote, and what it quotes."""
    found = _QUOTE.search(body)
    if found is None:
        return body, None, ""
    lines = body[found.end() :].split("\n")
    return body[: found.start()], found, "\n".join(line.removeprefix(">").removeprefix(" ") for line in lines)


def days_in(text: str) -> Iterator[tuple[int | None, int, int, int | None]]:
    """Year, month, day and weekday of each date in a text, as far as it says them."""
    for found in _DATE.finditer(text):
        year, month, day = found["y"] or found["year"], found["m"] or found["us"], found["d"] or found["usd"]
        if found["month"] or found["month2"]:
            month, day = _MONTHS[(found["month"] or found["month2"]).lower()], found["day"] or found["day2"]
        weekday = _WEEKDAYS[found["wd"].lower()] if found["wd"] else None
        yield int(year) if year else None, int(month), int(day), weekday


def amounts(text: str) -> list[int]:
    """The sums of money in a text."""
    return [int("".join(found.groups("")).replace(",", "")) for found in _MONEY.finditer(text)]


def check(world: World, ledger: Ledger) -> list[Problem]:
    """All that does not agree. `world` has its dates as they are: made for its day, or loaded and read back."""
    office = _Office(world, ledger)
    return [problem for rule in _RULES for problem in rule(office)]


@dataclass
class _Office:
    world: World
    ledger: Ledger

    def rows(self, app: str, table: str) -> Sequence[_Row]:
        return [dict(row) for row in self.world.rows[app][table]]

    @cached_property
    def today(self) -> date:
        return self.world.now.date()

    @cached_property
    def texts(self) -> Texts:
        return Texts(self.ledger, self.today)

    @cached_property
    def people(self) -> dict[str, Person]:
        return {person.address: person for person in self.ledger.company.people.values()}

    @cached_property
    def events(self) -> dict[str, Mail]:
        """Mails by the id of their row."""
        return {id: self.texts.mails[mail] for mail, id in mail_ids(self.texts).items()}

    @cached_property
    def mails(self) -> dict[str, _Row]:
        found = {row["id"]: row for row in (*self.rows("gmail", "emails"), *self.rows("gmail", "trash"))}
        return dict(sorted(found.items(), key=lambda pair: pair[1]["sent_datetime"]))

    def so_far(self, kind: type[_E]) -> list[_E]:
        return [event for event in self.ledger.of(kind) if event.at <= NOW]

    def sender(self, row: _Row) -> str:
        return self.ledger.company.person(OWNER).address if row["folder"] == "outbox" else str(row["address"])

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

    def said(self, where: str, text: str, *events: Event) -> Iterator[Problem]:
        days, sums = self.allowed(*events)
        for year, month, day, weekday in days_in(text):
            fitting = [each for each in days if (each.month, each.day) == (month, day) and year in (None, each.year)]
            if not fitting:
                yield Problem("dates", where, f"day {day} of month {month} is no date that it states")
            elif weekday is not None and all(each.weekday() != weekday for each in fitting):
                yield Problem("weekdays", where, f"{calendar.day_name[weekday]} is not the weekday of {fitting[0]}")
        for name in _WEEKDAY.findall(_DATE.sub("", text)):
            if _WEEKDAYS[name.lower()] not in {each.weekday() for each in days}:
                yield Problem("weekdays", where, f"{name} is the weekday of no date that it states")
        for amount in amounts(text):
            if amount not in sums:
                yield Problem("amounts", where, f"{amount} is no sum that held then")


def _mails_are_those_of_the_ledger(office: _Office) -> Iterator[Problem]:
    there = {id: mail for id, mail in office.events.items() if mail.at <= NOW and not mail.draft}
    for id in there.keys() ^ office.mails.keys():
        yield Problem("rows", f"gmail {id}", "is in the ledger or in the mailbox, and not in both")
    for id in there.keys() & office.mails.keys():
        row, mail = office.mails[id], there[id]
        if row["sent_datetime"] != office.texts.stamp(mail.at):
            yield Problem("moments", f"gmail {id}", f"was sent at {office.texts.stamp(mail.at)}")
        if office.sender(row) != office.texts.address(mail.sender):
            yield Problem("people", f"gmail {id}", f"is by {office.texts.address(mail.sender)}")


def _mails_say_what_is_so(office: _Office) -> Iterator[Problem]:
    for id, row in office.mails.items():
        if mail := office.events.get(id):
            began = mail
            while began.answers:
                began = office.texts.mails[began.answers]
            yield from office.said(f"gmail {id}", f"{row['subject']}\n{parts(row['body'])[0]}", mail, began)


def _others_say_what_is_so(office: _Office) -> Iterator[Problem]:
    for app, table, kind, columns in (
        ("chat", "messages", Chat, ("text",)),
        ("todoist", "tasks", ToDo, ("content",)),
        ("simple_note", "notes", Note, ("title", "text")),
    ):
        rows, events = office.rows(app, table), office.so_far(kind)
        if len(rows) != len(events):
            yield Problem("rows", f"{app}.{table}", f"has {len(rows)} rows and not {len(events)}")
        for row, event in zip(rows, events, strict=False):
            yield from office.said(f"{app} {row['id']}", "\n".join(row[name] for name in columns), event)


def _files_say_what_is_so(office: _Office) -> Iterator[Problem]:
    latest = {office.texts.file(version)[0]: version for version in office.so_far(FileVersion)}
    for row in office.rows("filesystem", "entries"):
        if row["kind"] != "file":
            continue
        if (version := latest.get(row["path"])) is None:
            yield Problem("files", row["path"], "no event of the ledger made it")
            continue
        yield from office.said(row["path"], row["text"], version)
        named = {later(office.today, int(fact.at(0))) for fact in office.ledger.facts.values() if fact.kind == "date"}
        for found in _STAMPED.finditer(row["path"]):
            if date(int(found[1]), int(found[2]), int(found[3])) not in named:
                yield Problem("dates", row["path"], "its name has a date that nobody states")
        if row["text"] != office.texts.file(version)[1]:
            yield Problem("files", row["path"], "is not its last version")
        table = list(csv.reader(StringIO(row["text"]))) if row["path"].endswith(".csv") else []
        if table and table[-1][0] == "sum" and sum(int(line[-1]) for line in table[1:-1]) != int(table[-1][-1]):
            yield Problem("amounts", row["path"], "its sum is not that of its lines")


def _quotes_equal_the_earlier_mail(office: _Office) -> Iterator[Problem]:
    ids = {mail.id: id for id, mail in office.events.items()}
    for id, row in office.mails.items():
        _, line, quoted = parts(row["body"])
        mail = office.events.get(id)
        if line is None or mail is None or mail.answers is None:
            continue
        earlier = office.mails.get(ids[mail.answers])
        if earlier is None:
            yield Problem("quotes", f"gmail {id}", "quotes a mail that is not there")
            continue
        own = "\n".join(each.rstrip() for each in parts(earlier["body"])[0].split("\n"))
        if quoted != own:
            yield Problem("quotes", f"gmail {id}", "does not quote what was written")
        there = datetime.fromisoformat(earlier["sent_datetime"]).replace(tzinfo=ZoneInfo(OWNER_ZONE))
        there = there.astimezone(ZoneInfo(office.ledger.company.person(mail.sender).zone))
        if (line[1], line[2]) != (f"{there.day} {there:%B %Y}", f"{there:%H:%M}"):
            yield Problem("quotes", f"gmail {id}", f"what it quotes was sent at {there:%Y-%m-%d %H:%M}")
        if line[3] != office.texts.name(office.texts.mails[mail.answers].sender):
            yield Problem("quotes", f"gmail {id}", "names somebody else as the writer of what it quotes")


def _answers_come_after(office: _Office) -> Iterator[Problem]:
    for row in office.mails.values():
        first = office.mails.get(row["thread"] or "")
        if first and first["sent_datetime"] > row["sent_datetime"]:
            yield Problem("order", f"gmail {row['id']}", "is older than the mail that began its conversation")
    said = {row["id"]: row for row in office.rows("chat", "messages")}
    for row in said.values():
        if row["thread"] in said and said[row["thread"]]["sent"] > row["sent"]:
            yield Problem("order", f"chat {row['id']}", "is older than what it answers")
    for row in (*office.mails.values(), *said.values()):
        if (row.get("sent_datetime") or row["sent"]).replace("T", " ") > str(office.world.now):
            yield Problem("order", row["id"], "lies ahead")


def _nobody_writes_while_away(office: _Office) -> Iterator[Problem]:
    members = {row["id"]: row["address"] for row in office.rows("chat", "members")}
    written = [
        (f"gmail {id}", office.sender(row), row["sent_datetime"])
        for id, row in office.mails.items()
        if id in office.events and office.events[id].kind != "auto"
    ]
    written += [
        (f"chat {row['id']}", members.get(row["author_id"], ""), row["sent"]) for row in office.rows("chat", "messages")
    ]
    for where, address, moment in written:
        person = office.people.get(address)
        day = (date.fromisoformat(moment[:10]) - office.today).days
        if person and not person.works(day):
            yield Problem("leave", where, f"{person.key} was not there on {moment[:10]}")


def _what_is_attached_is_what_was_there(office: _Office) -> Iterator[Problem]:
    forgotten = {id for error in office.ledger.errors if error.kind == "forgotten attachment" for id in error.events}
    files: dict[str, list[tuple[str, str]]] = {}
    for row in office.rows("gmail", "attachments"):
        files.setdefault(row["email"], []).append((row["name"], row["text"]))
    versions = office.so_far(FileVersion)
    for id, row in office.mails.items():
        mail, there = office.events.get(id), files.get(id, [])
        if mail is None:
            continue
        for name, text in there:
            then: dict[str, str] = {}
            for version in versions:
                if version.at <= mail.at:
                    path, what = office.texts.file(version)
                    then[path.rpartition("/")[2]] = what
            if then.get(name) != text:
                yield Problem("attachments", f"gmail {id}", f"{name} was not so when it was sent")
        if len(there) != len(mail.files):
            yield Problem("attachments", f"gmail {id}", f"has {len(there)} files and not {len(mail.files)}")
        speaks = re.search(r"\b(is|are) attached\b|list attached|Plan attached|profile attached", parts(row["body"])[0])
        if speaks and not there and mail.id not in forgotten:
            yield Problem("attachments", f"gmail {id}", "speaks of a file and has none")


def _ids_are_there(office: _Office) -> Iterator[Problem]:
    ids = {
        (app, table): {row["id"] for row in rows}
        for app, tables in office.world.rows.items()
        for table, rows in tables.items()
    }
    mails = ids["gmail", "emails"] | ids["gmail", "trash"]
    targets: dict[tuple[str, str, str], set[str]] = {
        ("gmail", "emails", "thread"): mails, ("gmail", "envelopes", "id"): mails,
        ("gmail", "attachments", "email"): mails,
        ("gmail", "threads", "id"): mails, ("gmail", "thread_labels", "thread"): ids["gmail", "threads"],
        ("calendar", "events", "series"): ids["calendar", "events"],
        ("chat", "messages", "thread"): ids["chat", "messages"],
        ("chat", "messages", "author_id"): ids["chat", "members"],
        ("chat", "messages", "channel_id"): ids["chat", "channels"],
        ("chat", "reactions", "message_id"): ids["chat", "messages"],
        ("todoist", "tasks", "parent_id"): ids["todoist", "tasks"],
        ("todoist", "tasks", "project_id"): ids["todoist", "projects"],
        ("crm", "deals", "contact_id"): ids["crm", "customers"],
        ("crm", "deals", "company_id"): ids["crm", "companies"],
        ("crm", "stage_changes", "deal_id"): ids["crm", "deals"], ("crm", "notes", "record_id"): ids["crm", "deals"],
    }  # fmt: skip
    for (app, table, column), known in targets.items():
        for row in office.rows(app, table):
            if row.get(column) and row[column] not in known:
                yield Problem("ids", f"{app}.{table} {row['id']}", f"{column} {row[column]} is nowhere")
    labels = {row["name"] for row in office.rows("gmail", "labels")}
    for row in office.rows("gmail", "thread_labels"):
        if row["label"] not in labels:
            yield Problem("ids", f"gmail.thread_labels {row['id']}", f"there is no label {row['label']}")
    for app, tables in office.world.rows.items():
        for model in catalog.app(app).tables:
            for values in tables.get(model.table_name, ()):
                model.from_json(values)


def _deals_are_as_they_went(office: _Office) -> Iterator[Problem]:
    steps: dict[str, list[_Row]] = {}
    for row in office.rows("crm", "stage_changes"):
        steps.setdefault(row["deal_id"], []).append(row)
    keys = list(dict.fromkeys(each.deal for each in office.ledger.of(DealStep) if each.at <= NOW))
    last = {each.deal: each for each in office.ledger.of(DealStep) if each.at <= NOW}
    for row, key in zip(office.rows("crm", "deals"), keys, strict=False):
        moves = steps.get(row["id"], [])
        stages = [None, *(each["after"] for each in moves)]
        if [each["before"] for each in moves] != stages[:-1] or row["stage"] != stages[-1]:
            yield Problem("deals", f"crm {row['id']}", "its steps do not lead to its stage")
        if [each["day"] for each in moves] != sorted(each["day"] for each in moves):
            yield Problem("deals", f"crm {row['id']}", "its steps are not in order")
        fact = office.ledger.facts[last[key].amount]
        if row["amount"] != fact.at(last[key].at):
            yield Problem("amounts", f"crm {row['id']}", f"its amount was {fact.at(last[key].at)} after its last step")
    for row in office.rows("crm", "notes"):
        events = [each for each in office.ledger.of(DealStep) if each.note and each.at <= NOW]
        place = int(row["id"].removeprefix("N")) - 1
        yield from office.said(f"crm note {row['id']}", row["text"], events[place])


def _meetings_are_when_they_were_set(office: _Office) -> Iterator[Problem]:
    starts = {row["id"]: date.fromisoformat(row["event_start"][:10]) for row in office.rows("calendar", "events")}
    meetings = sorted(office.so_far(Meeting), key=lambda each: each.starts)
    for row, meeting in zip(office.rows("calendar", "events"), meetings, strict=False):
        where, day = f"calendar {row['id']}", starts[row["id"]]
        if row["event_start"] != office.texts.stamp(meeting.starts):
            yield Problem("moments", where, f"begins at {office.texts.stamp(meeting.starts)}")
        yield from office.said(where, f"{row['event_name']}\n{row['description']}", meeting)
        if day.weekday() > 4 and not row["all_day"]:
            yield Problem("weekdays", where, "lies on a weekend")
        days = [date.fromisoformat(each) for each in row["skipped"]]
        if row.get("series"):
            days, day = [date.fromisoformat(row["original"])], starts.get(row["series"], day)
        if any((each - day) % timedelta(days=7) for each in days):
            yield Problem("weekdays", where, "leaves out or moves a day that its series does not have")
        for asked in row["attendees"]:
            person = office.people.get(asked["address"])
            if person is None:
                yield Problem("people", where, f"{asked['address']} is nobody")
            elif person.left is not None and day_of(meeting.starts) > person.left:
                yield Problem("leave", where, f"{person.key} has left by then")


def _tasks_are_done_in_time(office: _Office) -> Iterator[Problem]:
    for row, todo in zip(office.rows("todoist", "tasks"), office.so_far(ToDo), strict=False):
        due = None if todo.due is None else str(later(office.today, todo.due))
        if row["due_date"] != due:
            yield Problem("moments", f"todoist {row['id']}", f"is due on {due}")
        if row["completed"] and row["completed"].replace("T", " ") > str(office.world.now):
            yield Problem("order", f"todoist {row['id']}", "is done before it was")


_RULES: tuple[Callable[[_Office], Iterator[Problem]], ...] = (
    _mails_are_those_of_the_ledger,
    _mails_say_what_is_so,
    _others_say_what_is_so,
    _files_say_what_is_so,
    _quotes_equal_the_earlier_mail,
    _answers_come_after,
    _nobody_writes_while_away,
    _what_is_attached_is_what_was_there,
    _ids_are_there,
    _deals_are_as_they_went,
    _meetings_are_when_they_were_set,
    _tasks_are_done_in_time,
)
