"""What happens in an office, as data: facts and the events that state them. Written beside a world, part of no app.

Time in a ledger is counted in minutes from midnight of the day that is `now`, on the owner's clock; a day is its number
from there. No date stands in it, so that a world can be rendered for any `now` of the same weekday.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from typing import Any, ClassVar, Literal, TypeAlias

from benchmarks.office.people import OWNER, Company

__all__ = (
    "AHEAD", "BACK", "DAY", "NOW", "Busy", "Chat", "Comment", "DealStep", "DeliberateError", "Event", "Fact",
    "FileVersion", "Ledger", "Mail", "Meeting", "Note", "Story", "ToDo", "clock", "day_of",
)  # fmt: skip

DAY = 24 * 60
BACK, AHEAD, NOW = 182, 14, 8 * 60 + 30
"""How many days before and after `now` a ledger reaches; the minute of its day that `now` is."""

Kind = Literal["date", "money", "count", "time", "text"]


def day_of(at: int) -> int:
    """The day that a moment is on."""
    return at // DAY


def clock(at: int) -> str:
    """The time of day of a moment, HH:MM."""
    return f"{at % DAY // 60:02d}:{at % 60:02d}"


@dataclass(frozen=True, kw_only=True)
class Fact:
    """Something that is so, perhaps something else later: `history` has since when it has been which value.

    A date's value is its day, money is in whole euros, a time is minutes after midnight.
    """

    id: str
    kind: Kind
    history: tuple[tuple[int, int | str], ...]

    def at(self, moment: int) -> int | str:
        """The value at that moment; before anybody decided, what was decided first."""
        place = bisect_right([since for since, _ in self.history], moment)
        return self.history[max(place - 1, 0)][1]


@dataclass(frozen=True, kw_only=True)
class Mail:
    """A mail. Its text has facts by name, and neither greeting nor signature: those are its writer's style."""

    app: ClassVar[str] = "gmail"
    id: str
    story: str
    at: int
    sender: str
    to: tuple[str, ...]
    cc: tuple[str, ...] = ()
    subject: str
    text: str
    thread: str | None = None
    answers: str | None = None
    files: tuple[str, ...] = ()
    kind: Literal["person", "bulk", "auto", "spam"] = "person"
    label: str = ""
    draft: bool = False
    tone: Literal["", "grave"] = ""
    """What it is about: below grave news nobody ends cheerfully."""
    twin: str | None = None
    """The mail that this one is sent a second time of, by mistake."""


@dataclass(frozen=True, kw_only=True)
class Chat:
    """A message in a channel or, where that is people's keys with + between them, in a direct conversation."""

    app: ClassVar[str] = "chat"
    id: str
    story: str
    at: int
    sender: str
    channel: str
    text: str
    answers: str | None = None
    reactions: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Meeting:
    """A meeting, a series, or (`series` and `original`) one of a series that was moved. It is invited to `at`."""

    app: ClassVar[str] = "calendar"
    id: str
    story: str
    at: int
    sender: str
    title: str
    starts: int
    minutes: int
    people: tuple[tuple[str, str], ...]
    text: str = ""
    place: str = ""
    recurrence: str = ""
    until: int | None = None
    skipped: tuple[int, ...] = ()
    series: str = ""
    original: int | None = None
    all_day: bool = False
    response: str = "accepted"
    cancelled: bool = False


@dataclass(frozen=True, kw_only=True)
class ToDo:
    """A task in somebody's list; `done` is when it was completed."""

    app: ClassVar[str] = "todoist"
    id: str
    story: str
    at: int
    sender: str
    text: str
    project: str
    due: int | None = None
    done: int | None = None
    assignee: str = ""
    priority: int = 4
    parent: str = ""
    section: str = ""
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Comment:
    """What somebody wrote below a task."""

    app: ClassVar[str] = "todoist"
    id: str
    story: str
    at: int
    sender: str
    task: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Busy:
    """A time at which a colleague, the sender, is busy: the owner's calendar says no more of it."""

    app: ClassVar[str] = "calendar"
    id: str
    story: str
    at: int
    sender: str
    starts: int
    minutes: int


