"""One SELECT over a copy, kept within bounds: what it may read and call, for how long, and how much it gives.

Whatever an agent writes, a query reads the copy and nothing else, gives the same on every machine, and ends. Functions
that SQLite computes in time that grows with the square of a text are replaced by Python's; those that know of time know
the time of the sandbox.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from functools import partial
from typing import Annotated, Any

from pydantic import Field

from servers.datastore.copies import Copy
from servers.kernel import Rejected

__all__ = ("CHARACTERS", "FUNCTIONS", "QUERY", "ROWS", "STEPS", "Omitted", "read")

Omitted = Annotated[
    int,
    Field(ge=0, le=1_000_000, description="Characters of a long result to skip, as given by its next_offset."),
]

QUERY, ROWS, CHARACTERS, STEPS = 4_000, 200, 5_000, 500_000
"""Characters of a query, rows of a result, characters of a part of it, steps of SQLite's virtual machine.

A function of Python's costs a step for each hundred characters that it is given.
"""

_TIMES = ("date", "datetime", "julianday", "strftime", "time")

FUNCTIONS = (
    "->", "->>", "abs", "avg", "coalesce", "count", "date", "datetime", "dense_rank", "first_value", "glob",
    "group_concat", "hex", "ifnull", "iif", "instr", "json_array_length", "json_extract", "json_type", "julianday",
    "lag", "last_value", "lead", "length", "like", "lower", "ltrim", "max", "min", "ntile", "nullif", "rank", "replace",
    "round", "row_number", "rtrim", "strftime", "substr", "substring", "sum", "time", "total", "trim", "typeof",
    "upper",
)  # fmt: skip
"""What a query may call."""

_ALLOWED = frozenset(FUNCTIONS)
_A_TEXT, _A_RESULT, _A_CHECK, _A_STEP = 200_000, 1_000_000, 1_000, 100
_LIMITS = {
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 4 * QUERY,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 20,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 200,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
}
_BEGINS = re.compile(r"(?=(?P<blank>(?:\s+|--[^\n]*(?:\n|$)|/\*.*?\*/)*))(?P=blank)(?P<word>\w*)", re.S)


def read(copy: Copy, query: str, offset: int, now: datetime) -> str:
    """The rows of a SELECT as text: a line of column names, then one a row, each a JSON list.

    Of a longer text the part from the character `offset` on, with a last line that says how to read on. An empty query
    gives the tables. Raises `Rejected`, which names the tables, for anything but one SELECT within bounds.
    """
    if not query.strip():
        return f"Tables: {copy.schema()}"
    found = "".join(_lines(copy, query, now))
    if offset and offset >= len(found):
        raise Rejected(f"offset is {offset:,}, and the result has {len(found):,} characters.")
    part, left = found[offset : offset + CHARACTERS], len(found) - offset - CHARACTERS
    if left <= 0:
        return part.removesuffix("\n")
    return f"{part}\nnext_offset: {offset + CHARACTERS} ({left:,} of {len(found):,} characters are left)"


class _Guard:
    """What one query may do, and why it was stopped."""

    def __init__(self, copy: Copy, now: datetime) -> None:
        self.copy, self.now = copy, now
        self.why = ""
        self.plain = sqlite3.connect(":memory:")
        self._steps = 0
        self._longest = max(_A_TEXT, 2 * copy.longest)

    def open(self) -> sqlite3.Connection:
        """The copy, with everything forbidden that is not allowed."""
        database = sqlite3.connect(":memory:", isolation_level=None)
        database.deserialize(self.copy.image)
        database.execute("PRAGMA query_only = ON")
        database.text_factory = lambda raw: raw.decode("utf-8", "replace")
        for limit, most in {**_LIMITS, sqlite3.SQLITE_LIMIT_LENGTH: self._longest}.items():
            database.setlimit(limit, most)
        functions: list[tuple[str, int, Callable[..., Any]]] = [
            ("instr", 2, _instr),
            ("replace", 3, self._replace),
            *((f"{side}trim", count, partial(_trim, side)) for side in ("", "l", "r") for count in (1, 2)),
            *((name, -1, partial(self._time, name)) for name in _TIMES),
        ]
        for name, count, function in functions:
            database.create_function(name, count, partial(self._paid, function), deterministic=True)
        database.set_authorizer(self._allows)
        database.set_progress_handler(self._goes_on, _A_CHECK)
        return database

    def _allows(self, action: int, first: str | None, second: str | None, schema: str | None, _: str | None) -> int:
        why = ""
        if action == sqlite3.SQLITE_FUNCTION:
            if (name := (second or "").lower()) not in _ALLOWED:
                why = f"{name} cannot be used here. These functions can: {', '.join(FUNCTIONS)}"
        elif action == sqlite3.SQLITE_READ:
            ours = first in self.copy.tables
            derived = schema is None and not str(first).startswith(("sqlite_", "pragma_"))  # what a WITH defines
            if not ours and not derived:
                why = f"{first} cannot be read"
        elif first == "sqlite_master":  # what making a virtual table seems to change, and no SELECT else does
            why = "Functions that give rows, such as json_each, cannot be used here"
        elif action not in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE):
            why = "Only a SELECT can be run, over the tables as they are"
        self.why = self.why or why
        return sqlite3.SQLITE_DENY if why else sqlite3.SQLITE_OK

    def _goes_on(self, steps: int = _A_CHECK) -> int:
        """What SQLite calls now and then; it stops where the answer is not 0."""
        self._steps += steps
        if self._steps <= STEPS:
            return 0
        self.why = f"The query takes more than {STEPS:,} steps; join fewer rows"
        return 1

    def _paid(self, function: Callable[..., Any], *given: Any) -> Any:
        """What a function gives, at its cost."""
        if self._goes_on(sum(len(each) for each in given if isinstance(each, str | bytes)) // _A_STEP):
            raise ValueError
        return function(*given)

    def _replace(self, whole: Any, old: Any, new: Any) -> str | None:
        if whole is None or old is None or new is None:
            return None
        text, before, after = map(_text, (whole, old, new))
        if not before:
            return text
        if len(text) + text.count(before) * (len(after) - len(before)) > self._longest:
            self.why = f"replace makes a text of more than {self._longest:,} characters"
            raise ValueError
        return text.replace(before, after)

    def _time(self, name: str, *given: Any) -> Any:
        """A function of time as SQLite has it, where it is as late as in the sandbox."""
        place = 1 if name == "strftime" else 0
        values = [*given, "now"] if len(given) == place else list(given)
        if len(values) <= place:
            self.why = "strftime needs a format, such as strftime('%Y-%m', date)"
            raise ValueError
        if any(str(value).strip().lower() in ("localtime", "utc") for value in values[place:]):
            self.why = f"{name}: times here have no zone; leave localtime and utc out"
            raise ValueError
        if str(values[place]).strip().lower() == "now":
            values[place] = self.now.isoformat(" ", "seconds")
        return self.plain.execute(f"SELECT {name}({', '.join('?' * len(values))})", values).fetchone()[0]


def _lines(copy: Copy, query: str, now: datetime) -> Iterator[str]:
    begins = _BEGINS.match(query)
    if "\0" in query:
        raise _refused(copy, "The query holds a NUL character, which no SQL has")
    if begins is None or begins["word"].lower() not in ("select", "with", "values"):
        raise _refused(copy, "Only a SELECT can be run, over the tables as they are")
    guard = _Guard(copy, now)
    with closing(guard.plain), closing(guard.open()) as database:
        try:
            rows = database.execute(query)
            yield f"{json.dumps([name for name, *_ in rows.description or ()], ensure_ascii=False)}\n"
            length = 0
            for number, row in enumerate(rows):
                if number == ROWS or length > _A_RESULT:
                    yield f"... and more rows, which are not shown: say LIMIT {number} and raise OFFSET by {number}\n"
                    break
                line = f"{json.dumps([*map(_shown, row)], ensure_ascii=False)}\n"
                length += len(line)
                yield line
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise _refused(copy, guard.why or str(error)) from None


def _refused(copy: Copy, why: str) -> Rejected:
    return Rejected(f"{why.rstrip('.')}. Tables: {copy.schema()}. One SELECT is taken, in the dialect of SQLite.")


def _shown(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _instr(whole: Any, part: Any) -> int | None:
    return None if whole is None or part is None else _text(whole).find(_text(part)) + 1


def _trim(side: str, whole: Any, characters: Any = " ") -> str | None:
    if whole is None or characters is None:
        return None
    strip: Callable[[str, str], str] = {"": str.strip, "l": str.lstrip, "r": str.rstrip}[side]
    return strip(_text(whole), _text(characters))
