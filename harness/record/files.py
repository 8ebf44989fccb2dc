"""The files of a run's folder: read, written whole, swept up, and what is wrong where that cannot be."""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from harness.core.writing import replace

__all__ = ("RunError", "folder_for", "folder_whole", "read_whole", "sweep", "write_whole")


class RunError(Exception):
    """A run folder that cannot be used as asked; the text names it and the remedy."""


def folder_for(path: Path) -> None:
    """Make a folder that is not there yet. Raises `RunError` where there can be none."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise RunError(f"{path} is a file, and a run is a folder: give another --output") from None
    except OSError as error:
        raise RunError(f"{path} cannot be a run folder: {error.strerror}") from None


_GOES_ON = ". What was played before is kept; fix that, and the same command resumes the run"


def write_whole(path: Path, text: str, *, lasting: bool = False, remedy: str = _GOES_ON) -> None:
    """Write a file of a run: a kill leaves either the old one or the new one, with `lasting` a power cut too.

    Raises `RunError` where it cannot be written, which ends with the `remedy`, and leaves nothing behind then.
    """
    try:
        replace(path, text, lasting=lasting)
    except OSError as error:
        raise RunError(f"{path} cannot be written: {error.strerror}{remedy}") from None


@contextmanager
def folder_whole(folder: Path, mark: str, says: str) -> Iterator[Path]:
    """A block fills a folder that is made beside its place, and put there when it is whole.

    In it is a file `mark`, which `says` what made it: only what has that, or is empty, is replaced. Raises `RunError`
    where something else is there, or where it cannot be written; what was there then stays.
    """
    if folder.exists() and not (folder.is_dir() and ((folder / mark).is_file() or not any(folder.iterdir()))):
        raise RunError(f"{folder} exists and holds something else: give another --output, or remove it")
    place = folder.resolve()
    scratch, former = (place.with_name(f".{place.name}.{what}{os.getpid()}") for what in ("", "former."))
    try:
        scratch.mkdir(parents=True)
        yield scratch
        (scratch / mark).write_text(says, encoding="utf-8")
        if place.exists():
            place.replace(former)
        scratch.replace(place)
    except OSError as error:
        if former.exists() and not place.exists():
            former.replace(place)
        raise RunError(f"{folder} cannot be written: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            shutil.rmtree(scratch, ignore_errors=True)
            shutil.rmtree(former, ignore_errors=True)


_SCRATCH = re.compile(r"\..+\.(\d+)")
"""What is being written (`harness.core.writing.replace`): the name of the file, and the process that writes it."""


def sweep(folder: Path) -> None:
    """Remove what processes that are gone had begun to write in a folder, to which this one writes nothing now."""
    for path in folder.glob(".*"):
        if (scratch := _SCRATCH.fullmatch(path.name)) and not _written_by(int(scratch[1]), path):
            with suppress(OSError):
                path.unlink()


def _written_by(pid: int, path: Path) -> bool:
    """Whether the process that began to write a file may be there still, and not another one that got its id."""
    import psutil

    if pid == os.getpid():
        return False
    try:
        process = psutil.Process(pid)
        # The clock may be set right meanwhile; and one that was killed is in the table until somebody asks for it, and
        # before that for a moment without its memory, and so without a command line.
        there = process.status() != psutil.STATUS_ZOMBIE and process.cmdline()
        return bool(there) and process.create_time() < path.stat().st_mtime + 3
    except psutil.AccessDenied:
        return True
    except (psutil.NoSuchProcess, FileNotFoundError):
        return False


def read_whole(path: Path) -> str:
    """The text of a file of a run. Raises `RunError` where it cannot be read, and `UnicodeDecodeError`."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe would be waited for
            raise RunError(f"{path} is not a file: move it elsewhere")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}") from None
