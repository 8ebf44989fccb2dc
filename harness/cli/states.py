"""`harness diff`, `reset`, `snapshot`, `restore`: what a state folder holds, while its servers run or not."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.saying import say
from harness.cli.typed import typed

if TYPE_CHECKING:
    from harness.service.keeping import AppDiff, Keeper
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
    say("\n".join(lines) or f"nothing changed in {', '.join(found)}")
    for app, it in found.items():
        for one in it.came:
            rest = f" ({'not' if not one.rows else 'not all'}: {one.skipped})" if one.skipped else ""
            say(f"came by itself to {app}, {one.at:%Y-%m-%d %H:%M}: {one.text or 'rows'}{rest}")


def reset(state: _Folder, apps: _Apps = None, world: _World = None) -> None:
    """Reset the state in a folder to its start."""
    say(f"back to the start: {', '.join(each(state, apps, world, 'reset'))}")


def snapshot(name: _Name, state: _Folder, apps: _Apps = None, world: _World = None) -> None:
    """Save a copy of the state in a folder under a name."""
    say(f"kept as {name}: {', '.join(each(state, apps, world, 'snapshot', name))}")


def restore(name: _Name, state: _Folder, apps: _Apps = None, world: _World = None) -> None:
    """Restore the state in a folder from a snapshot."""
    say(f"back to {name}: {', '.join(each(state, apps, world, 'restore', name))}")


def there(folder: Path) -> list[str]:
    """The apps whose state is in a folder. Raises `CallProblem` where there is none."""
    from harness.cli.problems import CallProblem

    found = sorted(path.stem for path in folder.glob("*.duckdb"))
    if not found:
        raise CallProblem(
            f"--state {folder}: no app's state is there; `{typed('serve', 'APP', '--state', folder)}` keeps some"
        )
    return found


def each(
    folder: Path, apps: Sequence[str] | None, world: str | None, verb: str, name: str = "", clock: Clock | None = None
) -> dict[str, Any]:
    """Do it to each app: the server that holds its file does, or this process where nobody holds it.

    Where one cannot be restored or kept, none is. `clock` is what tells the time here where the state's own runs.
    """
    from harness.cli.problems import CallProblem
    from harness.service.keeping import forget, ready

    known = there(folder)
    names = list(dict.fromkeys(apps or known))
    if strange := [app for app in names if app not in known]:
        raise CallProblem(f"--state {folder}: {strange[0]} has no state there, only {', '.join(known)}")
    for app in names:
        ready(folder, app, verb, name)
    with ExitStack() as stack:
        hands = [_Hand(folder, app, world, clock, stack) for app in names]
        if len(hands) > 1 and verb in ("reset", "restore", "snapshot"):
            for hand in hands:
                hand("hold")
        if len(hands) > 1 and verb == "restore":
            return _restored(folder, hands, name)
        done: dict[str, Any] = {}
        try:
            for hand in hands:
                done[hand.app] = hand(verb, name)
        except BaseException:
            for app in done if verb == "snapshot" else ():
                forget(folder, app, name)
            raise
        return done


def _restored(folder: Path, hands: Sequence[_Hand], name: str) -> dict[str, Any]:
    """Have several apps become a snapshot: all are staged before the first is swapped, and put back if one fails."""
    from harness.service.keeping import before_file, unstage
    from servers.kernel import StateError

    swapped: list[_Hand] = []
    try:
        for hand in hands:
            hand("stage", name)
        for hand in hands:
            swapped.append(hand)
            hand("swap")
    except BaseException as error:
        for hand in swapped:
            with suppress(StateError, OSError):  # told below: the others are put back all the same
                hand("back")
        left = [str(path) for hand in swapped if (path := before_file(folder, hand.app)).exists()]
        if isinstance(error, StateError):
            kept = f"could not be put back, and lies in {', '.join(left)}" if left else "stays as it was"
            raise StateError(f"{error}. No app was restored: the state {kept}") from None
        raise
    finally:
        for hand in hands:
            unstage(folder, hand.app)
    for hand in hands:
        before_file(folder, hand.app).unlink(missing_ok=True)
    return dict.fromkeys(hand.app for hand in hands)


class _Hand:
    """Does things to one app's state: through the server that holds its file; holding it itself where nobody does."""

    def __init__(self, folder: Path, app: str, world: str | None, clock: Clock | None, closing: ExitStack) -> None:
        self.app = app
        self._folder, self._world, self._clock, self._closing = folder, world, clock, closing
        self._keeper: Keeper | None = None

    def __call__(self, verb: str, name: str = "") -> Any:
        from harness.service.control import ask
        from harness.service.keeping import VERBS

        if self._keeper is None:
            answer = ask(self._folder, self.app, verb, name, waits=partial(say, err=True))
            if answer is not None:
                return answer
            self._keeper = self._opened()
            self._closing.callback(self._keeper.close)
        return VERBS[verb](self._keeper, name)

    def _opened(self) -> Keeper:
        from harness.cli.problems import CallProblem
        from harness.cli.worlds import world_of
        from harness.service.keeping import Keeper
        from servers import catalog
        from servers.kernel import WorldMismatch

        world = world_of(self._world, self._folder)
        try:
            return Keeper(self._folder, catalog.app(self.app).default, world, now=self._clock)
        except WorldMismatch as error:
            raise CallProblem(
                f"{error.path} was made from world {error.found}: name that world with --world, which takes SUITE, "
                "SUITE:WORLD or a world's folder"
            ) from None
