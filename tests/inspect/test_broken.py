"""`harness export inspect` of runs that are torn, half-written, of another version or unfinished."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

from harness import wiring
from harness.cli.exporting import inspect
from harness.cli.problems import CallProblem
from harness.core.config import RunConfig
from harness.play.run import evaluate
from harness.record.files import RunError


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The oracle on four tasks of office work."""
    suite = wiring.suite("workbench-synth")
    config = RunConfig.model_validate({"suite": suite.name, "agents": [{"kind": "oracle"}]})
    return evaluate(config, suite, wiring.wiring(), tmp_path_factory.mktemp("played") / "run", sample=4).folder


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    """A copy to break."""
    return Path(shutil.copytree(played, tmp_path / "run"))


def first(run: Path) -> Path:
    return min((run / "trials").glob("*.json"))


def refused(run: Path, error: type[Exception] = RunError) -> str:
    """What a refused export says; nothing is left of it."""
    with pytest.raises(error) as found:
        inspect(run)
    assert not (run / "inspect").exists()
    return str(found.value)


def test_a_torn_record_is_named_with_what_to_do(run: Path) -> None:
    torn = first(run)
    torn.write_bytes(torn.read_bytes()[:200])

    said = refused(run)

    assert str(torn) in said
    assert said.endswith("If a power cut left it so, remove it, and `harness eval` plays that trial again")


def test_a_record_of_another_version_is_named_with_the_versions_that_are_read(run: Path) -> None:
    old = first(run)
    old.write_text(json.dumps(json.loads(old.read_text(encoding="utf-8")) | {"version": 99}), encoding="utf-8")

    said = refused(run)

    assert str(old) in said
    assert "it is of version 99, and this package reads versions 1 and 2" in said


def test_a_record_of_other_task_content_is_not_exported_with_the_others(run: Path) -> None:
    other = first(run)
    record = json.loads(other.read_text(encoding="utf-8"))
    record["trajectory"]["task_hash"] = "0" * 64
    other.write_text(json.dumps(record), encoding="utf-8")

    assert "its content has changed" in refused(run)


def test_a_folder_without_records_or_without_its_folder_of_them_is_refused(run: Path) -> None:
    for file in (run / "trials").glob("*.json"):
        file.unlink()
    assert refused(run, CallProblem) == f"{run} has no trials to export: `harness eval` plays them"

    (run / "trials").rmdir()
    assert refused(run).startswith(f"{run / 'trials'} cannot be read")


def test_a_torn_run_json_is_named(run: Path) -> None:
    (run / "run.json").write_text('{"suite":', encoding="utf-8")

    assert refused(run).startswith(f"{run / 'run.json'} does not fit the run format")


def test_what_was_being_written_is_passed_over_and_an_unfinished_run_says_so(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = first(run)
    gone.rename(gone.with_name(f".{gone.name}.1"))

    inspect(run)

    out, err = capsys.readouterr()
    assert err == (
        f"{run} is not finished: 3 of 4 trials are there, and the logs hold these alone; "
        "`harness eval` plays the rest\n"
    )
    assert "3 samples, 3 correct" in out
    (log,) = (run / "inspect").glob("*.eval")
    assert len(read_eval_log(str(log)).samples or []) == 3
