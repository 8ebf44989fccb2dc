"""The tables of reports as the page shows them, each row and number with the trials that it is made from."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from harness.core.config import RunConfig
from harness.core.suite import Table
from harness.report import plots
from harness.report.page import shown
from harness.report.words import CALIBRATION, FLAGS

__all__ = ("Chosen", "parts", "passes", "tables")

Chosen = Mapping[str, Collection[Any]]
"""Columns of the index that a list can be filtered by -> the values there are."""

Link = Mapping[str, Any]
"""Filters of the list: each a value, or several of which one is enough."""

Listed = Sequence[Mapping[str, Any]]
"""The rows of the list, by column."""

_ABOUT: Final = frozenset(
    {
        "change", "check", "criterion", "level", "model", "note", "source", "status", "suite", "template",
        "tools offered", "user",
    }
)  # fmt: skip
"""Columns of words that choose no trials: a row is made from the same ones whatever they say."""

_TROUBLE: Final = ("not_understood", "contradiction", "asked_twice")
_SCORED: Final = ("correct", "failed")
_COUNTED: Final = ("correct", "failed", "unscored")
_ASKING: Final = ("1", "2", "3", "4", "5 or more")


class _Number(NamedTuple):
    """What a column may count, or be the share of: trials that pass `own`, among those that pass `of`."""

    own: Link
    of: Link | None = None
    percent: bool = False


_NUMBERS: Final[Mapping[str, Sequence[_Number]]] = {
    "trials": [_Number({"verdict": _COUNTED}), _Number({"verdict": _SCORED})],
    **{name: [_Number({"verdict": name})] for name in ("void", "unscored", "failed", "correct")},
    "errors": [_Number({"verdict": "failed"})],
    "without": [_Number({"verdict": "failed", "side_effects": "no"})],
    "with": [_Number({"verdict": "failed", "side_effects": "yes"})],
    "side effects": [_Number({"side_effects": "yes", "verdict": _SCORED}), _Number({"side_effects": "yes"})],
    **{
        name.replace("_", " "): [_Number({"flags": name, "verdict": "failed"}), _Number({"flags": name})]
        for name in _TROUBLE
    },
    "share": [_Number({"flags": _TROUBLE, "verdict": "failed"}, {"verdict": "failed"})],
    "accuracy": [_Number({"verdict": "correct"}, {"verdict": _SCORED})],
    "accuracy %": [_Number({"verdict": "correct"}, {"verdict": _SCORED}, percent=True)],
    "side effects %": [_Number({"side_effects": "yes", "verdict": _COUNTED}, {"verdict": _COUNTED}, percent=True)],
    "without side effects %": [
        _Number({"verdict": "failed", "side_effects": "no"}, {"verdict": _COUNTED}, percent=True)
    ],
    "with side effects %": [_Number({"verdict": "failed", "side_effects": "yes"}, {"verdict": _COUNTED}, percent=True)],
    "ask %": [_Number({"questions": _ASKING, "verdict": _COUNTED}, {"verdict": _COUNTED}, percent=True)],
}
"""Columns of tables. Whether a number is one of these is not taken on trust: it leads there where the list agrees."""

_MADE_FROM: Final = frozenset({"accuracy gain"})
"""Columns whose number counts no trials, but is what a row is there for: it leads where its row does."""

_ONE_OF: Final = {"source": "all errors"}
"""Columns that say which part of a number it is, and what they say where it is all of it."""

_COLOURS: Final = (
    "<style>svg{--paper:#fff;--ink:#1b1f24;--faint:#d5dae0;--first:#0072b2;--second:#d55e00;--mark:#1b1f24;"
    "font-family:system-ui,sans-serif}"
    "@media(prefers-color-scheme:dark){svg{--paper:#14181d;--ink:#e8ebee;--faint:#3a424c;--first:#56b4e9;"
    "--second:#e69f00;--mark:#fff}}</style>"
)
"""A drawing shown as an image has no page around it that would bring these."""


_WIDTH: Final = 440
"""Pixels of a drawing, where there are as many."""


def tables(
    found: Sequence[Table],
    name: str,
    chosen: Chosen,
    listed: Listed = (),
    among: Sequence[Link] = (),
    parts: Mapping[str, Link] = {},
) -> dict[str, Any]:
    """Tables with drawings, and for each row a filter of the list or None.

    `cells` has for each row the columns whose number counts part of those trials, with a filter that is as narrow. A
    share leads to the trials that it counts. `listed` are the rows that there are, `among` narrower filters that a
    table may mean without a column that says so, and `parts` those that it does mean, by how its title begins.
    """
    drawing, there = plots.available(), _There(listed)
    made = []
    for n, table in enumerate(found):
        part = next((each for title, each in parts.items() if table.title.startswith(title)), {})
        means = [{**part, **each} for each in ({}, *among)]
        made.append(_table(table, f"{name}-{n}", drawing, chosen, there, means))
    return {"tables": made}


def parts(config: RunConfig) -> Mapping[str, Link]:
    """Filters that tables of a run mean by their titles: the agents, where there are models and instruments."""
    models, instruments = (
        [agent.name for agent in config.agents if config.calibrates([agent.name]) == calibration]
        for calibration in (False, True)
    )
    both = {"Results": {"agent": models}, "Calibration": {"agent": instruments}}
    return both if models and instruments else {}


def _table(
    table: Table, anchor: str, drawing: bool, chosen: Chosen, there: _There, among: Sequence[Link]
) -> dict[str, Any]:
    ready = shown(table, anchor, drawing)
    table = ready.table
    links = [_link(row, table.columns, chosen, there, among) for row in table.rows]
    title = table.title.removeprefix("Calibration: ")
    means = {name: FLAGS[name] for row in table.rows if (name := str(row.get("flag"))) in FLAGS}
    return {
        "title": title[:1].upper() + title[1:],
        "part": "Calibration" if table.title.startswith("Calibration") else "",
        "columns": list(table.columns),
        "rows": [{name: row.get(name) for name in table.columns} for row in table.rows],
        "numeric": list(ready.numeric),
        "notes": [note for note in table.notes if note != f"{CALIBRATION}."],
        "folded": ready.folded,
        "plots": [{"name": name, "svg": _alone(svg)} for name, svg in ready.drawings.items()],
        "links": [link and there.counted(link, row.get("trials")) for row, link in zip(table.rows, links, strict=True)],
        **({"means": means} if means else {}),
        "cells": [
            dict(_cells(row, link, there, among)) if link else {} for row, link in zip(table.rows, links, strict=True)
        ],
    }


class _There:
    """The rows of the list, found by the filters of a row of a table."""

    def __init__(self, listed: Listed) -> None:
        self._listed = listed
        self._by: dict[tuple[str, ...], dict[tuple[str, ...], list[Mapping[str, Any]]]] = {}

    def of(self, link: Link) -> Listed:
        plain = {name: value for name, value in link.items() if not isinstance(value, list)}
        names = tuple(plain)
        if names not in self._by:
            found = self._by[names] = {}
            for row in self._listed:
                found.setdefault(tuple(str(row.get(name)) for name in names), []).append(row)
        several = {name: value for name, value in link.items() if name not in plain}
        own = self._by[names].get(tuple(str(value) for value in plain.values()), [])
        return [row for row in own if passes(row, several)] if several else own

    def holds(self, link: Link, trials: int) -> bool:
        """Whether these are so many trials, with those that are void or without."""
        return trials in self._sizes(link)

    def _sizes(self, link: Link) -> tuple[int, int]:
        own = self.of(link)
        return len(own), sum(row.get("verdict") != "void" for row in own)

    def counted(self, link: Link, trials: Any) -> Link:
        """The same without those that are void, where a row counts its trials so."""
        whole, counted = self._sizes(link)
        return {**link, "verdict": _COUNTED} if trials == counted != whole else link


def _link(
    row: Mapping[str, Any], columns: Sequence[str], chosen: Chosen, there: _There, among: Sequence[Link]
) -> Link | None:
    """The trials that a row is made from, with those that are void; None where the list cannot be filtered to them.

    Where a row says how many trials it is of, the list is narrowed to as many, if it can be.
    """
    found: dict[str, Any] = {}
    own: dict[str, Any] = {}
    sure = True
    for name in columns:
        value = row.get(name)
        column = _column(name, chosen)
        if column and value is not None:
            fitting = sorted((each for each in chosen[column] if _fits(value, each)), key=str)
            found |= {column: fitting[0] if len(fitting) == 1 else fitting} if fitting else {}
            if alike := [each for each in fitting if _same(value, each)]:
                own[column] = alike[0]
            sure = sure and bool(fitting)
        elif isinstance(value, str) and name not in _ABOUT:
            sure = False
    trials = row.get("trials")
    if found and isinstance(trials, int):
        narrow = ({**more, **each} for each in (found, {**found, **own}) for more in among)
        if exact := next((each for each in narrow if there.holds(each, trials)), None):
            return exact
    return {**among[0], **found} if found and sure else None


def _cells(row: Mapping[str, Any], link: Link, there: _There, among: Sequence[Link]) -> Iterator[tuple[str, Link]]:
    """Columns of a row whose number is that of the trials which a narrower filter leaves, or made from all of them."""
    if any(row.get(column, whole) != whole for column, whole in _ONE_OF.items()):
        return
    for column, value in row.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not value or column in link:
            continue
        if column in _MADE_FROM and isinstance(row.get("trials"), int) and there.holds(link, row["trials"]):
            yield column, there.counted(link, row["trials"])
        narrow = [{**more, **link} for more in among]
        tried = ((each, number) for number in _NUMBERS.get(column, ()) for each in narrow)
        for each, number in tried:
            if _agrees(value, number, there.of(each)):
                yield column, {**each, **number.own}
                break


def _agrees(value: float, number: _Number, own: Listed) -> bool:
    counted = sum(passes(each, number.own) for each in own)
    if number.of is None:
        return value == counted
    base = sum(passes(each, number.of) for each in own)
    share = counted / base if base else -1
    return abs(share * 100 - value) <= 0.05 if number.percent else abs(share - value) <= 0.0005


def passes(row: Mapping[str, Any], link: Link) -> bool:
    """Whether the list shows a row under these filters (`facetsOf` in js/filters.js)."""
    for column, value in link.items():
        wanted = {str(each) for each in (value if isinstance(value, list | tuple) else [value])}
        if not wanted & _told(column, row.get(column)):
            return False
    return True


def _told(column: str, value: Any) -> set[str]:
    """What a row has of a filter."""
    if column == "side_effects":
        return {"unknown" if value is None else "yes" if value else "no"}
    if column == "questions":
        return {"5 or more" if value > 4 else str(value)}
    return {str(each) for each in value} if isinstance(value, list | tuple) else {"" if value is None else str(value)}


def _column(name: str, chosen: Chosen) -> str:
    """The column of the index that a column of a table is about, "" for none: `designed class`, `dimension`."""
    plain = name.replace(" ", "_")
    return next((each for each in (plain, f"{plain}s") if each in chosen), "")


def _fits(value: Any, cell: Any) -> bool:
    """Whether a cell of the index is what a table names, or one of several of which it is made."""
    return _same(value, cell) or (isinstance(cell, str) and any(_same(value, each) for each in cell.split(" + ")))


def _same(value: Any, cell: Any) -> bool:
    return str(value).casefold() == str(cell).casefold()


def _alone(svg: str) -> str:
    """With a size of its own, as an image without one takes no room beside others."""
    opening, body = svg.split(">", 1)
    across, down = (float(size) for size in re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', opening)[0])
    size = f'width="{_WIDTH}" height="{_WIDTH * down / across:.0f}"'
    return f"{opening} {size}>{_COLOURS}{body}"
