"""Fields and rows that nothing checks are found by trying, and fail the audit unless they are declared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest

from harness.audit import Certificate, audit
from harness.audit.unchecked import Unchecked
from harness.score import Score, Verdicts, outcome
from harness.suite import Check, Suite
from harness.task import Compare, End, Task
from harness.trajectory import Trajectory
from servers.kernel import Change
from tests.audit.toys import (
    create,
    inserted,
    made,
    nothing,
    only,
    same_calls_in_order,
    suite,
    two_moves,
    update,
    updated,
)
from tests.harness import toy

WRITTEN, OTHERS, ADDED, REMOVED = "in rows that are written", "in other rows", "a row added", "a row removed"
TASKS = "projects.tasks"
FIELDS = ("task_name", "assigned_to_email", "list_name", "due_date", "board")


def freed(task: Task, *fields: str) -> Task:
    return task.model_copy(update={"compare": Compare(free=frozenset(f"{TASKS}.{field}" for field in fields))})


def declaring(whole: Suite, **reasons: str) -> Suite:
    return replace(whole, unchecked={f"{TASKS}.{n}" if n != "rows" else TASKS: why for n, why in reasons.items()})


def told(found: Certificate) -> dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]]:
    return {each.what: (each.state, each.where, each.tasks) for each in found.unchecked}


def blind(seen: Callable[[Change], bool]) -> Check:
    """A check that looks at some changes alone."""

    def check(task: Task, trajectory: Trajectory, verdicts: Verdicts) -> Score:
        return outcome(task, trajectory.model_copy(update={"changes": [c for c in trajectory.changes if seen(c)]}))

    return check


ADD, MOVE = made(0, [create("Paint it")], inserted("Paint it")), toy.task(1)


def test_where_everything_is_compared_nothing_is_unchecked() -> None:
    assert only(ADD, MOVE, nothing(2)).unchecked == []


def test_a_check_gutted_by_freeing_what_decides_fails_the_audit_although_all_wrong_work_is_caught() -> None:
    names = [f"Job number {n}" for n in range(3)]
    tasks = [made(n, [create(name)], inserted(name)) for n, name in enumerate(names)]
    found = only(*(freed(task, "task_name", "board") for task in tasks))

    counts = found.as_json()
    assert (counts["survived"], counts["caught"] > 0, counts["sound"]) == (0, True, False)
    all_ = ("toy-0", "toy-1", "toy-2")
    assert told(found) == {
        f"{TASKS}.board": ("undeclared", (WRITTEN, OTHERS), all_),
        f"{TASKS}.task_name": ("undeclared", (WRITTEN, OTHERS), all_),
    }
    assert found.faults == found.unchecked


def test_a_field_that_one_task_frees_is_named_with_that_task() -> None:
    assert told(only(ADD, freed(MOVE, "due_date"))) == {
        f"{TASKS}.due_date": ("undeclared", (WRITTEN, OTHERS), ("toy-1",))
    }


def test_a_check_that_looks_away_is_found_without_a_look_at_the_comparison() -> None:
    """The check of these drops a field from what it compares; `compare` says nothing of it."""

    def check(task: Task, trajectory: Trajectory, verdicts: Verdicts) -> Score:
        end = [change.model_copy(update={"values": {**change.values, "board": "x"}}) for change in task.ends[0].changes]
        changes = [
            change.model_copy(update={"after": {**(change.after or {}), "board": "x"}})
            if change.op == "insert"
            else change
            for change in trajectory.changes
        ]
        ends = (task.ends[0].model_copy(update={"changes": tuple(end)}),)
        return outcome(task.model_copy(update={"ends": ends}), trajectory.model_copy(update={"changes": changes}))

    assert told(only(ADD, check=check)) == {f"{TASKS}.board": ("undeclared", (WRITTEN,), ("toy-0",))}


@pytest.mark.parametrize(
    ("check", "what"),
    [
        (blind(lambda change: change.op != "insert"), {TASKS: (ADDED,)}),
        (blind(lambda change: change.op != "delete"), {TASKS: (REMOVED,)}),
        (
            blind(lambda change: change.op != "update" or change.id == "00000001"),
            {f"{TASKS}.{field}": (OTHERS,) for field in FIELDS},
        ),
    ],
)
def test_rows_that_nothing_checks_are_found(check: Check, what: Mapping[str, Sequence[str]]) -> None:
    assert {name: where for name, (_, where, _) in told(only(MOVE, check=check)).items()} == what


def test_a_declared_field_is_published_with_its_reason_and_fails_nothing() -> None:
    whole = declaring(suite(freed(ADD, "due_date")), due_date="The request leaves the day open.")
    found = audit(whole)

    assert found.sound
    assert found.as_json()["unchecked"] == [
        {
            "what": f"{TASKS}.due_date", "state": "declared", "where": [WRITTEN, OTHERS], "tasks": ["toy-0"],
            "reason": "The request leaves the day open.",
        }
    ]  # fmt: skip
    assert found.tables()[-1].title == "Audit: what nothing checks"
    assert found.tables()[-1].rows[0]["reason"] == "The request leaves the day open."


def test_a_table_is_declared_with_all_its_fields() -> None:
    whole = declaring(suite(freed(ADD, "due_date", "board")), rows="A log, which nobody reads.")

    assert audit(whole).sound


def test_one_declared_field_does_not_excuse_another() -> None:
    whole = declaring(suite(freed(ADD, "due_date", "board")), due_date="Open.")

    assert [fault.what for fault in audit(whole).faults if isinstance(fault, Unchecked)] == [f"{TASKS}.board"]


def test_a_declaration_without_a_reason_is_none() -> None:
    assert not audit(declaring(suite(freed(ADD, "due_date")), due_date="")).sound


def test_a_task_declares_what_it_alone_leaves_open() -> None:
    first = freed(ADD, "due_date").model_copy(update={"facts": {"audit": {f"{TASKS}.due_date": "The day is open."}}})
    second = freed(MOVE, "due_date")

    assert only(first, MOVE).sound
    assert told(only(first, second)) == {f"{TASKS}.due_date": ("undeclared", (WRITTEN, OTHERS), ("toy-1",))}


def test_a_declaration_of_what_there_is_not_fails_and_one_of_what_is_checked_is_only_listed() -> None:
    found = audit(replace(suite(ADD), unchecked={"projects.task.board": "typed wrongly", f"{TASKS}.board": "once"}))

    assert told(found) == {
        "projects.task.board": ("unknown", (), ()), f"{TASKS}.board": ("needless", (), ()),
    }  # fmt: skip
    assert [fault.what for fault in found.faults if isinstance(fault, Unchecked)] == ["projects.task.board"]


def test_whether_a_declaration_is_needless_is_not_said_of_a_part_of_the_suite() -> None:
    whole = declaring(suite(ADD, freed(MOVE, "board")), board="Open.")

    assert audit(whole, task="toy-0").unchecked == []
    assert told(audit(whole))[f"{TASKS}.board"][0] == "declared"


def test_ends_that_the_task_lists_besides_are_not_taken_for_a_field_that_nothing_checks() -> None:
    call = update("00000003", "list_name", "Completed")
    ends = [End(changes=(updated("00000003", list_name=name),)) for name in ("Completed", "In Review")]

    assert only(made(0, [call]).model_copy(update={"ends": tuple(ends)})).unchecked == []


def test_a_check_of_the_calls_alone_sees_what_they_were_given() -> None:
    assert only(ADD, MOVE, nothing(2), check=same_calls_in_order).unchecked == []


def test_a_task_whose_reference_is_refused_says_nothing_of_what_is_checked() -> None:
    wrong = made(0, [update("00000003", "board", "Front end")], updated("00000003", board="Back end"))

    assert only(wrong).unchecked == []


def test_the_seed_alone_decides_what_is_tried() -> None:
    whole = suite(freed(two_moves(), "board"), nothing(1))

    assert audit(whole, seed=4).audits == audit(whole, seed=4).audits


def answered(task: Task, trajectory: Trajectory, verdicts: Verdicts) -> Score:
    """Right where the first call hands in the task's answer, or where none is due, whatever rows are left."""
    made = [(call.tool, call.arguments) for call in trajectory.calls if call.status == "ok"]
    due = [(call.tool, dict(call.arguments)) for call in task.solution]
    return Score(value=float(made[:1] == due), reason="The first call counts.")


