"""`python -m tests.bench`: figures with their conditions. Prints, asserts nothing about time."""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import psutil
from rich.console import Console

from tests.bench.compare import Line, compared, keep, kept, read, take_turns
from tests.bench.timing import Figure

GROUPS = (
    "kernel", "wire", "tools", "starting", "crowd", "memory", "scale", "trials", "hostile", "sql", "shell", "apis"
)  # fmt: skip
"""Modules of this folder, each with `figures`; imported when measured, as another checkout may lack what one needs."""
EVERY = (*GROUPS, "worlds", "probe")
"""With those that take minutes, which are measured only where `--only` names them."""


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Figures with their conditions.")
    parser.add_argument("--only", metavar="GROUP", action="append", choices=EVERY, help=", ".join(EVERY))
    parser.add_argument("--json", metavar="FILE", type=Path, help="add this run's figures to those in FILE")
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--compare", metavar="FILE", type=Path, help="and compare with the medians of the runs in FILE")
    other.add_argument("--against", metavar="CHECKOUT", type=Path, help="take turns with another checkout's packages")
    parser.add_argument("--rounds", metavar="N", type=int, default=3, help="turns with --against (3)")
    asked = parser.parse_args()
    if asked.rounds < 1:
        parser.error(f"--rounds is {asked.rounds}; at least one is needed")
    return asked


def _measured(groups: Sequence[str], console: Console) -> Iterator[Figure]:
    """Every figure, printed as it is found."""
    conditions = ""
    for group in groups:
        for figure in import_module(f"tests.bench.{group}").figures():
            if figure.conditions != conditions:
                conditions = figure.conditions
                console.print(f"\n[bold]{conditions}[/bold]")
            aim = f"aim {figure.target}" if figure.target else ""
            console.print(f"  {figure.what:<60} {figure!s:<36} {aim}")
            yield figure


def _tell(lines: Sequence[Line], console: Console) -> None:
    slower = sum(line.slower for line in lines)
    console.print("\n[bold]Ratio of medians (run by run), here over there; ! above 1.1[/bold]")
    for line in lines:
        console.print(str(line), markup=False)
    console.print(f"{slower} of {sum(line.ratio is not None for line in lines)} figures above 1.1")


def main() -> None:
    try:
        _bench(_arguments(), Console(width=170, highlight=False))
    except ValueError as error:
        raise SystemExit(f"tests.bench: {error}") from None


def _bench(asked: argparse.Namespace, console: Console) -> None:
    there = read(asked.compare) if asked.compare else {}
    packages = ", ".join(f"{name} {version(name)}" for name in ("duckdb", "mcp", "pydantic"))
    console.print(
        f"Python {platform.python_version()}, {packages}; {os.cpu_count()} cores, "
        f"{psutil.virtual_memory().total / 1e9:.0f} GB, load {os.getloadavg()[0]:.1f}. "
        "Medians; docs/performance.md says how to read them."
    )
    groups = asked.only or GROUPS
    if asked.against:
        here, there = take_turns(asked.against, groups, asked.rounds, console.print)
    else:
        here = kept(_measured(groups, console))
    if asked.json:
        keep(asked.json, here)
    if asked.compare or asked.against:
        _tell(compared(here, there), console)


if __name__ == "__main__":
    main()
