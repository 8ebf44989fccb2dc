"""`harness import dbbench`: the published rows as the suite `dbbench`, each tried against what was published of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchmarks.dbbench import figures, store
from benchmarks.dbbench.published import Published, PublishedError
from benchmarks.dbbench.published import read as read_rows
from benchmarks.dbbench.suite import named
from benchmarks.dbbench.tables import world
from benchmarks.dbbench.truth import own, truth
from harness.cli import render
from harness.cli.options import Json
from harness.cli.problems import CallProblem
from harness.cli.saying import say

__all__ = ("imported", "read")


def read(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="data/dbbench/standard.jsonl of AgentBench.")],
    json: Json = False,
) -> None:
    """Read AgentBench's DBBench into the suite `dbbench`, and compare it with what was published of it."""
    try:
        published = read_rows(file)
    except PublishedError as error:
        raise CallProblem(str(error)) from None
    found = imported(published)
    try:
        path = store.write(found)
    except OSError as error:
        raise CallProblem(f"{store.home()} cannot be written: {error.strerror}") from None
    surprises = figures.unexpected(found)
    if json:
        render.as_json(
            {
                "suite": "dbbench",
                "path": str(path),
                "sha256": published.sha256,
                "published": published.official,
                "broken": [str(each) for each in published.broken],
                "figures": [each._asdict() for each in figures.figures(found)],
                "unexpected": surprises,
                "rows": [
                    {"number": each.number, "kind": each.row.kind, **each.truth.model_dump(exclude={"changes"})}
                    for each in found.rows.values()
                ],
            }
        )
    else:
        say(f"suite dbbench: {len(found.rows)} rows, in {path}")
        render.terminal(figures.tables(found))
    if not published.official:
        say(
            f"{file} is not the published file (sha256 {published.sha256[:12]}): statements of our own and named "
            "departures are left out, and what is played with it is no figure of DBBench",
            err=True,
        )
    for problem in (*published.broken, *surprises):
        say(str(problem), err=True)
    if published.broken or surprises:
        raise typer.Exit(1)


def imported(published: Published) -> store.Imported:
    """Every row with what is known of it: its statements are run, each in a table of its own."""
    ours = own() if published.official else {}
    rows = {
        number: store.Known(
            number=number, world=world(named(number), row).digest, row=row, truth=truth(row, ours.get(number, ""))
        )
        for number, row in published.rows.items()
    }
    return store.Imported(store.Head(sha256=published.sha256, official=published.official), rows)
