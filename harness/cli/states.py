"""`harness diff`, `reset`, `snapshot`, `restore`: what a state folder holds, while its servers run or not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from harness.service.keeping import AppDiff
    from harness.service.today import Clock

__all__ = ("diff", "each", "reset", "restore", "snapshot", "there")

_Apps = Annotated[
    list[str] | None, typer.Argument(metavar="[APP]...", help="Which apps; by default all in the folder.")
]
_Folder = Annotated[Path, typer.Option("--state", help="The folder given to `harness serve --state`.")]
_World = Annotated[
    str | None,
    typer.Option("--world", help="As given to `harness serve`; by default what the folder began with."),
]
_Name = Annotated[str, typer.Argument(metavar="NAME", help="What the snapshot is called.")]


def diff(
    state: _Folder,
    apps: _Apps = None,
    world: _World = None,
    json: Annotated[bool, typer.Option("--json", help="Print one object: app to changes and digest.")] = False,
) -> None:
    """Show what changed since the start of the state in a folder."""
    from harness.cli import render, stories

    found: dict[str, AppDiff] = each(state, apps, world, "diff")
    if json:
        changes = {app: [change.model_dump(mode="json") for change in it.changes] for app, it in found.items()}
        came = {app: [one.model_dump(mode="json") for one in it.came] for app, it in found.items()}
        render.as_json(
            {app: {"changes": changes[app], "digest": it.digest, "came": came[app]} for app, it in found.items()}
        )
        return
    lines = [stories.of_change(change) for it in found.values() for change in it.changes]
    typer.echo("\n".join(lines) or f"nothing changed in {', '.join(found)}")
    for app, it in found.items():
        for one in it.came:
            rest = f" ({'not' if not one.rows else 'not all'}: {one.skipped})" if one.skipped else ""
            typer.echo(f"came by itself to {app}, {one.at:%Y-%m-%d %H:%M}: {one.text or 'rows'}{rest}")


def reset(state: _Folder, apps: _Apps = None, world: _World = None) -> None:
    """Reset the state in a folder to its start."""
    typer.echo(f"back to the start: {', '.join(each(state, apps, world, 'reset'))}")


def snapshot(name: _Name, state: _Folder, apps: _Apps = None, world: _World = None) -> None:
    """Save a copy of the state in a folder under a name."""
    typer.echo(f"kept as {name}: {', '.join(each(state, apps, world, 'snapshot', name))}")


def restore(name: _Name, state: _Folder, apps: _Apps = None, world: _World = None) -> None:
    """Restore the state in a folder from a snapshot."""
    typer.echo(f"back to {name}: {', '.join(each(state, apps, world, 'restore', name))}")


def there(folder: Path) -> list[str]:
    """The apps whose state is in a folder. Raises `CallProblem` where there is none."""
    from harness.cli.problems import CallProblem

    found = sorted(path.stem for path in folder.glob("*.duckdb"))
    if not found:
        raise CallProblem(f"--state {folder}: no app's state is there; `harness serve APP --state {folder}` keeps some")
    return found


def each(
    folder: Path, apps: Sequence[str] | None, world: str | None, verb: str, name: str = "", clock: Clock | None = None
) -> dict[str, Any]:
    """Do it to each app: the server that holds its file does, or this process where nobody holds it.

    `clock` is what tells the time here where the state's own runs.
    """
    from harness.cli.problems import CallProblem
    from harness.service.control import ask
    from harness.service.keeping import ready

    known = there(folder)
    names = list(dict.fromkeys(apps or known))
    if strange := [app for app in names if app not in known]:
        raise CallProblem(f"--state {folder}: {strange[0]} has no state there, only {', '.join(known)}")
    for app in names:
        ready(folder, app, verb, name)
    done: dict[str, Any] = {}
    for app in names:
        answer = ask(folder, app, verb, name)
        done[app] = _alone(folder, app, world, verb, name, clock) if answer is None else answer
    return done


def _alone(folder: Path, app: str, world: str | None, verb: str, name: str, clock: Clock | None) -> Any:
    """Do it in this process."""
    from harness.cli.problems import CallProblem
    from harness.cli.worlds import world_of
    from harness.service.keeping import VERBS, Keeper
    from servers import catalog
    from servers.kernel import WorldMismatch

    try:
        keeper = Keeper(folder, catalog.app(app).default, world_of(world, folder), now=clock)
    except WorldMismatch as error:
        raise CallProblem(f"{error.path} was made from world {error.found}: name that world with --world") from None
    try:
        return VERBS[verb](keeper, name)
    finally:
        keeper.close()
