"""What docs/reports.md lists is what there is, in the same order."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.workbench import errors
from harness.report.trials import COLUMNS

TEXT = (Path(__file__).parents[2] / "docs" / "reports.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return re.split(r"^#+ ", TEXT.partition(f" {title}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def test_every_source_of_error_is_documented_in_order_of_precedence() -> None:
    listed = re.findall(r"^\| ([a-z ]+) \| ", section("Sources of error"), re.MULTILINE)

    assert listed == ["source", *errors.RULES, errors.OTHER]
    assert all(rule.__doc__ for rule in errors.RULES.values())


def test_every_column_of_the_csv_is_documented_in_order() -> None:
    rows = [line for line in section("CSV").splitlines() if line.startswith("| `")]
    first_cells = [name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])]

    assert tuple(first_cells) == COLUMNS