@dataclass(frozen=True, kw_only=True)
class DealStep:
    """A step of a deal: a stage, and the amount from then on. `note` is what was written down in the CRM."""

    app: ClassVar[str] = "crm"
    id: str
    story: str
    at: int
    sender: str
    deal: str
    stage: str
    amount: str
    """The fact that says how much."""
    note: str = ""
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class FileVersion:
    """What a file says from then on. Its path may have facts by name, and is rendered once, as the text is."""

    app: ClassVar[str] = "filesystem"
    id: str
    story: str
    at: int
    sender: str
    path: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Note:
    """A note that the owner keeps."""

    app: ClassVar[str] = "simple_note"
    id: str
    story: str
    at: int
    sender: str
    title: str
    text: str
    tags: tuple[str, ...] = ()
    pinned: bool = False


Event: TypeAlias = Mail | Chat | Meeting | Busy | ToDo | Comment | DealStep | FileVersion | Note


@dataclass(frozen=True, kw_only=True)
class Story:
    """A story line: its kind, and whether tasks may be trained on it."""

    id: str
    kind: str
    held_out: bool


@dataclass(frozen=True, kw_only=True)
class DeliberateError:
    """Something that is wrong on purpose, the events that show it, and what would be right."""

    kind: Literal["stale record", "forgotten attachment", "duplicate"]
    events: tuple[str, ...]
    truth: str


@dataclass(kw_only=True)
class Ledger:
    """All of it. Events are in the order in which they happen."""

    seed: int
    company: Company
    facts: dict[str, Fact] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    stories: list[Story] = field(default_factory=list)
    errors: list[DeliberateError] = field(default_factory=list)
    deals: dict[str, dict[str, Any]] = field(default_factory=dict)

    def of(self, kind: type[Any]) -> Iterator[Any]:
        """The events of one kind, in order."""
        return (event for event in self.events if isinstance(event, kind))

    def known(self) -> dict[str, dict[str, int]]:
        """Fact -> person -> since when they have been told, by whatever was written to them or by them."""
        from benchmarks.office.words import stated

        found: dict[str, dict[str, int]] = {}
        for event in self.events:
            if isinstance(event, Mail) and event.draft:
                continue
            for fact in stated(event):
                for person in _present(event, self.company):
                    since = found.setdefault(fact, {})
                    since[person] = min(event.at, since.get(person, event.at))
        return found

    def to_json(self, today: date) -> dict[str, Any]:
        """The ledger for a world in which `now` is that day, with the rows that each event is."""

        def moment(at: int) -> str:
            return f"{today + timedelta(days=day_of(at))}T{clock(at)}:00"

        return {
            "seed": self.seed,
            "today": str(today),
            "company": self.company.to_json(),
            "stories": [asdict(story) for story in self.stories],
            "facts": [
                {
                    "id": fact.id,
                    "kind": fact.kind,
                    "history": [
                        {
                            "since": moment(since),
                            "value": str(today + timedelta(days=int(value))) if fact.kind == "date" else value,
                        }
                        for since, value in fact.history
                    ],
                }
                for fact in self.facts.values()
            ],
            "known": {
                fact: {person: moment(at) for person, at in people.items()} for fact, people in self.known().items()
            },
            "events": [
                {
                    "event": type(event).__name__,
                    "app": event.app,
                    "when": moment(event.at),
                    "ahead": event.at > NOW,
                    **asdict(event),
                }
                for event in self.events
            ],
            "errors": [asdict(error) for error in self.errors],
        }


def _present(event: Event, company: Company) -> tuple[str, ...]:
    match event:
        case Mail():
            return (event.sender, *event.to, *event.cc)
        case Chat():
            there = event.channel.split("+") if "+" in event.channel else company.channels[event.channel]
            return (event.sender, *there)
        case Meeting():
            return (event.sender, *(person for person, _ in event.people))
        case Comment():
            return (event.sender, OWNER)
        case _:
            return (event.sender,)
