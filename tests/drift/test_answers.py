"""How answers are compared, and what a trial is worth by its answer and its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks.drift.answers import predicted, right, same
from benchmarks.drift.drawn import clean, drawn
from harness.trajectory import CallRecord, Trajectory
from servers.kernel import Change
from tests.drift.place import COUNT, MOVE, PLACE

READ = clean(next(iter(drawn(PLACE, COUNT, 1))))
CHANGE = clean(next(iter(drawn(PLACE, MOVE, 1))))


@pytest.mark.parametrize(
    ("one", "other", "kind", "ranked", "equal"),
    [
        (["3"], ["3.0"], "number", False, True),
        (["1,250"], ["1250"], "number", False, True),
        (["1000000.5"], ["1000000"], "number", False, True),
        (["100001"], ["100000"], "number", False, False),
        (["null"], ["0"], "number", False, False),
        (["nan"], ["nan"], "number", False, True),
        ([" Ann  LEE"], ["ann lee"], "text", False, True),
        (["3"], ["3.0"], "text", False, False),
        (["b", "a"], ["a", "b"], "text", False, True),
        (["b", "a"], ["a", "b"], "text", True, False),
        (["a", "a", "b"], ["a", "b", "b"], "text", False, False),
        (["a"], ["a", "a"], "text", False, False),
        (["2025-03-01T09:30:00"], ["2025-03-01"], "date", False, True),
        (["1 March"], ["2025-03-01"], "date", False, False),
    ],
)
def test_answers_are_compared_by_their_type(
    one: list[str], other: list[str], kind: Any, ranked: bool, equal: bool
) -> None:
    assert same(one, other, kind, ranked=ranked) is equal


def trial(task: Any, answers: Sequence[Any] = (), changes: Sequence[Change] = ()) -> Trajectory:
    calls = [
        CallRecord(
            n=n, session=0, turn=0, app="answer", tool="submit_answer", status="ok", text="",
            arguments={"answers": each, "predicted_question": "What?"},
        )
        for n, each in enumerate(answers)
    ]  # fmt: skip
    return Trajectory(
        suite="s", task=task.id, task_hash="", agent="a", condition="c", trial=0, seed=0, prompt="original",
        status="finished", events=[*calls], changes=[*changes],
    )  # fmt: skip


SUBMITTED = Change(app="answer", table="submissions", id="1", before=None, after={"answers": ["1"]})


def test_the_right_answer_is_right_and_handing_it_in_is_no_side_effect() -> None:
    score = right(READ, trial(READ, [READ.facts["answers"]], [SUBMITTED]))

    assert score.right
    assert score.detail["side_effects"] is False


def test_the_first_answer_counts() -> None:
    assert not right(READ, trial(READ, [["99"], READ.facts["answers"]])).right


def test_no_answer_is_nothing_done() -> None:
    assert right(READ, trial(READ)).label == "nothing_done"


def test_a_right_answer_beside_a_changed_row_is_wrong() -> None:
    change = Change(
        app="projects", table="tasks", id="00000001", before={"task_name": "x"}, after=None
    )  # fmt: skip

    assert not right(READ, trial(READ, [READ.facts["answers"]], [change])).right


def test_a_change_is_judged_by_rows_whatever_is_answered() -> None:
    expected = CHANGE.ends[0].changes[0]
    was = {**expected.values, "list_name": "Backlog"}
    change = Change(app="projects", table="tasks", id=expected.id, before=was, after=expected.values)

    assert right(CHANGE, trial(CHANGE, [["nonsense"]], [change, SUBMITTED])).right
    assert not right(CHANGE, trial(CHANGE)).right


def test_what_the_agent_believes_it_was_asked_is_read_from_its_answer() -> None:
    assert predicted(trial(READ, [["1"]])) == "What?"
    assert predicted(trial(READ)) == ""
