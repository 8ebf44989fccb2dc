"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

__all__ = ("create", "replace")


def create(path: Path, text: str) -> None:
    """Write a file that is not there yet. Raises FileExistsError, and OSError where it cannot be written."""
    file = path.open("x", encoding="utf-8", newline="\n")
    try:
        with file:
            file.write(text)
    except BaseException:
        path.unlink()
        raise


def replace(path: Path, text: str, *, newline: str | None = None, lasting: bool = False) -> None:
    """Write a file in place of the one that may be there: a kill leaves either, with `lasting` a power cut too.

    What is being written lies beside it, as `.NAME.PID`. Raises OSError, and leaves what was there then.
    """
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with scratch.open("w", encoding="utf-8", newline=newline) as file:
            file.write(text)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        scratch.replace(path)
    except BaseException:
        with suppress(OSError):
            scratch.unlink()
        raise
    if lasting and os.name == "posix":  # elsewhere a folder cannot be opened
        _flush_folder(path.parent)


def _flush_folder(path: Path) -> None:
    """Make what was renamed into a folder last."""
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
