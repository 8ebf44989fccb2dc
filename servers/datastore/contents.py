"""What the datastore has, in the order of its places, and the names that fields of a payload go by."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from servers.datastore.tables import KINDS, Document, Email, Event
from servers.kernel import State

__all__ = ("COLUMNS", "Item", "items", "text")

COLUMNS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "email": {
        "sender": ("from", "sender"),
        "recipients": ("to", "recipients"),
        "cc": ("cc",),
        "subject": ("subject",),
        "date": ("date", "timestamp"),
        "body": ("body",),
    },
    "event": {
        "title": ("title",),
        "organizer": ("organizer",),
        "attendees": ("attendees",),
        "start": ("start", "start_time"),
        "end": ("end", "end_time"),
        "location": ("location",),
        "description": ("description",),
    },
    "document": {
        "title": ("title",),
        "author": ("author",),
        "date": ("date",),
        "content": ("content",),
    },
}
"""By kind: a column, and the fields of a payload that it is read from, the first that is there."""

_TITLE, _TEXT = ("subject", "title"), ("body", "description", "content")


class Item(NamedTuple):
    """A mail, event or document."""

    id: str
    kind: str
    payload: Mapping[str, Any]

    def columns(self) -> dict[str, str | None]:
        """Its columns as SQL has them; None for a field that the payload lacks."""
        return {
            column: next((text(self.payload[name]) for name in names if name in self.payload), None)
            for column, names in COLUMNS[self.kind].items()
        }

    def title(self) -> str:
        return self._first(_TITLE)

    def text(self) -> str:
        return self._first(_TEXT)

    def _first(self, names: tuple[str, ...]) -> str:
        found = self.columns()
        return next((value for name in names if (value := found.get(name))), "")


def items(state: State) -> list[Item]:
    """Everything in the datastore, by place; of one place mails first, then events, then documents."""
    rows: list[Email | Event | Document] = [*state.find(Email), *state.find(Event), *state.find(Document)]
    return [Item(row.id, KINDS[type(row)], row.payload) for row in sorted(rows, key=lambda row: row.place)]


def text(value: Any) -> str:
    """A value as text: several behind each other, with semicolons between them, since names may have commas."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "; ".join(value)
    return json.dumps(value, ensure_ascii=False)
