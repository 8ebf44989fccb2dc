"""What commands print: all of it may hold what others wrote, so none of it reaches a terminal as commands to it."""

from __future__ import annotations

import typer

from harness.core.visible import visible

__all__ = ("say",)


def say(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text of one or more lines on standard output, or on standard error."""
    typer.echo(visible(text), err=err, nl=nl)
