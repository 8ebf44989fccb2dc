"""What trials without a user make of a variant."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.lhaw.build.classes import classified, terminal_state
from harness.record.store import TrialRecord
from harness.score import outcome
from harness.task import Compare, Task
from harness.trajectory import Trajectory
from servers.kernel import Change
from tests.lhaw.scenes import source

ONE, TWO = ["a", "a", "a"], ["a", "a", "b"]


@pytest.mark.parametrize(
    ("successes", "states", "new_task", "expected"),
    [
        (0, ONE, "yes", "new-task"),
        (0, ONE, "no", "outcome-critical"),
        (0, ONE, "unjudged", "outcome-critical"),
        (0, TWO, "no", "outcome-critical"),
        (3, ONE, "no", "benign"),
        (3, TWO, "no", "benign"),
        (1, TWO, "no", "divergent"),
        (2, TWO, "no", "divergent"),
    ],
)
def test_our_definition_is_a_partition(successes: int, states: list[str], new_task: Any, expected: str) -> None:
    assert classified(3, successes, states, new_task) == (expected,)


@pytest.mark.parametrize(
    ("successes", "states", "expected"),
    [
        (0, ONE, ("outcome-critical", "new-task")),
        (0, TWO, ("outcome-critical",)),
        (3, ONE, ("benign",)),
        (3, TWO, ("divergent",)),
        (1, TWO, ("divergent",)),
        (1, ONE, ("benign",)),
    ],
)
def test_the_definition_of_the_paper_is_applied_to_the_letter(
    successes: int, states: list[str], expected: tuple[str, ...]
) -> None:
    assert classified(3, successes, states, "unjudged", "paper") == expected


@pytest.mark.parametrize("definition", ["ours", "paper"])
def test_void_comes_before_everything(definition: str) -> None:
    assert classified(3, 0, (), "yes", definition, void=True) == ("void",)


def mail(number: int, **fields: Any) -> Change:
    after = {"address": f"priya{number}@example.test", **fields}
    return Change(before=None, app="gmail", table="emails", id=f"e{number}", after=after)


def ended(task: Task, *changes: Change) -> str:
    trajectory = Trajectory(
        suite="x", task=task.id, task_hash="", agent="a", condition="c", trial=0, seed=0, prompt="underspecified",
        status="finished", changes=list(changes),
    )  # fmt: skip
    return terminal_state(task, TrialRecord(trajectory=trajectory, scores={"outcome": outcome(task, trajectory)}))


def test_a_terminal_state_has_the_checkpoints_and_whether_anything_else_changed() -> None:
    task = source(changes=3)

    assert ended(task, mail(0), mail(2)) == "(1, 0, 1; 0)"
    assert ended(task, mail(0), mail(2), mail(7)) == "(1, 0, 1; 1)"
    assert ended(task) == "(0, 0, 0; 0)"


def test_fewer_than_three_checkpoints_make_way_for_a_digest_of_what_changed() -> None:
    task = source(changes=2)

    assert ended(task, mail(8)) != ended(task, mail(9))
    assert ended(task, mail(8), mail(9)) == ended(task, mail(9), mail(8))


def test_what_is_never_compared_makes_no_other_state() -> None:
    compare = Compare(text=frozenset({"gmail.emails.subject"}), free=frozenset({"gmail.emails.sent"}))
    task = source(changes=1).model_copy(update={"compare": compare})

    assert ended(task, mail(8, subject="Hello  there", sent=1)) == ended(task, mail(8, subject="hello there", sent=2))
    assert ended(task, mail(8, subject="Hello")) != ended(task, mail(8, subject="Bye"))
