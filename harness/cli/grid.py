"""A table as lines of text within a width, drawn by Rich. What it is told is which columns go together, and how wide.

Left to itself Rich takes room from the widest columns, whatever their least width is, and cuts words there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from math import ceil
from typing import NamedTuple

from harness.core.visible import visible

__all__ = ("Column", "drawn")

_GAP = 2
_LONGEST = 40
"""Cells of a piece of text that cannot be broken well before it is cut where the line ends."""

_FIGURE = re.compile(r"[-+]?\$?[\d.,]+(e-?\d+)?%?( \([^)]*\))?|-|")
_STEERING = re.compile(r"[\x00-\x20\x7f-\x9f]+")
_MARK = re.compile(r"(?<=[/+_-])(?=[^\W\d_])")
_BREAK = "\x1f"
"""White space that takes no cell, so that Rich wraps there. A zero-width space is a letter to it."""


class Column(NamedTuple):
    """A column, and how wide it is when everything wraps that may, when only its name does, and when nothing does.

    `figures` stand to the right and are kept whole. `word` is the longest piece that is not broken: text can be as
    narrow as that, in however many lines.
    """

    name: str
    cells: Sequence[str]
    figures: bool
    word: int
    least: int
    comfortable: int
    whole: int

    @classmethod
    def of(cls, name: str, cells: Iterable[str]) -> Column:
        """Measured. Text wraps between words and behind marks within them, to four lines or little more."""
        from rich.cells import cell_len

        def longest(text: str) -> int:
            return min(max(map(cell_len, text.split()), default=0), _LONGEST)

        name, *held = (visible(_STEERING.sub(" ", text).strip(" ")) for text in (name, *cells))
        widest = max(map(cell_len, held), default=0)
        figures = all(map(_FIGURE.fullmatch, held))
        head, *texts = (_MARK.sub(_BREAK, text) for text in (name, *held))
        comfortable = max(longest(head), widest)
        word = comfortable if figures else max(longest(head), *map(longest, texts), 0)
        least = comfortable if figures else max(word, ceil(widest / 4))
        return cls(head, held if figures else texts, figures, word, least, comfortable, max(cell_len(name), widest))


def drawn(columns: Sequence[Column], width: int) -> list[str]:
    """A table's lines, none longer than `width`.

    Where not all columns fit side by side they come in blocks below each other, each of which begins with the columns
    that say what a row is about: those of text on the left.
    """
    keys = [] if _widths(columns, width) else _keys(columns, width)
    rest, lines = columns[len(keys) :], list[str]()
    while rest:
        many = next((n for n in range(len(rest), 1, -1) if _widths([*keys, *rest[:n]], width)), 1)
        lines += ["", *_block([*keys, *rest[:many]], width)]
        rest = rest[many:]
    return lines[1:]


def _keys(columns: Sequence[Column], width: int) -> list[Column]:
    """The columns of text on the left, which leave a third of the width to the others.

    The widest wrap into more lines before one is left out, since rows could no longer be told apart. The first stays in
    any case.
    """
    keys, most = [*takewhile(lambda column: not column.figures, columns[:-1])] or [*columns[:-1][:1]], width * 2 // 3
    while len(keys) > 1 and sum(column.word + _GAP for column in keys) > most:
        keys.pop()
    over = sum(column.least + _GAP for column in keys) - most
    for n in sorted(range(len(keys)), key=lambda n: -keys[n].least):
        less = max(0, min(over, keys[n].least - keys[n].word))
        keys[n], over = keys[n]._replace(least=keys[n].least - less), over - less
    roomy = 2 * sum(column.comfortable + _GAP for column in keys) <= width  # rather one more block than names that wrap
    return [key._replace(least=key.comfortable if roomy else min(key.least, most)) for key in keys]


def _widths(columns: Sequence[Column], width: int) -> list[int] | None:
    """Widths under which the columns stand side by side, wrapping names before cells; None where there are none."""
    room = width - _GAP * (len(columns) - 1)
    widths = [min(column.whole, width) for column in columns]
    for floor in zip(*((column.comfortable, column.least) for column in columns), strict=True):
        while sum(widths) > room and max(slack := [w - low for w, low in zip(widths, floor, strict=True)]) > 0:
            widths[slack.index(max(slack))] -= 1
    return widths if sum(widths) <= room else None


def _block(columns: Sequence[Column], width: int) -> list[str]:
    from io import StringIO

    from rich.box import SIMPLE_HEAD
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # One column too wide to stand beside the keys gets what these leave, and is cut there.
    widths: Sequence[int | None] = _widths(columns, width) or [*(column.least for column in columns[:-1]), None]
    table = Table(box=SIMPLE_HEAD, show_edge=False, padding=(0, _GAP - 1, 0, 0))
    for column, its in zip(columns, widths, strict=True):
        table.add_column(Text(column.name), justify="right" if column.figures else "left", overflow="fold", width=its)
    before = ""
    for key, *others in zip(*(column.cells for column in columns), strict=True):
        again = key == before and cell_len(key) > (widths[0] or width)  # a name that wraps is not said again
        table.add_row(*map(Text, ["" if again else key, *others]))
        before = key
    console = Console(file=StringIO(), force_terminal=False, width=width + 1)  # Rich sets a gap behind the last, too
    lines = console.render_lines(table, pad=False)
    return ["".join(part.text for part in line)[:-1].replace(_BREAK, "").rstrip() for line in lines]
