"""`harness folder`: a folder of this machine into the state of `filesystem`, and back. Only on demand, never by a tool.

Links are never followed in either direction, and nothing is overwritten without `--force`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from harness.cli.options import Json
from harness.cli.problems import CallProblem
from harness.cli.saying import say
from harness.cli.worlds import world_of
from harness.core.writing import beside

if TYPE_CHECKING:
    from harness.service.today import Clock
    from servers.kernel import Base, Engine, Layer, State

__all__ = ("export", "import_")

ENTRIES, BYTES = 20_000, 64 * 2**20
"""The most that one import takes."""

_SHOWN = 10
"""Conflicts named in one message."""

StateFolder = Annotated[Path, typer.Option(help="Folder that keeps the state, as given to `harness serve`.")]
WorldName = Annotated[
    str | None,
    typer.Option(help="As given to `harness serve`; by default what the folder began with."),
]


class _Found(NamedTuple):
    """A file or directory to import: `contents` None for a directory."""

    path: str
    contents: bytes | None

    def values(self) -> dict[str, Any]:
        """Columns of its row."""
        if self.contents is None:
            return {"kind": "directory"}
        try:
            text = None if b"\0" in self.contents else self.contents.decode()
        except UnicodeDecodeError:
            text = None
        return {"text": text, "data": self.contents if text is None else None}


def import_(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of this machine to copy from.")],
    state: StateFolder,
    to: Annotated[str, typer.Option(help="Directory of the sandbox to copy into; created if needed.")] = "/workspace",
    world: WorldName = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that already exist in the sandbox.")] = False,
    json: Json = False,
) -> None:
    """Copy a folder of this machine into the app `filesystem`.

    In a new state, what is imported is the starting point for diffs and resets. Links, devices, files over 4 MiB and
    names that not every system allows are skipped, with a line each. Of the rest, all or nothing is imported.
    """
    from harness.service.today import wind
    from servers.filesystem.paths import resolve
    from servers.kernel import Failure

    if not folder.is_dir():
        raise CallProblem(f"{folder} is not a folder")
    try:
        top = resolve(to)
    except Failure as failure:
        raise CallProblem(f"--to: {failure}") from None
    skipped: list[str] = []
    found = list(_gather(folder.resolve(), top, state.resolve(), skipped))
    with _opened(state, world, new=True) as (engine, base, is_new, clock):
        layer = engine.layer(base) if is_new else _resumed(engine, base)
        wind(layer, clock)
        whole = [*_above(top), *found]
        known = _conflicts(layer.state(_app()), whole, force=force)
        _put(engine, base, layer, whole, known, is_new=is_new)
    _report("imported", found, skipped, as_json=json)


def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of this machine to copy to; may be new.")],
    state: StateFolder,
    source: Annotated[str, typer.Option("--from", help="Directory of the sandbox to copy.")] = "/workspace",
    world: WorldName = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that already exist in the folder.")] = False,
    json: Json = False,
) -> None:
    """Copy files from the app `filesystem` to this machine.

    If a file exists already, nothing is written unless --force is given. Nothing is ever written through a link.
    """
    from servers.filesystem.entries import Entry, folder_at
    from servers.kernel import Failure

    if folder.exists() and not folder.is_dir():
        raise CallProblem(f"{folder} is a file; name a folder")
    with _opened(state, world) as (engine, base, _, _):
        inside = _resumed(engine, base).state(_app())
        try:
            top = folder_at(inside, source)
        except Failure as failure:
            raise CallProblem(f"--from: {failure}") from None
        rows = inside.find(Entry, "starts_with(path, ?)", [f"{top}/"], order="path")
        found = [_Found(row.path, row.contents if row.kind == "file" else None) for row in rows]
    home = folder.resolve()
    targets = {each.path: home.joinpath(*each.path[len(top) + 1 :].split("/")) for each in found}
    _refuse_to_write(home, found, targets, force=force)
    target = home
    try:
        home.mkdir(parents=True, exist_ok=True)
        for each in found:
            target = targets[each.path]
            _write(target, each.contents)
    except OSError as error:
        raise CallProblem(f"{target} cannot be written: {error.strerror}") from None
    _report("exported", found, [], as_json=json)


# The machine's side.


def _gather(folder: Path, top: str, state: Path, skipped: list[str]) -> Iterator[_Found]:
    """Everything below a folder that can be imported, parents first, in order of names."""
    from servers.filesystem.entries import FILE_BYTES
    from servers.filesystem.paths import resolve
    from servers.kernel import Rejected

    spellings: dict[str, str] = {}
    count = size = 0
    waiting = [(folder, top)]
    while waiting:
        here, at = waiting.pop()
        try:
            names = sorted(os.listdir(here))
        except OSError as error:
            skipped.append(f"{_named(here, folder)}: cannot be read: {error.strerror}")
            continue
        inner = []
        for name in names:
            item = here / name
            try:
                path, contents = resolve(f"{at}/{name}"), _contents(item, folder, state, FILE_BYTES)
            except (_Skip, Rejected) as why:
                skipped.append(f"{_named(item, folder)}: {why}")
                continue
            if (twin := spellings.setdefault(path.casefold(), name)) != name:
                skipped.append(f"{_named(item, folder)}: its name is that of {twin!r} but for case or composition")
                continue
            count, size = count + 1, size + len(contents or b"")
            if count > ENTRIES or size > BYTES:
                raise CallProblem(
                    f"{folder} holds more than {ENTRIES:,} files and directories or {BYTES // 2**20} MiB, "
                    "the most that one import takes; import some of its folders, each with --to"
                )
            if contents is None:
                inner.append((item, path))
            yield _Found(path, contents)
        waiting += reversed(inner)


class _Skip(Exception):
    """Why something is not imported."""


def _contents(item: Path, folder: Path, state: Path, most: int) -> bytes | None:
    """The bytes of a file, None for a directory. Raises `_Skip` for anything else."""
    try:
        mode = item.lstat().st_mode
        if stat.S_ISLNK(mode) or not item.resolve().is_relative_to(folder):  # a junction is no link, and leads away
            raise _Skip("a link; links are not followed")
        if item == state:
            raise _Skip("the state folder itself")
        if stat.S_ISDIR(mode):
            return None
        if not stat.S_ISREG(mode):
            raise _Skip("neither a file nor a directory")
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with open(os.open(item, flags), "rb") as file:
            contents = file.read(most + 1)
    except OSError as error:
        raise _Skip(f"cannot be read: {error.strerror}") from None
    if len(contents) > most:
        raise _Skip(f"larger than {most:,} bytes")
    return contents


def _refuse_to_write(home: Path, found: list[_Found], targets: Mapping[str, Path], *, force: bool) -> None:
    """Raise `CallProblem` if anything is in the way, before anything is written."""
    problems = []
    for each in found:
        target = targets[each.path]
        if target.is_symlink() or not target.resolve().is_relative_to(home):
            problems.append(f"{target} is a link, or lies behind one")
        elif each.contents is None and target.exists() and not target.is_dir():
            problems.append(f"{target} is a file, and a directory in the sandbox")
        elif each.contents is not None and target.exists():
            if not target.is_file():
                problems.append(f"{target} is a file in the sandbox, and none here")
            elif not force:
                problems.append(f"{target} exists already; --force overwrites files")
    _raise(problems, "Nothing was exported")


def _write(target: Path, contents: bytes | None) -> None:
    """Write under another name, then rename into place, which replaces a file and follows no link."""
    if contents is None:
        target.mkdir(exist_ok=True)
        return
    with beside(target, f".{os.getpid()}.part") as part, part.open("xb") as file:  # a longer name may be too long
        file.write(contents)


# The sandbox's side.


def _app() -> Any:
    from servers.filesystem import app

    return app


@contextmanager
def _opened(folder: Path, world: str | None, *, new: bool = False) -> Iterator[tuple[Engine, Base, bool, Clock | None]]:
    """The engine on a state's file, its world, whether the file is new, and its clock. A failure leaves no new file."""
    from harness.service.keeping import state_file
    from harness.service.today import begun, real_time
    from servers.kernel import Engine

    path = state_file(folder, "filesystem")
    is_new = not path.exists()
    if is_new and not new:
        raise CallProblem(f"{folder} has no state of `filesystem`: there is no {path.name} in it")
    start = begun(folder, world_of(world, folder), real_time)
    engine = Engine(path)
    done = False
    try:
        yield engine, engine.load(start.world), is_new, real_time if start.running else None
        done = True
    finally:
        engine.close()
        if is_new and not done:
            path.unlink(missing_ok=True)


