"""Every expected outcome of `workbench-synth` against a second computation, written apart from the templates."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from benchmarks.workbench.synth.suite import load
from benchmarks.workbench.synth.templates import TEMPLATES
from harness.suite import Suite
from harness.task import Task
from tests.synth.independent import Change, Office, Work, customers, figures, meetings

WORK: dict[str, Work] = {**meetings.WORK, **figures.WORK, **customers.WORK}
OPEN = {"gmail.emails.sent_datetime"}
"""Fields that tasks leave free."""


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load()


@pytest.fixture(scope="module")
def office(suite: Suite) -> Office:
    world = suite.world(suite.tasks[0].world)
    rows = world.rows
    return Office(
        emails=rows["gmail"]["emails"],
        events=rows["calendar"]["events"],
        visits=rows["analytics"]["visits"],
        tasks=rows["projects"]["tasks"],
        customers=rows["crm"]["customers"],
        people=rows["directory"]["people"],
        today=world.now.date().isoformat(),
    )


def told(change: Change) -> tuple[Any, ...]:
    """A change without what does not count: free fields, letter case, and fields that a new row leaves empty."""
    values = {
        name: " ".join(value.casefold().split()) if isinstance(value, str) else value
        for name, value in change.values.items()
        if f"{change.table}.{name}" not in OPEN and not (change.op == "insert" and value in (None, ""))
    }
    return change.op, change.table, change.id, tuple(sorted(values.items()))


def expected(task: Task) -> Counter[tuple[Any, ...]]:
    return Counter(told(Change(c.op, f"{c.app}.{c.table}", c.id, c.values)) for c in task.ends[0].changes)


def test_every_template_has_a_second_computation() -> None:
    assert WORK.keys() == {template.name for template in TEMPLATES}


@pytest.mark.parametrize("name", [template.name for template in TEMPLATES])
def test_the_expected_changes_of_a_template_are_those_of_a_second_computation(
    suite: Suite, office: Office, name: str
) -> None:
    tasks = [task for task in suite.tasks if task.template == name]
    assert len(tasks) == 10

    for task in tasks:
        again = WORK[name](office, {slot.name: slot.value for slot in task.slots})
        assert Counter(map(told, again)) == expected(task), task.sessions[0].requests["original"]
