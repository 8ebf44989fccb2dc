"""A record is read as one of its run only where it is one."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.play.fork import go_on
from harness.play.replay import replay_run
from harness.play.run import evaluate, score_run
from harness.record.belonging import belonging
from harness.record.files import RunError
from harness.record.store import Run
from tests.harness import toy

Use = Callable[[Run, Path], object]

USES: dict[str, Use] = {
    "resumed": lambda run, _: evaluate(run.head.config, toy.suite(), toy.Wiring(), run.folder),
    "scored": lambda run, _: score_run(run, toy.suite()),
    "replayed": lambda run, _: replay_run(run, toy.suite(), toy.Wiring()),
    "forked": lambda run, folder: go_on(
        run.head.config, toy.suite(), toy.Wiring(), run, first(run).stem, 0, folder / "fork"
    ),
    "reported": lambda run, _: belonging(run, toy.suite()),
}


def first(run: Run) -> Path:
    return min((run.folder / "trials").iterdir())


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "run")


def change(run: Run, **fields: object) -> None:
    """Write the first trial with other values in these fields of its trajectory."""
    record = run.read(first(run))
    for name, value in fields.items():
        setattr(record.trajectory, name, value)
    run.write(record)


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_trial_of_another_task_content_is_refused(run: Run, tmp_path: Path, use: Use) -> None:
    change(run, task_hash="0" * 64)

    with pytest.raises(RunError, match=rf"^{first(run)} does not belong.*000000000000 then.*Remove the file"):
        use(run, tmp_path)


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_trial_that_started_from_another_world_is_refused(run: Run, tmp_path: Path, use: Use) -> None:
    change(run, world="0" * 64)

    with pytest.raises(RunError, match=rf"{first(run).name} does not belong.*world 'toy'.*000000000000 then.*Remove"):
        use(run, tmp_path)


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_trial_of_a_run_with_another_seed_is_refused(run: Run, tmp_path: Path, use: Use) -> None:
    other = evaluate(toy.config(seed=5), toy.suite(), toy.Wiring(), tmp_path / "other")
    shutil.copy(first(other), first(run))

    with pytest.raises(RunError, match=rf"{first(run).name} does not belong.*the run's seed, 0, gives.*Remove"):
        use(run, tmp_path)


def test_a_void_trial_that_never_had_a_world_belongs_and_is_played_again(run: Run) -> None:
    change(run, status="void", world="")

    evaluate(run.head.config, toy.suite(), toy.Wiring(), run.folder)

    assert run.read(first(run)).trajectory.status == "finished"


def test_a_trial_that_was_played_and_names_no_world_is_refused(run: Run) -> None:
    change(run, world="")

    with pytest.raises(RunError, match=r"it started from another world 'toy' than the suite has \(none then, "):
        belonging(run, toy.suite())


@pytest.mark.parametrize("field", ["agent", "condition"])
def test_a_trial_of_an_agent_or_condition_that_the_run_lacks_is_refused(run: Run, field: str) -> None:
    change(run, **{field: "another"})

    with pytest.raises(RunError, match=f"the run has no {field} 'another'"):
        belonging(run, toy.suite())


def test_a_trial_of_a_task_that_the_suite_lacks_is_refused(run: Run) -> None:
    change(run, task="mow-the-lawn")

    with pytest.raises(RunError, match=r"does not belong.*no task 'mow-the-lawn'"):
        belonging(run, toy.suite())


def test_no_score_is_written_where_one_trial_does_not_belong(run: Run) -> None:
    last = max((run.folder / "trials").iterdir())
    for path, wrong in ((first(run), ""), (last, "0" * 64)):
        record = run.read(path)
        record.scores, record.trajectory.task_hash = {}, wrong or record.trajectory.task_hash
        run.write(record)

    with pytest.raises(RunError):
        score_run(run, toy.suite())

    assert run.read(first(run)).scores == {}