def _resumed(engine: Engine, base: Base) -> Layer:
    return engine.resume(base, [_app()])


def _above(top: str) -> list[_Found]:
    """The directories that lead to where an import goes."""
    from servers.filesystem.paths import ROOT, parts_below

    names = parts_below(top, ROOT) if top != ROOT else ()
    return [_Found("/".join((ROOT, *names[: depth + 1])), None) for depth in range(len(names))]


def _conflicts(inside: State, found: list[_Found], *, force: bool) -> set[str]:
    """Paths that the sandbox has already, which an import goes over. Raises `CallProblem` for what it may not."""
    from servers.filesystem.entries import below
    from servers.filesystem.paths import ROOT

    held = {entry.path.casefold(): entry for entry in below(inside, ROOT, deep=True)}
    known, problems = set(), []
    for each in found:
        entry = held.get(each.path.casefold())
        if entry is None:
            continue
        known.add(each.path)
        if entry.path != each.path:
            problems.append(f"{each.path}: the sandbox has {entry.path}")
        elif (entry.kind == "directory") != (each.contents is None):
            problems.append(f"{each.path} is a {entry.kind} in the sandbox")
        elif each.contents is not None and not force:
            problems.append(f"{each.path} exists already; --force overwrites files")
    _raise(problems, "Nothing was imported")
    return known


