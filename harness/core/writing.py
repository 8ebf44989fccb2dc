"""Files that are written whole or not at all, and folders for them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

__all__ = ("beside", "create", "made_folder", "private", "replace")


def made_folder(path: Path, problem: type[Exception], before: str = "") -> None:
    """Make a folder that may be there. Raises a `problem` where it cannot be one; its text has `before` before it."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise problem(f"{before}{path} cannot be a folder: {error.strerror}") from None


def create(path: Path, text: str) -> None:
    """Write a file that is not there yet. Raises FileExistsError, and OSError where it cannot be written."""
    file = path.open("x", encoding="utf-8", newline="\n")
    try:
        with file:
            file.write(text)
    except BaseException:
        path.unlink()
        raise


@contextmanager
def beside(path: Path, name: str = "") -> Iterator[Path]:
    """Where to write what takes the place of a file once the block is through; nothing is left there if it fails.

    It is in the same folder, called `.NAME.PID` unless another `name` is given. Raises OSError.
    """
    scratch = path.with_name(name or f".{path.name}.{os.getpid()}")
    scratch.unlink(missing_ok=True)  # left by one of the same id that was killed
    try:
        yield scratch
        scratch.replace(path)
    except BaseException:
        with suppress(OSError):
            scratch.unlink()
        raise


def private(path: Path) -> BinaryIO:
    """Open a file that is not there yet and that its owner alone can read, from the first byte on. Raises OSError."""
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    return open(os.open(path, flags, 0o600), "wb")


def replace(path: Path, text: str, *, newline: str | None = None, lasting: bool = False) -> None:
    """Write a file in place of the one that may be there: a kill leaves either, with `lasting` a power cut too.

    What is being written lies `beside` it. Raises OSError, and leaves what was there then.
    """
    with beside(path) as scratch, scratch.open("w", encoding="utf-8", newline=newline) as file:
        file.write(text)
        if lasting:
            file.flush()
            os.fsync(file.fileno())
    if lasting and os.name == "posix":  # elsewhere a folder cannot be opened
        _flush_folder(path.parent)


def _flush_folder(path: Path) -> None:
    """Make what was renamed into a folder last."""
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
