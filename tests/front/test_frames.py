"""Suites, tasks, trials and events as columns, which data frames take."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness import RunError, SuiteError, evaluate, events, suites, tasks, trials
from harness.front.reading import columns
from harness.report.trials import COLUMNS

pytestmark = pytest.mark.usefixtures("only_board")

ORACLE = {"suite": "toy", "name": "board", "agents": [{"kind": "oracle"}, {"kind": "idle"}], "trials": 2}


def as_long(found: dict[str, list[Any]]) -> int:
    (length,) = {len(values) for values in found.values()}
    return length


def test_suites_and_their_tasks_are_listed() -> None:
    found = tasks("toy")

    assert suites() == {"toy": "Jobs on a board."}
    assert found["id"] == ["toy-0", "toy-1", "toy-2", "toy-3"]
    assert found["prompts"][2] == ["original", "underspecified"]
    assert found["sessions"] == [1, 1, 1, 2]
    assert found["request"][0] == "Move job 0 to In Progress."
    with pytest.raises(SuiteError, match="Did you mean 'toy'"):
        tasks("toyy")


def test_a_trial_is_a_row_in_the_order_of_reports() -> None:
    found = trials(evaluate(ORACLE))

    assert list(found) == list(COLUMNS)
    assert as_long(found) == 16
    assert found["agent"] == ["oracle"] * 8 + ["idle"] * 8
    assert (found["run"][0], found["task"][:4]) == ("board", ["toy-0", "toy-0", "toy-1", "toy-1"])
    assert found["correct"] == [1] * 8 + [0] * 8


def test_a_run_is_given_by_its_folder_too() -> None:
    run = evaluate(ORACLE)

    assert trials(run) == trials(run.folder) == trials(str(run.folder)) == run.trials
    assert events(run.folder) == run.events
    with pytest.raises(RunError, match=r"nowhere is not a run: it has no run\.json"):
        trials(Path("nowhere"))


def test_events_are_rows_in_the_order_in_which_they_happened() -> None:
    run = evaluate({"suite": "toy", "tasks": ["toy-0"], "agents": [{"kind": "oracle"}]})
    found = events(run)

    assert as_long(found) == 2
    assert found["kind"] == ["request", "call"]
    assert found["text"] == ["Move job 0 to In Progress.", "Task 00000000 updated."]
    assert (found["tool"], found["status"], found["step"]) == ([None, "update_task"], [None, "ok"], [None, 0])
    assert json.loads(found["arguments"][1])["new_value"] == "In Progress"
    assert found["writes"] == [None, 1]


def test_every_kind_of_event_has_its_words_and_its_number() -> None:
    from harness.core.trajectory import AnswerRecord, Arrival, HandOver, Landing, Message, ModelCall, QuestionRecord
    from harness.front.reading import _event
    from harness.trajectory import Usage

    usage = Usage(prompt_tokens=3, completion_tokens=4, cost_usd=None)
    rows = [
        _event(each)
        for each in (
            Message(session=0, role="user", content="Hello."),
            ModelCall(session=0, turn=1, purpose="agent", request={}, response={}, usage=usage),
            QuestionRecord(session=0, step=2, text="Which?"),
            AnswerRecord(session=0, step=2, text="That."),
            HandOver(session=0, n=3, turn=1, text="Done."),
            Landing(session=0, step=2, status="failed", text="No."),
            Arrival(session=0, step=4, source="feed", text="A mail."),
        )
    ]

    assert [row.get("text") for row in rows] == ["Hello.", None, "Which?", "That.", "Done.", "No.", "A mail."]
    assert [row.get("step") for row in rows] == [None, None, 2, 2, 3, 2, 4]
    assert (rows[1]["prompt_tokens"], rows[1]["cost_usd"], rows[1]["purpose"]) == (3, None, "agent")


def test_a_column_has_one_type_of_number() -> None:
    found = columns(("share", "count"), [{"share": 1, "count": 2}, {"share": 0.5}, {"share": None, "count": 3}])

    assert [type(value) for value in found["share"]] == [float, float, type(None)]
    assert found["count"] == [2, None, 3]


@pytest.mark.parametrize("given", [None, 3, {"folder": "x"}])
@pytest.mark.parametrize("read", [trials, events])
def test_what_is_no_run_is_refused(read: Any, given: Any) -> None:
    with pytest.raises(RunError, match="is not a run: give what `evaluate` returned, or the path of a run's folder"):
        read(given)


def test_what_is_no_suite_is_refused() -> None:
    with pytest.raises(SuiteError, match="None is not a suite: give its name"):
        tasks(None)  # type: ignore[arg-type]
