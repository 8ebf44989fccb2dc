"""A table as lines of text within a width. Words wrap, not letters; what is wider still comes in blocks of columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from math import ceil
from typing import NamedTuple

__all__ = ("Column", "drawn", "wrapped")

_GAP = 2
_LONGEST = 40
"""Characters of a piece of text that cannot be broken well before it is cut where the line ends."""

_FIGURE = re.compile(r"[-+]?\$?[\d.,]+(e-?\d+)?%?( \([^)]*\))?|-|")
_SPACE = re.compile(r"[\x00-\x20\x7f]+")
_PIECE = re.compile(r"[^/+_-]*[/+_-]+|[^/+_-]+")


class Column(NamedTuple):
    """A column with its cells as text. `figures` stand to the right and are kept whole, text may wrap."""

    name: str
    cells: Sequence[str]
    figures: bool

    @classmethod
    def of(cls, name: str, cells: Iterable[str]) -> Column:
        held = [" ".join(_words(cell)) for cell in cells]
        return cls(name, held, all(_FIGURE.fullmatch(cell) for cell in held))

    @property
    def whole(self) -> int:
        """Its width when nothing wraps."""
        return max(map(_length, [self.name, *self.cells]))

    @property
    def comfortable(self) -> int:
        """Its width when only its name wraps."""
        return max([_longest(self.name), *map(_length, self.cells)])

    @property
    def least(self) -> int:
        """Its width when everything wraps that may: a cell to four lines, and never within a word."""
        if self.figures:
            return self.comfortable
        widest = max([0, *map(_length, self.cells)])
        return max([_longest(self.name), ceil(widest / 4), *(min(_longest(cell), _LONGEST) for cell in self.cells)])


def drawn(columns: Sequence[Column], width: int) -> list[str]:
    """A table's lines, none longer than `width`.

    Where not all columns fit side by side they come in blocks below each other, each of which begins with the columns
    that say what a row is about: those of text on the left.
    """
    if _fit(columns, width):
        return _block(columns, width)
    keys = _keys(columns, width)
    lines: list[str] = []
    rest = [*columns[len(keys) :]]
    roomy = 2 * _beside(column.comfortable for column in keys) <= width
    while rest:
        taken = [rest.pop(0)]
        while rest and _fit(found := [*keys, *taken, rest[0]], width):
            if roomy and _beside(column.comfortable for column in found) > width:
                break  # rather one more block than names that wrap
            taken.append(rest.pop(0))
        lines += [*([""] if lines else []), *_block([*keys, *taken], width)]
    return lines


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Text in lines of at most `width`, every line indented; a word longer than that is kept whole."""
    import textwrap

    return textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _keys(columns: Sequence[Column], width: int) -> list[Column]:
    """The columns of text on the left, as many as leave a third of the width to the others; the first in any case."""
    found: list[Column] = []
    for column in columns[:-1]:
        if found and (column.figures or sum(each.least + _GAP for each in [*found, column]) > width * 2 // 3):
            break
        found.append(column)
        if column.figures:
            break
    return found


def _beside(widths: Iterable[int]) -> int:
    """The width of columns side by side."""
    every = list(widths)
    return sum(every) + _GAP * (len(every) - 1)


def _fit(columns: Sequence[Column], width: int) -> list[int] | None:
    """Widths under which the columns stand side by side; None where there are none."""
    room = width - _GAP * (len(columns) - 1)
    widths = [column.whole for column in columns]
    if sum(widths) <= room:
        return widths
    least = [column.least for column in columns]
    if sum(least) > room:
        return None
    widths = [column.comfortable for column in columns]
    while sum(widths) > room:
        slack = [now - low for now, low in zip(widths, least, strict=True)]
        widths[slack.index(max(slack))] -= 1
    return _flattened(columns, widths, room)


def _flattened(columns: Sequence[Column], widths: list[int], room: int) -> list[int]:
    """The same with what room is left given to the tallest headers, as long as all of these get lower by it."""
    while True:
        tall = max(len(_lines(column.name, width)) for column, width in zip(columns, widths, strict=True))
        wider = list(widths)
        for place, column in enumerate(columns):
            while tall > 1 and len(_lines(column.name, wider[place])) == tall:
                wider[place] += 1
        if wider == widths or sum(wider) > room:
            return widths
        widths = wider


def _block(columns: Sequence[Column], width: int) -> list[str]:
    widths = _fit(columns, width)
    if widths is None:  # one column too wide to stand beside the keys: it gets what they leave, and is cut there
        widths = [column.least for column in columns[:-1]]
        widths.append(max(8, width - sum(widths) - _GAP * len(widths)))
    heads = [_lines(column.name, w) for column, w in zip(columns, widths, strict=True)]
    tall = max(map(len, heads))
    lines = _side_by_side([[""] * (tall - len(head)) + head for head in heads], columns, widths)
    lines.append("─" * (sum(widths) + _GAP * (len(widths) - 1)))
    before = ""
    for cells in zip(*(column.cells for column in columns), strict=True):
        row = [_lines(cell, w) for cell, w in zip(cells, widths, strict=True)]
        if cells[0] == before and len(row[0]) > max([1, *map(len, row[1:])]):
            row[0] = []  # a name of several lines is not said again, where the rest of the row takes fewer
        lines += _side_by_side(row, columns, widths)
        before = cells[0]
    return lines


def _side_by_side(cells: Sequence[list[str]], columns: Sequence[Column], widths: Sequence[int]) -> list[str]:
    found = []
    for line in zip_longest(*cells, fillvalue=""):
        padded = [
            " " * (width - _length(text)) + text if column.figures else text + " " * (width - _length(text))
            for text, column, width in zip(line, columns, widths, strict=True)
        ]
        found.append((" " * _GAP).join(padded).rstrip())
    return found


def _lines(text: str, width: int) -> list[str]:
    """Text in lines of at most `width`, broken between words, then behind marks within them, then anywhere."""
    if _length(text) <= width:
        return [text]
    lines = [""]
    for word in _words(text):
        between = " " if lines[-1] else ""
        if _length(lines[-1] + between + word) <= width:
            lines[-1] += between + word
            continue
        if lines[-1]:
            lines.append("")
        for piece in _PIECE.findall(word) if _length(word) > width else [word]:
            if _length(lines[-1] + piece) > width and lines[-1]:
                lines.append("")
            while _length(piece) > width:
                lines[-1], piece = piece[:width], piece[width:]
                lines.append("")
            lines[-1] += piece
    return lines


def _longest(text: str) -> int:
    return max((_length(piece) for word in _words(text) for piece in _PIECE.findall(word)), default=0)


def _words(text: str) -> list[str]:
    """Text between spaces that may be broken at, without what would steer a terminal."""
    return [word for word in _SPACE.split(text) if word]


def _length(text: str) -> int:
    """Cells of a terminal: East Asian letters take two."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
