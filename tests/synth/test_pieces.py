"""What templates across apps are put together from: corners that no task of the suite need come near."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import pytest

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates.fields import NEW_CUSTOMER
from benchmarks.workbench.synth.templates.multi.conditions import changed
from benchmarks.workbench.synth.templates.multi.deeds import task
from benchmarks.workbench.synth.templates.multi.people import fewest_overdue, most_completed, named
from benchmarks.workbench.synth.templates.multi.pieces import always, rule
from harness.suite import Suite
from servers.kernel import World

THURSDAY = datetime(2025, 3, 13)


def office(now: datetime = THURSDAY, tasks: Sequence[Mapping[str, Any]] = (), visits: Sequence[Any] = ()) -> Office:
    people = [{"id": str(n), "email_address": f"{name}.lund@x.example"} for n, name in enumerate(("ada", "bea", "cid"))]
    rows = {"projects": {"tasks": tasks}, "analytics": {"visits": visits}, "directory": {"people": people}}
    return Office(World("tiny", now, rows))  # type: ignore[arg-type]


def work(who: str, list_name: str, due: str = "2025-03-10") -> dict[str, str]:
    return {"assigned_to_email": f"{who}.lund@x.example", "list_name": list_name, "due_date": due, "board": "Design"}


def test_of_several_with_most_completed_tasks_the_first_by_name_counts() -> None:
    tasks = [work("cid", "Completed"), work("bea", "Completed"), work("ada", "Backlog")]

    assert most_completed.rows(office(tasks=tasks), {"board": "Design"}) == "bea.lund@x.example"


def test_whoever_has_no_overdue_task_has_the_fewest() -> None:
    tasks = [work("ada", "Backlog"), work("cid", "Backlog", due="2025-03-20"), work("bea", "In Review")]

    assert fewest_overdue.rows(office(tasks=tasks), {"board": "Design"}) == "cid.lund@x.example"


@pytest.mark.parametrize(
    ("today", "due"),
    [("2025-03-10", "2025-03-21"), ("2025-03-14", "2025-03-21"), ("2025-03-16", "2025-03-21")],
)
def test_a_task_is_due_on_friday_of_the_week_after_this_one_whatever_today_is(today: str, due: str) -> None:
    (step,) = task(named("assignee")).rows(
        office(datetime.fromisoformat(today)), {"title": "Tidy up", "assignee": "ada"}
    )

    assert step.values["due_date"] == due


def visit(day: str) -> dict[str, Any]:
    return {"date_of_visit": day, "session_duration_seconds": 9, "user_engaged": True, "traffic_source": "direct"}


@pytest.mark.parametrize(
    ("yesterday", "side", "percent", "holds"),
    [(6, "higher", 20, False), (7, "higher", 20, True), (4, "lower", 20, False), (3, "lower", 20, True)],
)
def test_a_change_of_just_so_many_percent_is_not_more_than_that(
    yesterday: int, side: str, percent: int, holds: bool
) -> None:
    visits = [visit("2025-03-05")] * 5 + [visit("2025-03-12")] * yesterday
    values = {"metric": "total_visits", "date": "2025-03-05", "comparison": side, "threshold": percent}

    assert changed.rows(office(visits=visits), values) is holds


def test_a_rule_without_a_condition_always_acts() -> None:
    template = rule(
        name="plain", domains=("project_management",), wordings=("", "", ""), slots={}, then=[task(named("assignee"))]
    )

    assert always.rows(office(), {})
    assert len(template.outcome(office(), {"title": "Tidy up", "assignee": "bea"})) == 1


def test_tasks_of_either_or_templates_take_both_branches(suite: Suite) -> None:
    branches: dict[str, Counter[tuple[str, ...]]] = {}
    for one in (one for one in suite.tasks if one.template and "-or-" in one.template):
        first = one.solution[0]
        body = str(first.arguments.get("body", ""))
        branches.setdefault(one.template or "", Counter())[(first.tool, body)] += 1

    assert len(branches) == 5
    assert all(len(found) >= 2 and min(found.values()) >= 2 for found in branches.values()), branches


def test_a_new_customer_is_none_that_the_world_has(suite: Suite) -> None:
    rows = Office(suite.world(suite.tasks[0].world))
    known = {part for row in rows.customers for part in row["customer_name"].split()}

    assert known.isdisjoint(part for name in NEW_CUSTOMER.domain(rows) for part in name.split())