def _put(
    engine: Engine, base: Base, layer: Layer, found: list[_Found], known: set[str], *, is_new: bool
) -> None:  # fmt: skip
    """Make the rows: as the starting point of a new state, else as changes in one transaction."""
    from servers.filesystem.entries import Entry
    from servers.kernel import Edit

    now = layer.now
    new = [each for each in found if each.path not in known]
    over = [each for each in found if each.path in known and each.contents is not None]
    if is_new:
        made = [Entry(id=each.path, created=now, modified=now, **each.values()) for each in new]
        setup = [Edit(op="add", app="filesystem", table="entries", id=row.id, values=row.to_json()) for row in made]
        state = layer.state(_app())
        for each in over:
            row = state.get(Entry, each.path).model_copy(update={**each.values(), "modified": now})
            setup.append(Edit(op="change", app="filesystem", table="entries", id=row.id, values=row.to_json()))
        layer.close()
        engine.resume(base, [_app()], setup)
        return
    state = layer.state(_app())
    with state.transaction():
        for each in new:
            state.add(Entry(id=each.path, created=now, modified=now, **each.values()))
        for each in over:
            state.save(state.get(Entry, each.path).model_copy(update={**each.values(), "modified": now}))


# What is said.


def _named(item: Path, folder: Path) -> str:
    return ascii(item.relative_to(folder).as_posix())[1:-1]


def _raise(problems: list[str], what: str) -> None:
    if problems:
        more = f"; and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
        raise CallProblem(f"{what}: {'; '.join(problems[:_SHOWN])}{more}")


def _report(done: str, found: list[_Found], skipped: list[str], *, as_json: bool) -> None:
    files = [len(each.contents) for each in found if each.contents is not None]
    if as_json:
        from harness.cli import render

        render.as_json(
            {"files": len(files), "directories": len(found) - len(files), "bytes": sum(files), "skipped": skipped}
        )
        return
    for line in skipped:
        say(f"skipped {line}", err=True)
    note = f", skipped: {len(skipped)}" if skipped else ""
    say(f"{done} files: {len(files)}, directories: {len(found) - len(files)}, bytes: {sum(files):,}{note}")
