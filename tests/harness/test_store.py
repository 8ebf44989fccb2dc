"""A run on disk: what is read as one, and what becomes of it where nothing can be written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.core.config import Condition, OracleConfig, RunConfig
from harness.play.run import Progress, evaluate
from harness.record.files import RunError
from harness.record.judgements import judgements
from harness.record.store import Run
from tests.harness import toy

ROOT = Path(__file__).parents[2]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "run")


def trials(run: Run) -> list[Path]:
    return sorted((run.folder / "trials").iterdir())


def edit(path: Path, **values: object) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | values), encoding="utf-8")


def test_a_copy_of_a_record_is_refused_by_name_and_counts_nowhere(run: Run) -> None:
    first = trials(run)[0]
    copy = first.with_name(f"{first.stem} copy.json")
    copy.write_bytes(first.read_bytes())

    with pytest.raises(RunError, match=rf"{copy.name} holds the trial whose file is {first.name}: remove it"):
        list(run.records())


def test_a_record_under_another_name_that_is_its_trial_s_only_one_is_to_be_renamed(run: Run) -> None:
    first = trials(run)[0]
    other = first.rename(first.with_name("mine.json"))

    with pytest.raises(RunError, match=rf"{other.name} holds the trial whose file is {first.name}: give it that name"):
        list(run.records())


@pytest.mark.parametrize("name", [".mine", "..", "../x", ".", "-x"])
def test_trials_are_found_whatever_their_agent_condition_and_task_are_called(name: str, tmp_path: Path) -> None:
    suite = toy.suite([toy.task(0).model_copy(update={"id": name})])
    config = RunConfig(
        suite="toy",
        agents=(OracleConfig(kind="oracle", name=name),),
        conditions={name: Condition(), "plain": Condition()},
    )

    found = evaluate(config, suite, toy.Wiring(), tmp_path / "run")
    gone_on_with: list[Progress] = []
    evaluate(config, suite, toy.Wiring(), tmp_path / "run", listener=gone_on_with.append)

    assert [(each.trajectory.agent, each.trajectory.task) for each in found.records()] == [(name, name)] * 2
    assert [(each.done, each.total) for each in gone_on_with] == [(2, 2)]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes on this system")
def test_a_pipe_among_the_records_is_refused_by_name_and_not_waited_for(run: Run) -> None:
    os.mkfifo(run.folder / "trials" / "x.json")

    with pytest.raises(RunError, match=r"x\.json is not a file: move it elsewhere"):
        list(run.records())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes on this system")
def test_a_pipe_among_the_verdicts_is_refused_by_name_and_not_waited_for(run: Run) -> None:
    (run.folder / "judgements").mkdir()
    os.mkfifo(run.folder / "judgements" / "x.json")

    with pytest.raises(RunError, match=r"x\.json is not a file: move it elsewhere"):
        judgements(run.folder)


def test_a_run_of_another_version_is_refused(run: Run) -> None:
    edit(run.folder / "run.json", version=9, mood="new")

    with pytest.raises(RunError, match=r"run\.json .*version 9, and this package reads versions 1 and 2"):
        Run.open(run.folder)
    with pytest.raises(RunError, match="version 9"):
        evaluate(toy.config(), toy.suite(), toy.Wiring(), run.folder)


def test_a_record_of_another_version_is_refused(run: Run) -> None:
    first = trials(run)[0]
    trajectory = json.loads(first.read_text())["trajectory"]
    edit(first, trajectory=trajectory | {"version": 9, "mood": "new"})

    with pytest.raises(RunError, match=rf"{first.name} .*version 9, and this package reads versions 1 and 2"):
        list(run.records())


@pytest.mark.parametrize(
    ("user", "version"),
    [
        ({"kind": "grounded", "memory": "off"}, 1),
        ({"kind": "grounded", "version": 1}, 1),
        ({"kind": "grounded", "version": 2}, 2),
    ],
)
def test_a_grounded_user_without_a_version_is_of_the_first(run: Run, user: dict[str, object], version: int) -> None:
    config = json.loads((run.folder / "run.json").read_text())["config"]
    (name,) = config["conditions"]
    edit(run.folder / "run.json", config={**config, "conditions": {name: {"ask": "ask_user", "user": user}}})

    assert Run.open(run.folder).head.config.conditions[name].user.label == f"grounded@{version}"


@pytest.mark.parametrize("text", ["", '{"trajectory": {"version": 1,'])
def test_a_record_that_is_cut_short_is_refused_with_the_remedy(run: Run, text: str) -> None:
    first = trials(run)[0]
    first.write_text(text)

    with pytest.raises(RunError, match=rf"{first.name}.*remove it, and `harness eval` plays that trial again"):
        list(run.records())

    first.unlink()
    assert len(trials(evaluate(toy.config(), toy.suite(), toy.Wiring(), run.folder))) == 12


def test_a_file_is_refused_as_a_run_folder(tmp_path: Path) -> None:
    (tmp_path / "thesis").write_text("precious")

    with pytest.raises(RunError, match="thesis is a file, and a run is a folder"):
        evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "thesis")


def test_a_record_that_cannot_be_written_leaves_no_scratch_file(run: Run) -> None:
    record = next(run.records())
    path = trials(run)[0]
    path.unlink()
    path.mkdir()  # takes the place that the record is to be renamed to

    with pytest.raises(RunError, match=rf"{path.name} cannot be written: Is a directory.*the same command resumes"):
        run.write(record)

    assert [each.name for each in (run.folder / "trials").iterdir() if each.name.startswith(".")] == []


@pytest.mark.skipif(sys.platform == "win32", reason="limits file sizes as POSIX does")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_full_disk_ends_a_run_with_its_path_and_reason_and_loses_nothing(tmp_path: Path, workers: int) -> None:
    """A limit on the size of files stands in for the disk: small records fit, the ones of a talkative agent do not.

    Without byte code: Python would leave it cut at the limit, for whoever imports it next.
    """
    script = (
        "import resource\n"
        "from pathlib import Path\n"
        "from harness.play.run import evaluate\n"
        "from tests.harness import test_store as here, toy\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))\n"
        f"evaluate(toy.config(), toy.suite(), here.wiring(), Path({str(tmp_path / 'run')!r}), concurrency=1,\n"
        f"         workers={workers}, wiring_factory='tests.harness.test_store:wiring')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-B", "-c", script], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True,
    )  # fmt: skip

    run = Run.open(tmp_path / "run")
    assert "RunError" in ended.stderr.splitlines()[-1]
    assert "cannot be written: File too large" in ended.stderr.splitlines()[-1]
    assert [path.name for path in trials(run) if path.suffix != ".json"] == []
    assert 1 <= len(list(run.records())) < 12
    assert len(trials(evaluate(toy.config(), toy.suite(), toy.Wiring(), run.folder))) == 12


def wiring() -> toy.Wiring:
    """Of an agent that says more than the disk of that test holds, once it comes to toy-3."""
    return toy.Wiring(make=lambda task: toy.Scripted([], reply="x" * (40_000 if task.id in ("toy-3", "toy-4") else 9)))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_a_trial_that_took_long_is_flushed_before_and_after_it_takes_its_place(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[str] = []
    flush = os.fsync

    def noted(file: int) -> None:
        flushed.append("record" if os.path.isfile(f"/proc/self/fd/{file}") else "folder")
        flush(file)

    monkeypatch.setattr(os, "fsync", noted)
    quick, slow = list(run.records())[:2]
    slow.trajectory.seconds = 1.0
    run.write(quick)
    assert flushed == []

    run.write(slow)
    assert flushed == ["record", "folder"]
