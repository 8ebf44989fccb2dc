"""The surface: one tool, which runs a statement."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from servers.kernel import Rejected, State
from servers.sql.contents import apply, contents
from servers.sql.running import run
from servers.sql.tables import app

__all__ = ("STATEMENT", "default")

STATEMENT = 10_000
"""Characters of a statement."""

default = app.toolset(
    "default",
    "A database of {owner}, in DuckDB's dialect of SQL. `run_sql` runs one statement at a time; an empty one lists the "
    "tables with their columns.",
    structured=False,
)


@default.writes(destructive=True)
def run_sql(
    state: State,
    statement: Annotated[
        str,
        Field(
            max_length=STATEMENT, description="One SQL statement; leave empty to list the tables with their columns."
        ),
    ] = "",
) -> str:
    """Run one SQL statement: read, add, change or delete rows, or create, alter or drop plain tables.

    The dialect is DuckDB's, and `current_date` tells what day it is. Rows are returned as JSON lists under their column
    names, at most 200 of them and 4,000 characters. A statement that fails changes nothing, and one that succeeds takes
    effect at once.
    """
    there = state.derived(contents)
    if not statement.strip():
        return there.schema() or "There are no tables yet."
    if "\0" in statement:
        raise Rejected("The statement holds a NUL character, which no SQL has.")
    told = run(there, statement, state.now.isoformat(" ", "microseconds"))
    if told.get("changed"):
        state.derived(contents, known=apply(state, there, told["changed"], told["key"]))
    text: str = told["text"]
    return text
