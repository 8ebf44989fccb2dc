"""How a run is going, on standard error: a live line on a terminal, now and then a plain one elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from harness.core.counts import dollars

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from harness.play.run import Progress

__all__ = ("Display",)

_QUIET_SECONDS = 10.0
"""Longest silence between plain lines, and their shortest distance unless the run ends."""


class Display:
    """A listener for `harness.play.run.evaluate`: `with Display() as display: evaluate(..., listener=display)`.

    `what` names what is done, and what `failed` and `void` count. `calibrating`: instruments fail as they are meant to,
    and cost nothing, so that neither is worth a word.

    The time left is shown once as much time has passed since the first one ended as before that: until then, the start
    of the workers cannot be told from the time that one takes.
    """

    def __init__(
        self,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
        what: tuple[str, str, str] = ("trials", "failed", "void"),
        calibrating: bool = False,
    ) -> None:
        self._stream = stream or sys.stderr
        self._clock = clock
        self._what, self._calibrating = what, calibrating
        self._began: tuple[float, int] | None = None
        self._first_end: float | None = None
        self._spoke = clock()
        self._bar: Bar | None = None
        self.stopped = ""
        """Why the run stopped before its end; `harness.play.run.Progress` says it."""
        self.left = 0
        """How many are not done."""

    def __enter__(self) -> Display:
        if self._stream.isatty():
            self._bar = _bar(self._stream)
            self._bar.add_task("", total=None, line="starting")
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, event: Progress) -> None:
        """Show where the run stands now."""
        self.stopped, self.left = event.stopped, event.total - event.done
        now = self._clock()
        if self._began is None:
            self._began = now, event.done
        if self._first_end is None and event.done > self._began[1]:
            self._first_end = now
        text = self._line(event, now)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=event.done, total=event.total, line=text)
        elif event.done == event.total or now - self._spoke >= _QUIET_SECONDS:
            self._spoke = now
            print(text, file=self._stream, flush=True)

    def _line(self, event: Progress, now: float) -> str:
        began, before = self._began or (now, event.done)
        whole, failed, void = self._what
        parts = [f"{event.done:,}/{event.total:,} {whole}"]
        if not self._calibrating:
            parts.append(f"{event.failed:,} {failed}")
        if event.void:
            parts.append(f"{event.void:,} {void}")
        if event.cost_usd != 0 or not self._calibrating:
            parts.append("cost unknown" if event.cost_usd is None else dollars(event.cost_usd))
        left, first = event.total - event.done, self._first_end
        if left and first is not None and now - first >= first - began:
            fresh = event.done - before
            parts.append(f"{_duration((now - began) / fresh * left)} left")
        return ", ".join(parts)


def _bar(stream: TextIO) -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    return Progress(BarColumn(), TextColumn("{task.fields[line]}"), console=Console(file=stream), transient=True)


def _duration(seconds: float) -> str:
    """In the two largest units of hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
