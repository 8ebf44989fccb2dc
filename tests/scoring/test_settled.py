"""What a suite settles is what `outcome` compares."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from harness.play.run import evaluate
from harness.record.scores import BROKEN, scores
from harness.score import Score, outcome
from harness.suite import Suite
from harness.task import End, Task
from harness.trajectory import Trajectory
from servers.kernel import Change
from tests.harness import toy
from tests.scoring.scenes import changed, end, want_change

TASK = Task(id="t", world="w", apps=("shop",), sessions=(), ends=(end(want_change("items", "1", price=3)),))
CENT_LESS = changed("items", "1", {"price": 2.0}, price=2.99)


def whole(task: Task, trajectory: Trajectory) -> tuple[Task, Trajectory]:
    """Prices to the nearest whole."""
    rounded = [
        change.model_copy(update={"after": {**(change.after or {}), "price": round((change.after or {})["price"])}})
        for change in trajectory.changes
    ]
    return task, trajectory.model_copy(update={"changes": rounded})


def breaks(task: Task, trajectory: Trajectory) -> Any:
    raise KeyError("price")


def suite(**fields: Any) -> Suite:
    usual: dict[str, Any] = {"checks": {"outcome": outcome}, "world": lambda _: toy.world(), "settled": whole}
    return Suite(name="shop", version="1", description="", tasks=[TASK], **usual | fields)


def trial(*changes: Change) -> Trajectory:
    return Trajectory(
        suite="shop", task="t", task_hash=TASK.hash, agent="a", condition="c", trial=0, seed=0, prompt="original",
        status="finished", changes=list(changes),
    )  # fmt: skip


def test_outcome_compares_what_the_suite_settles() -> None:
    assert scores(suite(settled=None).checks, TASK, trial(CENT_LESS))["outcome"].value == 0.0
    assert scores(suite().checks, TASK, trial(CENT_LESS))["outcome"].value == 1.0


def test_outcome_that_is_told_what_texts_say_compares_it_too() -> None:
    told = partial(outcome, told=lambda expected, value: None)

    assert scores(suite(checks={"outcome": told}).checks, TASK, trial(CENT_LESS))["outcome"].value == 1.0


def test_what_rules_alone_make_of_a_trial_compares_it_too() -> None:
    ruled = suite(ruled=outcome).ruled

    assert ruled is not None
    assert ruled(TASK, trial(CENT_LESS), {}).value == 1.0


def test_a_check_of_the_suites_own_gets_task_and_trial_as_they_are() -> None:
    def own(task: Task, trajectory: Trajectory, verdicts: object) -> Score:
        return outcome(task, trajectory)

    assert scores(suite(checks={"outcome": own}).checks, TASK, trial(CENT_LESS))["outcome"].value == 0.0


@pytest.mark.parametrize(("settled", "value"), [(None, 0.0), (lambda task, t: (task, whole(task, t)[1]), 1.0)])
def test_a_copy_of_a_suite_settles_in_its_own_way(settled: Any, value: float) -> None:
    copy = replace(suite(), settled=settled)

    assert scores(copy.checks, TASK, trial(CENT_LESS))["outcome"].value == value


def test_what_breaks_while_it_is_settled_is_named_with_its_place() -> None:
    found = scores(suite(settled=breaks).checks, TASK, trial(CENT_LESS))["outcome"]

    line = breaks.__code__.co_firstlineno + 1
    assert (found.label, found.value) == (BROKEN, None)
    assert found.reason == f"check 'outcome' raised KeyError: 'price' (tests/scoring/test_settled.py:{line})"


def test_trials_that_are_played_are_scored_as_settled(tmp_path: Path) -> None:
    def nothing_asked(task: Task, trajectory: Trajectory) -> tuple[Task, Trajectory]:
        return task.model_copy(update={"ends": (End(),)}), trajectory

    asked_nothing = replace(toy.suite([toy.task(0)]), settled=nothing_asked)
    config = toy.config(tasks=("toy-0",))
    run = evaluate(config, asked_nothing, toy.Wiring(make=lambda _: toy.Scripted([])), tmp_path / "run")

    assert [record.scores["outcome"].label for record in run.records()] == ["correct"]
