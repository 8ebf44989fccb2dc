"""Samples that are stored as told anew: tasks of the suite that are played where a config names them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.probe import naming, worlds
from benchmarks.probe.headline import headline
from benchmarks.probe.pins import chosen
from benchmarks.probe.pipeline import stored
from benchmarks.probe.pipeline.grounds import grounds
from benchmarks.probe.pipeline.rewriting import Told
from benchmarks.probe.suite import load
from harness.core.config import Condition, OracleConfig, RunConfig
from harness.play.run import evaluate, plan
from harness.record.store import TrialRecord
from harness.report import ordered
from harness.suite import Suite, SuiteError
from tests.harness.wired import Over

(BASE,) = chosen(total=1)
NAME = naming.rewrite_of(BASE)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a sample is stored, a few words before each of its paragraphs that state something."""
    monkeypatch.setattr(stored, "FOLDER", tmp_path / "stored")
    worlds.sample.cache_clear()
    base = worlds.sample(BASE)
    passages = grounds(base).passages
    told = {id: Told({each.place: f"Well then. {each.text}" for each in some}, ()) for id, some in passages.items()}
    stored.store(base, told)
    return tmp_path / "stored"


def config(*tasks: str) -> RunConfig:
    condition = Condition(prompt="one", toolsets={"actions": "structured"})
    return RunConfig(
        suite="probe-workplace", agents=(OracleConfig(kind="oracle"),), conditions={"c": condition}, tasks=tasks
    )


def test_a_stored_sample_is_played_only_where_it_is_named(folder: Path) -> None:
    suite = load(total=1, controls=0)

    assert [task.id for task in suite.tasks] == [BASE, NAME]
    assert {job.task for job in plan(config(), suite).jobs} == {BASE}
    assert {job.task for job in plan(config(NAME), suite).jobs} == {NAME}


def played(suite: Suite, run: Path) -> TrialRecord:
    (record,) = evaluate(config(NAME), suite, Over(suite), run).records()
    return record


def test_a_stored_sample_has_a_world_of_its_own_and_the_answer_of_its_base(folder: Path, tmp_path: Path) -> None:
    suite = load(total=1, controls=0)
    record = played(suite, tmp_path / "run")

    assert suite.worlds[NAME] != suite.worlds[BASE]
    assert suite.task(NAME).facts["key"] == suite.task(BASE).facts["key"]
    assert (record.scores["strict"].value, record.scores["strict"].detail["level"]) == (1.0, "rewrite")


def test_the_first_screen_says_that_samples_are_told_anew(folder: Path, tmp_path: Path) -> None:
    suite = load(total=1, controls=0)
    found = headline(config(NAME), suite, ordered([played(suite, tmp_path / "run")], config(NAME), suite))

    assert found is not None
    assert "Of level rewrite: 1 of 1 trials." in found.table.notes


def test_a_sample_whose_base_the_suite_does_not_have_is_left_out(folder: Path) -> None:
    suite = load(seed=2, total=1, controls=0)

    assert NAME not in {task.id for task in suite.tasks}


def test_a_stored_file_that_cannot_be_read_is_named(folder: Path) -> None:
    (folder / f"{NAME}.jsonl").write_text("{}")

    with pytest.raises(SuiteError, match=rf"{NAME}.jsonl:1: pin: Field required"):
        load(total=1, controls=0)
