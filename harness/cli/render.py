"""Tables for people: on a terminal, and as Markdown."""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from harness.cli import grid
from harness.cli.saying import say
from harness.cli.typed import typed
from harness.core.visible import visible, visible_json

if TYPE_CHECKING:
    from harness.core.suite import Headline, Table
    from harness.report.page import Part
    from harness.report.reading import Read

__all__ = (
    "as_json", "as_json_line", "encodable", "first", "json_text", "markdown", "out", "report",
    "report_as_markdown", "short", "show", "terminal", "text", "width",
)  # fmt: skip

_WIDE = 200
"""Columns to use where output is no terminal, so that logs and files keep whole rows."""

_NARROW = 40
"""No terminal is taken for narrower than this."""

_FIRST = 80
"""Columns of the first screen, at most."""

_LIVE = re.compile(r"(?P<code>(?<!`)(`+)(?!`).+?(?<!`)\2(?!`))|[\\<]|\](?=[(\[])|&(?=#?\w+;)")
"""What Markdown takes for an escape, a tag, a link or an entity, and the `code` in which it does not."""


def out(drawn: str) -> None:
    """Print what is made here, bold titles and all: nothing that others wrote in it steers a terminal."""
    typer.echo(drawn, nl=False)


def as_json(value: Any) -> None:
    """Print one JSON value on standard output."""
    out(encodable(json_text(value)))


def json_text(value: Any) -> str:
    """A JSON value for people: indented, in its own order."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def as_json_line(value: Any) -> None:
    """Print one JSON value as a line, at once: for commands that say several things, one after the other."""
    out(encodable(json.dumps(value, ensure_ascii=False)) + "\n")


def encodable(text: str) -> str:
    """JSON, with escapes for what would steer a terminal and for letters that standard output lacks.

    Both stand in strings alone.
    """
    text = visible_json(text)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return re.sub(r"[^\x00-\x7f]+", lambda found: json.dumps(found[0])[1:-1], text)
    return text


def terminal(tables: Sequence[Table]) -> None:
    """Print tables on standard output."""
    out(text(tables))


def width() -> int:
    """Columns that there are on standard output."""
    return max(_NARROW, shutil.get_terminal_size((_WIDE, 0)).columns) if sys.stdout.isatty() else _WIDE


def text(tables: Sequence[Table], columns: int = 0, *, plain: bool = False) -> str:
    """Tables as a terminal shows them, of so many columns or as many as there are.

    Titles are bold where it is one, unless `plain`: for a file.
    """
    lines = [line for table in tables for line in [*_drawn(table, columns or width(), plain=plain), ""]]
    return "".join(f"{line}\n" for line in lines)


def first(found: Headline, columns: int = 0, *, plain: bool = False) -> str:
    """What a run comes to, in at most 80 columns: one table, and a sentence below it. `plain` as of `text`."""
    most = min(columns or width(), _FIRST)
    table, sentence = found
    notes = [line for note in table.notes for line in _wrapped(note, most, "  ")]
    lines = [*_drawn(table._replace(notes=()), most, plain=plain), "", *_wrapped(sentence, most), "", *notes, ""]
    return "".join(f"{line}\n" for line in lines)


def show(read: Read, told: str, *, full: bool, in_json: bool, more: Mapping[str, Any] = {}) -> None:
    """Print what a run comes to, where the rest is and what is to be told; then leave its page in its folder.

    All of its tables come first where they are asked for; `in_json` it is one object, with `more`. What was found is
    shown also where the page cannot be written.
    """
    from harness.report.page import NAME

    if in_json:
        as_json({**read.summary(), **more})
    else:
        folder = read.run.folder
        if full:
            terminal(short(read.tables or ()))
        out(first(read.headline))
        say(f"every trial: {typed('view', folder)}")
        say(f"all tables:  {typed('report', folder)} (figures: {NAME} there)")
        say(told)
    read.leave_page()


def short(tables: Sequence[Table]) -> list[Table]:
    """Without the figures that say little as numbers; `harness report` and report.html have them."""
    return [table for table in tables if not _is_figure(table)]


def _is_figure(table: Table) -> bool:
    return bool(getattr(table, "folded", False))


def _shown(table: Table) -> Table:
    """What is shown of a table: of some the first rows, with a note of how many more there are."""
    found: Table = getattr(table, "shown", table)
    return found


def _drawn(table: Table, columns: int, *, plain: bool = False) -> list[str]:
    table = _shown(table)
    found = [grid.Column.of(name, values) for name, values in zip(table.columns, _columns(table), strict=True)]
    if _is_figure(table):
        found.append(grid.Column.of("", _bars(table)))
    bold = sys.stdout.isatty() and not plain
    title = [typer.style(line, bold=True) if bold else line for line in _wrapped(table.title, columns)]
    lines = grid.drawn(found, columns) if found else []
    notes = [line for note in table.notes for line in _wrapped(note, columns, "  ")]
    return [*title, "", *lines, *notes]


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Text in lines of at most `width`, every line indented; a word longer than that is kept whole."""
    return textwrap.wrap(
        visible(text),
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _bars(table: Any) -> list[str]:
    """A figure's rows as bars, the longest of 24 cells; what is stacked on top is lighter."""
    sizes = [[row.get(name) or 0.0 for name in table.charts[0].values] for row in table.rows]
    cell = max(map(sum, sizes), default=0.0) / 24 or 1.0
    return ["".join(mark * round(size / cell) for mark, size in zip("█░", each, strict=False)) for each in sizes]


def report(heading: str, found: Headline | None, tables: Sequence[Table], *, plain: bool = False) -> str:
    """A run whole, as a terminal shows it: what it comes to, and every table."""
    return f"{visible(heading)}\n\n{first(found, plain=plain) if found else ''}{text(tables, plain=plain)}"


def report_as_markdown(part: Part) -> str:
    """A run whole, or a comparison, as Markdown: what it is, in a sentence what it comes to, and every table."""
    facts = [f"- {name}: {_inert(value)}" for name, value in part.facts.items()]
    said = [_inert(part.sentence), ""] if part.sentence else []
    return "\n".join([f"# {_inert(part.heading)}", "", *facts, "", *said, markdown(part.tables)])


def markdown(tables: Sequence[Table]) -> str:
    """Tables as GitHub-flavoured Markdown."""
    parts: list[str] = []
    for table in map(_shown, tables):
        lines = [f"## {_inert(table.title)}", "", _row(table.columns), _row(["---"] * len(table.columns))]
        lines += map(_row, zip(*_columns(table), strict=True))
        if table.notes:
            lines += ["", *(f"- {_inert(note)}" for note in table.notes)]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _columns(table: Table) -> list[list[str]]:
    from harness.report.texts import texts

    return [texts([row.get(name) for row in table.rows], name) for name in table.columns]


def _row(cells: Sequence[str]) -> str:
    escaped = (_inert(text).replace("|", "\\|").replace("\n", " ") for text in cells)
    return f"| {' | '.join(escaped)} |"


def _inert(text: str) -> str:
    """Text as Markdown, in which a name is neither a tag nor a link; `code` stays what it is."""
    return _LIVE.sub(lambda found: found[0] if found["code"] else f"\\{found[0]}", text)
