"""CSV: rows for spreadsheets and data frames, and a report as a folder of such files."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any, Final

from harness.core.suite import Table
from harness.core.visible import visible
from harness.record.files import folder_whole

__all__ = ("MARK", "TRIALS", "sheet", "write_folder")

MARK: Final = "harness-tables.txt"
"""Says that a folder is one of these, and may be replaced by another one, and which table is in which file."""

TRIALS: Final = "trials.csv"

_MARKED = "Made by `harness report --format csv --output FOLDER`, which replaces this folder when asked to again.\n"
_CALCULATED: Final = ("=", "+", "-", "@", "\t", "\r")
_LONGEST: Final = 120
"""Bytes of a name before its ending: some file systems take 255 of a name, and some 260 characters of a path."""


def sheet(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Rows under `columns`, as RFC 4180 has it but with plain line ends.

    Before a text that a spreadsheet would calculate (`=1+1`, `@SUM(A1)`, `-2+3`) stands an apostrophe, as there.
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def write_folder(folder: Path, trials: str, tables: Sequence[Table], runs: Mapping[str, Sequence[Table]]) -> int:
    """Write trials and tables into a folder, a file each, and what is of one of several `runs` into one of its own.

    Files are called as the titles of their tables are, in small letters and digits, cut where that is long: `MARK` has
    their whole titles. It is made beside its place and put there when it is whole; the number of its sheets. Raises
    `RunError` where something else is there, or where it cannot be written.
    """
    places = {"": tables, **{f"{name}/": own for name, own in zip(_names(runs), runs.values(), strict=True)}}
    sheets = {f"{place}{name}.csv": table for place, own in places.items() for name, table in _named(own)}
    titles = (visible(f"{path}: {table.title}") for path, table in sheets.items())
    with folder_whole(folder, MARK, "\n".join([_MARKED, *titles, ""])) as scratch:
        for place in places:
            (scratch / place).mkdir(exist_ok=True)
        _write(scratch / TRIALS, trials)
        for path, table in sheets.items():
            _write(scratch / path, sheet(table.columns, table.rows))
    return 1 + len(sheets)


def _named(tables: Sequence[Table]) -> Iterator[tuple[str, Table]]:
    return zip(_names((each.title for each in tables), taken=[Path(TRIALS).stem]), tables, strict=True)


def _names(titles: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """Names for files, each another one than all before it and those that are `taken`."""
    used, found = {*taken}, []
    for title in titles:
        plain = "-".join(re.findall(r"\w+", title.casefold())) or "table"
        short = plain.encode()[:_LONGEST].decode(errors="ignore").rstrip("-")
        name = next(each for each in chain([short], (f"{short}-{n}" for n in count(2))) if each not in used)
        used.add(name)
        found.append(name)
    return found


def _write(path: Path, text: str) -> None:
    path.write_text(visible(text), encoding="utf-8", newline="\n")


def _cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_CALCULATED) else value
