"""Who is at work on a run's folder: one process at a time plays, scores or clears it, and one judges it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.core.locks import hold
from harness.record.files import RunError, folder_for

__all__ = ("alone", "under_way")

_TRIES = 50
_PAUSE = 0.01
"""Seconds. Whoever asks has the folder for a moment, which is no reason to refuse a run."""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold a run's folder, made if it is not there, while the block runs; the system lets go at a kill.

    Raises `RunError` where somebody else holds it. Where a system has no locks on folders, nobody is kept out.
    """
    folder_for(folder)
    lock = _opened(folder)
    try:
        if lock is not None and not _held(lock):
            raise RunError(f"{folder} is in use by another process: wait for it to end")
        yield
    finally:
        if lock is not None:
            os.close(lock)


def under_way(folder: Path) -> bool:
    """Whether a process holds this run now; where a system has no such locks, nobody knows."""
    lock = _opened(folder)
    if lock is None:
        return False
    try:
        return not _taken(lock, share=True)
    finally:
        os.close(lock)


def _opened(folder: Path) -> int | None:
    """The folder itself: a lock on it outlives whatever becomes of the files in it."""
    try:
        return os.open(folder, os.O_RDONLY)
    except OSError:
        return None


def _held(lock: int) -> bool:
    for _ in range(_TRIES):
        if _taken(lock, share=False):
            return True
        time.sleep(_PAUSE)
    return False


def _taken(lock: int, *, share: bool) -> bool:
    """Whether it could be locked; True, too, where there are no such locks."""
    try:
        hold(lock, share=share)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
