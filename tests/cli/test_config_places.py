"""Problems that are found once a config's suite is there: they say where in the file, as those found by reading do."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import wiring
from harness.core.config import ConfigProblem
from harness.core.config_file import load
from harness.core.config_places import placed
from harness.core.overrides import Overrides
from harness.core.suite import SuiteError
from harness.models.replies import ModelError
from harness.play.run import plan
from tests.harness import toy

LEAST = "suite: toy\nagents: [{kind: oracle}]\n"


def tried(path: Path, overrides: Overrides) -> None:
    config = load(path, overrides)
    with placed(path, overrides):
        suite = toy.suite() if config.suite == "toy" else wiring.suite(config.suite, config.scale)
        wiring.check(config, suite)
        plan(config, suite)


def problem(path: Path, text: str, overrides: Overrides = Overrides()) -> str:
    path.write_text(text)
    with pytest.raises((ConfigProblem, SuiteError, ModelError)) as caught:
        tried(path, overrides)
    return str(caught.value).removeprefix(f"{path}:")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LEAST + "tasks:\n- toy-0\n- toy-99", "5: tasks.1: suite toy has no task 'toy-99'"),
        (LEAST + "conditions:\n  a: {}\n  b:\n    prompt: vague", "6: conditions.b.prompt: 12 of 12 tasks have no"),
        (LEAST + "conditions:\n  a.b:\n    toolsets:\n      projects: x", "6: conditions.a.b.toolsets.projects: pro"),
        (LEAST + "conditions:\n  a:\n    tools: required", "5: conditions.a.tools: suite toy does not say"),
        ("suite: toy\nagents:\n- kind: idle\n- kind: reference", "4: agent reference: suite toy has no program for"),
        ("suite: toy\nagents:\n- kind: idle\n- {kind: llm, model: nobody/x}", "4: agents.1: model 'nobody/x': LiteLLM"),
        ("# one\nsuite: workbnch-synth\nagents: [{kind: idle}]", "2: suite: no suite is named 'workbnch-synth'. Did"),
        ("scale: 3\nsuite: office\nagents: [{kind: idle}]", "1: scale: suite office cannot be scaled: leave out"),
    ],
    ids=["task", "prompt", "toolset", "tools", "agent", "model", "suite", "scale"],
)
def test_a_problem_found_after_reading_names_file_line_and_field(tmp_path: Path, text: str, expected: str) -> None:
    assert problem(tmp_path / "demo.yaml", text).startswith(expected)


def test_a_problem_with_an_option_names_the_option(tmp_path: Path) -> None:
    text = "suite: office\nscale: 1\nagents: [{kind: idle}]"

    assert problem(tmp_path / "demo.yaml", text, Overrides(scale=3)).startswith("--scale: suite office cannot be")


def test_a_problem_with_nothing_in_the_file_stays_as_it_is(tmp_path: Path) -> None:
    told = problem(tmp_path / "demo.yaml", LEAST, Overrides(model="nobody/x"))

    assert told.startswith("model 'nobody/x': LiteLLM knows no such provider")
