from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from harness.audit import audit
from harness.audit.mutants import MUTATIONS
from harness.score import Score, Verdicts, outcome
from harness.suite import SuiteError
from harness.task import Compare, End, Task
from harness.trajectory import Trajectory
from tests.audit.toys import (
    accepts_everything,
    create,
    inserted,
    made,
    nothing,
    of,
    only,
    outcomes,
    same_calls_in_order,
    suite,
    two_moves,
    update,
    updated,
)
from tests.command.programs import started
from tests.harness import toy

MUST = {mutation.name: mutation.must for mutation in MUTATIONS}


def test_a_sound_check_catches_all_wrong_work_and_passes_all_right_work() -> None:
    found = audit(suite())

    counts = found.as_json()
    assert found.sound
    assert (counts["kill rate"], counts["false rejections"]) == (1.0, 0.0)
    assert (counts["survived"], counts["rejected"], counts["void"]) == (0, 0, 0)
    assert {result.mutation for result in found.results if result.outcome == "caught"} == {
        "dropped call", "wrong id", "wrong choice", "wrong text",
        "extra insert", "extra update", "extra delete", "unasked write",
    }  # fmt: skip
    assert {result.mutation for result in found.results if result.outcome == "passed"} == {
        "other order", "other case", "extra read", "failed call first",
    }  # fmt: skip


def test_a_check_that_accepts_everything_lets_every_wrong_work_survive() -> None:
    found = only(two_moves(), nothing(1), check=accepts_everything)

    counts = found.as_json()
    assert not found.sound
    assert counts["kill rate"] == 0.0
    assert counts["survived"] == len(counts["survived_mutants"]) > 10
    assert {finding.check for finding in found.found if finding.level == "problem"} == {"idle", "teeth"}
    assert {fault.task for fault in found.faults} == {"toy-0", "toy-1"}


def test_a_check_of_the_order_of_calls_refuses_right_work() -> None:
    found = only(two_moves(), check=same_calls_in_order)

    rejected = {result.mutation for result in found.results if result.outcome == "rejected"}
    assert rejected == {"other order", "other case", "extra read", "failed call first"}
    assert found.as_json()["false rejections"] == 1.0
    assert found.as_json()["kill rate"] == 1.0
    assert not found.sound


def test_a_survivor_is_told_with_task_change_and_reason() -> None:
    survivors = only(two_moves(), check=accepts_everything).as_json()["survived_mutants"]

    assert {
        "task": "toy-0",
        "mutation": "dropped call",
        "what": "call 1, projects.update_task left out",
        "reason": "It looks fine.",
    } in survivors


def test_a_call_that_changes_nothing_may_be_dropped() -> None:
    task = made(
        0,
        [update("00000003", "board", "Design"), update("00000004", "list_name", "Completed")],
        updated("00000004", list_name="Completed"),
    )
    found = only(task)

    assert outcomes(found, "dropped call") == {"call 1": "equivalent", "call 2": "caught"}
    assert found.sound


def test_a_second_update_is_equivalent_and_a_second_creation_is_caught() -> None:
    task = made(
        0,
        [update("00000004", "list_name", "Completed"), create("Paint it")],
        updated("00000004", list_name="Completed"),
        inserted("Paint it"),
    )

    assert outcomes(only(task), "duplicate") == {"call 1": "equivalent", "call 2": "caught"}


def test_an_equivalent_mutant_enters_no_rate() -> None:
    counts = only(made(0, [update("00000003", "board", "Design")])).as_json()

    assert counts["equivalent"] == 3
    assert [each["mutation"] for each in counts["equivalent_mutants"]] == ["dropped call", "wrong id", "duplicate"]
    assert counts["caught"] == sum(row["caught"] for row in counts["mutations"][:-1])


def test_a_reference_that_changes_nothing_is_noted() -> None:
    found = only(made(0, [update("00000003", "board", "Design")]))

    assert [(note.check, note.level) for note in found.found] == [("needless", "note")]
    assert found.sound


def test_a_difference_in_a_field_that_the_task_frees_is_open() -> None:
    task = made(
        0, [create("Paint it")], inserted("Paint it"), compare=Compare(free=frozenset({"projects.tasks.due_date"}))
    )

    assert outcomes(only(task), "wrong date") == {"call 1, due_date": "open"}


def test_another_end_that_the_task_lists_is_open() -> None:
    task = made(0, [create("Paint it")], inserted("Paint it"))
    either = task.model_copy(update={"ends": (*task.ends, End())})

    assert outcomes(only(either), "dropped call") == {"call 1": "open"}
    assert outcomes(only(task), "dropped call") == {"call 1": "caught"}


def test_calls_that_depend_on_each_other_keep_their_order() -> None:
    task = made(
        0,
        [
            create("Paint it", bind="new"),
            update("", "list_name", "Completed"),
            update("00000004", "board", "Front end"),
        ],
        inserted("Paint it", list_name="Completed"),
        updated("00000004", board="Front end"),
    )
    bound = task.solution[1].model_copy(update={"arguments": {**task.solution[1].arguments, "task_id": {"ref": "new"}}})
    found = only(task.model_copy(update={"solution": (task.solution[0], bound, task.solution[2])}))

    orders = [result.what for result in of(found, "other order")]
    assert orders[0] == "calls in the order 3, 1, 2"
    assert all(order.index("1") < order.index("2") for order in orders)
    assert found.sound


def test_two_calls_on_one_row_have_one_order() -> None:
    task = made(
        0,
        [update("00000003", "list_name", "Completed"), update("00000003", "list_name", "In Review")],
        updated("00000003", list_name="In Review"),
    )

    assert of(only(task), "other order") == []


