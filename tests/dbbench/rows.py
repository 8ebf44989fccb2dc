"""Rows of our own in the published shape, over one small table, and a file of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.dbbench.mysql import as_duckdb
from benchmarks.dbbench.published import Row
from benchmarks.dbbench.tables import changed

COLUMNS = ("Berth", "Boat", "Owner (2024)", "Length")
CELLS = (
    ("1", "Möwe", "Ada Lund", "7.5"),
    ("2", "Petrel", "Omar Haddad", "9"),
    ("3", "Petrel", "Omar Haddad", "9"),
    ("guest", "-", "", "12"),
)
TABLE = "Harbour Boats"


def published(
    type: str, description: str, label: str | Sequence[Any], *, md5: str = "", hint: str = "", **other: Any
) -> dict[str, Any]:
    """A row over the boats, as the file has it; `other` takes the place of its fields."""
    return {
        "description": description,
        "label": [label] if isinstance(label, str) else list(label),
        "table": {
            "table_name": TABLE,
            "table_info": {
                "columns": [{"name": name, "type": "INT"} for name in COLUMNS],
                "rows": [list(cells) for cells in CELLS],
            },
        },
        "type": [type],
        "add_description": f"The table is called {TABLE}.",
        **({"answer_md5": f"[('{md5}',)]"} if md5 else {}),
        **({"sql": {"query": hint, "length": len(hint)}} if hint else {}),
        **other,
    }


def left(row: Mapping[str, Any], statement: str) -> str:
    """The hash of the row's table after a statement in MySQL's dialect."""
    found = Row.model_validate(row)
    return changed(found, as_duckdb(statement, (found.relation, *found.columns))).md5


def change(type: str, description: str, label: str, meant: str = "") -> dict[str, Any]:
    """A change whose published hash is that of the statement that is `meant`, by default that of its label."""
    row = published(type, description, label)
    return published(type, description, label, md5=left(row, meant or label))


INSERT = change(
    "INSERT",
    "Add the boat Dunlin at berth 4 for Mia Ito; it is 6 m long.",
    f"INSERT INTO `{TABLE}` (Berth, Boat, `Owner (2024)`, Length) VALUES (4, 'Dunlin', \"Mia Ito\", '6')",
)
UPDATE = change(
    "UPDATE",
    "Rename the boat at berth 1 to Heron.",
    f"UPDATE `{TABLE}` SET Boat = 'Heron' WHERE `Berth` = '1';",
)
AS_NUMBER = change(
    "UPDATE",
    "Rename the boat at berth 2 to Heron.",
    f"UPDATE `{TABLE}` SET Boat = 'Heron' WHERE Berth = 2",
    meant=f"UPDATE `{TABLE}` SET Boat = 'Heron' WHERE Berth = '2'",
)
WITHOUT_ACCENT = change(
    "UPDATE",
    "Set the length of Mowe to 8.",
    f"UPDATE `{TABLE}` SET Length = '8' WHERE Boat = 'Mowe'",
    meant=f"UPDATE `{TABLE}` SET Length = '8' WHERE Boat = 'Möwe'",
)
OTHER_HASH = published("UPDATE", "Rename the boat at berth 1 to Heron.", UPDATE["label"], md5="0" * 32)
VAGUE = change(
    "UPDATE",
    "Rename the boat at berth 1 as its owner wishes.",
    f"UPDATE `{TABLE}` SET Boat = 'Heron' WHERE Berth = '1'",
)
READ = published(
    "other",
    "Who owns the boat at berth 1?",
    ["Ada Lund"],
    hint=f"SELECT `Owner (2024)` FROM `{TABLE}` WHERE Berth = '1'",
)
WRONG_HINT = published("counting", "How many boats are called Petrel?", ["2"], hint=f"SELECT COUNT(*) FROM `{TABLE}`")
NO_HINT = published("comparison", "Which is longer, berth 1 or 2?", ["2"], hint="SELECT nothing FROM nowhere")

ROWS = (READ, WRONG_HINT, NO_HINT, INSERT, UPDATE, AS_NUMBER, WITHOUT_ACCENT, OTHER_HASH, VAGUE)


def file(folder: Path, *rows: Mapping[str, Any] | str) -> Path:
    """A file of these rows, or of lines as they are given."""
    path = folder / "standard.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path
