"""What an agent reads of a result, and of an error: cut where it is long, and cleared of what it cannot use."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Final

from servers.kernel import excerpt

__all__ = ("CHARACTERS", "MEMORY", "ROWS", "table", "trouble")

ROWS: Final = 200
CHARACTERS: Final = 4_000
"""Rows and characters of a result."""

MEMORY: Final = "The statement needs more memory than a statement may use here. Nothing was changed."

_ERROR: Final = 600

_USELESS: Final = re.compile(r"^(Did you mean .*|Possible solutions:.*|\* .*|See also .*)$\n?", re.M)


_EXTENSION: Final = re.compile(
    r"(.* with name .* is not in the catalog), "
    r"(?:but it exists in|a function by this name exists in) the \w+ extension"
)
"""How DuckDB begins to tell of what an extension has."""


def table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Rows as text: a line of column names, then one for each row, each a JSON list.

    Given one row more than `ROWS`, it says that there are more.
    """
    lines = [_list(map(_quoted, names)), *(_list(map(_value, row)) for row in rows[:ROWS])]
    text, more = "\n".join(lines), len(rows) > ROWS
    if len(text) > CHARACTERS:
        shown = text.count("\n", 0, text.rfind("\n", 0, CHARACTERS + 1))  # whole rows
        if shown < 1:
            return f"{text[:CHARACTERS]}\n[cut at {CHARACTERS:,} characters, within a row; select less]"
        there = f"{ROWS} rows and more" if more else f"{len(rows):,} rows"
        text = "\n".join(lines[: shown + 1])
        return f"{text}\n[cut at {CHARACTERS:,} characters: {shown} of {there} shown; select less]"
    if more:
        return f"{text}\n[cut: the first {ROWS} rows are shown and there are more; use LIMIT and OFFSET, or aggregate]"
    return text if rows else f"{text}\n[no rows]"


def _list(parts: Any) -> str:
    return f"[{', '.join(parts)}]"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _value(value: Any) -> str:
    """A value as JSON; decimals as numbers with all their digits."""
    if value is None or isinstance(value, bool | int | str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, float):
        return json.dumps(value) if math.isfinite(value) else _quoted(str(value))
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, datetime):
        return _quoted(value.isoformat(" "))
    if isinstance(value, date | time):
        return _quoted(value.isoformat())
    if isinstance(value, bytes):
        return _quoted(value.hex())
    if isinstance(value, list | tuple):
        return _list(map(_value, value))
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_quoted(str(name))}: {_value(each)}' for name, each in value.items())}}}"
    return _quoted(str(value))


def trouble(kind: str, text: str, names: Sequence[str]) -> str:
    """An error of DuckDB's, of that class, as an agent reads it. `names` are the relations there are."""
    if kind == "OutOfMemoryException":
        return MEMORY
    if "read-only mode" in text:
        return (
            "A SELECT or EXPLAIN cannot change rows here. Write the INSERT, UPDATE or DELETE as a statement of its "
            "own, with RETURNING where you want to see the rows. Nothing was changed."
        )
    if kind == "PermissionException" or "file system operations are disabled" in text:
        return "There are no files, extensions or other databases here. Nothing was changed."
    if kind in ("InternalException", "FatalException"):
        return "The statement failed inside the database. Write it in another way. Nothing was changed."
    if found := _EXTENSION.match(text):
        return f"{found[1]}; there are no extensions here."
    told = _USELESS.sub("", text).strip()
    if "Table with name" in told:
        told = f"{told}\nTables: {', '.join(names) or 'none'}."
    return excerpt(told, _ERROR)
