"""A verb as a benchmark brings one: `harness build toy`, without Typer or anything of the command line."""

from __future__ import annotations

import sys
from pathlib import Path

from harness.suite import SuiteError

NOT_CALLABLE = 3


def build(path: Path, rows: int = 1, dry_run: bool = False) -> None:
    """Build the toy world."""
    if rows < 1:
        raise SuiteError("a world has rows")
    sys.stdout.write(f"{path} {rows} {dry_run}\n")


def untold(what: complex | Path) -> None:
    """Take what no command line can give."""
