"""Starting rows, shared and immutable, and the changes made on top of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from servers.kernel.errors import StateError

__all__ = ("Change", "Edit", "Owner", "Row", "World", "addressed", "canonical", "fold")

Row = Mapping[str, Any]
"""A row as JSON values, `id` included."""


def canonical(value: Any) -> bytes:
    """JSON with sorted keys and no white space: equal values give equal bytes in any process."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


class Owner(BaseModel):
    """Whose workplace a world is: name, e-mail address, and time zone by its IANA name ("" where none is said)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    address: str
    zone: str = ""


_SOMEBODY = Owner(name="the user", address="the user's address")


def addressed(text: str, owner: Owner | None) -> str:
    """The text with `{owner}` and `{address}` filled in: name and e-mail address, or words for somebody unnamed."""
    who = owner or _SOMEBODY
    return text.replace("{owner}", who.name).replace("{address}", who.address)


class Edit(BaseModel):
    """One step of a task's setup: a row to add, change or remove before the agent starts.

    `values` is the whole row for `add`, the changed fields for `change`, empty for `remove`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    op: Literal["add", "change", "remove"]
    app: str
    table: str
    id: str
    values: dict[str, Any] = {}


class Change(BaseModel):
    """One row that differs between two states. No-ops never appear.

    `before` and `after` are whole rows as JSON values, without the id; `before` is None for an
    insert, `after` for a delete.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    app: str
    table: str
    id: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None

    @property
    def op(self) -> Literal["insert", "update", "delete"]:
        return "insert" if self.before is None else "delete" if self.after is None else "update"

    @property
    def fields(self) -> dict[str, Any]:
        """What this change set: the whole row for an insert, changed fields for an update, {} for a delete."""
        if self.after is None:
            return {}
        before = self.before or {}
        return {k: v for k, v in self.after.items() if self.before is None or before.get(k) != v}


def fold(world: str, start: Sequence[Change], changes: Sequence[Change]) -> str:
    """The digest of a state: SHA-256 over its world's digest, its start and its changes since."""
    body = [world, [c.model_dump(mode="json") for c in start], [c.model_dump(mode="json") for c in changes]]
    return hashlib.sha256(canonical(body)).hexdigest()


@dataclass(frozen=True)
class World:
    """Named starting rows per app and table, in order, plus the time it is there.

    `rows[app][table]` lists rows as JSON values, each with its `id`. A world that was moved keeps its rows as they
    are written; whoever loads them puts their dates `days` later, by the columns that are dated. Of a world that
    says nothing of its `owner`, instructions speak of "the user".
    """

    name: str
    now: datetime
    rows: Mapping[str, Mapping[str, Sequence[Row]]]
    days: int = 0
    owner: Owner | None = None

    def moved(self, days: int) -> World:
        """The same world so many days later. Raises OverflowError where its time would leave the calendar."""
        return replace(self, now=self.now + timedelta(days=days), days=self.days + days) if days else self

    @cached_property
    def digest(self) -> str:
        """SHA-256 of name, time, owner and rows: the world's identity."""
        body = {**self._head(), "rows": self.rows}
        return hashlib.sha256(canonical(body)).hexdigest()

    def write(self, folder: Path) -> None:
        """Write `world.json` and one `<app>.<table>.jsonl` per table."""
        folder.mkdir(parents=True, exist_ok=True)
        tables: list[str] = []
        for app, by_table in self.rows.items():
            for table, rows in by_table.items():
                lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
                (folder / f"{app}.{table}.jsonl").write_text(lines, encoding="utf-8")
                tables.append(f"{app}.{table}")
        head = {**self._head(), "tables": tables}
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
            days = int(head.get("days", 0))
            owner = _owner(head["owner"]) if "owner" in head else None
            parts = [(table, *table.split(".", 1)) for table in tables]
            rows: dict[str, dict[str, list[Row]]] = {app: {} for _, app, _ in parts}
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise StateError(
                f"{path} is not a world: it needs a name, a time `now` and a list of app.table: {error}"
            ) from None
        for file, app, table in parts:
            rows[app][table] = _lines(folder / f"{file}.jsonl")
        return cls(name, now, rows, days, owner)

    def _head(self) -> dict[str, Any]:
        head: dict[str, Any] = {"name": self.name, "now": self.now.isoformat()}
        if self.days:
            head["days"] = self.days
        if self.owner:
            head["owner"] = self.owner.model_dump(exclude_defaults=True)
        return head


def _owner(given: Any) -> Owner:
    try:
        return Owner.model_validate(given)
    except ValidationError:
        raise ValueError("its owner has a `name` and an `address`") from None


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
