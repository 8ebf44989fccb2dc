"""Variants in the published shapes, with texts of our own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.lhaw.published.rows import Row

PAYROLL: Mapping[str, Any] = {
    "variant_id": "payroll_V1_input",
    "original_task": "payroll",
    "dataset": "TheAgentCompany",
    "original_prompt": "Work out the pay of March from hours-march.csv and save it as pay.xlsx.",
    "underspecified_prompt": "Work out the pay of March and save it as pay.xlsx.",
    "information_dimension": ["input"],
    "ambiguity_class": "outcome-critical",
    "removed_segments": [
        {"id": "S1", "dimension": "input", "subdimension": "source", "value": "hours-march.csv"},
    ],
    "expected_questions": [
        {"segment_id": "S1", "questions": ["Which data source should I use?", "Where do the hours come from?"]},
    ],
    "terminal_states": "[ (1, 0, 0) ]",
}
"""As appendix F.2 has it: one segment."""

TOP: Mapping[str, Any] = {
    "variant_id": "top_sellers_V4",
    "original_task": "top_sellers",
    "dataset": "MCP-Atlas",
    "original_prompt": "List the best 12 products of the spring quarter as JSON.",
    "underspecified_prompt": "List the best products of the quarter.",
    "information_dimension": "constraint, goal",
    "ambiguity_class": "divergent",
    "removed_segments": [
        {
            "id": "S1", "dimension": "constraint", "subdimension": "numeric_bound", "value": "12",
            "text": "best 12 products",
        },
        {"id": "S2", "dimension": "goal", "subdimension": "format", "value": "JSON", "text": None},
    ],
    "expected_questions": [
        {"S1": ["What is the limit?"], "S2": None},
        {"S2": ["Which format should it have?"], "S1": None},
    ],
    "terminal_states": [[1, 0], [1, 1]],
}  # fmt: skip
"""As F.1 has segments and questions, out of a table that has all keys in every row: two segments."""


def changed(row: Mapping[str, Any] = PAYROLL, **fields: Any) -> dict[str, Any]:
    """A copy with other fields; those given as `...` are left out."""
    return {name: value for name, value in {**row, **fields}.items() if value is not ...}


def made(row: Mapping[str, Any] = PAYROLL, **fields: Any) -> Row:
    """The row that such an object is read as."""
    return Row.model_validate(changed(row, **fields))


def array(folder: Path, *rows: Any) -> Path:
    """A file with those rows as a JSON array."""
    path = folder / "test.json"
    path.write_text(json.dumps(rows, indent=2), encoding="utf-8")
    return path


def lines(folder: Path, *rows: Any) -> Path:
    """The same as one JSON object a line; a text is written as it stands."""
    path = folder / "test.jsonl"
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path
