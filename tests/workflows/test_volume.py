"""Flows whose figures are the outcome of many small steps."""

from __future__ import annotations

import pytest

from benchmarks.workflows.suite import load
from harness.task import Task

_LONG = ("incident", "quarterly-report")
_TASKS = [task for task in load().tasks if task.template in _LONG]


@pytest.mark.parametrize("task", _TASKS, ids=[task.id for task in _TASKS])
def test_at_least_120_lines_count(task: Task) -> None:
    assert 120 <= task.facts["lines"] <= 250
    assert task.facts["calls"] <= 150
