"""Rows that an agent makes and removes again: no change at the end, and yet the check says that there were some."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from harness import report
from harness.core.suite import Scored
from harness.play.run import evaluate
from harness.record.store import TrialRecord
from harness.score import Score, outcome
from harness.task import Arrives, Task
from harness.trajectory import CallRecord, Landing, Trajectory, Write
from servers.kernel import Change, Edit
from tests.harness import toy
from tests.scoring.scenes import added, end, removed, want_new

TEA = added("items", "5", title="tea", price="1")
MILK = {"title": "milk", "price": "2"}


def _call(*writes: Write) -> CallRecord:
    return CallRecord(
        n=0, session=0, turn=0, app="shop", tool="t", arguments={}, status="ok", text="", writes=list(writes)
    )


def _wrote(id: str, **values: Any) -> Write:
    return Write(app="shop", table="items", id=id, values=values or None)


def _scored(*events: CallRecord | Landing, changes: Sequence[Change] = (TEA,)) -> Score:
    task = Task(id="t", world="w", apps=("shop",), sessions=(), ends=(end(want_new("items", title="tea", price="1")),))
    return outcome(
        task,
        Trajectory(
            suite="s", task="t", task_hash=task.hash, agent="a", condition="c", trial=0, seed=0, prompt="original",
            status="finished", events=list(events), changes=list(changes),
        ),
    )  # fmt: skip


def test_a_row_that_was_made_and_removed_is_told_as_it_last_was_and_changes_no_verdict() -> None:
    score = _scored(
        _call(_wrote("6", title="mi"), _wrote("7", title="ok")), _call(_wrote("6", **MILK)), _call(_wrote("6"))
    )

    assert score.detail["withdrawn"] == ['insert shop.items: title="milk", price="2"']
    assert score.reason.endswith("nothing else changed. New rows were removed again: 1 of shop.items.")
    assert (score.value, score.detail["unexpected"], score.detail["side_effects"]) == (1, 0, False)


def test_a_row_that_was_there_at_the_start_is_a_change_and_not_withdrawn() -> None:
    gone = removed("items", "2", **MILK)
    score = _scored(_call(_wrote("2", **MILK)), _call(_wrote("2")), changes=[TEA, gone])

    assert "withdrawn" not in score.detail
    assert score.detail["extra"] == ["delete shop.items 2"]


def test_a_row_that_was_removed_and_made_again_is_not_withdrawn() -> None:
    assert (
        "withdrawn"
        not in _scored(_call(_wrote("5", title="tea")), _call(_wrote("5")), _call(_wrote("5", title="tea"))).detail
    )


def test_a_draft_that_became_what_was_sent_is_not_withdrawn() -> None:
    sent = _call(_wrote("6"), _wrote("5", title="tea", price="1"))

    assert "withdrawn" not in _scored(_call(_wrote("6", title="tea")), sent).detail


def test_what_lands_late_and_is_removed_then_is_withdrawn() -> None:
    late = Landing(session=0, step=0, status="ok", text="", writes=[_wrote("6", **MILK)])

    assert len(_scored(_call(), late, _call(_wrote("6"))).detail["withdrawn"]) == 1


@pytest.fixture
def trials(tmp_path: Path) -> list[TrialRecord]:
    """A job made and deleted under a real app, and one that had arrived changed and deleted."""
    values = {"task_name": "Urgent", "due_date": "2025-03-14", **toy.BOARD}
    urgent = Arrives(
        source="feed", edits=(Edit(op="add", app="projects", table="tasks", id="00000500", values=values),)
    )
    plain = toy.task(0)
    watched = plain.model_copy(
        update={"id": "watch", "sessions": (plain.sessions[0].model_copy(update={"arrivals": (urgent,)}),)}
    )
    made = [("projects_create_task", values), ("projects_delete_task", {"task_id": "00000012"})]
    rename = {"task_id": "00000500", "field": "task_name", "new_value": "Less urgent"}
    played = {
        plain.id: made,
        watched.id: [("projects_update_task", rename), ("projects_delete_task", {"task_id": "00000500"})],
    }
    wired = toy.Wiring([plain, watched], lambda task: toy.Scripted(played[task.id]))
    return list(evaluate(toy.config(), wired.suite("toy"), wired, tmp_path / "run").records())


def test_what_had_arrived_and_was_removed_is_a_change_and_what_the_agent_made_is_withdrawn(
    trials: list[TrialRecord],
) -> None:
    found: dict[str, Any] = {
        each.trajectory.task: (each.scores["outcome"].detail.get("withdrawn"), each.scores["outcome"].detail["extra"])
        for each in trials
    }

    assert found["watch"] == (None, ["delete projects.tasks 00000500"])
    (withdrawn,), extra = found["toy-0"]
    assert (withdrawn.startswith('insert projects.tasks: task_name="Urgent"'), extra) == (True, [])


def test_the_table_of_outcomes_says_in_how_many_trials_rows_were_removed_again(trials: list[TrialRecord]) -> None:
    suite = toy.suite([toy.task(0), toy.task(0).model_copy(update={"id": "watch"})])
    scored = [Scored(each.trajectory, each.scores) for each in trials]
    table = next(each for each in report.tables(toy.config(), suite, scored) if each.title.endswith("outcomes"))

    assert (
        "oracle, default: in 1 of 2 trials new rows were removed again, which is no change at the end; "
        "reasons of trials name their tables."
    ) in table.notes
