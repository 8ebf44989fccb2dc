"""The command: from a run to agreement, and from a person's form to table 2."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from benchmarks.probe.pins import chosen
from benchmarks.probe.study.__main__ import main
from benchmarks.probe.study.humans import COLUMNS
from benchmarks.probe.suite import load
from harness.core.config import Condition, OracleConfig, RunConfig
from harness.judging.study.pairs import kept
from harness.play.run import evaluate
from harness.record.judgements import FOLDER, Judgement, keep
from harness.suite import Suite
from tests.harness.wired import Over


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load(total=1)


@pytest.fixture
def run(suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of one trial, whose bottleneck is told in prose."""

    monkeypatch.setattr("harness.wiring.suite", lambda name, scale=1: suite)
    prose = Condition(prompt="any", toolsets={"datastore": "paper", "actions": "paper"})
    config = RunConfig(suite=suite.name, agents=(OracleConfig(kind="oracle"),), conditions={"prose": prose})
    return evaluate(config, suite, Over(suite), tmp_path / "run").folder


def filled(path: Path, answer: str) -> None:
    with path.open(newline="") as file:
        rows = [*csv.DictReader(file)]
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "answer": answer} for row in rows)


def test_answers_are_drawn_judged_by_two_and_held_against_a_judge(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = tmp_path / "study"
    assert main(["draw", str(study), str(run), "--people", "anna", "ben", "--pairs", "5"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "There are only 1 answers to draw."
    (pair,) = kept(study).pairs
    (run / FOLDER).mkdir()
    for query in pair.queries:
        said = Judgement(judge={"model": "m"}, prompt="", about=query.key, vote=0, query=query, answer="correct")
        for vote in range(3):
            keep(run, said.model_copy(update={"vote": vote}))
    filled(study / "anna.csv", "correct")
    filled(study / "ben.csv", "missing")

    assert main(["agree", str(study)]) == 0

    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    count = str(len(pair.queries))
    assert ["anna", "ben", "all", count, "0.000", "0.000"] in [line[:6] for line in lines]
    assert ["anna", "m", "all", count, "1.000", "-"] in [line[:6] for line in lines]
    assert ["m,", "three", "times"] in lines
    assert ["all", count, "1.000", "-"] in lines


def test_a_person_s_form_becomes_table_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["form", str(tmp_path), "--annotator", "anna", "--samples", "1"]) == 0
    (name,) = chosen(total=1)
    assert [path.name for path in (tmp_path / "anna").iterdir()] == [f"01-{name}.txt"]
    row = {
        **dict.fromkeys(COLUMNS, ""), "annotator": "anna", "order": "1", "sample": name, "active_seconds": "1800",
        "confidence": "2", "documents_realistic": "yes", "actions_realistic": "yes",
    }  # fmt: skip
    with (tmp_path / "anna.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerow(row)
    capsys.readouterr()

    assert main(["table", str(tmp_path)]) == 0

    _, anna, *_ = (line.split() for line in capsys.readouterr().out.splitlines())
    assert anna == ["anna", "0.000", "0.000", "0.000", "1", "1", "1", "2.000", "True", "2.000"]


def test_what_cannot_be_done_is_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agree", str(tmp_path)]) == 2
    missing = f"{tmp_path / 'study.json'} is not there: this is not a folder of a study"
    assert capsys.readouterr().err == f"study: {missing}\n"
