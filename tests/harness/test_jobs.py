"""Jobs are plain data, played world by world, and a world that no trial needs any more is let go."""

from __future__ import annotations

import gc
import pickle
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from harness.core.suite import _WORLDS
from harness.play.jobs import _shares
from harness.play.run import evaluate, plan
from harness.play.stage import Job, Stage
from harness.play.workers import spread
from harness.record.files import RunError
from harness.record.store import Run
from harness.suite import Suite, SuiteError
from harness.task import Task
from servers.kernel import Edit, World
from tests.harness import toy

WORLDS = 20


@pytest.fixture(autouse=True)
def _nothing_older_is_gone_through() -> Iterator[None]:
    """What other tests left in this process, a gigabyte or two, is not looked at in each collection here."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def task(number: int, world: int, setup: tuple[Edit, ...] = ()) -> Task:
    return toy.task(number, setup=setup).model_copy(update={"world": f"world-{world}"})


class Many:
    """A suite of many worlds, two tasks in each, that come by turns; and which of its worlds are in memory."""

    def __init__(self, tasks: Sequence[Task] = (), broken: str = "") -> None:
        self._alive: weakref.WeakSet[World] = weakref.WeakSet()
        self._broken = broken
        self.made: list[str] = []
        tasks = tasks or [task(n, n % WORLDS).model_copy(update={"id": f"{n}"}) for n in range(2 * WORLDS)]
        worlds = {name: self._world(name).digest for name in sorted({task.world for task in tasks})}
        self.suite = replace(toy.suite(tasks), world=self.world, worlds=worlds)

    def _world(self, name: str) -> World:
        return replace(toy.world(), name=name)

    def world(self, name: str) -> World:
        if name == self._broken:
            raise OSError("its file is gone")
        self.made.append(name)
        world = _Hashed(**vars(self._world(name)))
        self._alive.add(world)
        return world

    def alive(self) -> int:
        gc.collect()
        return len(self._alive)


class _Hashed(World):
    """A world that a set can hold."""

    __hash__ = object.__hash__


class Wiring(toy.Wiring):
    """Hands out a suite, and notes the worlds of agents in the order in which they were made."""

    def __init__(self, suite: Suite) -> None:
        super().__init__(make=self._note)
        self._suite = suite
        self.played: list[str] = []

    def _note(self, task: Task) -> toy.Scripted:
        self.played.append(task.world)
        return toy.Scripted([(f"{call.app}_{call.tool}", call.arguments) for call in task.solution])


def test_a_job_goes_to_another_process_and_to_json_and_comes_back() -> None:
    jobs = list(plan(toy.config(trials=2), toy.suite()).jobs)
    text = TypeAdapter(list[Job])

    assert pickle.loads(pickle.dumps(jobs)) == jobs
    assert text.validate_json(text.dump_json(jobs)) == jobs


def test_jobs_are_played_world_by_world_each_made_once(tmp_path: Path) -> None:
    many = Many()
    wiring = Wiring(many.suite)
    evaluate(toy.config(trials=2), many.suite, wiring, tmp_path / "run", concurrency=1)

    assert [len(list(each)) for _, each in groupby(wiring.played)] == [4] * WORLDS
    assert sorted(many.made) == sorted(many.suite.worlds)


def test_reports_find_trials_in_the_order_of_the_plan(tmp_path: Path) -> None:
    many, config = Many(), toy.config()
    run = evaluate(config, many.suite, Wiring(many.suite), tmp_path / "run")

    assert [job.task for job in plan(config, many.suite).jobs] == [task.id for task in many.suite.tasks]
    assert {record.trajectory.status for record in run.records()} == {"finished"}


def test_no_more_worlds_are_in_memory_than_trials_in_flight_and_the_few_that_a_suite_keeps(tmp_path: Path) -> None:
    many, seen = Many(), []
    evaluate(
        toy.config(), many.suite, Wiring(many.suite), tmp_path / "run", concurrency=2,
        listener=lambda _: seen.append(many.alive()),
    )  # fmt: skip

    assert len(many.made) == WORLDS
    assert _WORLDS / 2 < max(seen) <= _WORLDS + 2


def test_a_world_that_was_let_go_is_loaded_again(tmp_path: Path) -> None:
    many = Many()
    stage = Stage(toy.config(), many.suite, Wiring(many.suite))
    first = stage.base("world-0").world.digest
    stage.release("world-0")
    stage.release("world-1")  # which nobody loaded

    assert stage.base("world-0").world.digest == first
    stage.engine.close()


def test_a_world_that_does_not_fit_ends_a_run_at_its_first_job_and_loses_nothing(tmp_path: Path) -> None:
    tasks = [task(0, 0), task(1, 1), task(2, 2)]
    broken = Many(tasks, broken="world-1").suite
    with pytest.raises(SuiteError, match=r"^suite toy: world 'world-1' cannot be loaded: OSError: its file is gone \("):
        evaluate(toy.config(), broken, Wiring(broken), tmp_path / "run", concurrency=1)
    kept = [record.trajectory.task for record in Run.open(tmp_path / "run").records()]
    wiring = Wiring(Many(tasks).suite)
    evaluate(toy.config(), wiring.suite("toy"), wiring, tmp_path / "run")

    assert kept == ["toy-0"]
    assert sorted(wiring.played) == ["world-1", "world-2"]


def test_a_declared_world_whose_rows_do_not_fit_ends_a_run_at_its_first_job(tmp_path: Path) -> None:
    worlds = {"world-0": toy.world(), "world-1": World("world-1", toy.NOW, {"projects": {"tasks": [{"id": "1"}]}})}
    suite = replace(
        toy.suite([task(0, 0), task(1, 1)]),
        world=worlds.__getitem__,
        worlds={name: world.digest for name, world in worlds.items()},
    )
    wiring = Wiring(suite)
    with pytest.raises(SuiteError, match=r"^suite toy: world 'world-1': projects\.tasks, row 0, does not fit: "):
        evaluate(toy.config(), suite, wiring, tmp_path / "run", concurrency=1)

    assert wiring.played == ["world-0"]


def test_what_goes_on_when_a_world_does_not_fit_is_finished_and_kept(tmp_path: Path) -> None:
    broken = Many([task(0, 0), task(1, 1)], broken="world-1").suite
    with pytest.raises(SuiteError, match="world-1"):
        evaluate(toy.config(), broken, Wiring(broken), tmp_path / "run", concurrency=2)

    assert [record.trajectory.status for record in Run.open(tmp_path / "run").records()] == ["finished"]


def test_a_setup_over_rows_that_are_not_there_ends_a_run_at_its_worlds_first_job(tmp_path: Path) -> None:
    edit = Edit(op="remove", app="projects", table="tasks", id="99")
    many = Many([task(0, 0), task(1, 1), task(2, 1, setup=(edit,))])
    wiring = Wiring(many.suite)
    with pytest.raises(
        SuiteError, match=r"^task toy-2: its setup does not fit world 'world-1': setup step 0 \(remove "
    ):
        evaluate(toy.config(), many.suite, wiring, tmp_path / "run", concurrency=1)

    assert wiring.played == ["world-0"]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"app": "gmial"}, "there is no app 'gmial' here, only projects"),
        ({"table": "jobs"}, "jobs"),
        ({"values": {"lits_name": "Backlog"}}, "tasks has no field lits_name"),
        ({"op": "add", "values": {"list_name": 3}}, "list_name"),
    ],
)
def test_a_setup_that_fits_no_world_is_told_before_the_first_trial(
    tmp_path: Path, changes: dict[str, object], problem: str
) -> None:
    fields = {"op": "change", "app": "projects", "table": "tasks", "id": "00000001", "values": {}} | changes
    many = Many([task(0, 0), task(1, 1, setup=(Edit.model_validate(fields),))])
    wiring = Wiring(many.suite)
    with pytest.raises(SuiteError, match=r"^task toy-1: its setup does not fit world 'world-1'") as found:
        evaluate(toy.config(), many.suite, wiring, tmp_path / "run", concurrency=1)

    assert problem in str(found.value)
    assert (wiring.played, many.made) == ([], [])


def jobs(number: int) -> list[Job]:
    (job,) = plan(toy.config(tasks=("toy-0",)), toy.suite()).jobs
    return [replace(job, trial=trial) for trial in range(number)]


def test_one_world_is_dealt_out_to_all_workers() -> None:
    assert [[job.trial for job in share] for share in _shares([jobs(5)], 2)] == [[0, 2, 4], [1, 3]]


def test_of_many_worlds_each_goes_whole_to_one_worker() -> None:
    assert [list(map(len, _shares([jobs(4)] * 40, workers))) for workers in (2, 3)] == [[80, 80], [56, 52, 52]]


def work(report: Callable[[object], None], stopped: Callable[[], bool], number: int) -> bool:
    """The first fails, the second goes on until it is told to stop."""
    if number == 0:
        raise SuiteError("no such world")
    return not stopped.__self__.wait(60)  # type: ignore[attr-defined]


@pytest.mark.slow
def test_when_a_worker_fails_the_others_start_nothing_more() -> None:
    with pytest.raises(RunError, match=r"^a worker process failed: SuiteError: no such world$"):
        spread(work, [(0,), (1,)], lambda _: False)
