"""A run that is told to stop by SIGTERM ends in order, whatever became of SIGINT."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import anyio

__all__ = ("Terminated", "cause", "terminable", "until_told")


class Terminated(KeyboardInterrupt):
    """SIGTERM came: as Ctrl-C, but never ignored. A shell sets SIGINT to be ignored in what it starts with `&`."""


async def until_told(work: Callable[[], Awaitable[None]]) -> bool:
    """Do it, or let SIGTERM end it in order, and the programs that play with it; whether that came.

    Whoever heard that signal before hears it again after.
    """
    with anyio.CancelScope() as scope:
        if not _hears():
            await work()
            return False
        loop, before = asyncio.get_running_loop(), signal.getsignal(signal.SIGTERM)
        loop.add_signal_handler(signal.SIGTERM, scope.cancel)
        try:
            await work()
        finally:
            loop.remove_signal_handler(signal.SIGTERM)  # which leaves the system's own, that ends a process
            signal.signal(signal.SIGTERM, before or signal.SIG_DFL)
    return scope.cancelled_caught


@contextmanager
def terminable() -> Iterator[None]:
    """Raise `Terminated` in a block that waits without an event loop, at the first SIGTERM; a second one kills."""
    if not _hears():
        yield
        return
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


def _terminate(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    raise Terminated


def _hears() -> bool:
    """Whether signals can be seen to here: by the main thread, and where a process that is ended has a say."""
    return os.name == "posix" and threading.current_thread() is threading.main_thread()


def cause(error: BaseException) -> BaseException:
    """The first real exception inside groups, which task groups wrap theirs in."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
