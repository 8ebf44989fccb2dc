"""What a run may not be: too large, of no known task, or where nothing can be written. One line says so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Call

ROOT = Path(__file__).parents[2]


def test_a_run_of_too_many_trials_is_refused_before_they_are_listed(call: Call, config: Path) -> None:
    conditions = ", ".join(f"c{n}: {{}}" for n in range(9))
    config.write_text(f"suite: toy\nagents: [{{kind: oracle}}]\ntrials: 100000\nconditions: {{{conditions}}}\n")
    outcome = call("eval", config, "--dry-run")

    assert outcome.status == 2
    assert outcome.err == (
        f"harness: {config}:3: trials: 1 agents x 9 conditions x 12 tasks x 100000 trials are 10,800,000; "
        "10,000,000 are allowed in one run\n"
    )


def test_an_unknown_task_is_refused_by_name(call: Call, config: Path) -> None:
    config.write_text("suite: toy\nagents: [{kind: oracle}]\ntasks: [toy-1, toy-99]\n")
    outcome = call("eval", config)

    assert (outcome.status, "has no task 'toy-99'; see `harness list tasks toy`" in outcome.err) == (2, True)


def test_a_file_as_output_is_refused(call: Call, config: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis").write_text("precious")
    outcome = call("eval", config, "--output", "thesis")

    assert (outcome.status, outcome.err) == (
        2, "harness: thesis is a file, and a run is a folder: give another --output\n",
    )  # fmt: skip
    assert (tmp_path / "thesis").read_text() == "precious"


def test_a_folder_below_a_file_is_refused(call: Call, config: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis").write_text("precious")
    outcome = call("eval", config, "--output", "thesis/run")

    assert (outcome.status, outcome.err) == (2, "harness: thesis/run cannot be a run folder: Not a directory\n")


def limited(*arguments: object, size: int, folder: Path) -> subprocess.CompletedProcess[str]:
    """The command, of which no file may become larger: what a full disk does, without one."""
    script = (
        "import resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))\n"
        "from tests.cli import conftest\n"
        "from harness import wiring\nfrom harness.cli import main\n"
        "wiring._sources = lambda: iter([('benchmarks/toy', conftest.toy_suites)])\n"
        f"sys.argv = {['harness', *map(str, arguments)]!r}\n"
        "main()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, "-c", script], cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.skipif(sys.platform == "win32", reason="limits file sizes as POSIX does")
def test_a_disk_that_is_full_is_no_bug_and_the_same_command_goes_on(call: Call, config: Path, tmp_path: Path) -> None:
    ended = limited("eval", config, "--output", "here", size=1_500, folder=tmp_path)
    left = [path.name for path in (tmp_path / "here").rglob("*") if path.is_file()]

    assert ended.returncode == 2, ended.stderr
    assert "cannot be written: File too large. What was played before is kept; fix that" in ended.stderr
    assert "bug" not in ended.stderr
    assert [name for name in left if name.startswith(".")] == []
    assert call("eval", config, "--output", "here").status == 0


@pytest.mark.skipif(sys.platform == "win32", reason="limits file sizes as POSIX does")
def test_a_page_that_does_not_fit_is_no_bug(call: Call, config: Path, tmp_path: Path) -> None:
    assert call("eval", config, "--output", "here").status == 0
    ended = limited("eval", config, "--output", "here", size=6_000, folder=tmp_path)

    assert ended.returncode == 2, ended.stderr
    assert "harness: here/report.html cannot be written: File too large." in ended.stderr
    assert [path.name for path in (tmp_path / "here").iterdir() if path.name.startswith(".")] == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_report_to_a_full_disk_is_no_bug(call: Call, config: Path, tmp_path: Path) -> None:
    assert call("eval", config, "--output", "here").status == 0
    outcome = call("report", "here", "--output", "/dev/full")

    assert (outcome.status, outcome.err) == (
        2,
        "harness: --output /dev/full cannot be written: No space left on device\n",
    )
