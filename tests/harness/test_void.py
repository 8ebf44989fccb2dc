"""Trials that would be void: refused beforehand where that can be known, and never by the dozen."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.core.config import Condition, ConfigProblem, RunConfig
from harness.core.desk import Agent
from harness.play.run import Progress, evaluate, plan
from harness.record.store import Run
from harness.suite import Suite, SuiteError
from harness.task import Task
from servers.catalog import UnknownApp
from servers.kernel import Edit, World
from tests.harness import toy


def statuses(run: Run) -> list[str]:
    return sorted(record.trajectory.status for record in run.records())


def played(folder: Path, wiring: toy.Wiring, **options: Any) -> tuple[Run, Progress]:
    seen: list[Progress] = []
    config = toy.config(**toy.ASKING, trials=4)
    run = evaluate(config, wiring.suite("toy"), wiring, folder, listener=seen.append, **options)
    return run, seen[-1]


@pytest.mark.parametrize(
    "options",
    [{"concurrency": 1}, {"concurrency": 1, "workers": 2, "wiring_factory": "tests.harness.toy:dead"}],
    ids=["one process", "two workers"],
)
def test_a_run_stops_after_eight_void_trials_of_one_cause_in_a_row(tmp_path: Path, options: dict[str, Any]) -> None:
    run, last = played(tmp_path / "run", toy.dead(), **options)

    assert last.stopped == "8 void trials in a row, each because: the simulator is down"
    assert 8 <= last.done < 48
    assert statuses(run) == ["void"] * last.done


def test_trials_in_flight_end_and_none_starts_after_them(tmp_path: Path) -> None:
    run, last = played(tmp_path / "run", toy.dead(), concurrency=5)

    assert 8 <= last.done <= 8 + 4
    assert last.void == last.done == len(statuses(run))


def test_a_stopped_run_counts_afresh_and_goes_on_to_its_end(tmp_path: Path) -> None:
    _, first = played(tmp_path / "run", toy.dead(), concurrency=1)
    _, again = played(tmp_path / "run", toy.dead(), concurrency=1)
    run, last = played(tmp_path / "run", toy.Wiring(), concurrency=1)

    assert (first.void, again.void) == (8, 8)
    assert (last.done, last.void, last.stopped) == (48, 0, "")
    assert statuses(run) == ["finished"] * 48


def test_a_trial_that_is_not_void_starts_the_count_again(tmp_path: Path) -> None:
    config = toy.config(**toy.ASKING)
    wiring = toy.dead("toy-0", "toy-7")  # six are void between them, and four after
    run = evaluate(config, wiring.suite("toy"), wiring, tmp_path / "run", concurrency=1)

    assert statuses(run) == ["finished"] * 2 + ["void"] * 10


def test_void_trials_of_several_causes_stop_no_run(tmp_path: Path) -> None:
    class Fickle:
        def __init__(self, task: Task) -> None:
            self._even = int(task.id[4:]) % 2 == 0

        async def turn(self, *_: object) -> str:
            raise ValueError("even") if self._even else LookupError("odd")

    wiring = toy.Wiring(make=Fickle)
    run = evaluate(toy.config(), wiring.suite("toy"), wiring, tmp_path / "run", concurrency=1)

    assert statuses(run) == ["void"] * 12


def test_numbers_ids_and_addresses_of_a_trial_do_not_tell_causes_apart(tmp_path: Path) -> None:
    class Numbered:
        def __init__(self, task: Task) -> None:
            self._task = task

        async def turn(self, *_: object) -> str:
            number = int(self._task.id[4:])
            raise OSError(f"{self._task.id}: http://127.0.0.1:{8000 + number}/ab{number}f at {hex(number)}: refused")

    seen: list[Progress] = []
    wiring = toy.Wiring(make=Numbered)
    evaluate(toy.config(), wiring.suite("toy"), wiring, tmp_path / "run", concurrency=1, listener=seen.append)

    assert seen[-1].done == 8
    assert seen[-1].stopped.endswith("OSError: toy-7: http://127.0.0.1:8007/ab7f at 0x7: refused")


def lacking(*numbers: int, sessions: int = 1) -> list[Task]:
    """Twelve tasks, of which those numbered have no underspecified prompt, in their last session at least."""
    tasks = []
    for n in range(12):
        task = toy.task(n, ask=True, sessions=sessions)
        if n in numbers:
            last = task.sessions[-1]
            bare = last.model_copy(update={"requests": {"original": last.requests["original"]}, "briefs": {}})
            task = task.model_copy(update={"sessions": (*task.sessions[:-1], bare), "withheld": {}})
        tasks.append(task)
    return tasks


VAGUE = {"conditions": {"plain": Condition(), "vague": Condition(prompt="underspecified")}}


@pytest.mark.parametrize("sessions", [1, 2])
def test_a_prompt_that_some_tasks_lack_is_refused_with_their_names(tmp_path: Path, sessions: int) -> None:
    wiring = toy.Wiring(lacking(3, 4, 5, 8, 9, sessions=sessions))

    with pytest.raises(
        ConfigProblem,
        match=re.escape(
            "conditions.vague.prompt: 5 of 12 tasks have no prompt 'underspecified': toy-3, toy-4, toy-5 and 2 more; "
            "all of them have original"
        ),
    ):
        evaluate(toy.config(**VAGUE), wiring.suite("toy"), wiring, tmp_path / "run")

    assert not (tmp_path / "run").exists()


def test_only_tasks_that_would_be_played_need_the_prompt() -> None:
    suite = toy.suite(lacking(3))

    assert len(plan(toy.config(**VAGUE), suite, limit=3).jobs) == 6
    assert len(plan(toy.config(**VAGUE, tasks=("toy-1", "toy-4")), suite).jobs) == 4
    with pytest.raises(ConfigProblem, match="1 of 1 tasks have no prompt 'underspecified': toy-3;"):
        plan(toy.config(**VAGUE, tasks=("toy-3",)), suite)


def test_a_task_with_an_unknown_app_is_refused() -> None:
    odd = toy.task(1).model_copy(update={"apps": ("projects", "fax")})

    with pytest.raises(UnknownApp, match=r"^suite toy: task toy-1: apps: There is no app 'fax'\."):
        plan(toy.config(), toy.suite([toy.task(0), odd]))
    assert plan(toy.config(), toy.suite([toy.task(0), odd]), limit=1).jobs


def test_a_template_without_a_program_is_refused_for_the_reference_agent() -> None:
    async def program(_: object) -> None: ...

    config = RunConfig.model_validate({"suite": "toy", "agents": [{"kind": "reference", "name": "mine"}]})
    suite = replace(toy.suite(), programs={"template-0": program, "template-1": program})

    with pytest.raises(
        ConfigProblem,
        match="agent mine: suite toy has no program for template-2, template-3, the templates of 6 of 12 tasks: toy-2,",
    ):
        plan(config, suite)
    assert plan(config, suite, limit=2).jobs


def refused(folder: Path, suite: Suite) -> str:
    """With what a run is refused; nothing may have been played."""

    def agent(_: Task) -> Agent:
        raise AssertionError("a trial was started")

    with pytest.raises(SuiteError) as refusal:
        evaluate(toy.config(), suite, toy.Wiring(make=agent), folder)
    assert not list(folder.glob("trials/*"))
    return str(refusal.value)


def test_a_world_that_cannot_be_loaded_is_refused_before_the_first_trial(tmp_path: Path) -> None:
    def world(name: str) -> World:
        return toy.world() if name == "toy" else World.read(tmp_path / name)

    tasks = [toy.task(0), toy.task(1).model_copy(update={"world": "torn"})]
    found = refused(tmp_path / "run", replace(toy.suite(tasks), world=world))

    assert found.startswith("suite toy: world 'torn' cannot be loaded: ")
    assert str(tmp_path / "torn") in found


def test_a_setup_that_does_not_fit_its_world_is_refused_before_the_first_trial(tmp_path: Path) -> None:
    edit = Edit(op="change", app="projects", table="tasks", id="99999999", values={"list_name": "Completed"})
    found = refused(tmp_path, toy.suite([toy.task(0), toy.task(1, setup=(edit,))]))

    assert found.startswith("task toy-1: its setup does not fit world 'toy': ")
    assert "99999999" in found
