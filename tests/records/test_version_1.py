"""Run folders that earlier packages wrote: what commands make of them stays what it was.

`v1` holds five runs as version 1 of the record has them, `v1.json` what each command printed then. Nothing writes
them any more.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from harness import wiring
from harness.cli import main
from tests.records.suite import entries

HERE = Path(__file__).parent
THEN: dict[str, Any] = json.loads((HERE / "v1.json").read_text(encoding="utf-8"))
RUNS = sorted(THEN)


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., str]:
    """`harness("score", "plain")` gives what the command prints, among copies of the five runs."""
    shutil.copytree(HERE / "v1", tmp_path / "runs")
    monkeypatch.chdir(tmp_path / "runs")
    monkeypatch.setattr(wiring, "_sources", lambda: iter([("benchmarks/board", lambda: entries)]))

    def run(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["harness", *arguments])
        with suppress(SystemExit):
            main()
        out, err = capsys.readouterr()
        assert out, err
        return out

    return run


@pytest.mark.parametrize("name", RUNS)
def test_scoring_a_run_of_version_1_gives_the_figures_of_then(harness: Callable[..., str], name: str) -> None:
    assert json.loads(harness("score", name, "--json")) == THEN[name]["score"]


@pytest.mark.parametrize("name", RUNS)
def test_a_run_of_version_1_is_replayed_call_by_call(harness: Callable[..., str], name: str) -> None:
    assert json.loads(harness("replay", name, "--json")) == THEN[name]["replay"]


@pytest.mark.parametrize("name", RUNS)
def test_the_report_of_a_run_of_version_1_is_the_one_of_then(harness: Callable[..., str], name: str) -> None:
    harness("report", name, "--format", "csv", "--output", "found.csv")

    assert Path("found.csv").read_bytes().decode() == THEN[name]["csv"]


@pytest.mark.parametrize(("name", "trial"), [(name, trial) for name in RUNS for trial in THEN[name]["show"]])
def test_a_trial_of_version_1_is_told_as_then(harness: Callable[..., str], name: str, trial: str) -> None:
    assert harness("show", name, trial) == THEN[name]["show"][trial]
