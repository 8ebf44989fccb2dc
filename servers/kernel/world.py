"""Starting rows, shared and immutable, with their time, their owner and what is to arrive."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from servers.kernel.changes import Coming, Edit, Like
from servers.kernel.dated import form, moved, moved_within
from servers.kernel.errors import StateError
from servers.kernel.plain import canonical, unwritable
from servers.kernel.table import Table, Tables

__all__ = ("ARRIVALS", "Former", "Owner", "Row", "World", "addressed", "amiss", "first_amiss", "untimely")

ARRIVALS = "arrivals.jsonl"
"""In a world's folder: what is to arrive, one `Coming` a line, in order."""

Row = Mapping[str, Any]
"""A row as JSON values, `id` included."""

_Dated = TypeVar("_Dated", Edit, Like)


class Owner(BaseModel):
    """Whose workplace a world is: name, e-mail address, and time zone by its IANA name ("" where none is said)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    address: str
    zone: str = ""


_FIRST, _LAST = 1000, 9900
"""Years that clocks stand in. Tools look years ahead and back, and a year of three digits is written unlike others."""


def untimely(now: datetime) -> str:
    """Why no clock can stand there, in words that follow the time's name; "" where one can."""
    if _FIRST <= now.year <= _LAST:
        return ""
    return f"is in the year {now.year}, and clocks stand in the years {_FIRST} to {_LAST}"


_SOMEBODY = Owner(name="the user", address="the user's address")


def addressed(text: str, owner: Owner | None) -> str:
    """The text with `{owner}` and `{address}` filled in: name and e-mail address, or words for somebody unnamed."""
    who = owner or _SOMEBODY
    return text.replace("{owner}", who.name).replace("{address}", who.address)


