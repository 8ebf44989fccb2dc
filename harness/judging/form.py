"""A person as a judge: questions written into a file, answers read back from it.

JSON Lines or CSV, by the file's name. Whose work it is, is not in it, and rows are in no order that would tell.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from harness.core.judgement import Query
from harness.core.lines import numbered
from harness.judging.forms import CANNOT_TELL, FormError, chosen, read_rows, read_text
from harness.record.files import RunError, sweep, write_whole
from harness.record.judgements import FOLDER, Judgement, judgements, keep
from harness.record.store import Run

__all__ = ("COLUMNS", "read_form", "write_form")

COLUMNS: Final = ("key", "question", "evidence", "answers", "answer", "reason")
"""`answers` says what may be put into `answer`; `reason` is as one likes."""


def write_form(path: Path, run: Run, queries: Iterable[Query]) -> int:
    """Write a form with what its person has not answered yet; how many questions that are. Raises `FormError`."""
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
            raise FormError(f"{path} cannot be written: is there a folder {path.parent}, and room in it?") from None
    return len(rows)


def read_form(path: Path, run: Run, queries: Iterable[Query]) -> int:
    """Keep what a person answered in a form; how many answers that are. Rows without an answer are left for later.

    An answer that differs from an earlier one of theirs takes its place. Raises `FormError`, before anything is
    kept, for a row that is none of the form's or has an answer that its question does not take.
    """
    known = {query.key: query for query in queries}
    found = []
    for where, row in _rows(path):
        query = known.get(str(row.get("key") or ""))
        if query is None:
            raise FormError(f"{where}: no trial of {run.folder} asks this: have a new form written, to another file")
        said = "" if row.get("answer") is None else str(row["answer"]).strip()
        if not said:
            continue
        takes = {str(each): each for each in query.answers}
        answer = takes.get(chosen(where, "answer", said, [*takes, CANNOT_TELL]))
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
        raise FormError(f"{path}: a form is a .csv or a .jsonl file, named after who fills it in: anna.csv")
    return path.suffix == ".csv"


def _row(query: Query) -> dict[str, Any]:
    answers = [*query.answers, CANNOT_TELL]
    return dict(zip(COLUMNS, (query.key, query.text, query.evidence, answers, "", ""), strict=True))


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The rows of a form, each with `file:line`. Raises `FormError`."""
    if _is_csv(path):
        yield from read_rows(path, ("key", "answer"))
        return
    for number, line in numbered(read_text(path)):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise FormError(f"{path}:{number}: each line is one JSON object, as it was written")
        yield f"{path}:{number}", row
