"""Tables for people: on a terminal, and as Markdown."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from harness.suite import Table

__all__ = ("as_json", "as_json_line", "cell", "markdown", "terminal")

_WIDE = 200
"""Columns to use where output is no terminal, so that logs and files keep whole rows."""


def as_json(value: Any) -> None:
    """Print one JSON value on standard output."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def as_json_line(value: Any) -> None:
    """Print one JSON value as a line, at once: for commands that say several things, one after the other."""
    typer.echo(json.dumps(value, ensure_ascii=False))


def cell(value: Any) -> str:
    """A cell as text: numbers to three decimals, smaller ones to two digits, nothing as a dash."""
    if value is None:
        return "-"
    if not isinstance(value, float):
        return str(value)
    if 0 < abs(value) < 0.001:
        return f"{value:.2g}"
    return f"{value:.3f}".rstrip("0").rstrip(".")


def terminal(tables: Sequence[Table]) -> None:
    """Print tables on standard output."""
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else _WIDE, highlight=False)
    with console.capture() as captured:
        for table in tables:
            _draw(console, table)
    for line in captured.get().splitlines():
        typer.echo(line.rstrip())


def _draw(console: Console, table: Table) -> None:
    from rich import box
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(title=Text(table.title, style="bold"), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in table.columns:
        numeric = all(not isinstance(row.get(name), str) for row in table.rows)
        grid.add_column(Text(name), justify="right" if numeric else "left", overflow="fold")
    for row in table.rows:
        grid.add_row(*(Text(cell(row.get(name))) for name in table.columns))
    console.print(grid)
    for note in table.notes:
        console.print(Text(f"  {note}", style="dim"))
    console.print()


def markdown(tables: Sequence[Table]) -> str:
    """Tables as GitHub-flavoured Markdown."""
    parts: list[str] = []
    for table in tables:
        lines = [f"## {table.title}", "", _row(table.columns), _row(["---"] * len(table.columns))]
        lines += [_row([cell(row.get(name)) for name in table.columns]) for row in table.rows]
        if table.notes:
            lines += ["", *(f"- {note}" for note in table.notes)]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _row(cells: Sequence[str]) -> str:
    escaped = (text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ") for text in cells)
    return f"| {' | '.join(escaped)} |"
