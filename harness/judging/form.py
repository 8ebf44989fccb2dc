"""A person as a judge: questions written into a file, answers read back from it.

JSON Lines or CSV, by the file's name. Whose work it is, is not in it, and rows are in no order that would tell.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from harness.core.judgement import Answer, Query
from harness.record.files import RunError, sweep, write_whole
from harness.record.judgements import FOLDER, Judgement, judgements, keep
from harness.record.store import Run

__all__ = ("CANNOT_TELL", "COLUMNS", "FormProblem", "read_form", "write_form")

COLUMNS: Final = ("key", "question", "evidence", "answers", "answer", "reason")
"""`answers` says what may be put into `answer`; `reason` is as one likes."""

CANNOT_TELL: Final = "?"
"""The answer of who looked and cannot say."""


class FormProblem(Exception):
    """A form that cannot be written or read; the text names file, line and what would be right."""


def write_form(path: Path, run: Run, queries: Iterable[Query]) -> int:
    """Write a form with what its person has not answered yet; how many questions that are. Raises `FormProblem`."""
    is_csv = _is_csv(path)
    there = {each.about for each in judgements(run.folder) if each.judge == _who(path)}
    open_ = {query.key: query for query in queries if query.key not in there}
    rows = [_row(open_[key]) for key in sorted(open_)]
    out = io.StringIO()
    if is_csv:
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows({**row, "answers": json.dumps(row["answers"], ensure_ascii=False)} for row in rows)
    else:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    if rows:
        try:
            write_whole(path, out.getvalue())
        except RunError:
            raise FormProblem(f"{path} cannot be written: is there a folder {path.parent}, and room in it?") from None
    return len(rows)


def read_form(path: Path, run: Run, queries: Iterable[Query]) -> int:
    """Keep what a person answered in a form; how many answers that are. Rows without an answer are left for later.

    An answer that differs from an earlier one of theirs takes its place. Raises `FormProblem`, before anything is
    kept, for a row that is none of the form's or has an answer that its question does not take.
    """
    known = {query.key: query for query in queries}
    found = []
    for number, row in _rows(path):
        query = known.get(str(row.get("key") or ""))
        if query is None:
            raise FormProblem(
                f"{path}:{number}: no trial of {run.folder} asks this: have a new form written, to another file"
            )
        said = row.get("answer")
        if said is None or not str(said).strip():
            continue
        answer = _answer(query, str(said).strip(), f"{path}:{number}")
        found.append(
            Judgement(
                judge=_who(path),
                prompt="",
                about=query.key,
                vote=0,
                query=query,
                answer=answer,
                reason=str(row.get("reason") or ""),
            )
        )
    (run.folder / FOLDER).mkdir(exist_ok=True)
    sweep(run.folder / FOLDER)
    for judgement in found:
        keep(run.folder, judgement)
    return len(found)


def _who(path: Path) -> dict[str, str]:
    """Whose form it is: two people fill in two files."""
    return {"person": path.stem}


def _is_csv(path: Path) -> bool:
    if path.suffix not in (".csv", ".jsonl"):
        raise FormProblem(f"{path}: a form is a .csv or a .jsonl file, named after who fills it in: anna.csv")
    return path.suffix == ".csv"


def _row(query: Query) -> dict[str, Any]:
    answers = [*query.answers, CANNOT_TELL]
    return dict(zip(COLUMNS, (query.key, query.text, query.evidence, answers, "", ""), strict=True))


def _answer(query: Query, said: str, where: str) -> Answer | None:
    if said == CANNOT_TELL:
        return None
    known = {str(answer).casefold(): answer for answer in query.answers}
    if said.casefold() not in known:
        takes = ", ".join(map(str, [*query.answers, CANNOT_TELL]))
        raise FormProblem(f"{where}: {said!r:.60} is not an answer to this question; it takes {takes}")
    return known[said.casefold()]


def _rows(path: Path) -> Sequence[tuple[int, Mapping[str, Any]]]:
    """The rows of a form, each with its line. Raises `FormProblem`."""
    is_csv = _is_csv(path)
    try:
        text = path.read_text(encoding="utf-8-sig")  # spreadsheets put a mark at the start
    except (OSError, UnicodeDecodeError) as error:
        raise FormProblem(f"{path} cannot be read as UTF-8 text: {error}") from None
    if is_csv:
        return list(_of_csv(path, text))
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise FormProblem(f"{path}:{number}: each line is one JSON object, as it was written")
        found.append((number, row))
    return found


def _of_csv(path: Path, text: str) -> Iterable[tuple[int, Mapping[str, Any]]]:
    most = csv.field_size_limit(sys.maxsize)  # evidence may be longer than what the module takes by default
    try:
        reader = csv.DictReader(io.StringIO(text), strict=True)
        if lacking := [name for name in ("key", "answer") if name not in (reader.fieldnames or ())]:
            raise FormProblem(
                f"{path}:1: there is no column {lacking[0]!r}: keep those of the form, {', '.join(COLUMNS)}"
            )
        return [(reader.line_num, row) for row in reader]
    except csv.Error as error:
        raise FormProblem(f"{path} cannot be read as CSV: {error}") from None
    finally:
        csv.field_size_limit(most)
