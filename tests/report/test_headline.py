"""The first screen says how many trials there are, not how many its config asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.core.config import Condition, IdleConfig, OracleConfig, RunConfig
from harness.core.suite import Headline, Scored, Suite
from harness.play.run import evaluate
from harness.report import Chart, Figure
from harness.report.headline import headline
from harness.report.page import NAME
from harness.report.reading import Read
from tests.harness import toy


@pytest.fixture
def play(tmp_path: Path) -> Callable[..., Sequence[Scored]]:
    """`play(config, sample=2)` gives all trials of one run, however often it is gone on with."""

    def played(config: RunConfig, **options: Any) -> Sequence[Scored]:
        return Read.of(evaluate(config, toy.suite(), toy.Wiring(), tmp_path / "run", **options), toy.suite()).trials

    return played


def two(**changes: object) -> RunConfig:
    agents = (OracleConfig(kind="oracle"), IdleConfig(kind="idle"))
    return RunConfig.model_validate(
        {"suite": "toy", "agents": agents, "conditions": {"a": Condition(), "b": Condition()}, **changes}
    )


def test_tasks_set_aside_are_not_missing_from_a_whole_run(tmp_path: Path) -> None:
    suite = replace(toy.suite(), aside=frozenset(task.id for task in toy.suite().tasks[2:]))
    read = Read.of(evaluate(toy.config(trials=1), suite, toy.Wiring(), tmp_path / "run"), suite)

    assert "2 tasks of toy@1, one trial each." in read.headline.table.notes
    assert not [note for table in read.tables or () for note in table.notes if "tasks played" in note]


def notes(config: RunConfig, trials: Sequence[Scored]) -> Sequence[str]:
    return headline(config, toy.suite(), trials).table.notes


def test_trials_of_before_are_counted_where_the_config_asks_for_fewer_now(
    play: Callable[..., Sequence[Scored]],
) -> None:
    play(toy.config(trials=2), limit=2)
    config = toy.config(trials=1)

    assert notes(config, play(config, limit=2))[0] == "2 of 12 tasks of toy@1, 2 trials each."


def test_tasks_with_more_trials_than_others_are_told_and_weigh_more(play: Callable[..., Sequence[Scored]]) -> None:
    play(toy.config(trials=1), sample=4)
    config = toy.config(trials=3)

    assert list(notes(config, play(config, sample=2)))[:3] == [
        "Unfinished: 8 of 12 trials of these tasks were played.",
        "4 of 12 tasks of toy@1, 1 to 3 trials each.",
        "In means over trials, tasks that have more of them weigh more.",
    ]


def test_of_a_run_that_was_killed_it_is_said_what_was_not_begun(play: Callable[..., Sequence[Scored]]) -> None:
    config = two(trials=2)
    trials = play(config, limit=3)

    first = notes(config, trials[:5])[:2]
    half = notes(config, [each for each in trials if each.trajectory.condition == "a"])[:2]

    assert first == (
        "Unfinished: 5 of 24 trials of these tasks were played, none by idle or under b.",
        "3 of 12 tasks of toy@1, 1 to 2 trials each.",
    )
    assert half == (
        "Unfinished: 12 of 24 trials of these tasks were played, none under b.",
        "3 of 12 tasks of toy@1, 2 trials each.",
    )


def test_of_a_whole_run_nothing_is_unfinished(play: Callable[..., Sequence[Scored]]) -> None:
    config = two()

    assert notes(config, play(config))[0] == "12 tasks of toy@1, one trial each."


def test_forks_are_no_grid_that_could_be_unfinished(play: Callable[..., Sequence[Scored]]) -> None:
    config = two()
    trials = play(config, limit=1)[:1]
    parent = {"run": "run", "trial": "oracle.a.toy-0.0", "step": 1}
    forked = [
        each._replace(trajectory=each.trajectory.model_validate({**each.trajectory.model_dump(), "parent": parent}))
        for each in trials
    ]

    assert notes(config, forked)[0] == "1 of 12 tasks of toy@1, one trial each."


def test_a_headline_that_is_drawn_keeps_its_charts_and_the_run_has_a_page(tmp_path: Path) -> None:
    chart = Chart("bars", "agent", ("tasks",))

    def drawn(config: RunConfig, suite: Suite, trials: Sequence[Scored]) -> Headline:
        return Headline(Figure.of("F", ["agent", "tasks"], [{"agent": "a", "tasks": 1}], [], chart), "One.")

    suite = replace(toy.suite(), headline=drawn)
    read = Read.of(evaluate(two(), suite, toy.Wiring(), tmp_path / "run", sample=1), suite)
    found = read.headline

    assert found is not None
    assert isinstance(found.table, Figure)
    assert found.table.charts == (chart,)
    assert read.leave_page() == tmp_path / "run" / NAME
