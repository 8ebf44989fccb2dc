"""`harness new`: the start of an app or a suite."""

from __future__ import annotations

import os
import shlex
from collections.abc import Container
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.saying import say
from harness.cli.typed import typed

if TYPE_CHECKING:
    from harness.scaffold import Kind

__all__ = ("new_app", "new_suite")

Into = Annotated[
    Path, typer.Option("--into", metavar="DIR", help="A checkout of this project, or where to put a package.")
]


def new_app(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Lower-case letters, digits, underscores.")],
    into: Into = Path(),
) -> None:
    """Write a working app for you to change. It passes every contract test.

    In a checkout of this project: the folder servers/NAME. Elsewhere: an installable package NAME.
    """
    from servers import catalog

    _refuse_known("app", name, catalog.names())
    _write("app", name, into)


def new_suite(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Lower-case letters, digits, hyphens.")],
    into: Into = Path(),
) -> None:
    """Write a working suite of two tasks for you to change. It passes the audit.

    In a checkout of this project: the folder benchmarks/NAME. Elsewhere: an installable package NAME.
    """
    from harness.wiring import catalog

    _refuse_known("suite", name, catalog().suites)
    _write("suite", name, into)


def _refuse_known(kind: Kind, name: str, known: Container[str]) -> None:
    from harness.cli.problems import CallProblem

    if name in known:
        raise CallProblem(
            f"{name!r} names {'an app' if kind == 'app' else 'a suite'} already; see `harness list {kind}s`"
        )


def _write(kind: Kind, name: str, into: Path) -> None:
    from harness.cli.problems import CallProblem
    from harness.scaffold import ScaffoldProblem, checkout, scaffold

    try:
        files = scaffold(kind, name, into)
    except ScaffoldProblem as problem:
        raise CallProblem(str(problem)) from None
    for path in files:
        say(os.path.relpath(path))
    check = typed("doctor" if kind == "app" else "audit", name)
    install = "" if checkout(into) else f"{shlex.join(['pip', 'install', '-e', os.path.relpath(into / name)])}; "
    say(f"Next: {install}{check}", err=True)
