"""How a state folder began: with which world, where its rows are in time, and whether its clock runs."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, ValidationError

from harness.core.writing import replace
from servers.kernel import Layer, StateError, World, WorldMismatch, amiss

__all__ = (
    "NOTE", "ORIGIN", "Clock", "Start", "at_home", "begun", "moved_otherwise", "note_origin", "origin", "real_time",
    "stands_still", "wind",
)  # fmt: skip

NOTE = "moved.json"
"""In a state folder: by how many days its rows were moved. A folder without it is in its world's own time."""

ORIGIN = "began.json"
"""In a state folder: the name of the world it began with. A folder without it is older than that note."""

_NAMED = re.compile(r"(.*?)(?:([+-]\d+)d)?@[0-9a-f]+", re.DOTALL)

Clock = Callable[[], datetime]
"""Gives the time: with a zone, or without one as the world's owner has it."""


class Start(NamedTuple):
    """What a state starts from: its world, moved as it was at first, and whether its clock runs."""

    world: World
    running: bool


class _Note(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    days: int


class _Origin(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    world: str


def real_time() -> datetime:
    """The time, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


def begun(folder: Path | None, world: World, clock: Clock | None = None, *, note: bool = True) -> Start:
    """Where the state in a folder started; if nothing is kept there yet, it starts now, which `note` has noted there.

    A start with a clock moves the world by whole weeks, so that weekdays stay, to the last one in which the clock
    is not behind it. A folder stays as it started, whatever the clock. Raises `StateError` for a note that cannot
    be read or written.
    """
    if folder is not None and _kept(folder):
        return _again(folder / NOTE, world)
    start = Start(world, False)
    if clock is not None:
        weeks = (at_home(clock, world) - world.now.replace(tzinfo=None)) // timedelta(weeks=1)
        start = Start(world.moved(7 * weeks), True)
    if folder is not None and note:
        _write(folder / NOTE, start)
    return start


def stands_still(folder: Path) -> bool:
    """Whether the state in a folder started without a clock, and so stays in its own time."""
    return _kept(folder) and not (folder / NOTE).exists()


def origin(folder: Path, former: str) -> str | None:
    """The name of the world that the state in a folder began with; None where nothing is kept yet.

    `former` is what folders began with before they noted it. Raises `StateError` for a note that cannot be read.
    """
    if not _kept(folder):
        return None
    path = folder / ORIGIN
    try:
        return _Origin.model_validate_json(path.read_bytes()).world
    except FileNotFoundError:
        return former
    except (OSError, ValidationError) as error:
        example = _Origin(world="SUITE").model_dump_json()
        should = f"{path} should name the world of the rows beside it, as {example} does"
        raise StateError(f"{should}: {_why(error)}") from None


def note_origin(folder: Path, world: str) -> None:
    """Note which world a folder begins with, before its first file; one that has begun is left as it is.

    Raises `StateError` where that cannot be written.
    """
    if not _kept(folder):
        _put(folder / ORIGIN, _Origin(world=world))


def moved_otherwise(folder: Path, mismatch: WorldMismatch) -> StateError:
    """What to do about rows that were moved by other days than the folder's note says; else the mismatch itself."""
    (found, days), (wanted, _) = (_moved(each) for each in (mismatch.found, mismatch.wanted))
    if found != wanted:
        return mismatch
    remedy = f"should hold {_Note(days=days).model_dump_json()}" if days else "should not be there"
    were = f"were moved by {days} days" if days else "were not moved"
    return StateError(f"{folder / NOTE} {remedy}: the rows in {mismatch.path} {were}")


def wind(layer: Layer, now: datetime | Clock | None) -> None:
    """Set the time of a layer, or have a clock tell it; None leaves it as it is."""
    if callable(now):
        layer.clock = partial(at_home, now, layer.base.world)
    elif now is not None:
        layer.now = now


def at_home(clock: Clock, world: World) -> datetime:
    """The time where the world's owner is, whose calendar is served; this machine's where no zone is told."""
    at = clock()
    if at.tzinfo is None:
        return at
    zone = world.owner.zone if world.owner else ""
    return at.astimezone(ZoneInfo(zone) if zone else None).replace(tzinfo=None)


def _moved(name: str) -> tuple[str, int]:
    """A world's name, and by how many days it is later, of what the kernel calls it: `office+616d@0123456789ab`."""
    told = _NAMED.fullmatch(name)
    return (told[1], int(told[2] or 0)) if told else (name, 0)


def _why(error: OSError | ValueError | OverflowError) -> str:
    return amiss(error) if isinstance(error, ValidationError) else getattr(error, "strerror", None) or str(error)


def _kept(folder: Path) -> bool:
    """Whether rows are in a folder: that of a state being restored has a longer name for a moment."""
    return folder.is_dir() and any(folder.glob("*.duckdb*"))


def _again(path: Path, world: World) -> Start:
    """The start that was noted, or one without a clock where nothing was."""
    try:
        return Start(world.moved(_Note.model_validate_json(path.read_bytes()).days), True)
    except FileNotFoundError:
        return Start(world, False)
    except (OSError, ValidationError, OverflowError) as error:
        example = _Note(days=616).model_dump_json()
        raise StateError(
            f"{path} should say by how many days the rows beside it were moved, as {example} does: {_why(error)}"
        ) from None


def _write(path: Path, start: Start) -> None:
    """Note it before the first file that goes by it."""
    if start.running:
        _put(path, _Note(days=start.world.days))
        return
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(path, error) from None


def _put(path: Path, note: BaseModel) -> None:
    """Write a note whole: servers of several apps may start at once. Raises `StateError`."""
    try:
        replace(path, note.model_dump_json() + "\n")
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> StateError:
    return StateError(f"{path} cannot be written: {error.strerror}")
