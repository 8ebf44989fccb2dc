"""`harness new session` writes a session that validates and that a play bears out."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from benchmarks.pi.auditing import flaws
from benchmarks.pi.episode import episode
from benchmarks.pi.new import write
from benchmarks.pi.validators import main
from harness.suite import SuiteError
from servers.kernel import World

APPS = ("calendar", "gmail", "filesystem")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "smith"
    made.mkdir()
    return made


def test_a_new_session_validates(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write("smith-01", folder)

    assert main([str(folder)]) == 0
    assert "Nothing is wrong" in capsys.readouterr().out


def test_a_play_of_it_shows_what_is_left_to_its_author(folder: Path) -> None:
    write("smith-01", folder)
    empty = World("smith", datetime(2026, 4, 13, 8), {app: {} for app in APPS})

    assert [flaw.rule for flaw in flaws(episode(folder), empty)] == ["undo"]


def test_what_was_made_wrong_is_told_by_file_and_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write("smith-01", folder)
    path.write_text(path.read_text(encoding="utf-8").replace("for tomorrow", "for forty minutes tomorrow"))

    assert main([str(folder)]) == 1
    assert f"{path}:15: values-withheld: 'forty minutes' of 'i1' stands in the request" in capsys.readouterr().out


def test_what_is_there_is_not_written_over(folder: Path) -> None:
    path = write("smith-01", folder)
    path.write_text("mine", encoding="utf-8")

    with pytest.raises(SuiteError, match="exists already"):
        write("smith-01", folder)
    assert path.read_text(encoding="utf-8") == "mine"


def test_a_name_that_cannot_be_one_and_a_folder_that_is_not_there_are_refused(folder: Path) -> None:
    with pytest.raises(SuiteError, match="'Smith 1' cannot be the name of a session"):
        write("Smith 1", folder)
    with pytest.raises(SuiteError, match="is not a folder"):
        write("smith-01", folder / "no")


def test_the_command_says_what_to_do_next(folder: Path) -> None:
    command = [sys.executable, "-m", "harness", "new", "session", "smith-01", "--into", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert done.stdout.strip().endswith("smith/smith-01.yaml")
    assert "Next: python -m benchmarks.pi.validators" in done.stderr
