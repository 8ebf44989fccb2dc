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
    """The command, of which no file may become larger: what a full disk does, without one.

    It writes no byte code, which Python would leave cut at that size, for whoever imports it next.
    """
    script = (
        "import resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))\n"
        "from tests.cli import conftest\n"
        "from harness import wiring\nfrom harness.cli import main\n"
        "wiring.suites._sources = lambda: iter([('benchmarks/toy', conftest.toy_suites)])\n"
        f"sys.argv = {['harness', *map(str, arguments)]!r}\n"
        "main()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-B", "-c", script], cwd=folder, env=environment, capture_output=True, text=True
    )


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


@pytest.mark.skipif(sys.platform == "win32", reason="limits file sizes as POSIX does")
@pytest.mark.parametrize("format", ["csv", "md", "html", "terminal"])
def test_a_report_that_does_not_fit_leaves_the_file_as_it_was(
    call: Call, config: Path, tmp_path: Path, format: str
) -> None:
    assert call("eval", config, "--output", "here").status == 0
    (tmp_path / "out.html").write_text("before")
    ended = limited("report", "here", "--format", format, "--output", "out.html", size=100, folder=tmp_path)

    assert (ended.returncode, ended.stderr) == (2, "harness: --output out.html cannot be written: File too large\n")
    assert (tmp_path / "out.html").read_text() == "before"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.skipif(sys.platform == "win32", reason="limits file sizes as POSIX does")
@pytest.mark.parametrize("there", [True, False])
def test_a_world_that_does_not_fit_leaves_no_file(call: Call, tmp_path: Path, there: bool) -> None:
    if there:
        (tmp_path / "world").mkdir()
    ended = limited("export", "world", "toy", "world", size=100, folder=tmp_path)

    assert (ended.returncode, ended.stderr) == (2, "harness: world cannot be written: File too large\n")
    assert list(tmp_path.rglob("*")) == [tmp_path / "world"] * there
    assert call("export", "world", "toy", "world").status == 0


@pytest.mark.skipif(sys.platform == "win32", reason="limits file sizes as POSIX does")
@pytest.mark.parametrize("kind", ["app", "suite"])
def test_a_new_package_that_does_not_fit_leaves_no_file(tmp_path: Path, kind: str) -> None:
    ended = limited("new", kind, "zork", size=700, folder=tmp_path)

    assert ended.returncode == 2
    assert "cannot be written: File too large" in ended.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ("export", "world", "toy", "thesis/world"),
        ("audit", "toy", "--output", "thesis/found.json"),
        ("report", "here", "--format", "csv", "--output", "thesis/rows.csv"),
        ("report", "here", "--format", "csv", "--output", "missing/rows.csv"),
        ("report", "here", "--format", "html", "--output", "thesis/page"),
    ],
)
def test_a_place_that_cannot_be_is_no_bug(call: Call, config: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    assert call("eval", config, "--output", "here").status == 0
    (tmp_path / "thesis").write_text("precious")
    outcome = call(*words)

    assert outcome.status == 2
    assert str(Path(words[-1])) in outcome.err
    assert outcome.err.count("\n") == 1
    assert (tmp_path / "thesis").read_text() == "precious"


def test_records_that_cannot_be_written_stay_and_it_is_said_where_to_look(
    call: Call, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert call("eval", config, "--output", "here").status == 0
    before = {path: path.read_bytes() for path in (tmp_path / "here" / "trials").iterdir()}
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)  # as root may
    outcome = call("score", "here")

    assert outcome.status == 2
    assert outcome.err.startswith("harness: here: its records cannot be written, so they stay scored as they are, and ")
    assert {path: path.read_bytes() for path in (tmp_path / "here" / "trials").iterdir()} == before


@pytest.mark.skipif(sys.platform == "win32", reason="limits file sizes as POSIX does")
def test_scores_are_shown_where_their_page_does_not_fit(call: Call, config: Path, tmp_path: Path) -> None:
    assert call("eval", config, "--output", "here").status == 0
    ended = limited("score", "here", size=6_000, folder=tmp_path)

    assert ended.returncode == 2
    assert "48 trials scored again" in ended.stdout
    assert "harness: here/report.html cannot be written: File too large." in ended.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_report_to_a_full_disk_is_no_bug(call: Call, config: Path, tmp_path: Path) -> None:
    assert call("eval", config, "--output", "here").status == 0
    outcome = call("report", "here", "--output", "/dev/full")

    assert (outcome.status, outcome.err) == (
        2,
        "harness: --output /dev/full cannot be written: No space left on device\n",
    )
