"""Predicates: what is to be true of a session, as data over a closed list of kinds, and whether it is.

They name tables and files, never tools, so that whoever reaches the same end by another way is right as well. A table
or field that no app has is refused when a predicate is read, with names that are close.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from io import StringIO
from typing import Annotated, Any, Literal, NamedTuple, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from benchmarks.pi.words import normal, numbers
from harness.core.near import near
from servers import catalog

__all__ = ("All", "AnyOf", "Column", "File", "Mail", "Match", "Not", "Predicate", "Read", "Row", "Said", "Seen", "View",
           "Was", "absent", "holds", "parts", "why")  # fmt: skip


class Read(NamedTuple):
    """A row that was written, and what the calls after its last write returned, in order."""

    app: str
    table: str
    row: Mapping[str, Any]
    returned: tuple[str, ...]


class View(Protocol):
    """What a predicate looks at: a finished trajectory, or a session up to one of its hand-overs."""

    def rows(self, app: str, table: str) -> Iterable[Mapping[str, Any]]:
        """The rows at the end, each with its `id`."""
        ...

    def existed(self, app: str, table: str) -> Iterable[Mapping[str, Any]]:
        """The rows as they were at any moment of the session, those that are gone or changed included."""
        ...

    def reads(self) -> Iterable[Read]:
        """The rows that the agent wrote, with what later calls that wrote nothing returned."""
        ...

    def said(self) -> Sequence[str]:
        """The messages of the agent, in order."""
        ...

    def files(self) -> Mapping[str, str]:
        """The text of each file by its path."""
        ...


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Match(_Part):
    """What a value is to be; all that is given has to hold.

    `{contains: duration}`, `{number: 4.52, within: 0.01}`, `{day: 2026-04-14}`, `{any_of: [high, urgent]}`. Text is
    compared without regard to case and spaces. A list contains what one of its values contains.
    """

    equal: str | int | float | bool | None = None
    contains: str | None = None
    any_of: tuple[str | int | float | bool, ...] = ()
    number: float | None = None
    within: float = Field(default=0.0, ge=0.0)
    day: str | None = Field(default=None, pattern=r"^\d{4}-\d{2}-\d{2}$")

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.model_fields_set - {"within"}:
            raise ValueError("says nothing; write one of equal, contains, any_of, number, day")
        if self.within and self.number is None:
            raise ValueError("`within` is the tolerance of `number`, which is missing")
        return self

    def fits(self, value: Any) -> bool:
        if isinstance(value, list | tuple):
            return any(map(self.fits, value))
        given = self.model_fields_set
        return (
            ("equal" not in given or _same(self.equal, value))
            and (self.contains is None or normal(self.contains) in normal(_text(value)))
            and (not self.any_of or any(_same(each, value) for each in self.any_of))
            and (self.number is None or _close(self.number, self.within, _number(value)))
            and (self.day is None or _text(value)[:10] == self.day)
        )


Wanted = Annotated[
    str | int | float | bool | Match | None,
    Field(description="A plain value, which it is to equal, or what it is to be.", union_mode="left_to_right"),
]


class _Rows(_Part):
    app: str
    table: str
    fields: dict[str, Wanted] = {}

    @model_validator(mode="after")
    def _exists(self) -> Self:
        if told := absent(self.app, self.table, self.fields):
            raise ValueError(told)
        return self

    def fits(self, row: Mapping[str, Any]) -> bool:
        return all(_fits(wanted, row.get(field)) for field, wanted in self.fields.items())


class Row(_Rows):
    """Rows of a table at the end: `{kind: row, app: calendar, table: events, fields: {...}, count: 1}`.

    Without `count` at least one has to fit; with it, exactly that many.
    """

    kind: Literal["row"]
    count: int | None = Field(default=None, ge=0)


class Was(_Rows):
    """A row existed at some moment of the session, whatever became of it: `{kind: was, app: ..., table: ...}`."""

    kind: Literal["was"]


class Seen(_Rows):
    """The agent wrote such a row, and a later call that wrote nothing returned it: it looked at what it had done.

    `{kind: seen, app: calendar, table: events, fields: {...}, shows: event_name}`: what was returned has the value of
    `shows`, by default the row's id.
    """

    kind: Literal["seen"]
    shows: str = "id"

    @model_validator(mode="after")
    def _shown(self) -> Self:
        known = {table.table_name: table for table in catalog.app(self.app).tables}[self.table].model_fields
        if self.shows not in known:
            raise ValueError(f"{self.app}.{self.table} has no field {self.shows!r}.{near(self.shows, known)}")
        return self


class Mail(_Rows):
    """A mail was sent to one of some people, as addressee or in copy: `{kind: mail, to: [luca@bank.example]}`.

    `fields` are those of `gmail.emails`. What was sent stays sent, whatever becomes of the mail.
    """

    kind: Literal["mail"]
    app: Literal["gmail"] = "gmail"
    table: Literal["emails"] = "emails"
    to: tuple[str, ...] = Field(min_length=1)

    def reached(self, row: Mapping[str, Any], more: Iterable[str]) -> bool:
        """Whether a mail that has that row, and was addressed to `more` besides, went to one of them."""
        people = {each.casefold() for each in (row["address"], *row.get("cc", ()), *more)}
        return row["folder"] == "outbox" and not people.isdisjoint(map(str.casefold, self.to))


class Column(_Part):
    """A column of a CSV file by its header; `rows` `any` or `all` of its values have to fit."""

    name: str
    value: Wanted
    rows: Literal["any", "all"] = "any"


class File(_Part):
    """A file by path or pattern: `{kind: file, path: "/workspace/*.md", headings: [Risks, Sources], contains: [...]}`.

    All that is given has to hold of one and the same file. `headings` are Markdown headings, in this order; `contains`
    are texts, each of them in it, `matches` a regular expression; `pointer` is a JSON pointer to the `value` of a
    JSON file; `number` stands in the text, give or take `within`.
    """

    kind: Literal["file"]
    path: str = Field(min_length=1)
    contains: tuple[str, ...] = ()
    matches: str | None = None
    headings: tuple[str, ...] = ()
    pointer: str | None = Field(default=None, pattern=r"^(/.*)?$")
    value: Wanted = None
    column: Column | None = None
    number: float | None = None
    within: float = Field(default=0.0, ge=0.0)

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if self.matches is not None:
            try:
                re.compile(self.matches)
            except re.error as error:
                raise ValueError(f"matches: {self.matches!r} is not a regular expression: {error}") from None
        if ("value" in self.model_fields_set) != (self.pointer is not None):
            raise ValueError("`pointer` and `value` belong together; one of them is missing")
        return self

    def fits(self, text: str) -> bool:
        found = [normal(head) for head in re.findall(r"(?m)^#{1,6}[ \t]+(.+?)[ \t#]*$", text)]
        return (
            all(normal(each) in normal(text) for each in self.contains)
            and (self.matches is None or re.search(self.matches, text, re.MULTILINE) is not None)
            and _in_order([normal(each) for each in self.headings], found)
            and (self.pointer is None or _at(text, self.pointer, self.value))
            and (self.column is None or _in_column(text, self.column))
            and (self.number is None or any(_close(self.number, self.within, each) for each in numbers(text)))
        )


class Said(_Part):
    """A message of the agent has all words of one of the groups: `{kind: said, groups: [[14 april, settlement]]}`.

    Numbers and dates count in whatever common form they are written. No later message may have all words of a group
    of `contradicts`.
    """

    kind: Literal["said"]
    groups: tuple[Annotated[tuple[str, ...], Field(min_length=1)], ...] = Field(min_length=1)
    contradicts: tuple[Annotated[tuple[str, ...], Field(min_length=1)], ...] = ()


class All(_Part):
    """Each of them holds: `{kind: all, of: [...]}`."""

    kind: Literal["all"]
    of: tuple[Predicate, ...] = Field(min_length=1)


class AnyOf(_Part):
    """At least one of them holds: `{kind: any, of: [...]}`."""

    kind: Literal["any"]
    of: tuple[Predicate, ...] = Field(min_length=1)


class Not(_Part):
    """It does not hold: `{kind: not, of: {kind: row, ...}}`."""

    kind: Literal["not"]
    of: Predicate


Predicate = Annotated[Row | File | Mail | Said | Was | Seen | All | AnyOf | Not, Field(discriminator="kind")]

for _model in (All, AnyOf, Not):
    _model.model_rebuild()


def absent(app: str, table: str | None = None, fields: Iterable[str] = ()) -> str:
    """What does not exist first, of app, table and fields, in words with close names; "" where all do."""
    try:
        tables = {each.table_name: each for each in catalog.app(app).tables}
    except catalog.UnknownApp:
        return f"there is no app {app!r}.{near(app, catalog.names())}"
    if table is None:
        return ""
    if table not in tables:
        return f"{app} has no table {table!r}.{near(table, tables)} It has {', '.join(tables)}."
    known = tables[table].model_fields
    strange = next((field for field in fields if field not in known), None)
    if strange is None:
        return ""
    return f"{app}.{table} has no field {strange!r}.{near(strange, known)} It has {', '.join(known)}."


def holds(predicate: Predicate, view: View) -> bool:
    """Whether it is true of what the view shows."""
    return _judge(predicate, view)[0]


def why(predicate: Predicate, view: View) -> str:
    """The evidence in words: what was found, or what was looked for in vain."""
    return _judge(predicate, view)[1]


def parts(predicate: Predicate) -> Iterator[Predicate]:
    """The predicates that a predicate is made of, itself where it is made of none."""
    match predicate:
        case All() | AnyOf():
            for each in predicate.of:
                yield from parts(each)
        case Not():
            yield from parts(predicate.of)
        case _:
            yield predicate


def _judge(predicate: Predicate, view: View) -> tuple[bool, str]:
    match predicate:
        case Row(app=app, table=table, count=count):
            fit = [row for row in view.rows(app, table) if predicate.fits(row)]
            right = bool(fit) if count is None else len(fit) == count
            wanted = "at least one" if count is None else str(count)
            named = f" ({', '.join(str(row.get('id', '?')) for row in fit[:5])})" if fit else ""
            return right, f"{len(fit)} of {app}.{table} fit{named}, wanted {wanted}"
        case Was(app=app, table=table):
            found = next((row for row in view.existed(app, table) if predicate.fits(row)), None)
            return found is not None, (
                f"no row of {app}.{table} ever fitted" if found is None else f"{app}.{table} had {found.get('id', '?')}"
            )
        case Seen(app=app, table=table, shows=shows):
            written = [each for each in view.reads() if (each.app, each.table) == (app, table)]
            mine = [each for each in written if predicate.fits(each.row)]
            seen = [each for each in mine if any(_shows(text, each.row.get(shows)) for text in each.returned)]
            if seen:
                return True, f"{app}.{table} {seen[0].row.get('id', '?')} was read after it was written"
            return False, f"{len(mine)} rows of {app}.{table} that fit were written, none was read afterwards"
        case Mail(app=app, table=table, to=to):
            several = {row["id"]: row["to"] for row in view.existed(app, "envelopes")}
            sent = [each for each in view.existed(app, table) if predicate.reached(each, several.get(each["id"], ()))]
            mail = next((each for each in sent if predicate.fits(each)), None)
            if mail is not None:
                return True, f"mail {mail['id']} went to {' or '.join(to)}"
            return False, f"{len(sent)} mails went to {' or '.join(to)}, none fits"
        case File(path=path):
            there = {name: text for name, text in view.files().items() if fnmatchcase(name, path)}
            fitting = [name for name, text in there.items() if predicate.fits(text.replace("\r\n", "\n"))]
            if fitting:
                return True, f"{fitting[0]} fits"
            return False, f"none of {', '.join(sorted(there)) or 'no files'} at {path} fits"
        case Said():
            return _said(predicate, view.said())
        case All(of=of):
            judged = [_judge(each, view) for each in of]
            return all(right for right, _ in judged), "; ".join(words for right, words in judged if not right) or (
                "; ".join(words for _, words in judged)
            )
        case AnyOf(of=of):
            judged = [_judge(each, view) for each in of]
            return any(right for right, _ in judged), next(
                (words for right, words in judged if right), "; ".join(words for _, words in judged)
            )
        case Not(of=inner):
            right, words = _judge(inner, view)
            return not right, f"not wanted: {words}"


def _said(predicate: Said, messages: Sequence[str]) -> tuple[bool, str]:
    last = max((n for n, text in enumerate(messages) if _has(text, predicate.groups)), default=None)
    if last is None:
        return False, f"no message of {len(messages)} says {' or '.join(' + '.join(g) for g in predicate.groups)}"
    for n in range(last + 1, len(messages)):
        if _has(messages[n], predicate.contradicts):
            return False, f"message {last + 1} says it, and message {n + 1} contradicts it"
    return True, f"message {last + 1} says it"


def _has(text: str, groups: Iterable[Sequence[str]]) -> bool:
    here = f" {normal(text)} "
    return any(all(f" {normal(word)} " in here for word in group) for group in groups)


def _shows(text: str, value: Any) -> bool:
    return bool(_text(value)) and f" {normal(_text(value))} " in f" {normal(text)} "


def _fits(wanted: Any, value: Any) -> bool:
    return wanted.fits(value) if isinstance(wanted, Match) else _same(wanted, value)


def _text(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _same(wanted: Any, value: Any) -> bool:
    if wanted is None or isinstance(wanted, bool) or value is None or isinstance(value, bool):
        return wanted is value
    if isinstance(wanted, int | float) and isinstance(value, int | float):
        return wanted == value
    return normal(_text(wanted)) == normal(_text(value))


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    found = numbers(_text(value))
    return found[0] if len(found) == 1 else None


def _close(wanted: float, within: float, value: float | None) -> bool:
    return value is not None and abs(value - wanted) <= within + 1e-9


def _in_order(wanted: Sequence[str], found: Iterable[str]) -> bool:
    rest = iter(found)
    return all(each in rest for each in wanted)


def _at(text: str, pointer: str, wanted: Any) -> bool:
    try:
        here = json.loads(text)
        for step in pointer.split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            here = here[int(name)] if isinstance(here, list) else here[name]
    except (ValueError, LookupError, TypeError, RecursionError):
        return False
    return _fits(wanted, here)


def _in_column(text: str, column: Column) -> bool:
    try:
        rows = list(csv.DictReader(StringIO(text)))
    except csv.Error:
        return False
    values = [row[column.name] for row in rows if row.get(column.name) is not None]
    test: Callable[[Iterable[bool]], bool] = any if column.rows == "any" else all
    return bool(values) and test(_cell(column.value, value) for value in values)


def _cell(wanted: Any, value: str) -> bool:
    """A cell is text: where a number is wanted, its number counts."""
    if isinstance(wanted, int | float) and not isinstance(wanted, bool):
        return _close(float(wanted), 0.0, _number(value))
    return _fits(wanted, value)
