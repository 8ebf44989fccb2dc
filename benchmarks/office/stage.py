"""Where a story line is told: it says what is so and what happens, and the stage writes that into the ledger."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeVar

from benchmarks.office.ledger import (
    DAY,
    NOW,
    Busy,
    Chat,
    Comment,
    DealStep,
    DeliberateError,
    Event,
    Fact,
    FileVersion,
    Kind,
    Ledger,
    Mail,
    Meeting,
    Note,
    ToDo,
    day_of,
)
from benchmarks.office.people import CLOSED, Person
from benchmarks.office.script import Line, Thread, threads
from benchmarks.office.timely import AHEAD_OF_OWNER, local, out_of_time
from benchmarks.office.words import TOKEN

__all__ = ("Stage", "keyed", "weekday", "workday")

_DAY_FACT = re.compile(r"d(m?)(\d+)")
_ROUGH_FACT = re.compile(r"([mn])(\d+)")
_DONE = 0.9
"""How many of their tasks people complete."""
_E = TypeVar("_E", Mail, Chat, Meeting, Busy, ToDo, Comment, DealStep, FileVersion, Note)


def keyed(seed: int, *decision: object) -> Random:
    """A generator for one decision: the same in every process, whatever was drawn before."""
    return Random("|".join(map(str, (seed, *decision))))


def weekday(day: int) -> int:
    """0 for Monday; `now` is a Wednesday."""
    return (day + 2) % 7


def workday(day: int) -> int:
    """The day, or the next one that is neither of a weekend nor one on which the house is closed."""
    while weekday(day) > 4 or day in CLOSED:
        day += 1
    return day


@dataclass
class Stage:
    """A story line being told. Days are counted from `base`; ids and facts carry the name of the story."""

    ledger: Ledger
    story: str
    base: int
    latest: int = -(10**9)
    marks: dict[str, Mail] = field(default_factory=dict)
    made: int = 0

    def rng(self, *decision: object) -> Random:
        """For one decision of this story."""
        return keyed(self.ledger.seed, self.story, *decision)

    def day(self, number: int) -> int:
        """A working day of the story as a day of the ledger."""
        return workday(self.base + number)

    def fact(self, name: str, kind: Kind, value: int | str) -> str:
        """Say that something is so; its id."""
        id = f"{self.story}.{name}"
        self.ledger.facts[id] = Fact(id=id, kind=kind, history=((-(10**6), value),))
        return id

    def date(self, name: str, number: int) -> int:
        """A day that people speak of, in days of the story; the day of the ledger."""
        day = self.day(number)
        self.fact(name, "date", day)
        return day

    def change(self, name: str, number: int, value: int | str) -> None:
        """From that day of the story on it is something else."""
        old = self.ledger.facts[f"{self.story}.{name}"]
        self.ledger.facts[old.id] = replace(old, history=(*old.history, (self.day(number) * DAY, value)))

    def add(self, kind: type[_E], at: int, sender: str, /, **values: Any) -> _E:
        """Let something happen. Texts name this story's facts by their short names."""
        self.made += 1
        texts = {
            key: self.text(value)
            for key, value in values.items()
            if key in ("subject", "text", "title", "note", "path")
        }
        event = kind(id=f"{self.story}-{self.made:03d}", story=self.story, at=at, sender=sender, **{**values, **texts})
        self.ledger.events.append(event)
        return event

    def comment(self, task: ToDo, when: str, sender: str, text: str) -> Comment:
        """Somebody writes below a task, not before it is made."""
        return self.add(Comment, max(self.moment(when, sender), task.at + 2), sender, task=task.id, text=text)

    def error(self, kind: Any, events: list[Event], truth: str) -> None:
        """Say that something is wrong on purpose."""
        self.ledger.errors.append(
            DeliberateError(kind=kind, events=tuple(event.id for event in events), truth=self.text(truth))
        )

    def text(self, text: str) -> str:
        """A text with the full names of its facts.

        Days (`{d5}`), sums (`{m240}`) and counts (`{n12}`) are made facts here: sums and counts of a story are all
        larger than they stand there, or all smaller, so that what is more stays more.
        """

        def full(found: re.Match[str]) -> str:
            people, name, form = found[1], found[2], f":{found[3]}" if found[3] else ""
            if people or "." in name:
                return found[0]
            id = f"{self.story}.{name}"
            if id not in self.ledger.facts and not self._made_up(name):
                raise ValueError(f"story {self.story}: no fact {name!r} for {text[:60]!r}")
            return f"{{{id}{form}}}"

        return TOKEN.sub(full, text)

    def _made_up(self, name: str) -> bool:
        if day := _DAY_FACT.fullmatch(name):
            self.date(name, int(day[2]) * (-1 if day[1] else 1))
        elif rough := _ROUGH_FACT.fullmatch(name):
            about = int(rough[2]) * self.rng("rough").uniform(0.7, 1.4)
            if about >= 20:
                about *= self.rng("rough", name).uniform(0.97, 1.03)
            if rough[1] == "m":
                self.fact(name, "money", max(5, round(about / 5) * 5))
            else:
                self.fact(name, "count", max(2, round(about)))
        else:
            return False
        return True

    def play(self, script: str, *keys: str) -> None:
        """Play the threads of a script, or those of some keys."""
        for thread in threads(script):
            if not keys or thread.key in keys:
                self.thread(thread)

    def thread(self, thread: Thread) -> list[Event]:
        """Play one thread; what happened, line by line."""
        said: list[Any] = []
        for place, line in enumerate(thread.lines):
            at = self._when(line, said, thread.key)
            if "after" in line.options:
                at = max(at, self._in_hours(self.marks[line.options["after"]].at + 25, line.who))
            for name in line.options.get("file", "").split(","):
                if name and self._files.get(name):  # nobody attaches what is not written yet
                    at = max(at, self._files[name][0].at + 6)
            text = line.wordings[0]
            if len(line.wordings) > 1:
                text = self.rng("wording", thread.key, place).choice(line.wordings)
            at = self._timely(at, line, text)
            match "chat" if thread.key.startswith("chat:") else line.kind:
                case "chat":
                    event: Event = self._chat(thread, line, at, text, said)
                case "task":
                    event = self._task(line, at, text)
                case "meeting":
                    event = self._meeting(line, at, text, said)
                case "note":
                    title, _, rest = text.partition("\n")
                    tags = tuple(tag for tag in line.options.get("tags", "").split(",") if tag)
                    event = self.add(Note, at, line.who, title=title, text=rest.strip(), tags=tags)
                case "file":
                    event = self.add(FileVersion, at, line.who, path=line.options["path"], text=f"{text}\n")
                case _:
                    event = self._mail(thread, line, at, text, said)
            said.append(event)
        return said

    def _mail(self, thread: Thread, line: Line, at: int, text: str, said: list[Any]) -> Mail:
        options = {**thread.options, **line.options}
        before = self.marks[line.options["re"]] if "re" in line.options else _heard(line, said)
        if line.options.get("apart"):
            before = None
        subject = f"Re: {_plain(before.subject)}" if before else thread.subject
        if text.startswith("Subject: "):
            head, _, text = text.partition("\n\n")
            subject = head.removeprefix("Subject: ")
        to, cc = line.to, line.cc
        if to == ("all",) and before:
            to = (before.sender,) if before.sender != line.who else before.to
            others = dict.fromkeys((*before.to, *before.cc, *cc))
            cc = tuple(each for each in others if each not in (line.who, *to))
        mail = self.add(
            Mail,
            at,
            options.get("from", line.who) if line.who == "sender" else line.who,
            to=to,
            cc=cc,
            subject=subject,
            text=text,
            thread=None if not before else before.thread or before.id,
            answers=before.id if before else None,
            kind=options.get("kind", "person"),
            label=thread.options.get("label", ""),
            draft="draft" in line.options,
            tone=options.get("tone", ""),
            files=tuple(self.file_at(name, at).id for name in line.options.get("file", "").split(",") if name),
        )
        if "as" in line.options:
            self.marks[line.options["as"]] = mail
        return mail

    def _chat(self, thread: Thread, line: Line, at: int, text: str, said: list[Any]) -> Chat:
        channel = line.options.get("channel") or thread.subject.replace(" ", "")
        root = None
        if (
            line.when.startswith("~")
            and "+" not in channel
            and said
            and isinstance(said[-1], Chat)
            and said[-1].channel == channel
        ):
            root = said[-1].answers or said[-1].id
        people = self.ledger.company.people
        reactions = tuple(
            (emoji, who)
            for emoji, _, who in (pair.partition(":") for pair in line.options.get("react", "").split(",") if pair)
            if people[who].works(day_of(at))
        )
        return self.add(Chat, at, line.who, channel=channel, text=text, answers=root, reactions=reactions)

    def _task(self, line: Line, at: int, text: str) -> ToDo:
        """A task: mostly done about when it is due, now and then not at all; by nobody after `now`."""
        draws = self.rng("task", self.made)
        due = workday(day_of(at) + int(line.options["due"])) if "due" in line.options else None
        done = (due if due is not None else day_of(at) + draws.randint(1, 15)) + draws.choice((-1, 0, 0, 0, 1, 2))
        finished = max(self._in_hours(done * DAY + draws.randint(540, 1020), line.who), at + 30)
        return self.add(
            ToDo,
            at,
            line.who,
            text=text,
            project=line.options["project"],
            due=due,
            done=finished if draws.random() < _DONE and finished <= NOW else None,
            priority=draws.choice((4, 4, 3, 3, 2, 1)),
        )

    def _meeting(self, line: Line, at: int, text: str, said: list[Any]) -> Meeting:
        """A meeting at that moment, or at that time of the next day on which all are there."""
        invited = self._in_hours(said[-1].at + 12, line.who) if said else self._in_hours(at - DAY, line.who)
        people = [self.ledger.company.people[key] for key in (line.who, *line.to)]
        starts = at
        while starts < invited or weekday(day_of(starts)) > 4 or not all(each.works(day_of(starts)) for each in people):
            starts += DAY
        draws = self.rng("meeting", self.made)
        answers = draws.choices(("accepted", "tentative", "declined", "needs action"), (80, 8, 6, 6), k=len(line.to))
        return self.add(
            Meeting,
            invited,
            line.who,
            title=text,
            starts=starts,
            minutes=int(line.options["minutes"]),
            people=tuple(zip(line.to, answers, strict=True)),
        )

    def file(self, number: int, sender: str, path: str, text: str, *, name: str, at: str = "") -> FileVersion:
        """A version of a file, which mails attach by `name`."""
        moment = self.moment(f"d{number}{'@' + at if at else ''}", sender)
        version = self.add(FileVersion, moment, sender, path=path, text=text)
        self._files.setdefault(name, []).append(version)
        return version

    @property
    def _files(self) -> dict[str, list[FileVersion]]:
        files: dict[str, list[FileVersion]] = self.__dict__.setdefault("files_by_name", {})
        return files

    def file_at(self, name: str, at: int) -> FileVersion:
        """The version of a file that there was then. Raises ValueError where there was none."""
        for version in reversed(self._files.get(name, [])):
            if version.at <= at:
                return version
        raise ValueError(f"story {self.story}: there is no file {name!r} yet at day {day_of(at)}")

    def moment(self, when: str, sender: str) -> int:
        """When somebody does something on a day of the story: at a time, or at one drawn in their hours."""
        day, _, time = when.partition("@")
        at = self.day(int(day.removeprefix("d"))) * DAY
        if time:
            hours, minutes = time.split(":")
            return at + int(hours) * 60 + int(minutes)
        return self._in_hours(
            at + self.rng("time", when, sender, self.made).randint(0, DAY - 1), sender, whole_day=True
        )

    def _when(self, line: Line, said: list[Any], key: str) -> int:
        last = said[-1].at if said else -(10**9)
        if not line.when.startswith(("~", "+")):
            return max(self.moment(line.when, line.who), last + 2)
        draws = self.rng("when", key, len(said), line.who)
        if line.when.startswith("~"):
            spread = 20 if key.startswith("chat:") else 95
            wait = int(draws.lognormvariate(0, 1.05) * spread) + 3
            return self._in_hours(last + wait, line.who, late=draws.random() < 0.06)
        number, _, time = line.when[1:].partition("@")
        day = workday(day_of(last) + int(number))
        if time:
            at = day * DAY + int(time[:2]) * 60 + int(time[3:])
        else:
            at = self._in_hours(max(day * DAY + draws.randint(500, 1040), last + 5), line.who)
        return max(at, last + 2)

    def _timely(self, at: int, line: Line, text: str) -> int:
        """That moment, or the next morning where nobody would write these words so late."""
        person = self.ledger.company.people.get(line.who)
        if person is None or "@" in line.when or not out_of_time(text, local(at, person.zone)):
            return at
        morning = (day_of(at) + 1) * DAY + person.hours[0] - AHEAD_OF_OWNER[person.zone]
        return self._in_hours(morning + at % 50, line.who)

    def _in_hours(self, at: int, key: str, *, whole_day: bool = False, late: bool = False) -> int:
        """That moment, or the next in which they work; a time of a whole day is put into their hours."""
        person: Person | None = self.ledger.company.people.get(key)
        if person is None:
            return at if not whole_day else day_of(at) * DAY + 6 * 60 + at % 660
        shift = AHEAD_OF_OWNER[person.zone]
        first, last = person.hours[0] - shift, person.hours[1] - shift
        if whole_day:
            at = day_of(at) * DAY + first + at % (last - first)
        day, minute = divmod(at, DAY)
        if minute > (min(last + 210, DAY - 1) if late else last):
            day, minute = day + 1, first + (at * 7) % 75
        elif minute < first:
            minute = first + (at * 7) % 75
        while weekday(day) > 4 or not person.works(day):
            day += 1
        if person.left is not None and day > person.left:
            raise ValueError(f"story {self.story}: {key} has left by day {day}")
        return day * DAY + minute


def _heard(line: Line, said: list[Any]) -> Mail | None:
    """What somebody answers: the last mail that they wrote or were sent; to all, the last there is."""
    mails = [each for each in reversed(said) if isinstance(each, Mail)]
    if line.to == ("all",):
        return mails[0] if mails else None
    return next((each for each in mails if line.who in (each.sender, *each.to, *each.cc)), None)


def _plain(subject: str) -> str:
    return re.sub(r"^((Re|Fwd): )+", "", subject)
