"""One app's state in a file: opened, changed by whoever runs the server, and copied.

`<folder>/<app>.duckdb` is the state; `<folder>/snapshots/<name>/<app>.duckdb` is a snapshot of it. A file is copied
only while nobody holds it: POSIX gives up a process's locks on a file when any handle to it is closed.

A snapshot becomes the state in two steps, so that several apps do it together or not at all: it is staged, as
`<app>.duckdb.staged`, and opened there; then it is swapped in, and what was the state is `<app>.duckdb.before`.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from harness.core.trajectory import CallRecord
from harness.core.writing import beside, made_folder
from harness.service.today import Clock, begun, moved_otherwise, wind
from harness.serving.coming import Arrivals, reserved
from harness.serving.sandbox import Sandbox
from servers.kernel import App, Came, Change, Edit, Engine, Layer, StateError, Toolset, User, World, WorldMismatch

__all__ = (
    "VERBS", "AppDiff", "AppRows", "Keeper", "before_file", "forget", "made", "ready", "rows_of", "state_file",
    "unstage",
)  # fmt: skip

_FULL = tuple(os.strerror(number) for number in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG))
"""How the system says that a file cannot become larger."""

_BARRED = tuple(os.strerror(number) for number in (errno.EROFS, errno.EACCES, errno.EPERM))
"""How it says that it cannot be written at all."""

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}")


class AppDiff(NamedTuple):
    """What one app's state is, how it differs from its start, and what has come by itself."""

    changes: list[Change]
    digest: str
    came: tuple[Came, ...] = ()


class AppRows(NamedTuple):
    """One app's rows as they are, by table and in order; the time there, and the moment of what came last by itself."""

    rows: dict[str, list[dict[str, Any]]]
    now: datetime
    came: datetime | None


