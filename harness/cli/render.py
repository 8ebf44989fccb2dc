"""Tables for people: on a terminal, and as Markdown."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from harness.core.suite import Table

__all__ = ("as_json", "as_json_line", "cell", "json_text", "markdown", "short", "terminal", "text")

_WIDE = 200
"""Columns to use where output is no terminal, so that logs and files keep whole rows."""


def as_json(value: Any) -> None:
    """Print one JSON value on standard output."""
    typer.echo(json_text(value), nl=False)


def json_text(value: Any) -> str:
    """A JSON value for people: indented, in its own order."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


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
    typer.echo(text(tables), nl=False)


def text(tables: Sequence[Table]) -> str:
    """Tables as a terminal shows them."""
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else _WIDE, highlight=False)
    with console.capture() as captured:
        for table in tables:
            _draw(console, table)
    return "".join(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def short(tables: Sequence[Table]) -> list[Table]:
    """Without the figures that say little as numbers; `harness report` and report.html have them."""
    return [table for table in tables if not _is_figure(table)]


def _is_figure(table: Table) -> bool:
    chart = getattr(table, "chart", None)
    return chart is not None and bool(chart.folded)


def _draw(console: Console, table: Table) -> None:
    from rich import box
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in table.columns:
        numeric = all(not isinstance(row.get(name), str) for row in table.rows)
        grid.add_column(Text(name), justify="right" if numeric else "left", overflow="fold")
    drawn = _bars(table) if _is_figure(table) else []
    if drawn:
        grid.add_column("", no_wrap=True)
    for number, row in enumerate(table.rows):
        grid.add_row(*(Text(cell(row.get(name))) for name in table.columns), *drawn[number : number + 1])
    console.print(Text(table.title, style="bold"))
    console.print(grid)
    for note in table.notes:
        console.print(Text(f"  {note}", style="dim"))
    console.print()


def _bars(table: Any) -> list[str]:
    """A figure's rows as bars, the longest of 24 cells; what is stacked on top is lighter."""
    sizes = [[row.get(name) or 0.0 for name in table.chart.values] for row in table.rows]
    cell = max(map(sum, sizes), default=0.0) / 24 or 1.0
    return ["".join(mark * round(size / cell) for mark, size in zip("█░", each, strict=False)) for each in sizes]


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
