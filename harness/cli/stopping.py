"""What a command that is stopped on its way says, and how it exits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from harness.cli.saying import say

__all__ = ("resumable", "stoppable")

_TERMINATED = 143
"""Exit status after SIGTERM: what a shell says of a process that it ended."""


@contextmanager
def stoppable() -> Iterator[None]:
    """A block that Ctrl-C or SIGTERM may stop."""
    try:
        yield
    except KeyboardInterrupt as interruption:
        from harness.play.stopping import Terminated

        if isinstance(interruption, Terminated):
            raise typer.Exit(_TERMINATED) from None
        raise


@contextmanager
def resumable(what: object) -> Iterator[None]:
    """A block that Ctrl-C or SIGTERM may stop; the same command goes on with `what`, and says so."""
    with stoppable():
        try:
            yield
        except KeyboardInterrupt:
            say(f"stopped; the same command resumes {what}", err=True)
            raise
