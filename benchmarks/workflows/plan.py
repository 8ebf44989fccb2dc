"""The reference solution of a workflow: its calls in order, what each rests on, and what writes leave behind."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final, NamedTuple

from benchmarks.workflows.layout import address, as_csv, guest, person
from harness.task import Call, Expected
from servers.kernel import ordinal

__all__ = (
    "ANYTHING", "Fact", "Plan", "Said", "Step", "amount", "cents", "day", "facts", "pairs", "says", "settled_csv",
    "spoken",
)  # fmt: skip

Fact = str | tuple[str, ...]
"""Something that a text has to say, in one of several forms."""


class Said(NamedTuple):
    """A fact in its forms. Of a value of something, the `key` says of what; it has to be said too if it is `named`."""

    forms: tuple[str, ...]
    key: tuple[str, ...] = ()
    named: bool = True


_SAYS: Final = "says: "
ANYTHING: Final = _SAYS.strip()
"""Expected of a field: any text."""


_BETWEEN: Final = re.compile(r"; | / | [=~] ")


def says(*facts: Fact | Said) -> str:
    """Expected of a field: a text that says all of this, and what else it likes.

    A fact is found as whole words, in any letter case; of several forms one will do. Raises ValueError for one that
    has what stands between facts here.
    """
    of = [each if isinstance(each, Said) else Said(_forms(each)) for each in facts]
    if odd := [form for each in of for form in (*each.key, *each.forms) if _BETWEEN.search(form)]:
        raise ValueError(f"a fact may have none of '; ', ' / ', ' = ' and ' ~ ' in it: {odd[0]!r}")
    return _SAYS + "; ".join(
        (" / ".join(each.key) + (" = " if each.named else " ~ ") if each.key else "") + " / ".join(each.forms)
        for each in of
    )


def pairs(*of: tuple[Fact, Fact], named: bool = True) -> tuple[Said, ...]:
    """Keys with their values, for `says`: a text may lay them out as it likes, but not exchange values.

    `telling.py` says how that is seen; all pairs of a text are looked at together. Keys that are not `named` need not
    be said, since people have other words for them: "on time" for the on-time share.
    """
    return tuple(Said(_forms(value), _forms(key), named) for key, value in of)


def _forms(fact: Fact) -> tuple[str, ...]:
    return (fact,) if isinstance(fact, str) else fact


def facts(marker: str) -> list[Said] | None:
    """What a text expected by `says` or `ANYTHING` has to say; None for any other value."""
    if not isinstance(marker, str) or not marker.startswith(ANYTHING):
        return None
    said = marker.removeprefix(ANYTHING).strip()
    return [_said(each) for each in said.split("; ")] if said else []


def _said(text: str) -> Said:
    *key, sign, value = re.split(r" ([=~]) ", text) if re.search(r" [=~] ", text) else ("=", text)
    return Said(tuple(value.split(" / ")), tuple(key[0].split(" / ")) if key else (), sign == "=")


def amount(value: Decimal | float | str) -> tuple[str, ...]:
    """A number in the forms that people write: 1,240.50 and 1240.50 and 1240.5; -3 and minus 3."""
    number = Decimal(str(value))
    if number < 0:
        return tuple(f"{sign}{form}" for form in amount(-number) for sign in ("-", "\N{MINUS SIGN}", "minus "))
    forms = [f"{number:,.2f}", f"{number:.2f}"]
    if number == round(number, 1):
        forms += [f"{number:,.1f}", f"{number:.1f}"]
    if number == number.to_integral():
        forms += [f"{number:,.0f}", f"{number:.0f}"]
    else:
        forms += [f"{number.normalize():,f}", f"{number.normalize():f}"]
    return tuple(dict.fromkeys(forms))


def day(value: str) -> tuple[str, ...]:
    """A day, YYYY-MM-DD, in the forms that people write: 3 March, March 3rd, 3 Mar, 03/03, with or without the year."""
    of = date.fromisoformat(value)
    names = [
        form
        for month in (f"{of:%B}", f"{of:%b}")
        for number in (str(of.day), f"{of.day:02d}", ordinal(of.day))
        for form in (f"{number} {month}", f"{month} {number}", f"{number} of {month}")
    ]
    return tuple(dict.fromkeys((value, *names, f"{of:%d/%m}", f"{of:%d.%m.}")))


def spoken(value: str) -> str:
    """A day, YYYY-MM-DD, as requests say it: 3 March."""
    of = date.fromisoformat(value)
    return f"{of.day} {of:%B}"


def cents(value: Decimal) -> Decimal:
    """A sum rounded to cents, half a cent up."""
    return value.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


def settled_csv(text: str) -> str:
    """A CSV file's text with cells trimmed, numbers in one form and no empty lines, so that equal sheets are equal."""
    try:
        rows = [[_cell(cell) for cell in row] for row in csv.reader(text.splitlines(), skipinitialspace=True)]
    except csv.Error:  # whatever an agent wrote into it, it is no sheet
        return text
    return as_csv(row for row in rows if any(row))


