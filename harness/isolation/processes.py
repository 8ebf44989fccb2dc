"""Ends a program together with everything that it started, also where the harness itself is killed first."""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import anyio

from harness.isolation import guardian

__all__ = ("end_all", "folder_prefix", "watch")

_PARTING = 5
"""Seconds to wait for the guardian at our own end; it may be busy with what others have left."""


async def end_all(pid: int, home: Path) -> int:
    """Kill whatever a program has started and is still there; how many that were."""
    killed: set[int] = set()
    for _ in range(guardian.ROUNDS):
        found = guardian.end_round({str(home): pid})
        if not found:
            break
        killed |= found
        await anyio.sleep(0.01)
    return len(killed)


def folder_prefix() -> str:
    """How the name of a session's folder begins: it tells whose it is, so that what is left of the dead is known.

    From now on this process has a guardian, who would remove the folder.
    """
    _guardian()
    return f"agent-{guardian.mark()}-"


def watch(folder: Path, pid: int = 0, removal: Sequence[str] = ()) -> None:
    """Have a session's program ended, and its folder removed, should this process be gone before it has done so.

    Told once before the program starts, since that takes a moment, and again with the process's id. `removal` is
    the command that removes its container.
    """
    line = json.dumps([str(folder), pid, list(removal)]).encode() + b"\n"
    try:
        _guardian().write(line)
    except BrokenPipeError:  # whoever killed it will not mind another one
        _guardian.cache_clear()
        _guardian().write(line)


class _Guardian:
    """The process, and the pipe whose end tells it that we are gone."""

    def __init__(self) -> None:
        line = [sys.executable, "-P", guardian.__file__, tempfile.gettempdir(), guardian.mark()]
        self._process = subprocess.Popen(
            line, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        atexit.register(self.close)

    def write(self, line: bytes) -> None:
        assert self._process.stdin
        self._process.stdin.write(line)

    def close(self) -> None:
        """Let it go; there is nothing left to see to."""
        with suppress(BrokenPipeError, subprocess.TimeoutExpired):
            assert self._process.stdin
            self._process.stdin.close()
            self._process.wait(_PARTING)


@cache
def _guardian() -> _Guardian:
    return _Guardian()
