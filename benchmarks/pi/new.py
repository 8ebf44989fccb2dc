"""A session's file to begin with: it validates, and is to be changed from there."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated, Final

import typer

from benchmarks.pi.auditing import CANARY
from harness.core.writing import create
from harness.suite import SuiteError

__all__ = ("session", "write")

_TEMPLATE: Final = Path(__file__).parent / "new.yaml"
_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def session(
    id: Annotated[str, typer.Argument(metavar="ID", help="Lower-case letters, digits, hyphens; it reveals nothing.")],
    into: Annotated[Path, typer.Option("--into", metavar="DIR", help="The folder of its persona.")] = Path(),
) -> None:
    """Write a session of pi-Bench for you to change. It validates."""
    path = write(id, into)
    typer.echo(os.path.relpath(path))
    typer.echo(f"Next: python -m benchmarks.pi.validators {os.path.relpath(path.parent)}", err=True)


def write(id: str, folder: Path) -> Path:
    """Write `folder/id.yaml`, a session of the persona that the folder is named after.

    Raises `SuiteError`, and then nothing was written: for a name that cannot be one, for a folder that is not there,
    and where something is in the way.
    """
    persona, path = folder.resolve().name, folder / f"{id}.yaml"
    for what, name in (("a session", id), ("a persona, which its folder names", persona)):
        if not _NAME.fullmatch(name):
            raise SuiteError(f"{name!r} cannot be the name of {what}; use lower-case letters, digits, single hyphens")
    if not folder.is_dir():
        raise SuiteError(f"{folder} is not a folder; make one for the persona, such as personas/{persona}")
    text = _TEMPLATE.read_text(encoding="utf-8").format(
        id=id, persona=persona, author="you", reviewers="first-reader, second-reader", canary=CANARY
    )
    try:
        create(path, text)
    except FileExistsError:
        raise SuiteError(f"{path} exists already; choose another name, or remove it") from None
    return path