class Keeper:
    """One app's state file, held by this process, and the sandbox over it.

    A folder that is new starts as `harness.service.today.begun` says: with a clock as `now`, in today's week. Where it
    started otherwise, a clock is left aside; without `now`, a state has the time that it had. With `live` what the
    world's arrivals bring comes as the time passes.

    Raises `StateInUse`, `WorldMismatch` or `StateError` when it cannot be opened.
    """

    def __init__(
        self,
        folder: Path,
        toolset: Toolset,
        world: World,
        *,
        setup: Sequence[Edit] = (),
        now: datetime | Clock | None = None,
        user: User | None = None,
        listener: Callable[[CallRecord], None] | None = None,
        live: bool = False,
    ) -> None:
        self.folder, self.app = folder, toolset.app
        clock = now if callable(now) else None
        self._world, running = begun(folder, world, clock)
        self._setup, self._now = [edit for edit in setup if edit.app == toolset.app.name], now
        if clock and not running:
            self._now = None
        self._engine: Engine | None
        try:
            self._engine, layer = self._opened(self.path)
        except WorldMismatch as mismatch:
            raise moved_otherwise(folder, mismatch) from None
        self.sandbox = Sandbox(layer, {self.app.name: toolset}, user, listener)
        self.sandbox.ready = self.hold
        if live and self._now is not None:
            self.sandbox.coming = Arrivals(self.world, [self.app])

    @property
    def path(self) -> Path:
        return state_file(self.folder, self.app.name)

    @property
    def world(self) -> World:
        """The world that the file is of."""
        return self.sandbox.layer.base.world

    def hold(self) -> Engine:
        """Take the file again where that was not possible when it was let go, as on a disk that was full.

        Raises `StateError` where it still is not.
        """
        return self._engine or self._take()

    def diff(self) -> AppDiff:
        self.hold()
        layer = self.sandbox.layer
        return AppDiff(layer.changes(), layer.digest(), layer.came)

    def rows(self) -> AppRows:
        self.hold()
        layer = self.sandbox.layer
        return AppRows(rows_of(layer, self.app), layer.now, layer.came[-1].at if layer.came else None)

    def reset(self) -> None:
        """Back to the start; what has come by itself stays."""
        engine = self.hold()
        self.sandbox.layer.reset()
        reserved(engine, self.world, self.sandbox.layer, [self.app], self._setup)
        with engine.atomic():
            wind(self.sandbox.layer, self._now)

    def snapshot(self, name: str) -> None:
        """Copy the state. Raises `StateError` when the name is taken or cannot name a folder, or the copy fails."""
        target = ready(self.folder, self.app.name, "snapshot", name)
        self.hold()
        self._release()
        try:
            _copy(self.path, target)
        except BaseException:
            forget(self.folder, self.app.name, name)
            raise
        finally:
            self._take()

    def restore(self, name: str) -> None:
        """Become a snapshot, time and ids to come included; if that cannot be, stay as it is and raise `StateError`."""
        try:
            self.stage(name)
            self.swap()
        finally:
            unstage(self.folder, self.app.name)
        before_file(self.folder, self.app.name).unlink()

    def stage(self, name: str) -> None:
        """Copy a snapshot beside the state, and open the copy. Raises `StateError` where it cannot become the state."""
        source, staged = ready(self.folder, self.app.name, "restore", name), _staged(self.folder, self.app.name)
        before_file(self.folder, self.app.name).unlink(missing_ok=True)  # of a restore that was killed
        _copy(source, staged)
        try:
            self._opened(staged)[0].close()
            _complete(staged)
        except BaseException as error:
            unstage(self.folder, self.app.name)
            if isinstance(error, StateError):
                raise StateError(str(error).replace(str(staged), str(source))) from None
            raise

    def swap(self) -> None:
        """Become what is staged, and leave what was beside it; if that cannot be, stay as it is, raise `StateError`."""
        staged, before = _staged(self.folder, self.app.name), before_file(self.folder, self.app.name)
        self.hold()
        self._release()
        try:
            if not staged.exists():
                raise StateError(f"{staged} is gone")
            _keep_beside(self.path, before)
            staged.replace(self.path)
            self._take()
        except BaseException as error:
            self.back()
            if isinstance(error, OSError):
                raise StateError(f"{self.path} cannot be replaced: {error.strerror}") from None
            raise

    def back(self) -> None:
        """Become again what was before a `swap`, if there was one."""
        self.close()
        before = before_file(self.folder, self.app.name)
        if before.exists():
            _log(self.path).unlink(missing_ok=True)  # of the file that is replaced
            before.replace(self.path)
            before.unlink(missing_ok=True)  # where both are one file still, nothing was moved
        self._take()

    def close(self) -> None:
        """Let go of the file, which has everything committed."""
        if self._engine:
            self._engine.close()
            self._engine = None

    def _release(self) -> None:
        """Let go of the file, and make sure that everything is in it: DuckDB keeps what is new in a log beside it."""
        self.close()
        try:
            _complete(self.path)
        except StateError:
            self._take()
            raise

    def _take(self) -> Engine:
        self._engine, self.sandbox.layer = self._opened(self.path)
        return self._engine

    def _opened(self, path: Path) -> tuple[Engine, Layer]:
        with _advising(path):
            engine = Engine(path)
            try:
                base = engine.load(self._world)
                layer = engine.resume(base, [self.app], self._setup)
                with engine.atomic():
                    wind(layer, self._now)
                reserved(engine, base.world, layer, [self.app], self._setup)
                return engine, layer
            except BaseException:
                engine.close()
                raise


VERBS: dict[str, Callable[[Keeper, str], Any]] = {
    "hold": lambda keeper, _: keeper.hold(),
    "diff": lambda keeper, _: keeper.diff(),
    "rows": lambda keeper, _: keeper.rows(),
    "reset": lambda keeper, _: keeper.reset(),
    "snapshot": lambda keeper, name: keeper.snapshot(name),
    "restore": lambda keeper, name: keeper.restore(name),
    "stage": lambda keeper, name: keeper.stage(name),
    "swap": lambda keeper, _: keeper.swap(),
    "back": lambda keeper, _: keeper.back(),
}
"""What can be done to a state, by name; the second argument is a snapshot's name. `hold` only takes the file."""


