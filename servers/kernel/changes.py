"""Rows that change: before the agent starts, from outside while it works, and between two states."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from servers.kernel.plain import Plain, canonical

__all__ = ("Came", "Change", "Coming", "Edit", "Key", "Like", "fold")


class Edit(BaseModel):
    """A row to add, change or remove, before the agent starts or from outside while it works."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    op: Literal["add", "change", "remove"] = Field(description="What is done.")
    app: str = Field(description="Name of the app.")
    table: str = Field(description="Name of the app's table.")
    id: str = Field(description="The row's id, also of a new one.")
    values: dict[str, Plain] = Field(
        default={},
        description="To add: the whole row without its id. To change: the fields that change. To remove: none.",
    )


class Key(BaseModel):
    """Which row."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    app: str
    table: str
    id: str


class Like(BaseModel):
    """Any row with these values."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    app: str
    table: str
    values: dict[str, Plain]


class Coming(BaseModel):
    """Rows that come from outside at their moment, to whoever works there: a mail, a message, what a colleague did.

    `at` is local time. The edits come together, whatever was done meanwhile, or not at all: not without the rows that
    it `needs`, and not where there is one like those that it is not to stand beside (`unless`). `text` says what it is
    to whoever reads of it; no tool shows it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    at: datetime
    text: str = ""
    edits: tuple[Edit, ...]
    needs: tuple[Key, ...] = ()
    unless: tuple[Like, ...] = ()

    @model_validator(mode="after")
    def _local(self) -> Self:
        if self.at.tzinfo is not None:
            raise ValueError("`at` is a local time: leave the time zone out")
        if not self.edits:
            raise ValueError("nothing comes: `edits` lists the rows to add, change or remove")
        return self


class Came(BaseModel):
    """What has become of something that was to come: the rows it wrote, or why it wrote none or not all."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    at: datetime
    text: str = ""
    rows: tuple[Key, ...] = ()
    skipped: str = ""


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
