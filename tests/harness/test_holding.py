"""A run's folder is one process's at a time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from harness.play.run import evaluate, score_run
from harness.record.files import RunError
from harness.record.holding import alone, under_way
from harness.record.store import Run
from tests.harness import toy

HOLDS = """
import sys
from pathlib import Path
from harness.record.holding import alone

with alone(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there, folders have no locks")


def played(folder: Path) -> Run:
    return evaluate(toy.config(), toy.suite(), toy.Wiring(), folder)


def test_a_run_that_is_being_played_is_not_played_by_somebody_else(tmp_path: Path) -> None:
    with (
        alone(tmp_path / "run"),
        pytest.raises(RunError, match=r"run is in use by another process: wait for it to end"),
    ):
        played(tmp_path / "run")

    assert list((tmp_path / "run").iterdir()) == []


def test_a_run_that_is_being_played_is_not_scored(tmp_path: Path) -> None:
    run = played(tmp_path / "run")

    with alone(run.folder), pytest.raises(RunError, match=r"is in use"):
        score_run(run, toy.suite())


def test_a_run_is_held_while_its_trials_are_played_and_not_after(tmp_path: Path) -> None:
    folder, seen = tmp_path / "run", set[bool]()
    evaluate(toy.config(), toy.suite(), toy.Wiring(), folder, listener=lambda _: seen.add(under_way(folder)))

    assert seen == {True}
    assert not under_way(folder)


def test_a_run_whose_process_was_killed_is_free_again(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, tmp_path / "run"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        assert under_way(tmp_path / "run")
        other.kill()

    with alone(tmp_path / "run"):
        assert under_way(tmp_path / "run")


def test_whoever_asks_keeps_nobody_from_playing(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    assert not under_way(tmp_path / "run")

    with alone(tmp_path / "run"):
        assert under_way(tmp_path / "run")


def test_a_file_is_no_folder_to_hold(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("mine")

    with (
        pytest.raises(RunError, match="is a file, and a run is a folder: give another --output"),
        alone(tmp_path / "run"),
    ):
        pass
