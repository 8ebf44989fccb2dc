"""`harness export world`: a world, or what a person has made of one, as a folder to read, edit and serve."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.problems import CallProblem

if TYPE_CHECKING:
    from datetime import datetime

    from servers.kernel import World

__all__ = ("world",)


def world(
    source: Annotated[str, typer.Argument(metavar="WORLD", help="As for `harness serve --world`.")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to write it: a new folder, or an empty one.")],
    apps: Annotated[
        list[str] | None, typer.Argument(metavar="[APP]...", help="Which apps; all that have rows if none.")
    ] = None,
    state: Annotated[
        Path | None, typer.Option(help="Take what `harness serve --state` kept here, in place of the world's rows.")
    ] = None,
    now: Annotated[
        str,
        typer.Option(help="The time there: world or as 2025-03-13T09:00, rows as they are; or today, in this week."),
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Print one object: what was written where.")] = False,
) -> None:
    """Write a world as a folder of JSON lines, one file a table, which `--world FOLDER` reads."""
    from dataclasses import replace

    from harness.cli import render
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
    typer.echo(
        f"{folder}: world {made.name} at {made.now:%Y-%m-%d %H:%M}, {sum(counts.values())} rows in {len(counts)} "
        f"tables of {len(made.rows)} apps, {len(made.arrivals)} arrivals; `harness serve --world {folder}` serves it"
    )
    for name, about in made.beside.items():
        typer.echo(f"{folder / name}: {about}")


def _time(text: str, state: Path | None) -> datetime | None:
    """The time that was given, None for that of the world or the state."""
    from contextlib import suppress
    from datetime import datetime

    if state and text in ("today", "world"):
        raise CallProblem(f"--now {text}: the rows in {state} stay where they are; give a time, or leave --now out")
    if text in ("", "today", "world"):
        return None
    with suppress(ValueError):
        time = datetime.fromisoformat(text)
        if time.tzinfo is None:
            return time
    raise CallProblem(f"--now {text}: write today, world, or a local time such as 2025-03-13T09:00")
