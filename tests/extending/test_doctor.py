"""`harness doctor APP` over installed apps: which promise is broken, by which tool, and by which calls."""

from __future__ import annotations

import importlib.util
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from harness.cli.doctoring import doctor
from harness.cli.problems import CallProblem
from harness.scaffold import scaffold
from tests.extending.install import install

Run = Callable[..., subprocess.CompletedProcess[str]]
Wishes = Callable[[Mapping[str, str]], None]


KEPT = 'raise Rejected("An item needs a title.")'
"""What the app that `harness new` writes says to a title without a letter."""


@pytest.fixture
def wishes(site: Path, tmp_path: Path) -> Wishes:
    """Makes a new app with texts of its module replaced, and installs it."""

    def make(replaced: Mapping[str, str]) -> None:
        module = next(path for path in scaffold("app", "wishes", tmp_path) if path.name == "__init__.py")
        text = module.read_text(encoding="utf-8")
        for old, new in replaced.items():
            assert old in text
            text = text.replace(old, new)
        module.write_text(text, encoding="utf-8")
        install(tmp_path / "wishes", site)

    return make


def problems(said: str) -> list[str]:
    """What is said of each problem, calls included."""
    return [part.partition("\nok ")[0] for part in said.split("problem  ")[1:]]


def test_a_broken_promise_of_an_installed_app_is_shown_with_the_calls_that_broke_it(
    run: Run, wishes: Wishes, tmp_path: Path
) -> None:
    wishes({KEPT: 'raise ValueError("no title")'})
    done = run("doctor", "wishes")
    (said,) = problems(done.stdout)

    assert done.returncode == 1
    assert "wishes.add_item is defective: ValueError: no title" in said
    assert "add_item(title=" in said
    assert not (tmp_path / "here" / ".hypothesis").exists()


@pytest.mark.parametrize(
    ("changed", "name", "text"),
    [
        ('raise ValueError("no title")', "ValueError", "wishes.add_item is defective: ValueError: no title (breaks "),
        (KEPT, "none succeeds", "wishes.add_item: of the calls generated for add_item none succeeds: An item needs "),
    ],
    ids=["raises", "refuses"],
)
def test_one_cause_is_one_problem_however_many_promises_it_breaks(
    changed: str, name: str, text: str, run: Run, wishes: Wishes
) -> None:
    wishes({"if not title.strip():": "if state:", KEPT: changed})
    done = run("doctor", "wishes")
    (said,) = problems(done.stdout)

    assert text in said
    assert "other promises too)" in said
    assert done.stdout.count(name) == 1


def test_a_wrong_call_of_the_doctor_names_what_would_be_right(run: Run) -> None:
    unknown, alone = run("doctor", "gmial"), run("doctor", "--world", "workbench-synth")

    assert (unknown.returncode, alone.returncode) == (2, 2)
    assert "There is no app 'gmial'. Did you mean 'gmail'?" in unknown.stderr
    assert "--world goes with an app" in alone.stderr


def test_without_hypothesis_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)

    with pytest.raises(
        CallProblem, match=r"draw their calls with hypothesis: pip install 'workplace-harness\[testing\]'"
    ):
        doctor("projects")
