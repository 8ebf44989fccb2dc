"""Workflows whose figures are the outcome of many lines."""

from __future__ import annotations

import pytest

from benchmarks.workflows.suite import load
from harness.task import Task

LONG = ("budget", "claims", "incident", "payroll", "quarterly-report", "stock-count")
"""Flows whose papers have been made as long as real ones are."""
TASKS = {task.id: task for task in load().tasks if task.template in LONG}


@pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))
def test_its_figures_come_from_120_to_250_lines(task: Task) -> None:
    assert 120 <= task.facts["lines"] <= 250


@pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))
def test_it_can_be_done_in_150_calls(task: Task) -> None:
    assert task.facts["calls"] <= 150


@pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))
def test_each_of_its_sheets_that_are_to_be_written_or_read_comes_in_one_result(task: Task) -> None:
    texts = [
        str(edit.values["text"])
        for edit in task.setup
        if edit.table == "entries" and edit.values and edit.values.get("text")
    ]

    assert texts
    assert max(map(len, texts)) < 30_000
