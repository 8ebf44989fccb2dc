"""Cells of a Jupyter notebook, which is a text file of JSON."""

from __future__ import annotations

import json
from typing import Any, Literal, cast

from servers.kernel import Rejected

__all__ = ("Mode", "Sort", "with_cell")

Mode = Literal["replace", "insert", "delete"]
Sort = Literal["code", "markdown"]


def with_cell(text: str, mode: Mode, number: int, source: str | None, sort: Sort | None) -> tuple[str, str]:
    """The text of a notebook with one cell replaced, put in or taken out, and what was done.

    A new cell comes after the one of that number. Outputs go, since they are those of what the cell held. Raises
    `Rejected`.
    """
    book = _read(text)
    cells: list[dict[str, Any]] = book["cells"]
    least = 0 if mode == "insert" else 1
    if not least <= number <= len(cells):
        which = f"{least} to {len(cells)}" if cells else "0, to insert one"
        has = f"{len(cells)} cell{'' if len(cells) == 1 else 's'}"
        raise Rejected(f"cell is {number}; the notebook has {has}: give {which}.")
    if source is None and mode != "delete":
        raise Rejected("Give source, what the cell is to hold, unless mode is delete.")
    if source is not None and mode == "delete":
        raise Rejected("Leave out source where mode is delete: nothing takes the cell's place.")
    if mode == "delete":
        del cells[number - 1]
        said = f"Deleted cell {number}; {len(cells)} are left."
    elif mode == "insert":
        number += 1
        new: dict[str, Any] = {"cell_type": "code", "metadata": {}}
        if book.get("nbformat") == 4 and isinstance(book.get("nbformat_minor"), int) and book["nbformat_minor"] >= 5:
            new = {"id": _id(cells), **new}
        cells.insert(number - 1, _holding(new, source or "", sort or "code"))
        said = f"Inserted cell {number} of {len(cells)}."
    else:
        cells[number - 1] = _holding(cells[number - 1], source or "", sort or cells[number - 1]["cell_type"])
        said = f"Replaced cell {number} of {len(cells)}."
    return _written(book), said


def _read(text: str) -> dict[str, Any]:
    try:
        book = json.loads(text)
    except (ValueError, RecursionError):
        book = None
    cells = book.get("cells") if isinstance(book, dict) else None
    if isinstance(cells, list) and all(isinstance(c, dict) and isinstance(c.get("cell_type"), str) for c in cells):
        return cast(dict[str, Any], book)
    raise Rejected("The file is not a notebook: JSON with a list of `cells`, each with its `cell_type`.")


def _holding(cell: dict[str, Any], source: str, sort: str) -> dict[str, Any]:
    kept = {name: value for name, value in cell.items() if name not in ("outputs", "execution_count")}
    if sort == "code":
        kept |= {"execution_count": None, "outputs": []}
    return kept | {"cell_type": sort, "source": source.splitlines(keepends=True)}


def _id(cells: list[dict[str, Any]]) -> str:
    taken = {cell["id"] for cell in cells if isinstance(cell.get("id"), str)}
    return next(name for number in range(1, len(cells) + 2) if (name := f"cell-{number}") not in taken)


def _written(book: dict[str, Any]) -> str:
    """As Jupyter writes it."""
    try:
        text = json.dumps(book, indent=1, ensure_ascii=False, allow_nan=False)
        text.encode()
    except UnicodeEncodeError:  # half of a pair, which only an escape can hold
        text = json.dumps(book, indent=1)
    except (ValueError, RecursionError):
        raise Rejected("The notebook holds a number that JSON has not, or is nested too deep.") from None
    return f"{text}\n"
