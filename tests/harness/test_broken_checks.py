"""A check of a suite that breaks takes its own score with it, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from harness import open_task
from harness.play.run import evaluate, score_run
from harness.record.scores import BROKEN, breaks
from harness.record.store import Run, TrialRecord
from harness.score import Score, outcome
from harness.suite import Suite
from tests.harness import toy
from tests.service.scenes import service

HERE = "tests/harness/test_broken_checks.py"


def divided(*_: Any) -> Score:
    return Score(value=1 / 0)


def number(*_: Any) -> Any:
    return 1.0


def endless(*_: Any) -> Score:
    return Score(value=float("inf"))


def unstored(*_: Any) -> Score:
    return Score(value=1.0, detail={"what": object()})


def uncalled(task: Any) -> Score:
    return Score(value=1.0)


def checked(check: Callable[..., Any]) -> Suite:
    return replace(toy.suite(), checks={"asking": check, "outcome": outcome})


def played(folder: Path, check: Callable[..., Any]) -> tuple[Run, list[TrialRecord]]:
    run = evaluate(toy.config(), checked(check), toy.Wiring(), folder)
    return run, list(run.records())


@pytest.mark.parametrize(
    ("check", "problem"),
    [
        (divided, f"check 'asking' raised ZeroDivisionError: division by zero ({HERE}:"),
        (
            uncalled,
            "check 'asking' raised TypeError: uncalled() takes 1 positional argument but 3 were given "
            f"({HERE}:{uncalled.__code__.co_firstlineno})",
        ),
        (number, f"check 'asking' ({HERE}:{number.__code__.co_firstlineno}) gave 1.0, and a check gives a `harness.sc"),
        (endless, f"check 'asking' ({HERE}:{endless.__code__.co_firstlineno}) gave the value inf, which is not finite"),
        (unstored, f"check 'asking' ({HERE}:{unstored.__code__.co_firstlineno}) gave a score that cannot be stored: "),
    ],
)
def test_a_check_that_breaks_leaves_the_trial_whole_and_says_why_it_gave_no_score(
    tmp_path: Path, check: Callable[..., Any], problem: str
) -> None:
    _, records = played(tmp_path / "run", check)

    assert len(records) == 12
    assert {record.trajectory.status for record in records} == {"finished"}
    assert {record.scores["outcome"].value for record in records} == {1.0}
    assert {(record.scores["asking"].value, record.scores["asking"].label) for record in records} == {(None, BROKEN)}
    assert {record.scores["asking"].reason[: len(problem)] for record in records} == {problem}
    assert [line.startswith(f"12 trials lack a score: {problem}") for line in breaks(records)] == [True]


def test_a_check_that_was_mended_scores_what_was_played(tmp_path: Path) -> None:
    run, before = played(tmp_path / "run", divided)
    score_run(run, checked(outcome))
    after = list(run.records())

    assert {record.scores["asking"].value for record in after} == {1.0}
    assert [record.trajectory for record in after] == [record.trajectory for record in before]


def test_going_on_with_a_run_scores_what_a_check_had_broken_on_and_plays_none_of_it(tmp_path: Path) -> None:
    run, before = played(tmp_path / "run", divided)
    evaluate(toy.config(), checked(outcome), toy.Wiring(), run.folder)
    after = list(run.records())

    assert breaks(after) == []
    assert [record.trajectory for record in after] == [record.trajectory for record in before]


def test_a_check_that_breaks_on_an_open_task_is_told_in_its_score(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.front.workplace._suite", lambda name: checked(divided))

    with open_task("toy", "toy-0") as task:
        score, other = task.score("asking"), task.score()

    assert (score.value, score.label) == (None, BROKEN)
    assert score.reason.startswith(f"check 'asking' raised ZeroDivisionError: division by zero ({HERE}:")
    assert other.label == "nothing_done"


def test_a_check_that_breaks_in_a_service_leaves_the_other_scores() -> None:
    class Checked(toy.Wiring):
        def suite(self, name: str, scale: int = 1) -> Suite:
            return replace(super().suite(name, scale), checks={"a": divided, "b": unstored, "outcome": outcome})

    async def main() -> None:
        async with service(wiring=Checked()) as scene:
            box = await scene.client.create(suite="toy", task="toy-0")
            found = (await box.score()).scores

        assert [found[name].label for name in ("a", "b", "outcome")] == [BROKEN, BROKEN, "nothing_done"]

    anyio.run(main)
