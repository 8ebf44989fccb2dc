"""Standard input of a server over stdio, a message a line. One that the SDK would drop in silence is answered here."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO

import anyio

from harness.serving.heard import Hearer, Untaken, answer, judged, told

__all__ = ("Lines", "standard_input")


@contextmanager
def standard_input() -> Iterator[BinaryIO]:
    """Standard input, of which nothing else in this process, or that it starts, can read meanwhile.

    The SDK sees to that too, but only where it reads the lines itself.
    """
    number = sys.stdin.fileno()
    wire = os.dup(number)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, number)
    os.close(nothing)
    try:
        yield os.fdopen(wire, "rb", closefd=False)  # a thread may wait there for a line that never comes
    finally:
        os.dup2(wire, number)


class Lines:
    """The lines of a source that hold what the SDK can read, for `stdio_server` to go through.

    Others are answered through `send`, which is given before the first of them is read; `tell`, for whoever serves,
    hears of them, and they are on record where they may have been a call. Blank lines hold nothing.
    """

    def __init__(self, source: BinaryIO, sandbox: Hearer, tell: Callable[[str], None]) -> None:
        self._source, self._sandbox, self._tell = source, sandbox, tell
        self.send: Callable[[dict[str, Any]], Awaitable[None]]

    async def __aiter__(self) -> AsyncIterator[str]:
        async for line in anyio.wrap_file(self._source):
            if not line.strip():
                continue
            if untaken := judged(line.rstrip(b"\r\n"), "line"):
                await self._refuse(untaken)
            else:
                yield line.decode()

    async def _refuse(self, untaken: Untaken) -> None:
        text = told(self._sandbox, untaken)
        self._tell(text)
        if untaken.replies:
            return
        with suppress(anyio.BrokenResourceError):  # the client went
            await self.send(answer(untaken, text))
