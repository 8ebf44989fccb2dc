"""Forms for people: CSV files that are written, filled in with a spreadsheet or an editor, and read back."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.record.files import RunError, write_whole

__all__ = ("CANNOT_TELL", "FormError", "chosen", "read_rows", "read_text", "write_rows")

CANNOT_TELL = "?"
"""What is put down by whoever looked and cannot say."""


class FormError(Exception):
    """A form that cannot be written or read; the text names file, line and what would be right."""


def write_rows(path: Path, columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> None:
    """Write a form, whole, where there is none yet. Raises `FormError`."""
    if path.exists():
        raise FormError(f"{path} already exists, and somebody may have filled it in: name another folder")
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, out.getvalue())
    except (OSError, RunError) as error:
        raise FormError(f"{path} cannot be written: {error}") from None


def read_text(path: Path) -> str:
    """A form as it is, for `read_rows` or another reader. Raises `FormError`."""
    try:
        return path.read_text(encoding="utf-8-sig")  # spreadsheets put a mark at the start
    except (OSError, UnicodeDecodeError) as error:
        raise FormError(f"{path} cannot be read as UTF-8 text: {error}") from None


def read_rows(path: Path, columns: Sequence[str]) -> list[tuple[str, dict[str, str]]]:
    """The rows of a form, each with `file:line` of where it begins. Raises `FormError`."""
    text = read_text(path)
    most = csv.field_size_limit(sys.maxsize)  # evidence may be longer than what the module takes by default
    reader = csv.reader(io.StringIO(text), strict=True)
    found: list[tuple[str, dict[str, str]]] = []
    begins = 1
    try:
        for cells in reader:
            where, begins = f"{path}:{begins}", reader.line_num + 1
            if where == f"{path}:1":
                names = cells
                if lacking := [name for name in columns if name not in names]:
                    raise FormError(f"{where}: there is no column {lacking[0]!r}; a form has {', '.join(columns)}")
            elif any(cells):
                if len(cells) != len(names):
                    raise FormError(f"{where}: {len(cells)} cells where the form has {len(names)} columns")
                found.append((where, {name: cell.strip() for name, cell in zip(names, cells, strict=True)}))
    except csv.Error as error:
        raise FormError(f"{path}:{begins}: this is not CSV: {error}") from None
    finally:
        csv.field_size_limit(most)
    if begins == 1:
        raise FormError(f"{path}:1: the form is empty; it has columns {', '.join(columns)}")
    return found


def chosen(where: str, column: str, said: str, answers: Sequence[str]) -> str:
    """One of the answers, whatever its case. Raises `FormError`."""
    known = {answer.casefold(): answer for answer in answers}
    if said.casefold() not in known:
        raise FormError(f"{where}: {column} takes {', '.join(answers)}, not {said!r:.60}")
    return known[said.casefold()]
