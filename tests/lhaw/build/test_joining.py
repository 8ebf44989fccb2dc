"""Rows of a released set, joined with the tasks that they were made of."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.lhaw.build.joining import loaded
from benchmarks.lhaw.suite import RELEASED
from harness.suite import Suite, SuiteError
from harness.wiring import suite

Row = dict[str, Any]


@pytest.fixture(scope="module")
def base() -> Suite:
    return suite("workbench-synth")


def changed(folder: Path, base: Suite, change: Callable[[Row], object]) -> Suite:
    """The suite of one released row after a change."""
    row = json.loads((RELEASED / "short.jsonl").read_text(encoding="utf-8").splitlines()[0])
    change(row)
    path = folder / "rows.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return loaded(path, base, name="rows", version="1", description="")


def segment(**fields: Any) -> Callable[[Row], object]:
    return lambda row: row["removed_segments"][0].update(fields)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda row: row.update(source="workflows@1"), "source: it was made of workflows@1"),
        (lambda row: row.update(original_task="gone"), "original_task: .* has no task 'gone'"),
        (lambda row: row.update(original_prompt="Do something."), "original_prompt: task .* asks for something else"),
        (segment(id="nobody"), r"removed_segments\[0\].id: task .* has no slot 'nobody'; it has "),
        (segment(guessability=0.3), r"removed_segments\[0\].guessability: 0.3, and slot .* has "),
        (segment(dimension="context"), r"removed_segments\[0\].dimension: 'context', and slot"),
        (segment(text="not there"), r"removed_segments\[0\].text: it should hold `value`"),
        (lambda row: row.update(strategy="remove"), "rows.jsonl:1: strategy: "),
        (lambda row: row.pop("gap"), "rows.jsonl:1: gap: Field required"),
        (lambda row: row.update(more=1), "rows.jsonl:1: more: "),
    ],
)
def test_a_row_that_no_longer_fits_is_refused_by_row_and_field(
    tmp_path: Path, base: Suite, change: Callable[[Row], object], said: str
) -> None:
    with pytest.raises(SuiteError, match=said) as refused:
        changed(tmp_path, base, change)
    assert "rows.jsonl:1" in str(refused.value)


def test_two_rows_of_one_name_are_refused(tmp_path: Path, base: Suite) -> None:
    line = (RELEASED / "short.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)[0]
    (tmp_path / "rows.jsonl").write_text(line * 2, encoding="utf-8")

    with pytest.raises(SuiteError, match="variant_id: two rows are called 'task-"):
        loaded(tmp_path / "rows.jsonl", base, name="rows", version="1", description="")


def test_all_but_tasks_and_tables_is_the_source_suites(tmp_path: Path, base: Suite) -> None:
    found = changed(tmp_path, base, lambda row: None)

    assert found.checks == {**base.checks, "flags": found.checks["flags"]}
    for name in ("programs", "system", "toolsets", "worlds", "solved", "required", "unchecked"):
        assert getattr(found, name) == getattr(base, name), name
    assert found.digest != base.digest
