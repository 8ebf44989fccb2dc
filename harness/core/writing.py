"""A new file, whole or not at all."""

from __future__ import annotations

from pathlib import Path

__all__ = ("create",)


def create(path: Path, text: str) -> None:
    """Write a file that is not there yet. Raises FileExistsError, and OSError where it cannot be written."""
    file = path.open("x", encoding="utf-8", newline="\n")
    try:
        with file:
            file.write(text)
    except BaseException:
        path.unlink()
        raise
