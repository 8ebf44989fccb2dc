"""The datastore: one person's mails, calendar events and documents, and the app whose surfaces are made over them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from servers.kernel import App, Dated, Table

__all__ = ("KINDS", "Document", "Email", "Event", "Payload", "app")

Payload = Annotated[
    dict[str, Any | Dated],
    Field(description="The original record, all fields."),
]

_PLACE = "Its position in the datastore."


class Email(Table, name="emails", ids="D{:03d}"):
    """A mail. Of its payload, SQL and search know from (or sender), to, cc, subject, date (or timestamp) and body."""

    place: int = Field(default=0, description=_PLACE)
    payload: Payload


class Event(Table, name="events", ids="D{:03d}"):
    """A calendar event: title, organizer, attendees, start and end (or start_time, end_time), location, description."""

    place: int = Field(default=0, description=_PLACE)
    payload: Payload


class Document(Table, name="documents", ids="D{:03d}"):
    """A text document: title, author, date and content."""

    place: int = Field(default=0, description=_PLACE)
    payload: Payload


KINDS: Mapping[type[Table], str] = {Email: "email", Event: "event", Document: "document"}
"""What a row is called where all stand in one table."""

app = App(
    "datastore",
    "Search the mails, calendar events and documents of {owner}.",
    tables=(Email, Event, Document),
    apart=True,
)
