"""`harness export`: a world as a folder to read, edit and serve; a run as logs of Inspect."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.options import RunFolder
from harness.cli.problems import CallProblem
from harness.cli.saying import say
from harness.cli.typed import typed

if TYPE_CHECKING:
    from datetime import datetime

    from servers.kernel import World

__all__ = ("inspect", "world")


def world(
    source: Annotated[str, typer.Argument(metavar="WORLD", help="As for `harness serve --world`.")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to write it: a new folder, or an empty one.")],
    apps: Annotated[
        list[str] | None, typer.Argument(metavar="[APP]...", help="Which apps; by default all that have rows.")
    ] = None,
    state: Annotated[
        Path | None, typer.Option(help="Take what `harness serve --state` kept here, in place of the world's rows.")
    ] = None,
    now: Annotated[
        str,
        typer.Option(
            help="The time there: world, or one like 2025-03-13T09:00 (rows stay as they are); or today (they move)."
        ),
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Print one object: what was written where.")] = False,
) -> None:
    """Write a world as a folder of JSON lines, one file per table. `--world FOLDER` reads it."""
    from dataclasses import replace

    from harness.cli import render
    from harness.cli.files import filled
    from harness.cli.states import each, there
    from harness.service.exporting import exported
    from harness.service.today import begun, real_time
    from harness.wiring import world_named
    from servers import catalog

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CallProblem(f"{folder} already exists and is not empty: give a new folder, so that nothing is lost")
    found, time = world_named(source), _time(now, state)
    kept = there(state) if state else []
    names = list(dict.fromkeys(apps or (*found.rows, *kept)))
    states = {}
    if state:
        if held := [name for name in names if name in kept]:
            states = each(state, held, source, "rows", clock=real_time)
        found = begun(state, found).world
    elif now == "today":
        found = begun(None, found, real_time).world
    chosen = [app for name in names if (app := catalog.app(name)).tables]
    made: World = exported(found, chosen, states, time)
    if state and not states:
        made = replace(made, now=time or made.now)
    with filled(folder):
        made.write(folder)
    counts = {f"{app}.{table}": len(rows) for app, tables in made.rows.items() for table, rows in tables.items()}
    if json:
        render.as_json(
            {
                "folder": str(folder), "name": made.name, "now": made.now.isoformat(), "tables": counts,
                "arrivals": len(made.arrivals), "beside": dict(made.beside),
            }
        )  # fmt: skip
        return
    say(
        f"{folder}: world {made.name} at {made.now:%Y-%m-%d %H:%M}, {sum(counts.values())} rows in {len(counts)} "
        f"tables of {len(made.rows)} apps, {len(made.arrivals)} arrivals; "
        f"`{typed('serve', '--world', folder)}` serves it"
    )
    for name, about in made.beside.items():
        say(f"{folder / name}: {about}")


def _time(text: str, state: Path | None) -> datetime | None:
    """The time that was given, None for that of the world or the state."""
    from harness.cli.worlds import local_time

    if state and text in ("today", "world"):
        raise CallProblem(f"--now {text}: the rows in {state} stay where they are; give a time, or leave --now out")
    if text in ("", "today", "world"):
        return None
    return local_time(text)


class Format(StrEnum):
    """How Inspect stores a log."""

    eval = "eval"
    json = "json"


def inspect(
    run: RunFolder,
    output: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where to write the logs; by default RUN/inspect.")
    ] = None,
    format: Annotated[Format, typer.Option(help="How Inspect stores a log: compressed, or as JSON.")] = Format.eval,
    json: Annotated[bool, typer.Option("--json", help="Print one object: what was written where.")] = False,
) -> None:
    """Write a run as logs that `inspect view` opens. There is one for each agent under each condition."""
    from importlib.util import find_spec

    from harness.cli import render
    from harness.cli.finding import opened

    if find_spec("inspect_ai") is None:
        raise CallProblem("logs of Inspect are written by its own package: pip install 'workplace-harness[inspect]'")
    found, suite = opened(run)
    from harness.interop.inspect_log import export
    from harness.record.index import Index
    from harness.report.texts import rounded

    folder = output or run / "inspect"
    if folder.exists() and not folder.is_dir():
        raise CallProblem(f"--output {folder} is a file: give a folder")
    try:
        written = export(found, suite, folder, format.value)
    except OSError as error:
        raise CallProblem(f"{folder}: the logs cannot be written: {error.strerror}") from None
    if not written:
        raise CallProblem(f"{run} has no trials to export: `harness eval` plays them")
    index = Index(found, keep=False)
    index.refresh()
    there = sum(each.samples for each in written)
    if index.planned is not None and there < index.planned:
        say(
            f"{run} is not finished: {there} of {index.planned} trials are there, and the logs hold these alone; "
            "`harness eval` plays the rest",
            err=True,
        )
    if json:
        render.as_json(
            {"folder": str(folder), "logs": [{**each._asdict(), "file": each.file.name} for each in written]}
        )
        return
    for each in written:
        share = "-" if each.accuracy is None else f"{rounded(each.accuracy, 3):g}"
        wanting = "".join(f", {n} {what}" for n, what in ((each.unscored, "unscored"), (each.void, "void")) if n)
        say(f"{each.file.name}: {each.samples} samples, {each.correct} correct, accuracy {share}{wanting}")
    say(f"`inspect view --log-dir {folder}` shows them")
