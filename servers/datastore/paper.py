"""The surface of the paper: everything in one table (PROBE, section 3.5)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from servers.datastore.copies import one_table
from servers.datastore.finding import Found, Offset, Query, TopK, found
from servers.datastore.reading import QUERY, Omitted, read
from servers.datastore.tables import app
from servers.kernel import State

__all__ = ("paper",)

paper = app.toolset(
    "paper",
    "The datastore of {owner}: mails, calendar events and documents in one table. `semantic_search` finds them by what "
    "they are about, `sql_reader` by their contents, and returns them in full.",
    structured=False,
)


@paper.reads
def sql_reader(
    state: State,
    query: Annotated[
        str, Field(max_length=QUERY, description="One SELECT in SQLite's dialect; leave empty to show the table.")
    ] = "",
    offset: Omitted = 0,
) -> str:
    """Read the datastore with SQL: the table documents(id, type, payload).

    type is email, event or document, payload JSON: json_extract(payload, '$.subject'). Rows are returned as JSON lists
    under their column names, at most 200. Of a long result 5,000 characters are shown; its next_offset leads to the
    rest.
    """
    return read(state.derived(one_table), query, offset, state.now)


@paper.reads
def semantic_search(state: State, query: Query, top_k: TopK = 5, offset: Offset = 0) -> Found:
    """Find mails, events and documents that are about something, best first, each with an excerpt."""
    return found(state, query, top_k, offset)
