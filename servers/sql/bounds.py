"""What a relation may be and hold: what JSON can say, in amounts that can be copied at every statement."""

from __future__ import annotations

import math
import re
from typing import Final

from servers.sql.allowed import Refused
from servers.sql.contents import Described

__all__ = ("CELL", "CELLS", "COLUMNS", "NAME", "RELATIONS", "ROWS", "SIZE", "fit")

RELATIONS: Final = 20
ROWS: Final = 5_000
COLUMNS: Final = 40
NAME: Final = 64
CELL: Final = 10_000
SIZE: Final = 2_000_000
CELLS: Final = 1_000_000
"""Relations, rows and columns of each, characters of a name, of a text and of all texts together, and all cells."""

_TYPES: Final = re.compile(
    r"BOOLEAN|U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\)|VARCHAR|DATE|TIME|TIMESTAMP"
)


def fit(relations: Described) -> None:
    """Raise `Refused`, naming what is too much or cannot be kept."""
    if len(relations) > RELATIONS:
        raise _refused(f"there would be {len(relations)} tables, where {RELATIONS} are the limit")
    cells = sum(len(columns) * len(rows) for _, columns, rows in relations)
    if cells > CELLS:
        raise _refused(f"all tables would have {cells:,} cells, where {CELLS:,} are the limit")
    size = 0
    for name, columns, rows in relations:
        if len(rows) > ROWS:
            raise _refused(f"{name[:NAME]} would have {len(rows):,} rows, where {ROWS:,} are the limit")
        if len(columns) > COLUMNS:
            raise _refused(f"{name[:NAME]} would have {len(columns)} columns, where {COLUMNS} are the limit")
        for each in (name, *(column for column, _ in columns)):
            if len(each) > NAME or not each.isprintable() or not each.strip():
                raise _refused(f"the name {each[:NAME]!r} is not one of 1 to {NAME} printable characters")
        for place, (column, kind) in enumerate(columns):
            if not _TYPES.fullmatch(kind):
                raise _refused(
                    f"{name}.{column} would be of type {kind[:NAME]}, where a table keeps BOOLEAN, whole numbers, "
                    "FLOAT, DOUBLE, DECIMAL, VARCHAR, DATE, TIME and TIMESTAMP"
                )
            for row in rows:
                cell = row[place]
                if isinstance(cell, float) and not math.isfinite(cell):
                    raise _refused(f"{name}.{column} would hold {cell}, which is not a number that can be kept")
                if isinstance(cell, str):
                    if len(cell) > CELL:
                        raise _refused(f"a text in {name}.{column} would have {len(cell):,} characters, where {CELL:,} "
                                       "are the limit")  # fmt: skip
                    if kind != "VARCHAR" and "infinity" in cell:
                        raise _refused(f"{name}.{column} would hold {cell}, which is not a time that can be kept")
                    size += len(cell)
    if size > SIZE:
        raise _refused(f"the texts of all tables would have {size:,} characters, where {SIZE:,} are the limit")


def _refused(why: str) -> Refused:
    return Refused(f"This cannot be kept: {why}. Nothing was changed.")
