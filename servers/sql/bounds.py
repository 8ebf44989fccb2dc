"""What a relation may be and hold: what JSON can say, in amounts that can be copied at every statement."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from servers.kernel import excerpt, quoted
from servers.sql.allowed import Refused
from servers.sql.contents import Described
from servers.sql.tables import TYPES

__all__ = ("CELL", "CELLS", "COLUMNS", "NAME", "RELATIONS", "ROWS", "SIZE", "fit", "plain")

RELATIONS: Final = 20
ROWS: Final = 5_000
COLUMNS: Final = 40
NAME: Final = 64
CELL: Final = 10_000
CELLS: Final = 1_000_000
SIZE: Final = 5_000_000
"""Relations; rows and columns of each; characters of a name and of a text; cells of all relations, and characters of
all of them as JSON."""


def fit(relations: Described, size: int, changed: Mapping[str, Any]) -> None:
    """Raise `Refused`, naming what is too much or cannot be kept, of relations so long as JSON and what `changed`."""
    if len(relations) > RELATIONS:
        raise _refused(f"there would be {len(relations)} tables, where {RELATIONS} are the limit")
    for name, columns, rows in relations:
        if len(rows) > ROWS:
            raise _refused(f"{name} would have {len(rows):,} rows, where {ROWS:,} are the limit")
        for row in changed["new"].get(name, ()):
            for (column, kind), cell in zip(columns, row, strict=True):
                if (isinstance(cell, float) and not math.isfinite(cell)) or (kind != "VARCHAR" and _endless(cell)):
                    raise _refused(f"{name}.{column} would hold {cell}, for which a table here has no room")
                if isinstance(cell, str) and len(cell) > CELL:
                    many = f"{len(cell):,} characters, where {CELL:,} are the limit"
                    raise _refused(f"a text in {name}.{column} would have {many}")
    cells = sum(len(columns) * len(rows) for _, columns, rows in relations)
    if cells > CELLS:
        raise _refused(f"all tables would have {cells:,} cells, where {CELLS:,} are the limit")
    if size > SIZE:
        raise _refused(f"all tables would have {size:,} characters, where {SIZE:,} are the limit")


def plain(name: str, columns: list[tuple[str, str]]) -> None:
    """Raise `Refused` for a relation that cannot be kept whatever is in it."""
    for each in (name, *(column for column, _ in columns)):
        if len(each) > NAME or not each.isprintable() or not each.strip():
            raise _refused(f"the name {quoted(each)} is not one of 1 to {NAME} printable characters")
    if len(columns) > COLUMNS:
        raise _refused(f"{name} would have {len(columns)} columns, where {COLUMNS} are the limit")
    for column, kind in columns:
        if not TYPES.fullmatch(kind):
            raise _refused(
                f"{name}.{column} would be of type {excerpt(kind, NAME)}, where a table keeps BOOLEAN, whole numbers, "
                "FLOAT, DOUBLE, DECIMAL, VARCHAR, DATE, TIME and TIMESTAMP"
            )


def _endless(cell: Any) -> bool:
    return isinstance(cell, str) and "infinity" in cell


def _refused(why: str) -> Refused:
    return Refused(f"This cannot be kept: {why}. Nothing was changed.")
