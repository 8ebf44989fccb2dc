"""Run folders that earlier packages wrote: what commands make of them stays what it was.

`v1` holds five runs as version 1 of the record has them, `v1.json` what each command printed then. Nothing writes
them any more. What later packages added (users in titles, a table on trouble in the dialogue, the last column of a CSV)
is left out before the two are compared.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import offer, running
from tests.records.suite import entries

HERE = Path(__file__).parent
THEN: dict[str, Any] = json.loads((HERE / "v1.json").read_text(encoding="utf-8"))
RUNS = sorted(THEN)
UNSEEN = {"model_turns", "prompt_tokens", "completion_tokens", "cost_usd"}


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., str]:
    """`harness("score", "plain")` gives what the command prints, among copies of the five runs."""
    shutil.copytree(HERE / "v1", tmp_path / "runs")
    monkeypatch.chdir(tmp_path / "runs")
    offer(monkeypatch, *entries, where="benchmarks/board")

    def run(*arguments: str) -> str:
        _, out, err = running(capsys)(*arguments)
        assert out, err
        return out

    return run


@pytest.mark.parametrize("name", RUNS)
def test_scoring_a_run_of_version_1_gives_the_figures_of_then(harness: Callable[..., str], name: str) -> None:
    then = THEN[name]["score"]
    now = json.loads(harness("score", name, "--json"))
    tables = {title.removesuffix(", user grounded@1"): rows for title, rows in now["tables"].items()}

    if name == "plain":  # of two agents, which were pooled then
        assert now["accuracy"]["value"] is None
        now |= {"accuracy": then["accuracy"]}
    assert {**now, "tables": {title: tables[title] for title in then["tables"]}} == then


def test_a_user_of_before_versions_were_written_down_is_of_version_1(harness: Callable[..., str]) -> None:
    titles = list(json.loads(harness("score", "asked", "--json"))["tables"])

    assert titles == [
        "Results: outcomes, user grounded@1",
        "Results: effort, user grounded@1",
        "Results: failed trials with trouble in the dialogue, user grounded@1",
    ]


@pytest.mark.parametrize("name", RUNS)
def test_a_run_of_version_1_is_replayed_call_by_call(harness: Callable[..., str], name: str) -> None:
    assert json.loads(harness("replay", name, "--json")) == THEN[name]["replay"]


@pytest.mark.parametrize("name", RUNS)
def test_the_report_of_a_run_of_version_1_is_the_one_of_then(harness: Callable[..., str], name: str) -> None:
    harness("report", name, "--format", "csv", "--output", "found.csv")

    found = list(csv.reader(Path("found.csv").read_text(encoding="utf-8").splitlines()))

    then = list(csv.reader(THEN[name]["csv"].splitlines()))
    if name == "command":  # nobody sees what a program's model took: those cells held 1 turn, no tokens and no dollars
        for row in then[1:]:
            row[:] = ["" if column in UNSEEN else cell for column, cell in zip(then[0], row, strict=True)]
    assert [row[:-2] for row in found] == then
    assert found[0][-2:] == ["user", "human"]


@pytest.mark.parametrize(("name", "trial"), [(name, trial) for name in RUNS for trial in THEN[name]["show"]])
def test_a_trial_of_version_1_is_told_as_then(harness: Callable[..., str], name: str, trial: str) -> None:
    assert harness("show", name, trial) == THEN[name]["show"][trial]
