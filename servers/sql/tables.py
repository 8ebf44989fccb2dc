"""What the engine keeps of a database: its tables, here called relations, and their rows, here called records."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Annotated, Final, TypeAlias

from pydantic import BaseModel, Field

from servers.kernel import App, Ref, Table

__all__ = ("TYPES", "Cell", "Column", "Record", "Relation", "app", "record_id")

Cell: TypeAlias = bool | int | float | str | None
"""A value as JSON has it. Decimals, dates and times are texts, as DuckDB writes them."""


TYPES: Final = re.compile(
    r"BOOLEAN|U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\)|VARCHAR|DATE|TIME|TIMESTAMP"
)
"""Types of columns, as DuckDB writes them: those whose values JSON can say."""


class Column(BaseModel):
    """A column of a relation."""

    name: str
    type: str = Field(
        pattern=f"^(?:{TYPES.pattern})$",
        description="DuckDB's name of its type, such as INTEGER, DECIMAL(10,2), VARCHAR or DATE.",
    )


class Relation(Table, name="relation"):
    """A table of the database. Its id is its name."""

    name: str
    header: list[Column] = Field(
        description="Its columns, in order. A column has a name and a type, no constraints and no collation."
    )


class Record(Table, name="record"):
    """A row of a relation. Its id follows from what it says (`record_id`), so that equal databases have equal rows."""

    relation: Annotated[str, Ref(Relation)]
    cells: list[Cell] = Field(
        description="One for each column. Decimals, dates and times are texts, as DuckDB writes them."
    )
    number: int = Field(default=0, description="Which of several equal rows it is, from 0.")


def record_id(relation: str, cells: Sequence[Cell], number: int = 0) -> str:
    """The id of a row of that relation with those cells; `number` counts equal rows from 0."""
    told = json.dumps([relation, list(cells)], ensure_ascii=False)
    return f"{hashlib.sha256(told.encode()).hexdigest()[:20]}-{number}"


app = App("sql", "Read and change the tables of a database with SQL.", tables=(Relation, Record), apart=True)
