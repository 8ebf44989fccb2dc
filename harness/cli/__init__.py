"""The command line. A command is imported when it is typed or listed, and imports what it needs when it runs."""

from __future__ import annotations

import os
import sys
import traceback
from io import TextIOWrapper
from typing import Annotated

import typer

from harness.cli.problems import OF_THE_MACHINE, known_problems
from harness.cli.saying import say
from harness.cli.verbs import Verbs

__all__ = ("app", "main")


def _version(wanted: bool) -> None:
    if wanted:
        from harness.core.distribution import DISTRIBUTION, package_version

        say(f"{DISTRIBUTION} {package_version()}")
        raise typer.Exit


def _before(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the package's version and exit.")
    ] = False,
) -> None:
    """With a callback the app is a group, whose commands `Verbs` knows."""


app = typer.Typer(
    cls=Verbs,
    help="A sandboxed workplace for AI agents: play tasks on MCP apps, record, score, report.",
    callback=_before,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

_BUG = 70
"""Exit status of an unexpected exception (EX_SOFTWARE)."""


def main() -> None:
    """Entry point of `harness` and `workplace-harness`.

    Exit status: 0; 1 when trials were void, a check broke or a comparison failed; 2 for a wrong call or config, and for
    a disk that is full or may not be written to. One clear message on stderr; `HARNESS_DEBUG=1` adds the traceback.
    Whoever reads what is printed may leave, as `head` does: that is no failure.
    """
    _usable_streams()
    _usable_home()
    try:
        app(prog_name="harness")
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # for which Typer and Rich end with 1
            raise SystemExit(0) from None
        raise
    except Exception as error:  # noqa: BLE001 (the outermost door: known problems are told from bugs here)
        if os.environ.get("HARNESS_DEBUG"):
            say(traceback.format_exc(), err=True, nl=False)
        if isinstance(error, known_problems()):
            say(f"harness: {error}", err=True)
            raise SystemExit(2) from None
        if isinstance(error, OSError) and error.errno in OF_THE_MACHINE:
            where = f"{error.filename}: " if error.filename else ""
            say(f"harness: {where}{error.strerror}", err=True)
            raise SystemExit(2) from None
        if isinstance(error, ImportError):
            say(f"harness: {error}; `harness doctor` looks for the cause", err=True)
            raise SystemExit(2) from None
        at = traceback.extract_tb(error.__traceback__)[-1]
        say(
            f"harness: this is a bug: {type(error).__name__}: {error} ({at.filename}:{at.lineno}). "
            "Run the same with HARNESS_DEBUG=1 for the whole traceback, and please report it.",
            err=True,
        )
        raise SystemExit(_BUG) from None


def _usable_home() -> None:
    """Forgets a home folder that is named "", for which Python takes the root: then it is what the system knows."""
    if os.environ.get("HOME") == "":
        del os.environ["HOME"]


def _usable_streams() -> None:
    """Takes the place of standard streams that are closed, and has replaced what standard output cannot encode."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # The lowest free number is the stream's own: else a state file might get it, and what libraries print.
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, mode, encoding="utf-8", closefd=False))
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="replace")
