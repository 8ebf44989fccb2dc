"""Locks on files and folders, which the system lets go of when their process ends."""

from __future__ import annotations

import os
import sys

__all__ = ("hold",)


def hold(file: int, *, share: bool = False, wait: bool = False) -> None:
    """Lock what is open as `file` until it is closed, alone or with others who `share` it.

    Raises OSError where that cannot be: BlockingIOError where another holds it and this does not `wait`, save on
    Windows, which has locks on files alone, and none to share.
    """
    if sys.platform == "win32":
        import msvcrt

        os.lseek(file, 0, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, (fcntl.LOCK_SH if share else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
