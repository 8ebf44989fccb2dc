"""Ends a program together with everything that it started."""

from __future__ import annotations

import os
from pathlib import Path

import anyio
import psutil

__all__ = ("end_all",)

_ROUNDS = 200
"""Times to look for processes of a trial that are still there; ending one takes a round or two."""


async def end_all(pid: int, home: Path) -> int:
    """Kill whatever a program has started and is still there; how many that were.

    Told apart by the session that it leads, by descent, and, for those that left both, by the HOME that it was given.
    """
    killed: set[int] = set()
    for _ in range(_ROUNDS):
        found = _belonging(pid, str(home))
        if not found:
            break
        for process in found:
            try:
                process.kill()
                killed.add(process.pid)
            except psutil.NoSuchProcess:
                continue  # ended by itself meanwhile
        await anyio.sleep(0.01)
    return len(killed)


def _belonging(pid: int, home: str) -> list[psutil.Process]:
    """Live processes of the program of that id; zombies are somebody else's to bury."""
    try:
        descendants = {child.pid for child in psutil.Process(pid).children(recursive=True)}
    except psutil.NoSuchProcess:
        descendants = set()
    found = []
    for process in psutil.process_iter():
        try:
            if process.status() != psutil.STATUS_ZOMBIE and (
                process.pid in descendants or _leader(process.pid) == pid or process.environ().get("HOME") == home
            ):
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied, ProcessLookupError, PermissionError):
            continue  # gone, or of another user and therefore not ours
    return found


def _leader(pid: int) -> int:
    """The leader of a process's session; where there are no sessions, itself."""
    return os.getsid(pid) if hasattr(os, "getsid") else pid
