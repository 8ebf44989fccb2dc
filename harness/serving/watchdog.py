"""Names a tool that holds up everything else.

Tools run on the event loop's own thread, so nothing there can interrupt one, or even notice it. Another thread can: it
looks every second at what is running. A call costs it two readings of the clock.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from servers.kernel import Result, State, Tool

__all__ = ("FILE", "LIMIT", "WATCHDOG", "Held", "Watchdog")

LIMIT = 5.0
"""Seconds that a tool may hold the event loop before it is named."""

FILE = "slow-tools.txt"
"""Stands beside `run.json` where a tool was named while the run was played."""

_EVERY = 1.0
_KEPT = 100


class Held(NamedTuple):
    """A call that holds the event loop: for how many seconds so far, in whose sandbox."""

    app: str
    tool: str
    sandbox: str
    seconds: float

    def __str__(self) -> str:
        where = f" in {self.sandbox}" if self.sandbox else ""
        return f"slow tool: {self.app}.{self.tool}{where} has held up everything else for {self.seconds:.1f} s"


class _Lane:
    """A thread that runs tools, one at a time: what it runs now and since when, and the last that was named."""

    __slots__ = ("named", "running")

    def __init__(self) -> None:
        self.running: tuple[float, Tool, str] | None = None
        self.named: tuple[float, Tool, str] | None = None


class Watchdog:
    """Names each call that takes longer than `limit` seconds, once: while it runs, or as soon as it lets go.

    `look` is what the thread does now and then; `clock` gives seconds. `held` keeps the latest that were named, `tell`
    gets each as a line, by default on standard error; files in `notes` get it too, and are made when there is one.
    """

    def __init__(
        self,
        limit: float = LIMIT,
        *,
        clock: Callable[[], float] = time.monotonic,
        tell: Callable[[str], object] | None = None,
    ) -> None:
        self.held: deque[Held] = deque(maxlen=_KEPT)
        self._limit, self._clock, self._tell = limit, clock, tell or _on_standard_error
        self.notes: list[Path] = []
        self._local, self._lock, self._lanes = threading.local(), threading.Lock(), list[_Lane]()

    def call(self, tool: Tool, state: State, arguments: Mapping[str, Any], sandbox: str = "") -> Result:
        """`tool.call(state, arguments)`, watched."""
        try:
            lane: _Lane = self._local.lane
        except AttributeError:
            lane = self._joined()
        running = lane.running = (self._clock(), tool, sandbox)
        try:
            return tool.call(state, arguments)
        finally:
            lane.running = None
            if self._clock() - running[0] > self._limit:  # perhaps it did not let the other thread look either
                self._name(lane, running)

    def look(self) -> None:
        """Name what has been running for too long."""
        for lane in tuple(self._lanes):
            running = lane.running
            if running and self._clock() - running[0] > self._limit:
                self._name(lane, running)

    def _joined(self) -> _Lane:
        lane = self._local.lane = _Lane()
        with self._lock:
            self._lanes.append(lane)
            if len(self._lanes) == 1:
                threading.Thread(target=self._watch, name="watchdog", daemon=True).start()
        return lane

    def _watch(self) -> None:
        while True:
            time.sleep(_EVERY)
            self.look()

    def _name(self, lane: _Lane, running: tuple[float, Tool, str]) -> None:
        with self._lock:
            if lane.named is running:
                return
            lane.named = running
        began, tool, sandbox = running
        held = Held(tool.app, tool.name, sandbox, self._clock() - began)
        self.held.append(held)
        self._tell(str(held))
        for path in tuple(self.notes):
            with suppress(OSError), path.open("a", encoding="utf-8") as file:
                file.write(f"{held}\n")


def _on_standard_error(line: str) -> None:
    with suppress(OSError, ValueError):  # closed, or its reader has gone
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


WATCHDOG = Watchdog()
"""That of this process."""
