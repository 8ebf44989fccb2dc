"""Rows of a world that do not fit are found before anybody plays on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from harness import Session, StateError, SuiteError, evaluate, open_task, open_world
from harness.suite import SuiteEntry
from servers.kernel import World
from tests.cli.conftest import offer
from tests.front.conftest import board
from tests.harness import toy

pytestmark = pytest.mark.usefixtures("only_board")

ROW = {"id": "1", "task_name": "Job", "due_date": "2025-03-20", **toy.BOARD}

MISFITS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"tasks": [{**ROW, "due_date": 3}]}, "projects.tasks, row 0, does not fit: due_date: Input should be"),
    ({"tasks": [ROW, {**ROW, "colour": "red"}]}, "projects.tasks, row 1, does not fit: colour: Extra"),
    ({"tasks": [ROW, ROW]}, "projects.tasks, row 1, has an empty or repeated id: '1'"),
    ({"tasks": ["1"]}, "projects.tasks, row 0, does not fit: '1' is no row: write an object of its fields"),
    ({"jobs": []}, " has rows for jobs, which projects has no table for; it has tasks"),
    (
        {"tasks": [{**ROW, "due_date": date(2025, 3, 20)}]},
        "projects.tasks, row 0, does not fit: due_date is datetime.date(2025, 3, 20), which JSON does not have: "
        "write '2025-03-20'",
    ),
)


def over(rows: Mapping[str, Any]) -> World:
    return World("toy", toy.NOW, {"projects": rows})


def offered(rows: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The board starts from these rows."""
    made = replace(board(), world=lambda _: over(rows))
    entry = SuiteEntry("toy", "Jobs on a board.", lambda: made)
    offer(monkeypatch, entry)


@pytest.mark.parametrize(("rows", "problem"), MISFITS)
def test_rows_that_do_not_fit_are_told_before_the_agent_plays(
    rows: Mapping[str, Any], problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered(rows, monkeypatch)
    played = []

    async def agent(session: Session) -> None:
        played.append(session)

    with pytest.raises(SuiteError) as refused:
        evaluate({"suite": "toy"}, agent, name="mine", version="1")

    assert str(refused.value).startswith("suite toy: world 'toy'")
    assert problem in str(refused.value)
    assert played == []


@pytest.mark.parametrize(("rows", "problem"), MISFITS)
def test_rows_that_do_not_fit_are_told_when_their_world_is_opened(rows: Mapping[str, Any], problem: str) -> None:
    with pytest.raises(StateError) as refused:
        open_world(over(rows)).open()

    assert str(refused.value).startswith("world 'toy'")
    assert problem in str(refused.value)


def test_rows_that_do_not_fit_are_told_when_a_task_over_them_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    offered({"jobs": []}, monkeypatch)

    with pytest.raises(StateError, match="world 'toy' has rows for jobs, which projects has no table for"):
        open_task("toy", "toy-0").open()
