"""`harness view`: runs as a page in a browser, trial by trial."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options import Port
from harness.cli.problems import CallProblem
from harness.cli.saying import say
from harness.core.counts import counted

__all__ = ("view",)

_MOST = 20
"""Runs that are shown where none is named."""


def view(
    runs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[RUN...]", help="Folders of runs; without one, the newest below ./runs."),
    ] = None,
    port: Port = 0,
    author: Annotated[
        str | None, typer.Option(metavar="NAME", help="Author of verdicts, tags and notes; by default your user name.")
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Write nothing, neither notes nor an index.")] = False,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
) -> None:
    """Show runs in a browser, every trial in detail.

    The page shows what was said, called and changed in each trial, and can only be reached from this machine.
    """
    from harness.view import View
    from harness.view.server import serve
    from harness.wiring import suite

    chosen = runs or _newest(Path("runs"))
    shown = View(chosen, suite, author=_name(author), read_only=read_only)

    def ready(address: str) -> None:
        say(f"{address} shows {counted(len(chosen), 'run')}; Ctrl-C ends it")
        if not no_open:
            _open(address)

    serve(shown, port, ready)


def _newest(folder: Path) -> list[Path]:
    """The runs below a folder, the newest first, and no more than a page can show."""
    from harness.record.files import RunError
    from harness.record.store import Run

    found = [path.parent for path in folder.glob("*/run.json")]
    if not found:
        raise CallProblem(f"there is no run below {folder}: name a run's folder, or play one with `harness eval`")
    found.sort(key=lambda run: ((run / "trials").stat().st_mtime_ns if (run / "trials").is_dir() else 0, run.name))
    found.reverse()
    if len(found) > _MOST:
        say(f"the newest {_MOST} of {len(found)} runs below {folder}; name others to see them", err=True)
    readable = []
    for run in found[:_MOST]:
        try:
            readable.append(Run.open(run).folder)
        except RunError as error:
            say(f"not shown: {error}", err=True)
    if not readable:
        raise CallProblem(f"no run below {folder} can be read: name a run's folder, or play one with `harness eval`")
    return readable


def _name(author: str | None) -> str:
    import getpass

    if author is not None and not (author.strip() and author.isprintable() and len(author) <= 80):
        raise CallProblem("--author: give a name of 1 to 80 visible characters")
    try:
        return (author or getpass.getuser()).strip()[:80]
    except (OSError, KeyError, ImportError):
        return "me"


def _open(address: str) -> None:
    """Open a browser where there is one that is not of the terminal."""
    import os
    import sys
    import webbrowser

    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    try:
        webbrowser.open(address)
    except webbrowser.Error:
        return
