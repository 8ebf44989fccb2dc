"""The surface with a table for each kind of document."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from servers.datastore.copies import three_tables
from servers.datastore.finding import Found, Offset, Query, TopK, found
from servers.datastore.reading import QUERY, Omitted, read
from servers.datastore.tables import app
from servers.kernel import State

__all__ = ("default",)

default = app.toolset(
    "default",
    "The datastore of {owner}: mails, calendar events and documents. `semantic_search` finds them by what they are "
    "about, `sql_reader` by their contents, and returns them in full.",
    structured=False,
)


@default.reads
def sql_reader(
    state: State,
    query: Annotated[
        str, Field(max_length=QUERY, description="One SELECT in SQLite's dialect; leave empty to list the tables.")
    ] = "",
    offset: Omitted = 0,
) -> str:
    """Read the datastore with SQL.

    Tables: emails(id, sender, recipients, cc, subject, date, body); events(id, title, organizer, attendees, start, end,
    location, description); documents(id, title, author, date, content). People are written "Name <address>",
    separated by "; "; dates are ISO. Rows are returned as JSON lists under their column names, at most 200. Of a
    long result 5,000 characters are shown; its next_offset leads to the rest.
    """
    return read(state.derived(three_tables), query, offset, state.now)


@default.reads
def semantic_search(state: State, query: Query, top_k: TopK = 5, offset: Offset = 0) -> Found:
    """Find mails, events and documents that are about something, best first, each with an excerpt."""
    return found(state, query, top_k, offset)
