"""`harness import`: official data into a local suite."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ("workbench",)


def workbench(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A checkout of the release, of either layout.")],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Read the published WorkBench data into `workbench-official`."""
    from harness.cli import render
    from harness.cli.wiring import import_workbench

    found = import_workbench(path)
    if json:
        render.as_json(found)
    else:
        for name, value in found.items():
            typer.echo(f"{name}: {value}")
