"""Sees to it that no program outlives the harness: a process of its own, which the end of the harness wakes.

One is started per process of the harness that plays programs, in a session of its own, so that what kills the harness
and its group passes it by. It hears of each program through a pipe that only the harness can write to, and the end of
that pipe is the end of the harness, however it came. It is run by its path, and needs psutil alone, to be there soon.

At its start it sees to what was left where harness and guardian died together, as in a power cut.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import psutil

__all__ = ("NAME", "ROUNDS", "alive", "end_round", "mark")

NAME = re.compile(r"agent-(\d+-\d+-\d+)-[^/]+")
"""A session's folder: `agent-`, the mark of the process that made it, and what tells it from others."""

ROUNDS = 200
"""Times to look for processes that are still there; ending one takes a round or two."""

_QUIET = 20
"""Rounds without a find after which nothing is left: a program that is about to start has no HOME to be told by yet."""


def mark() -> str:
    """What tells this process from all others, later ones of its id and those of other name spaces included."""
    process = psutil.Process()
    return f"{process.pid}-{int(process.create_time())}-{_space()}"


def alive(owner: str) -> bool:
    """Whether the process of that mark may be there still; one that cannot be seen from here may."""
    pid, began, space = map(int, owner.split("-"))
    if space != _space():
        return True
    try:
        process = psutil.Process(pid)
        # The system's clock is part of when a process began, and may be set right by a second meanwhile.
        return process.status() != psutil.STATUS_ZOMBIE and abs(process.create_time() - began) < 3
    except psutil.NoSuchProcess:
        return False


def end_round(programs: Mapping[str, int]) -> set[int]:
    """Kill what programs have started, as far as it can be found now: the ids of those processes, empty once all ended.

    `programs` is HOME to process id, 0 where that is not known. What belongs to one is told by the session that it
    leads, by descent, and, for what left both, by the HOME that it was given.
    """
    killed = set()
    leaders = set(programs.values()) - {0}
    descendants = {child for pid in leaders for child in _descendants(pid)}
    for process in psutil.process_iter():
        try:
            if process.status() != psutil.STATUS_ZOMBIE and (
                process.pid in descendants
                or _leader(process.pid) in leaders
                or process.environ().get("HOME") in programs
            ):
                process.kill()
                killed.add(process.pid)
        except (psutil.NoSuchProcess, psutil.AccessDenied, ProcessLookupError, PermissionError):
            continue  # gone, or of another user and therefore not ours
    return killed


def _descendants(pid: int) -> set[int]:
    try:
        return {child.pid for child in psutil.Process(pid).children(recursive=True)}
    except psutil.NoSuchProcess:
        return set()


def _leader(pid: int) -> int:
    """The leader of a process's session; where there are no sessions, itself."""
    return os.getsid(pid) if hasattr(os, "getsid") else pid


def _space() -> int:
    """The name space that process ids are counted in; 0 where there is one for all."""
    try:
        return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return 0


def _remove(programs: Mapping[Path, tuple[int, list[str]]]) -> None:
    """End what runs in those folders, with the commands that remove their containers, and remove the folders."""
    if not programs:
        return
    homes = {str(folder / "home"): pid for folder, (pid, _) in programs.items()}
    quiet = 0
    for _ in range(ROUNDS):
        quiet = 0 if end_round(homes) else quiet + 1
        if quiet == _QUIET:
            break
        time.sleep(0.01)
    removals = [
        subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _, line in programs.values()
        if line
    ]
    for each in removals:
        each.wait()
    for folder in programs:
        shutil.rmtree(folder, ignore_errors=True)


def _owner(folder: Path) -> str:
    """The mark of the process that made a session's folder; empty of any other."""
    name = NAME.fullmatch(folder.name)
    return name[1] if name else ""


def _left(place: Path, gone: str = "") -> set[Path]:
    """Sessions' folders of processes that are not there any more; `gone` is one that is known to have ended."""
    found = set()
    for path in place.glob("agent-*"):
        owner = _owner(path)
        if owner and path.is_dir() and not path.is_symlink() and (owner == gone or not alive(owner)):
            found.add(path)
    return found


def _main(place: Path, owner: str) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        signal.signal(number, signal.SIG_IGN)
    # What is its own harness's waits until all was heard of it: that may have been killed before this process began.
    _remove({folder: (0, []) for folder in _left(place) if _owner(folder) != owner})
    heard: dict[Path, tuple[int, list[str]]] = {}
    for line in sys.stdin.buffer:
        if not line.endswith(b"\n"):
            break  # it was killed while it wrote
        name, pid, removal = json.loads(line)
        heard = {folder: what for folder, what in heard.items() if folder.exists()}
        heard[Path(name)] = pid, removal
    left = _left(place, owner) | {folder for folder in heard if folder.exists()}
    _remove({folder: heard.get(folder, (0, [])) for folder in left})


if __name__ == "__main__":
    _main(Path(sys.argv[1]), sys.argv[2])
