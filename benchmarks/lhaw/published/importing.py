"""`harness import lhaw`: the published variants counted, checked and put to a simulated user; not to be played."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from benchmarks.lhaw.published import asking, checks, statistics
from benchmarks.lhaw.published.rows import Published, PublishedError, Row
from benchmarks.lhaw.published.rows import read as read_rows
from harness.cli import render
from harness.cli.asking import user_settings
from harness.cli.files import put
from harness.cli.options import Json
from harness.cli.problems import CallProblem
from harness.suite import Table

if TYPE_CHECKING:
    from harness.user import UserSettings

__all__ = ("as_csv", "read")

_SHOWN = 20
"""Rows of a listing that a terminal shows; the other formats have all."""


class Format(StrEnum):
    terminal = "terminal"
    md = "md"
    csv = "csv"


def read(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="test.json of ScaleAI/lhaw, or rows of the same form.")],
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first row that cannot be read.")] = False,
    user: Annotated[
        str, typer.Option(metavar="JSON", help="The user's settings, as a condition's `user` has them.")
    ] = "{}",
    at_once: Annotated[int, typer.Option(min=1, help="Questions at once, for users that wait for a model.")] = 1,
    format: Annotated[
        Format, typer.Option(help="Output format; csv has one row per cell of a table.")
    ] = Format.terminal,
    output: Annotated[Path | None, typer.Option(metavar="PATH", help="Write it to this file.")] = None,
    json: Json = False,
) -> None:
    """Read LHAW's published variants. Counts and checks them, and puts their questions to a user."""
    import anyio

    settings = user_settings(user)
    if output is not None and not output.parent.is_dir():
        raise CallProblem(f"--output {output}: there is no folder {output.parent}")
    try:
        found = read_rows(file, strict=strict)
    except PublishedError as error:
        raise CallProblem(str(error)) from None
    failed = checks.failures(found.rows)
    if found.rows:
        typer.echo(f"{file}: {len(found.rows)} variants; their questions go to {settings.label}", err=True)
    asked = anyio.run(_put, settings, found.rows, at_once)
    compared = statistics.compared(found.rows) if found.official else []
    tables = [
        *([statistics.compared_table(compared)] if compared else []),
        *statistics.tables(found.rows),
        *checks.tables(found.rows, failed),
        *asking.tables(asked, settings.label),
    ]
    if not found.rows:
        tables = []  # what is wrong with the rows is all there is to say
    if json:
        text = render.json_text(_object(found, compared, tables, failed, asked, settings.label))
    elif format is Format.csv:
        text = as_csv(tables)
    else:
        body = render.markdown(tables) if format is Format.md else render.text(_cut(tables), plain=output is not None)
        text = f"{_headline(file, found)}\n" + (f"\n{body}" if tables else "")
    _give(text, output)
    differing = [each for each in compared if each.here != each.published]
    for problem in found.broken:
        typer.echo(str(problem), err=True)
    for figure in differing:
        typer.echo(f"{file}: {figure.what}: {figure.published} published, {figure.here} here", err=True)
    faults = [each for each in asked if each.fault]
    if faults:
        first = f"the first of {faults[0].variant}: {faults[0].fault}"
        typer.echo(f"{len(faults)} of {len(asked)} questions had no answer, {first}", err=True)
    if found.broken or differing or faults:
        raise typer.Exit(1)


async def _put(settings: UserSettings, rows: Sequence[Row], at_once: int) -> list[asking.Put]:
    from harness.wiring import wiring

    wired = wiring()
    try:
        return await asking.put(rows, lambda brief: wired.user(settings, brief), at_once=at_once)
    finally:
        await wired.aclose()


def _headline(file: Path, found: Published) -> str:
    what = "the published file" if found.official else "not the published file: its counts are not compared"
    broken = f", {len(found.broken)} more cannot be read" if found.broken else ""
    return f"{file}: {len(found.rows)} variants{broken}; sha256 {found.sha256[:12]}, {what}"


def _cut(tables: Sequence[Table]) -> list[Table]:
    """Listings without their end, which would fill a terminal."""
    return [
        table._replace(
            rows=table.rows[:_SHOWN],
            notes=(*table.notes, f"{len(table.rows) - _SHOWN} more with --format md, --format csv or --json."),
        )
        if "found" in table.columns and len(table.rows) > _SHOWN
        else table
        for table in tables
    ]


def as_csv(tables: Sequence[Table]) -> str:
    """Every cell of every table as `table,row,column,value`, rows numbered from 1; empty where there is nothing."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("table", "row", "column", "value"))
    for table in tables:
        for number, row in enumerate(table.rows, 1):
            writer.writerows((table.title, number, column, row.get(column)) for column in table.columns)
    return out.getvalue()


def _object(
    found: Published,
    compared: Sequence[statistics.Figure],
    tables: Sequence[Table],
    failed: Sequence[checks.Failure],
    asked: Sequence[asking.Put],
    user: str,
) -> dict[str, Any]:
    return {
        "sha256": found.sha256,
        "published": found.official,
        "variants": len(found.rows),
        "broken": [str(each) for each in found.broken],
        "differences": [each._asdict() for each in compared if each.here != each.published],
        "failures": [each._asdict() for each in failed],
        "user": user,
        "questions": [
            {
                "variant": each.variant,
                "segment": each.asked.id,
                "question": each.question,
                "answer": each.answer,
                "told": list(each.told),
                "fault": each.fault,
            }
            for each in asked
        ],
        "tables": {table.title: [dict(row) for row in table.rows] for table in tables},
    }


def _give(text: str, output: Path | None) -> None:
    if output is None:
        typer.echo(text, nl=False)
        return
    put(output, text)
    typer.echo(f"{output}: {len(text.encode()):,} bytes")
