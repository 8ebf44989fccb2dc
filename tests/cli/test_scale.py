"""`--scale`, from the command line to worker processes and back from a run's folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness import wiring
from harness.core.config import ConfigProblem
from harness.record.store import Run
from tests.cli.conftest import Call

CONFIG = """\
suite: workbench-synth
agents: [{kind: oracle}]
tasks: [wb-synth-01-0, wb-synth-05-0, wb-synth-12-0]
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "synth.yaml"
    path.write_text(CONFIG)
    return path


@pytest.mark.slow
def test_a_scale_reaches_worker_processes_and_is_found_again_in_the_run(
    call: Call, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()  # every suite, in the test's folder
    monkeypatch.chdir(config.parent)
    runs = []
    for arguments in (("--scale", 10, "--workers", 2), ()):
        outcome = call("eval", config, *arguments, "--json")
        assert outcome.status == 0, outcome.err
        runs.append(json.loads(outcome.out))
    again = call("score", runs[0]["run"], "--json")
    replayed = call("replay", runs[0]["run"], "--json")

    assert [run["correct"] for run in runs] == [3, 3]
    assert runs[0]["run"] != runs[1]["run"]
    assert Run.open(Path(runs[0]["run"])).head.config.scale == 10
    assert json.loads(again.out)["digest"] == runs[0]["digest"]
    assert json.loads(replayed.out)["equal"] == 3


def test_a_suite_of_one_size_refuses_a_scale_and_says_which_do_scale(call: Call, config: Path) -> None:
    config.write_text("suite: toy\nscale: 10\nagents: [{kind: oracle}]\n")
    outcome = call("eval", config)

    assert outcome.status == 2
    assert "suite toy cannot be scaled: leave out `scale` (10). Suites that scale: none." in outcome.err


def test_the_refusal_names_suites_that_scale() -> None:
    with pytest.raises(ConfigProblem, match="Suites that scale: workbench-synth"):
        wiring.suite("lhaw-workplace", 10)


def test_a_scale_of_one_is_no_other_run(call: Call, config: Path) -> None:
    config.write_text("suite: toy\nagents: [{kind: oracle}]\n")
    plain, one = (json.loads(call("eval", config, *more, "--dry-run", "--json").out) for more in ((), ("--scale", 1)))

    assert plain["identity"] == one["identity"]


@pytest.mark.parametrize("value", ["0", "-1", "2.5", "big"])
def test_a_scale_that_is_no_size_is_refused_with_its_line(call: Call, config: Path, value: str) -> None:
    config.write_text(f"suite: toy\nscale: {value}\nagents: [{{kind: oracle}}]\n")
    outcome = call("eval", config)

    assert outcome.status == 2
    assert f"{config}:2: scale:" in outcome.err