def test_letter_case_is_changed_only_where_the_comparison_folds_it() -> None:
    folded, exact = two_moves(), two_moves().model_copy(update={"compare": Compare()})

    assert outcomes(only(folded), "other case") == {"call 1, new_value": "unplayed", "call 2, new_value": "passed"}
    assert outcomes(only(exact), "other case") == {"call 1, new_value": "unplayed", "call 2, new_value": "unplayed"}


def test_any_single_write_is_wrong_where_nothing_is_to_be_done() -> None:
    found = only(nothing())

    assert outcomes(found, "unasked write") == {
        "projects.create_task": "caught", "projects.delete_task": "caught", "projects.update_task": "caught",
    }  # fmt: skip


def test_a_twin_of_the_row_must_do_as_well() -> None:
    task = made(0, [update("00000003", "list_name", "Completed")], updated("00000003", list_name="Completed"))
    row = next(row for row in toy.world().rows["projects"]["tasks"] if row["id"] == "00000003")
    twin = {name: value for name, value in row.items() if name != "id"}
    edit = {"op": "add", "app": "projects", "table": "tasks", "id": "00000099", "values": twin}
    ambiguous = Task.model_validate({**task.model_dump(), "setup": [edit]})
    either = ambiguous.model_copy(
        update={"ends": (*ambiguous.ends, End(changes=(updated("00000099", list_name="Completed"),)))}
    )

    assert outcomes(only(ambiguous), "twin row") == {"call 1, task_id": "rejected"}
    assert outcomes(only(either), "twin row") == {"call 1, task_id": "passed"}


def test_a_wrong_reference_is_a_problem() -> None:
    refused = made(0, [update("00000077", "list_name", "Completed")], updated("00000003", list_name="Completed"))
    found = only(refused)

    texts = [finding.text for finding in found.found if finding.check == "oracle"]
    assert "call 1, projects.update_task: No task has the id '00000077'." in texts
    assert any(text.startswith("the reference is not right") for text in texts)
    assert not found.sound


def test_a_check_that_breaks_is_reported_and_ends_nothing() -> None:
    def breaks(task: Task, trajectory: Trajectory, verdicts: Verdicts) -> Score:
        if len(trajectory.calls) > 2:
            raise KeyError("third")
        return outcome(task, trajectory)

    found = only(two_moves(), check=breaks)

    assert {result.outcome for result in of(found, "extra insert")} == {"void"}
    assert "the check raised KeyError: 'third'" in {result.reason for result in found.results}
    assert not found.sound


def test_a_declared_exception_fails_nothing_and_is_published() -> None:
    why = "The order is what this task is about."
    names = ("other order", "other case", "extra read", "failed call first")
    task = two_moves(facts={"audit": dict.fromkeys(names, why)})
    found = only(task, check=same_calls_in_order)

    assert found.sound
    assert {each["what"] for each in found.as_json()["declared"]} == set(names)
    assert {each["reason"] for each in found.as_json()["declared"]} == {why}


def test_the_certificate_names_what_was_audited() -> None:
    whole = suite()
    found = json.loads(json.dumps(audit(whole, seed=3).as_json()))

    assert (found["suite"], found["version"], found["digest"], found["seed"]) == ("toy", "1", whole.digest, 3)
    assert {row["task"]: row["hash"] for row in found["by_task"]} == {task.id: task.hash for task in whole.tasks}
    assert (found["tasks"], found["of"], found["oracle"], found["idle"]) == (2, 2, 2, 1)
    assert [row["mutation"] for row in found["mutations"]] == [*MUST, "all"]


def test_the_seed_alone_decides_the_draws() -> None:
    assert audit(suite(), seed=1).as_json() == audit(suite(), seed=1).as_json()
    assert audit(suite(), seed=1).results != audit(suite(), seed=2).results


def test_what_is_drawn_for_a_task_does_not_depend_on_other_tasks() -> None:
    alone = audit(toy.suite(), limit=1).results
    together = [result for result in audit(toy.suite(), limit=3).results if result.task == "toy-0"]

    assert alone == together


@pytest.mark.slow
def test_workers_change_nothing() -> None:
    alone = audit(toy.suite(), limit=5).as_json()

    assert audit(toy.suite(), limit=5, workers=2, loader="tests.audit.toys:load").as_json() == alone


@pytest.mark.slow
def test_a_worker_that_loads_another_suite_stops_the_audit() -> None:
    with pytest.raises(SuiteError, match="not the same in a worker"):
        audit(suite(), workers=2, loader="tests.audit.toys:load")


WAITING = """
import sys
from harness.audit import audit
from harness.play.stopping import Terminated
from tests.audit import toys
try:
    audit(toys.waiting(), workers=2, loader="tests.audit.toys:waiting")
except Terminated:
    sys.exit(143)
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no signals to send to another process")
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_an_audit_that_is_stopped_ends_its_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, status: int
) -> None:
    told = [tmp_path / "toy-0", tmp_path / "toy-1"]
    for each in told:
        os.mkfifo(each)
    monkeypatch.setenv("TOLD", str(tmp_path))
    with started(WAITING, folder=tmp_path) as process:
        workers = [psutil.Process(int(each.read_text(encoding="utf-8"))) for each in told]
        process.send_signal(number)
        _, err = process.communicate(timeout=30)

    assert process.returncode == status, err
    assert psutil.wait_procs(workers, timeout=10)[1] == []


def test_a_suite_that_works_out_its_solutions_is_audited_by_those() -> None:
    task = two_moves()
    bare = replace(suite(task.model_copy(update={"solution": ()})), solved=lambda each, toolsets: task.solution)

    found = audit(bare)

    assert found.sound
    assert len(found.results) == len(only(task).results)
