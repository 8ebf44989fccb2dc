"""`harness doctor APP` over installed apps: which promise is broken, by which tool, and by which calls."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from harness.scaffold import scaffold
from tests.extending.install import install

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_a_broken_promise_of_an_installed_app_is_shown_with_the_calls_that_broke_it(
    run: Run, site: Path, tmp_path: Path
) -> None:
    module = next(path for path in scaffold("app", "wishes", tmp_path) if path.name == "__init__.py")
    text = module.read_text(encoding="utf-8")
    kept = 'raise Rejected("An item needs a title.")'
    assert kept in text
    module.write_text(text.replace(kept, 'raise ValueError("no title")'), encoding="utf-8")
    install(tmp_path / "wishes", site)
    done = run("doctor", "wishes")
    line, calls = done.stdout[done.stdout.index("problem  ") :].splitlines()[:2]

    assert done.returncode == 1
    assert "wishes/default: Defect: wishes.add_item is defective: ValueError: no title" in line
    assert "add_item(title=" in calls
    assert not (tmp_path / "here" / ".hypothesis").exists()


def test_a_wrong_call_of_the_doctor_names_what_would_be_right(run: Run) -> None:
    unknown, alone = run("doctor", "gmial"), run("doctor", "--world", "workbench-synth")

    assert (unknown.returncode, alone.returncode) == (2, 2)
    assert "There is no app 'gmial'. Did you mean 'gmail'?" in unknown.stderr
    assert "--world goes with an app" in alone.stderr