def idle(found: Certificate) -> list[str]:
    """What is said of doing nothing."""
    return [each.text for audit in found.audits for each in audit.findings if each.check == "idle"]


ANSWER = made(0, [create("Paint it")])
"""Its reference hands something in, and no row has to change."""


def test_doing_nothing_may_be_refused_where_an_answer_is_due_in_rows_that_nothing_checks() -> None:
    found = audit(declaring(suite(ANSWER, check=answered), rows="the first call counts"))

    assert idle(found) == []


def test_doing_nothing_may_not_be_accepted_where_an_answer_is_due() -> None:
    found = audit(declaring(suite(ANSWER, check=blind(lambda change: False)), rows="the first call counts"))

    assert idle(found) == ["doing nothing is accepted, and an answer is due"]


def test_doing_nothing_may_not_be_refused_where_the_rows_are_checked() -> None:
    found = audit(suite(ANSWER, check=answered))

    assert idle(found) == ["doing nothing is refused, and nothing has to change"]


def test_a_row_more_that_nothing_checks_is_open_where_it_is_declared_and_a_wrong_answer_is_caught() -> None:
    found = audit(declaring(suite(ANSWER, check=answered), rows="the first call counts"))

    came = {mutation: {result.outcome for result in found.results if result.mutation == mutation} for mutation in (
        "extra insert", "wrong text", "dropped call",
    )}  # fmt: skip
    assert came == {"extra insert": {"open"}, "wrong text": {"caught"}, "dropped call": {"caught"}}


def test_a_reference_that_does_nothing_where_the_end_wants_a_change_is_what_is_wrong() -> None:
    found = audit(suite(made(0, [], updated("00000003", list_name="Completed"))))

    assert idle(found) == []
    assert [each.check for each in found.audits[0].findings if each.level == "problem"] == ["oracle"]