def rows_of(layer: Layer, app: App) -> dict[str, list[dict[str, Any]]]:
    """Every row of an app by table and in order, as JSON values with all fields."""
    state = layer.state(app)
    return {table.table_name: [{"id": row.id, **row.to_json()} for row in state.find(table)] for table in app.tables}


def made(folder: Path) -> None:
    """Make a state's folder, if it is not there. Raises `StateError` where it cannot be one."""
    Engine.check(folder)
    made_folder(folder, StateError, "--state ")


def state_file(folder: Path, app: str) -> Path:
    """Where an app's state is."""
    return folder / f"{app}.duckdb"


def ready(folder: Path, app: str, verb: str, name: str) -> Path:
    """Where a snapshot of an app's state is, after a look whether `verb` can be done with it.

    Raises `StateError` for what cannot be a name, is taken (`snapshot`) or is not there (`restore`).
    """
    if verb in ("snapshot", "restore") and not _NAME.fullmatch(name):
        raise StateError(f"{name!r} is not a valid name for a snapshot: use up to 64 letters, digits, `_`, `-` and `.`")
    path = folder / "snapshots" / name / f"{app}.duckdb"
    if verb == "snapshot" and path.exists():
        raise StateError(f"{path} exists already: choose another name, or remove that file")
    if verb == "restore" and not path.exists():
        have = ", ".join(sorted(path.parent.name for path in folder.glob(f"snapshots/*/{app}.duckdb")))
        raise StateError(f"{app} has no snapshot {name!r} in {folder}; it has {have or 'none'}")
    return path


def before_file(folder: Path, app: str) -> Path:
    """Where an app's state lies as it was before a `swap`, until that is settled."""
    return folder / f"{app}.duckdb.before"


def _staged(folder: Path, app: str) -> Path:
    return folder / f"{app}.duckdb.staged"


def unstage(folder: Path, app: str) -> None:
    """Remove what is staged, if anything is."""
    staged = _staged(folder, app)
    for path in (staged, _log(staged)):
        path.unlink(missing_ok=True)


def forget(folder: Path, app: str, name: str) -> None:
    """Remove an app's snapshot, if it is there, and its folders once nothing is in them."""
    path = folder / "snapshots" / name / f"{app}.duckdb"
    path.unlink(missing_ok=True)
    with suppress(OSError):
        path.parent.rmdir()
        path.parent.parent.rmdir()


def _log(path: Path) -> Path:
    """Where DuckDB keeps what is new in a file until that is written into it."""
    return path.with_name(f"{path.name}.wal")


def _complete(path: Path) -> None:
    """Make sure that a file that was closed has everything. Raises `StateError`."""
    if _log(path).exists():
        raise StateError(f"{path} could not be written completely: is the disk full?")


@contextmanager
def _advising(path: Path) -> Iterator[None]:
    """Say what helps where a disk is full, as DuckDB needs room even to open a file, or lets nobody write."""
    try:
        yield
    except StateError as error:
        if any(full in str(error) for full in _FULL):
            raise StateError(f"{error}. Free some space on that disk and try again: nothing is lost") from error
        if path.exists() and any(barred in str(error) for barred in _BARRED):
            raise StateError(
                f"{error}. A state is opened for writing, also to be read: copy its folder to where that may be done"
            ) from error
        raise


def _keep_beside(path: Path, other: Path) -> None:
    """Have a file under another name too, so that there is one under its own at every moment. Raises `StateError`."""
    try:
        other.hardlink_to(path)
    except OSError:  # not every file system has links
        _copy(path, other)


def _copy(source: Path, target: Path) -> None:
    """Copy a file whole, or not at all. Raises `StateError`."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with beside(target, f"{target.name}.part") as part:
            shutil.copyfile(source, part)
    except OSError as error:
        raise StateError(f"{source} cannot be copied to {target}: {error.strerror}") from None
