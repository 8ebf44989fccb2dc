"""The terminal that a command was started in, for what it asks while it serves."""

from __future__ import annotations

import asyncio
import os
import sys

__all__ = ("Terminal",)


class Terminal:
    """Standard input and error, where both are a terminal: asks one question after the other.

    A line goes to whoever waited last, so that a question can come between somebody and the line they wait for.
    What was typed before anybody waited is dropped. POSIX only: elsewhere a terminal cannot be waited for along with
    everything else.
    """

    def __init__(self) -> None:
        self._waiting: list[asyncio.Future[str]] = []
        self._turn = asyncio.Lock()

    @classmethod
    def here(cls) -> Terminal | None:
        """None where there is none, or not on both sides."""
        return cls() if os.name == "posix" and sys.stdin.isatty() and sys.stderr.isatty() else None

    async def put(self, question: str) -> str | None:
        """Show a question and give the line typed in reply, empty at the end of input; None in the background.

        A process in the background that read its terminal would be stopped.
        """
        async with self._turn:
            if not _in_front():
                return None
            try:
                return await self.line(question)
            except asyncio.CancelledError:
                sys.stderr.write("\n(no longer asked)\n")
                raise

    async def line(self, prompt: str = "") -> str:
        """The next line, without its end; empty at the end of input."""
        import termios

        loop = asyncio.get_running_loop()
        mine: asyncio.Future[str] = loop.create_future()
        if not self._waiting:
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
            loop.add_reader(sys.stdin.fileno(), self._read)
        self._waiting.append(mine)
        sys.stderr.write(prompt)
        sys.stderr.flush()
        try:
            return await mine
        finally:
            self._waiting.remove(mine)
            if not self._waiting:
                loop.remove_reader(sys.stdin.fileno())

    def _read(self) -> None:
        """Hand a line over; a terminal gives one at a time, as soon as it is whole."""
        open_ = [each for each in self._waiting if not each.done()]
        if not open_ or not _in_front():
            return
        try:
            text = os.read(sys.stdin.fileno(), 4096).decode(errors="replace")
        except OSError:  # it was closed
            text = ""
        open_[-1].set_result(text.rstrip("\n"))


def _in_front() -> bool:
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except OSError:  # a terminal, but not ours to be asked in
        return False