def _cell(text: str) -> str:
    bare = text.strip()
    if not _NUMBER.fullmatch(bare):
        return bare
    return f"{Decimal(bare).normalize():f}"


_NUMBER: Final = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?")
"""What is a number in a cell; 0417 is a name."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One call. `after` are the numbers of steps that it rests on; steps of one `loop` do the same row after row."""

    call: Call
    after: tuple[int, ...] = ()
    loop: str = ""
    leaves: tuple[Expected, ...] = ()

    @property
    def writes(self) -> bool:
        """Whether it changes anything that counts."""
        return bool(self.leaves)


class Plan:
    """Steps as they are to be taken. Every method adds one and returns its number, for others to come `after` it.

    `after` is a number or several. Say truthfully what a step needs to be known or done first: the depth of a workflow
    is the longest chain of them, where all steps of one `loop` count once (specs: long horizon). `lines` is how many
    lines of the papers figures are worked out from, counted while they were; 0 where nobody counted.
    """

    def __init__(self, lines: int = 0) -> None:
        self.steps: list[Step] = []
        self.lines = lines

    @property
    def changes(self) -> tuple[Expected, ...]:
        """What all of it leaves: the checkpoints."""
        return tuple(change for step in self.steps for change in step.leaves)

    @property
    def depth(self) -> int:
        """Steps in the longest chain."""
        nodes = [step.loop or str(number) for number, step in enumerate(self.steps)]
        depth: dict[str, int] = {}
        for number, step in enumerate(self.steps):
            before = max((depth[nodes[each]] for each in step.after if nodes[each] != nodes[number]), default=0)
            depth[nodes[number]] = max(depth.get(nodes[number], 0), before + 1)
        return max(depth.values(), default=0)

    def read(
        self,
        app: str,
        tool: str,
        *,
        after: int | Iterable[int] = (),
        loop: str = "",
        given: Mapping[str, Any] | None = None,
        **arguments: Any,
    ) -> int:
        """A call that changes nothing. `given`: arguments whose names this method has itself."""
        return self._add(app, tool, {**arguments, **(given or {})}, after, loop)

    def write(
        self,
        app: str,
        tool: str,
        leaves: Expected | Sequence[Expected],
        *,
        after: int | Iterable[int] = (),
        loop: str = "",
        **arguments: Any,
    ) -> int:
        """A call that changes rows, and what it leaves."""
        return self._add(app, tool, arguments, after, loop, leaves)

    def _add(
        self,
        app: str,
        tool: str,
        arguments: Mapping[str, Any],
        after: int | Iterable[int],
        loop: str,
        leaves: Expected | Sequence[Expected] = (),
    ) -> int:
        call = Call(app=app, tool=tool, arguments=dict(arguments))
        rests = (after,) if isinstance(after, int) else tuple(after)
        left = (leaves,) if isinstance(leaves, Expected) else tuple(leaves)
        self.steps.append(Step(call=call, after=rests, loop=loop, leaves=left))
        return len(self.steps) - 1

    # -- reading

    def open(self, path: str, *, after: int | Iterable[int] = (), loop: str = "") -> int:
        """A text file read."""
        return self.read("filesystem", "read_text_file", path=path, after=after, loop=loop)

    def conversation(self, id: str, *, after: int | Iterable[int] = (), loop: str = "") -> int:
        """A conversation of mails read."""
        return self.read("gmail", "get_conversation", email_id=id, after=after, loop=loop)

    # -- files

    def save(self, path: str, text: str, *, after: int | Iterable[int] = (), over: bool = False, loop: str = "") -> int:
        """A text file written whole; `over` one that exists."""
        return self.write(
            "filesystem", "write_file", _file(path, text, over), path=path, content=text, after=after, loop=loop
        )

    def save_sheet(
        self, path: str, rows: Iterable[Sequence[Any]], *, after: int | Iterable[int] = (), over: bool = False
    ) -> int:
        """A CSV file written whole; cells are compared as values, so that 12.50 is 12.5."""
        text = as_csv(rows)
        return self.write(
            "filesystem", "write_file", _file(path, settled_csv(text), over), path=path, content=text, after=after
        )

    # -- mail and chat

    def mail(
        self,
        to: str,
        text: str,
        *,
        subject: str,
        expects: str = "",
        any_subject: bool = False,
        cc: Sequence[str] = (),
        after: int | Iterable[int] = (),
        loop: str = "",
    ) -> int:
        """A new mail to one person. `expects`: what its text has to say (`says`), where it is not given."""
        values: dict[str, Any] = {
            "folder": "outbox", "address": address(to), "subject": ANYTHING if any_subject else subject,
            "body": expects or text,
        }  # fmt: skip
        if cc:
            values["cc"] = [address(each) for each in cc]
        return self.write(
            "gmail", "send_email", Expected(op="insert", app="gmail", table="emails", values=values), to=[address(to)],
            subject=subject, text=text, after=after, loop=loop, **({"cc": values["cc"]} if cc else {}),
        )  # fmt: skip

    def answer(
        self,
        mail: str,
        to: str,
        subject: str,
        text: str,
        *,
        expects: str = "",
        after: int | Iterable[int] = (),
        loop: str = "",
    ) -> int:
        """An answer to a mail in its conversation, under its subject."""
        values = {"folder": "outbox", "address": address(to), "subject": subject, "body": expects or text}
        return self.write(
            "gmail", "reply_to_email", Expected(op="insert", app="gmail", table="emails", values=values), email_id=mail,
            text=text, after=after, loop=loop,
        )  # fmt: skip

    def say(
        self,
        channel: str,
        channel_id: str,
        text: str,
        *,
        expects: str = "",
        after: int | Iterable[int] = (),
        loop: str = "",
    ) -> int:
        """A message in a channel."""
        from benchmarks.workflows.layout import office

        me = next(row for row in office().rows["chat"]["members"] if row["address"] == person("owner").address)
        values = {"channel_id": channel_id, "author_id": me["id"], "text": expects or text}
        return self.write(
            "chat", "send_message", Expected(op="insert", app="chat", table="messages", values=values),
            to=f"#{channel}", text=text, after=after, loop=loop,
        )  # fmt: skip

    # -- calendar

    def book(
        self,
        title: str,
        *,
        start: str,
        minutes: int,
        people: Sequence[str],
        location: str = "",
        after: int | Iterable[int] = (),
        loop: str = "",
    ) -> int:
        """An event with people who are invited, in any order; `start` is YYYY-MM-DD HH:MM."""
        guests = sorted((guest(each) for each in people), key=lambda each: str(each["address"]))
        values: dict[str, Any] = {
            "event_name": title, "participant_email": guests[0]["address"], "event_start": f"{start}:00",
            "duration": str(minutes), "organizer": person("owner").address, "attendees": guests,
        }  # fmt: skip
        if location:
            values["location"] = location
        return self.write(
            "calendar", "create_event", Expected(op="insert", app="calendar", table="events", values=values),
            title=title, start=start, minutes=minutes, people=[address(each) for each in people], after=after,
            loop=loop, **({"location": location} if location else {}),
        )  # fmt: skip

    # -- rows that exist

    def change(
        self,
        app: str,
        tool: str,
        table: str,
        id: str,
        values: Mapping[str, Any],
        *,
        after: int | Iterable[int] = (),
        loop: str = "",
        **arguments: Any,
    ) -> int:
        """A row changed, by whatever call does it."""
        left = Expected(op="update", app=app, table=table, id=id, values=dict(values))
        return self.write(app, tool, left, after=after, loop=loop, **arguments)

    # -- tasks

    def tasks(self, new: Sequence[Mapping[str, str]], *, after: int | Iterable[int] = (), loop: str = "") -> int:
        """New tasks in Todoist, at once: `title`, `project`; also `section`, `due`, `assignee` (a post), `priority`."""
        given, leaves = [], []
        for task in new:
            named = {_TASK[key]: address(value) if key == "assignee" else value for key, value in task.items()}
            given.append({_GIVEN[key]: address(value) if key == "assignee" else value for key, value in task.items()})
            leaves.append(Expected(op="insert", app="todoist", table="tasks", values=named))
        return self.write("todoist", "create_tasks", leaves, tasks=given, after=after, loop=loop)


_TASK: Final = {
    "title": "content", "project": "project_id", "section": "section_id", "due": "due_date", "assignee": "assignee",
    "priority": "priority",
}  # fmt: skip
_GIVEN: Final = {**{key: key for key in _TASK}, "project": "project_id", "section": "section_id"}


def _file(path: str, text: str, over: bool) -> Expected:
    if over:
        return Expected(op="update", app="filesystem", table="entries", id=path, values={"text": text})
    return Expected(op="insert", app="filesystem", table="entries", values={"path": path, "text": text})