@dataclass(frozen=True)
class World:
    """Named starting rows per app and table, in order, plus the time it is there.

    `rows[app][table]` lists rows as JSON values, each with its `id`. A world that was moved keeps its rows as they
    are written; whoever loads them puts their dates `days` later, by the columns that are dated. Of a world that
    says nothing of its `owner`, instructions speak of "the user".

    `arrivals` is what would come to it as time passes, in order, written as the rows are. They are no part of what it
    is: a world in which nothing has arrived is the same with them and without. `beside` says by their names what texts
    lie beside the rows, which no app has; `aside` gives one. `folder` is where it was read from.
    """

    name: str
    now: datetime
    rows: Mapping[str, Mapping[str, Sequence[Row]]]
    days: int = 0
    owner: Owner | None = None
    arrivals: Sequence[Coming] = ()
    beside: Mapping[str, str] = field(default_factory=dict, compare=False)
    folder: Path | None = field(default=None, compare=False)

    def moved(self, days: int) -> World:
        """The same world so many days later. Raises OverflowError where its time would leave the calendar."""
        return replace(self, now=self.now + timedelta(days=days), days=self.days + days) if days else self

    @cached_property
    def digest(self) -> str:
        """SHA-256 of name, time, owner and rows: the world's identity. Raises `StateError` for what JSON cannot say."""
        body = {**self._head(), "rows": self.rows}
        try:
            return hashlib.sha256(canonical(body)).hexdigest()
        except (TypeError, ValueError) as error:
            raise StateError(self._unwritable() or f"world {self.name!r} is not JSON: {error}") from None

    def _unwritable(self) -> str:
        """The first row that JSON cannot say, and why."""
        rows = ((app, table, rows) for app, tables in self.rows.items() for table, rows in tables.items())
        return next(
            (
                f"{self.place(app, table, number)}: {why}"
                for app, table, some in rows
                for number, row in enumerate(some)
                if (why := unwritable(row))
            ),
            "",
        )

    @cached_property
    def tried(self) -> dict[Tables, dict[type[Table], list[tuple[Any, ...]]]]:
        """Apps whose rows are known to fit (`servers.kernel.check_rows`), with those that no table has taken yet."""
        return {}

    def holds(self, app: str) -> bool:
        """Whether it has any row of that app."""
        return any(self.rows.get(app, {}).values())

    def coming(self, apps: Iterable[Tables]) -> dict[int, Coming]:
        """What arrives in those apps, by its number in `arrivals` and in order, at this world's time."""
        dated = {
            (app.name, table.table_name): {column.name for column in table.columns if column.dated}
            for app in apps
            for table in app.tables
        }
        known = {app for app, _ in dated}
        found: dict[int, Coming] = {}
        for number, each in enumerate(self.arrivals):
            if edits := tuple(self._later(edit, dated) for edit in each.edits if edit.app in known):
                unless = tuple(self._later(like, dated) for like in each.unless)
                update = {"at": moved(each.at, self.days), "edits": edits, "unless": unless}
                found[number] = each.model_copy(update=update)
        return found

    def _later(self, edit: _Dated, dated: Mapping[tuple[str, str], set[str]]) -> _Dated:
        """An edit, or what rows are like, with its dates where this world is."""
        columns = dated.get((edit.app, edit.table), set())
        later = {name: moved_within(value, self.days) for name, value in edit.values.items() if name in columns}
        return edit.model_copy(update={"values": {**edit.values, **later}}) if self.days else edit

    def aside(self, name: str) -> str:
        """The text of that name that lies beside the rows. Raises `StateError` where it is not there."""
        path = (self.folder or Path()) / name
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise StateError(f"{path} cannot be read, and world.json says that it lies there: {error}") from None

    def place(self, app: str, table: str, number: int) -> str:
        """Where a row is written, by its number in its table, as an error says it."""
        if self.folder:
            return f"{self.folder / app}.{table}.jsonl, line {number + 1}"
        return f"world {self.name!r}: {app}.{table}, row {number}"

    def arrival(self, number: int) -> str:
        """Where what arrives is written, likewise."""
        return (
            f"{self.folder / ARRIVALS}, line {number + 1}" if self.folder else f"world {self.name!r}: arrival {number}"
        )

    def write(self, folder: Path) -> None:
        """Write `world.json`, one `<app>.<table>.jsonl` per table, what arrives, and the texts beside them."""
        folder.mkdir(parents=True, exist_ok=True)
        tables: list[str] = []
        for app, by_table in self.rows.items():
            for table, rows in by_table.items():
                lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
                (folder / f"{app}.{table}.jsonl").write_text(lines, encoding="utf-8")
                tables.append(f"{app}.{table}")
        if self.arrivals:
            lines = "".join(f"{json.dumps(_told(each), ensure_ascii=False)}\n" for each in self.arrivals)
            (folder / ARRIVALS).write_text(lines, encoding="utf-8")
        head = {**self._head(), "tables": tables}
        if self.beside:
            head["beside"] = dict(self.beside)
            for name in self.beside:
                (folder / name).write_text(self.aside(name), encoding="utf-8")
        (folder / "world.json").write_text(json.dumps(head, indent=2) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> World:
        """Read what `write` wrote.

        Raises FileNotFoundError naming a missing file, and `StateError` naming file and line of
        what does not fit.
        """
        path = folder / "world.json"
        try:
            head = json.loads(path.read_text(encoding="utf-8"))
            name, now, tables = head["name"], datetime.fromisoformat(head["now"]), head["tables"]
            if why := untimely(now):
                raise ValueError(f"`now` {why}")
            days = int(head.get("days", 0))
            owner = _owner(head["owner"]) if "owner" in head else None
            beside = _names(head.get("beside", {}))
            parts = [(table, *table.split(".", 1)) for table in tables]
            rows: dict[str, dict[str, list[Row]]] = {app: {} for _, app, _ in parts}
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise StateError(
                f"{path} is not a world: it needs a name, a time `now` and a list of app.table: {error}"
            ) from None
        for file, app, table in parts:
            rows[app][table] = _lines(folder / f"{file}.jsonl")
        return cls(name, now, rows, days, owner, _arrivals(folder / ARRIVALS), beside, folder)

    def _head(self) -> dict[str, Any]:
        head: dict[str, Any] = {"name": self.name, "now": self.now.isoformat()}
        if self.days:
            head["days"] = self.days
        if self.owner:
            head["owner"] = self.owner.model_dump(exclude_defaults=True)
        return head


@dataclass(frozen=True)
class Former(World):
    """A world that a state file was made from, where the world of that name has other rows by now.

    Its rows are in the file, and nothing is known of what would come to it.
    """

    held: str = ""

    @cached_property
    def digest(self) -> str:
        """As the file has noted it."""
        return self.held


def _owner(given: Any) -> Owner:
    try:
        return Owner.model_validate(given)
    except ValidationError:
        raise ValueError("its owner has a `name` and an `address`") from None


def amiss(error: ValidationError, *, values: bool = False) -> str:
    """What is wrong, in one line: each field, and what it should be; with `values`, what it is too."""
    return "; ".join(_amiss(each, "", values) for each in error.errors())


def first_amiss(error: ValidationError, whole: str = "") -> str:
    """The first of that; `whole` is what all of it is called, where no field is at fault."""
    return _amiss(error.errors()[0], whole)


def _amiss(each: Any, whole: str, values: bool = False) -> str:
    where = ".".join(map(str, each["loc"])) or whole
    what = each["msg"].removeprefix("Value error, ") + form(each["type"])  # a validator of ours says it in its words
    is_ = f" is {each['input']!r:.60}" if values else ""
    return f"{where}{is_}: {what}" if where else what


def _names(given: Any) -> dict[str, str]:
    found = {str(name): str(about) for name, about in given.items()}
    if strange := next((name for name in found if Path(name).name != name or name.endswith(".jsonl")), None):
        raise ValueError(f"`beside` names texts in the same folder, and {strange!r} is none")
    return found


def _told(coming: Coming) -> dict[str, Any]:
    """A line of the file: fields that are empty left out."""
    return coming.model_dump(mode="json", exclude_defaults=True)


def _arrivals(path: Path) -> tuple[Coming, ...]:
    """What a file says is to arrive, in order; nothing where there is none."""
    if not path.is_file():
        return ()
    found: list[Coming] = []
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                coming = Coming.model_validate_json(line)
            except ValidationError as error:
                raise StateError(f"{path}, line {number}: {amiss(error)}") from None
            if found and coming.at < found[-1].at:
                raise StateError(f"{path}, line {number}: at: {coming.at} is before the line above; list them in order")
            found.append(coming)
    return tuple(found)


def _lines(path: Path) -> list[Row]:
    found: list[Row] = []
    with path.open(encoding="utf-8") as lines:
        try:
            for line in lines:
                row = json.loads(line)
                if not isinstance(row, dict) or not isinstance(row.get("id"), str):
                    raise ValueError("a row is an object with a text `id`")
                found.append(row)
        except ValueError as error:
            raise StateError(f"{path}, line {len(found) + 1}: {error}") from None
    return found
