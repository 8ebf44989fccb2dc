"""Reading and writing a file that belongs to somebody else: locked, backed up, all at once."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.connect.problem import ConnectProblem
from harness.core.locks import hold
from harness.core.writing import beside, private

__all__ = ("backups", "locked", "read", "remove", "write")


def read(path: Path) -> str | None:
    """The text of a file, byte order mark and line endings as they are; None if there is no file."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConnectProblem(f"{path} cannot be read: {error.strerror}.") from None
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise ConnectProblem(
            f"{path}, line {line}, column {column}: not UTF-8, as this client expects it; "
            "save it as UTF-8. The file was left as it is."
        ) from None


def backups(path: Path) -> list[Path]:
    """The backups beside a file, newest first."""
    found = {int(each.name.rpartition("-")[2]): each for each in path.parent.glob(f"{_escaped(path.name)}.backup-*")
             if each.name.rpartition("-")[2].isdecimal()}  # fmt: skip
    return [found[number] for number in sorted(found, reverse=True)]


def write(path: Path, before: str | None, after: str) -> Path | None:
    """Put `after` in the place of `before`, whole or not at all; gives the backup of `before`.

    A backup that holds the same bytes already is used again. The folder is made if need be. Raises
    `ConnectProblem` if the file no longer holds `before`, or cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        backup = _keep(path, before)
        with beside(path) as scratch:
            with private(scratch) as file:
                file.write(after.encode())
                file.flush()
                os.fsync(file.fileno())
            if before is None:
                scratch.chmod(0o666 & ~_umask())
            else:
                shutil.copymode(path, scratch)
            _unchanged(path, before)
    except OSError as error:
        raise ConnectProblem(f"{path} cannot be written: {error.strerror}. The file was left as it is.") from None
    return backup


def remove(path: Path, before: str) -> Path | None:
    """Delete a file that holds `before`; gives its backup. Raises as `write` does."""
    try:
        backup = _keep(path, before)
        _unchanged(path, before)
        path.unlink()
    except OSError as error:
        raise ConnectProblem(f"{path} cannot be removed: {error.strerror}.") from None
    return backup


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file at `path`, so that two `harness connect` cannot lose each other's entries."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+b")
    except OSError as error:
        raise ConnectProblem(
            f"{path} cannot be made: {error.strerror}. Set HARNESS_DATA to a folder of yours."
        ) from None
    with file:
        hold(file.fileno(), wait=True)
        yield


def _keep(path: Path, text: str | None) -> Path | None:
    if text is None:
        return None
    earlier = backups(path)
    same = next((each for each in earlier if each.read_bytes() == text.encode()), None)
    if same is not None:
        return same
    newest = int(earlier[0].name.rpartition("-")[2]) if earlier else 0
    backup = path.with_name(f"{path.name}.backup-{newest + 1}")
    with private(backup) as file:
        file.write(text.encode())
    shutil.copymode(path, backup)
    return backup


def _unchanged(path: Path, before: str | None) -> None:
    now = path.read_bytes() if path.exists() else None
    if now != (None if before is None else before.encode()):
        raise ConnectProblem(f"{path} was changed by another program just now; nothing was written. Try again.")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _escaped(name: str) -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
