"""Failed trials by template: which kind of task goes wrong most."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from harness import report
from harness.cli import render
from harness.core.config import Condition, UserConfig
from harness.report import page, templates
from harness.suite import Table
from tests.report.records import IDS, by_title, config, delete, record, scored, suite, task

TASKS = [
    task("a1", delete(IDS[0]), template="cancel"),
    task("a2", delete(IDS[1]), template="cancel"),
    task("b", delete(IDS[2]), template="move"),
    task("c", delete(IDS[3]), template="mail"),
]


def tables(right: str, agent: str = "m") -> list[Table]:
    """A trial of each task; `right` has a 1 for each that is right, and `v` for each that is void."""
    ends: dict[str, dict[str, Any]] = {"1": {}, "0": {"changes": []}, "v": {"status": "void"}}
    records = [record(each, agent=agent, **ends[r]) for each, r in zip(TASKS, right, strict=True)]
    chosen = config(agent)
    return list(report.tables(chosen, suite(TASKS), scored(records, suite(TASKS), chosen)))


def test_templates_with_most_failed_trials_come_first_and_those_without_are_left_out() -> None:
    found = by_title(tables("0001"), "Results: by template")

    assert list(found.columns) == ["agent", "condition", "template", "trials", "failed", "accuracy"]
    assert [tuple(row.values())[2:] for row in found.rows] == [("cancel", 2, 2, 0.0), ("move", 1, 1, 0.0)]


def test_of_templates_with_as_many_failed_trials_the_less_accurate_comes_first() -> None:
    found = by_title(tables("0101"), "Results: by template")

    assert [(row["template"], row["failed"], row["accuracy"]) for row in found.rows] == [
        ("move", 1, 0.0),
        ("cancel", 1, 0.5),
    ]


def test_void_trials_are_no_failed_ones() -> None:
    found = by_title(tables("v011"), "Results: by template")

    assert [(row["template"], row["trials"]) for row in found.rows] == [("cancel", 1)]


def test_where_nothing_failed_there_is_no_such_table() -> None:
    assert not [each for each in tables("1111") if "by template" in each.title]


@pytest.mark.parametrize("drawn", [lambda table: render.text([table]), lambda table: render.markdown([table])])
def test_more_rows_than_are_shown_are_counted(monkeypatch: pytest.MonkeyPatch, drawn: Callable[[Table], str]) -> None:
    monkeypatch.setattr(templates, "WORST", 1)
    text = drawn(by_title(tables("0001"), "Results: by template"))

    assert "cancel" in text
    assert "move" not in text
    assert text.rstrip().endswith("rows not shown, none with more failed trials than these: 1")


def test_more_rows_than_are_shown_are_counted_on_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templates, "WORST", 1)
    found = page.shown(by_title(tables("0001"), "Results: by template"), "t", drawing=False)

    assert [row[2] for row in found.rows] == ["cancel"]
    assert found.table.notes[-1] == "rows not shown, none with more failed trials than these: 1"


def test_data_have_all_rows_whatever_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templates, "WORST", 1)

    assert [row["template"] for row in by_title(tables("0001"), "Results: by template").rows] == ["cancel", "move"]


def by_condition(users: dict[str, Condition]) -> list[Table]:
    """Two trials of each task, one under each condition, all wrong under the first one."""
    chosen = config("m", conditions=users)
    ends: list[dict[str, Any]] = [{"changes": []}, {}]
    records = [record(each, condition=name, **end) for name, end in zip(users, ends, strict=True) for each in TASKS]
    return list(report.tables(chosen, suite(TASKS), scored(records, suite(TASKS), chosen)))


def test_of_several_conditions_there_is_a_total_for_each_template_and_a_row_for_each_condition() -> None:
    found = {table.title: table for table in by_condition({"first": Condition(), "second": Condition(prompt="other")})}
    total, each = (found[f"Results: by template{more}"] for more in ("", ", agent and condition"))

    assert [tuple(row.values()) for row in total.rows] == [
        ("cancel", 4, 2, 0.5), ("mail", 2, 1, 0.5), ("move", 2, 1, 0.5),
    ]  # fmt: skip
    assert [tuple(row.values()) for row in each.rows] == [
        ("m", "first", "cancel", 2, 2, 0.0), ("m", "first", "mail", 1, 1, 0.0), ("m", "first", "move", 1, 1, 0.0),
    ]  # fmt: skip


def test_a_total_over_different_users_has_no_accuracy() -> None:
    users = {
        "first": Condition(ask="ask_user", user=UserConfig(version=1)),
        "second": Condition(ask="ask_user", user=UserConfig()),
    }
    total = next(table for table in by_condition(users) if table.title == "Results: by template")

    assert list(total.columns) == ["template", "trials", "failed"]
