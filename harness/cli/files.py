"""What a call writes where it was told to: whole or not at all, and one message where there is no writing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.cli.problems import CallProblem
from harness.core.writing import replace

__all__ = ("filled", "put")


def put(path: Path, text: str, option: str = "--output") -> None:
    """Write a file that an option names; a failure leaves what was there. Raises `CallProblem`.

    What is no file, such as `/dev/stdout`, is written to as it is.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        replace(path.resolve(), text, newline="\n")  # a link stays one
    except OSError as error:
        raise CallProblem(f"{option} {path} cannot be written: {error.strerror}") from None


@contextmanager
def filled(folder: Path) -> Iterator[None]:
    """A block puts files into a folder, which may be new; a failure leaves none of them. Raises `CallProblem`."""
    before = set(folder.iterdir()) if folder.is_dir() else None
    try:
        yield
    except BaseException as error:
        if before is None:
            shutil.rmtree(folder, ignore_errors=True)
        else:
            for path in set(folder.iterdir()) - before:
                path.unlink()
        if isinstance(error, OSError):
            raise CallProblem(f"{folder} cannot be written: {error.strerror}") from None
        raise
