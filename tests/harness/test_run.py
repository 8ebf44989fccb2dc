"""The run engine: every trial once, whatever the order, the processes or the interruptions."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from harness.core.config import Condition, ConfigProblem
from harness.core.desk import Agent
from harness.play.run import Progress, evaluate, plan, score_run
from harness.play.stage import Stage
from harness.record.files import RunError
from harness.record.store import Run
from harness.task import Task
from tests.harness import toy

ROOT = Path(__file__).parents[2]


def test_every_trial_of_the_grid_is_played_once_and_scored(tmp_path: Path) -> None:
    seen: list[Progress] = []

    run = evaluate(toy.config(trials=2), toy.suite(), toy.Wiring(), tmp_path / "run", listener=seen.append)

    records = list(run.records())
    assert len(records) == 24
    assert all(r.scores["outcome"].value == 1 for r in records)
    assert seen[-1] == Progress(done=24, total=24, failed=0, void=0, cost_usd=0.0)


@pytest.mark.parametrize("concurrency", [1, 16])
def test_concurrency_changes_no_digest(tmp_path: Path, concurrency: int) -> None:
    one = evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "a", concurrency=3)
    other = evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "b", concurrency=concurrency)

    assert toy.digests(one) == toy.digests(other)


def test_worker_processes_change_no_digest(tmp_path: Path) -> None:
    one = evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "a")
    two = evaluate(
        toy.config(),
        toy.suite(),
        toy.Wiring(),
        tmp_path / "b",
        workers=2,
        wiring_factory="tests.harness.toy:wiring",
    )

    assert toy.digests(one) == toy.digests(two)


def test_a_worker_that_cannot_start_is_reported_and_nothing_is_lost(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no_such_factory"):
        evaluate(
            toy.config(),
            toy.suite(),
            toy.Wiring(),
            tmp_path / "run",
            workers=2,
            wiring_factory="tests.harness.toy:no_such_factory",
        )

    assert Run.open(tmp_path / "run").head.suite == "toy"


def test_raising_trials_extends_a_run_and_keeps_what_is_there(tmp_path: Path) -> None:
    evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "run")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "run" / "trials").iterdir()}

    evaluate(toy.config(trials=3), toy.suite(), toy.Wiring(), tmp_path / "run")

    after = {path: path.stat().st_mtime_ns for path in (tmp_path / "run" / "trials").iterdir()}
    assert len(after) == 36
    assert {path: after[path] for path in before} == before


def test_a_run_killed_half_way_resumes_to_the_tables_of_an_unbroken_one(tmp_path: Path) -> None:
    script = (
        "import os, signal\n"
        "from pathlib import Path\n"
        "from harness.play.run import evaluate\n"
        "from tests.harness import toy\n"
        "def stop(p):\n"
        "    if p.done == 5: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"evaluate(toy.config(), toy.suite(), toy.Wiring(), Path({str(tmp_path / 'run')!r}), listener=stop)\n"
    )
    died = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})

    assert died.returncode == -signal.SIGKILL
    assert 5 <= len(list(Run.open(tmp_path / "run").records())) < 12
    resumed = evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "run")
    unbroken = evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "other")
    assert toy.digests(resumed) == toy.digests(unbroken)


def test_void_trials_are_played_again_on_resume(tmp_path: Path) -> None:
    asks = {"asking": Condition(ask="ask_user")}
    tasks = [toy.task(0, ask=True)]

    def asker(_: Task) -> Agent:
        return toy.Scripted([("ask_user_ask_user", {"question": "Which list?"})])

    broken = toy.Wiring(tasks, asker, toy.BrokenUser())
    run = evaluate(toy.config(conditions=asks), broken.suite("toy"), broken, tmp_path / "run")
    first = next(run.records()).trajectory
    assert (first.status, first.reason) == ("void", "the simulator is down")

    mended = toy.Wiring(tasks, asker)
    run = evaluate(toy.config(conditions=asks), mended.suite("toy"), mended, tmp_path / "run")
    assert next(run.records()).trajectory.status == "finished"


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "run")

    with pytest.raises(RunError, match=r"give another --output$"):
        evaluate(toy.config(seed=1), toy.suite(), toy.Wiring(), tmp_path / "run")


def test_a_folder_with_something_else_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("precious", encoding="utf-8")

    with pytest.raises(RunError, match="not empty"):
        evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path)

    assert (tmp_path / "thesis.txt").read_text(encoding="utf-8") == "precious"


def test_scoring_again_gives_the_same_records_without_an_agent(tmp_path: Path) -> None:
    run = evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "run")
    before = [path.read_bytes() for path in sorted((tmp_path / "run" / "trials").iterdir())]

    score_run(run, toy.suite())

    assert [path.read_bytes() for path in sorted((tmp_path / "run" / "trials").iterdir())] == before


def test_scoring_refuses_a_task_whose_content_changed(tmp_path: Path) -> None:
    run = evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "run")
    changed = [t.model_copy(update={"template": "another"}) for t in toy.suite().tasks]

    with pytest.raises(RunError, match="toy-"):
        score_run(run, toy.suite(changed))


def test_an_unknown_prompt_is_refused_before_the_first_trial(tmp_path: Path) -> None:
    with pytest.raises(ConfigProblem, match=r"conditions\.x\.prompt.*'vague'.*original"):
        evaluate(toy.config(conditions={"x": Condition(prompt="vague")}), toy.suite(), toy.Wiring(), tmp_path / "run")

    assert not (tmp_path / "run").exists()


def test_limit_keeps_the_first_tasks_and_the_identity(tmp_path: Path) -> None:
    whole, part = plan(toy.config(), toy.suite()), plan(toy.config(), toy.suite(), limit=2)

    assert [job.task for job in part.jobs] == ["toy-0", "toy-1"]
    assert part.head.identity == whole.head.identity


def test_a_planted_secret_reaches_no_file_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = 'sk-"planted"-0123456789'
    monkeypatch.setenv("ACME_API_KEY", secret)

    def leaking(_: Task) -> Agent:
        return toy.Scripted([("projects_search_tasks", {"task_name": secret}), (secret, {})], reply=secret)

    wiring = toy.Wiring(make=leaking)
    evaluate(toy.config(), wiring.suite("toy"), wiring, tmp_path / "run")

    written = {path: path.read_text(encoding="utf-8") for path in (tmp_path / "run").rglob("*.json")}
    assert not [path for path, text in written.items() if "planted" in text]
    assert sum("[hidden]" in text for text in written.values()) == 12


def test_an_unknown_toolset_is_refused_before_the_first_trial(tmp_path: Path) -> None:
    conditions = {"x": Condition(toolsets={"projects": "fancy"})}

    with pytest.raises(ConfigProblem, match=r"toolsets\.projects.*'fancy'.*workbench"):
        evaluate(toy.config(conditions=conditions), toy.suite(), toy.Wiring(), tmp_path / "run")

    assert not (tmp_path / "run").exists()


def test_a_toolset_of_an_app_that_no_task_has_is_refused_before_the_first_trial(tmp_path: Path) -> None:
    conditions = {"x": Condition(toolsets={"project": "workbench"})}

    with pytest.raises(ConfigProblem, match=r"conditions\.x\.toolsets\.project: no task .*; there are .*projects"):
        evaluate(toy.config(conditions=conditions), toy.suite(), toy.Wiring(), tmp_path / "run")

    assert not (tmp_path / "run").exists()


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_ends_a_run_at_once_and_it_can_go_on(tmp_path: Path, workers: int) -> None:
    script = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from harness.play.run import evaluate\n"
        "from tests.harness import toy\n"
        "def stop(p):\n"
        "    if p.done == 3: os.kill(os.getpid(), signal.SIGINT)\n"
        f"evaluate(toy.config(trials=40), toy.suite(), toy.Wiring(), Path({str(tmp_path / 'run')!r}), listener=stop,\n"
        f"         workers={workers}, wiring_factory='tests.harness.toy:wiring')\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, stderr=subprocess.PIPE, timeout=240
    )

    assert ended.returncode == -signal.SIGINT
    assert b"SpawnProcess" not in ended.stderr
    assert 3 <= len(list(Run.open(tmp_path / "run").records())) < 480


def test_a_task_is_played_through_the_toolset_that_it_needs() -> None:
    usual = toy.task(0).model_copy(update={"apps": ("projects", "calendar")})
    tasks = [usual, usual.model_copy(update={"id": "toy-1", "toolsets": {"calendar": "workbench"}})]
    stage = Stage(toy.config(), toy.suite(tasks), toy.Wiring(tasks))
    try:
        names = [stage.toolsets(next(iter(stage.config.conditions)), task)["calendar"].name for task in tasks]
    finally:
        stage.engine.close()

    assert names == ["default", "workbench"]


def test_a_toolset_that_a_task_needs_and_that_is_not_there_is_refused_before_the_first_trial(tmp_path: Path) -> None:
    tasks = [toy.task(0), toy.task(1).model_copy(update={"toolsets": {"projects": "nope"}})]

    with pytest.raises(ConfigProblem, match="projects has no toolset 'nope'"):
        evaluate(toy.config(), toy.suite(tasks), toy.Wiring(tasks), tmp_path / "run")

    assert not (tmp_path / "run").exists()


def test_a_task_needs_toolsets_of_its_own_apps_alone() -> None:
    with pytest.raises(ValidationError, match="toolsets: the task has no app 'gmail'; it has projects"):
        Task.model_validate({**toy.task(0).model_dump(mode="json"), "toolsets": {"gmail": "pi"}})
