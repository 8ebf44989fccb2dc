"""Verbs that suites bring: `harness VERB NAME`."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from harness import wiring
from harness.suite import SuiteEntry
from tests.cli.conftest import Call, offer
from tests.harness import toy

ROOT = Path(__file__).parents[2]
BUILD = "tests.cli.verb:build"


def entry(name: str = "toy", **commands: str) -> SuiteEntry:
    return SuiteEntry(name, "Jobs on a board.", toy.suite, commands=commands)


def test_a_verb_runs_with_the_options_of_its_functions_signature(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, entry(build=BUILD))

    assert call("build", "toy", "here", "--rows", 3, "--dry-run") == (0, "here 3 True\n", "")


def test_a_plugin_brings_verbs_under_its_entry_points_name(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("mine", "tests.cli.test_verbs:plugin", wiring.GROUP)
    monkeypatch.undo()
    monkeypatch.setattr(wiring.suites, "entry_points", lambda group: [point] if group == wiring.GROUP else [])

    assert wiring.catalog().commands["build"]["mine"].function().__module__ == "tests.cli.verb"


plugin = (entry("of-mine", build=BUILD),)


def test_verbs_are_listed_in_help(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, entry(build=BUILD, rescore=BUILD))

    assert (
        "  build     Make a benchmark's samples, to play later.\n  rescore   Score published runs" in call("--help").out
    )
    assert "  toy  Build the toy world.\n" in call("build", "--help").out


def test_what_a_verb_refuses_is_one_message(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, entry(build=BUILD))

    assert call("build", "toy", "here", "--rows", 0) == (2, "", "harness: a world has rows\n")


DECLARED = "harness: benchmarks/toy declares `harness build toy` as "


@pytest.mark.parametrize(
    ("target", "problem"),
    [
        ("tests.cli.moon:build", "'tests.cli.moon' cannot be imported: ModuleNotFoundError: No module named "),
        ("tests.cli.verb:nothing", "'tests.cli.verb' has no function 'nothing'\n"),
        ("tests.cli.verb:NOT_CALLABLE", "'tests.cli.verb' has no function 'NOT_CALLABLE'\n"),
        ("tests.cli.verb", "'tests.cli.verb' has no function ''\n"),
        ("", 'a command is written "module:function"\n'),
        ("tests.cli.verb:untold", "its signature does not fit a command: "),
    ],
)
def test_a_verb_that_cannot_be_had_is_told_in_one_line_and_hides_nothing(
    call: Call, monkeypatch: pytest.MonkeyPatch, target: str, problem: str
) -> None:
    offer(monkeypatch, entry(build=target), entry("other", rescore=BUILD))
    used, listed = call("build", "toy", "here", "--rows", 3), call("build", "--help")

    assert (used.status, used.out, used.err.count("\n")) == (2, "", 1)
    assert used.err.startswith(f"{DECLARED}{target!r}, and {problem}")
    assert (listed.status, call("--help").status, call("rescore", "toy", "x").status) == (0, 0, 0)
    assert "toy  Cannot be used: benchmarks/toy declares" in listed.out


def test_a_verb_of_nobody_is_no_command_and_says_who_is_broken(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> tuple[SuiteEntry, ...]:
        raise ModuleNotFoundError("No module named 'moon'")

    monkeypatch.setattr(wiring.suites, "_sources", lambda: iter([("plugins/moon", broken)]))
    found = call("build", "moon")

    assert found.status == 2
    assert found.err.startswith("plugins/moon cannot be imported: ModuleNotFoundError: No module named 'moon'")
    assert "No such command 'build'" in found.err


def test_an_own_command_is_not_replaced(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, entry(list=BUILD))

    assert call("list", "suites").out.startswith("toy ")


def test_suites_of_one_folder_share_a_verb_and_may_not_differ_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, entry("a", build=BUILD), entry("b", build=BUILD), entry("c", build="elsewhere:build"))

    assert wiring.catalog().broken == [
        "benchmarks/toy declares `harness build toy` as 'elsewhere:build', and "
        "benchmarks/toy declares `harness build toy` as 'tests.cli.verb:build'"
    ]


def test_published_data_is_read_by_the_folder_that_knows_it(
    call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("HARNESS_DATA", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["harness", "import", "workbench", "nowhere"])
    from harness.cli import main

    with pytest.raises(SystemExit, match="2"):
        main()
