"""What `-T` sets: what does not fit is told in a line, and a user of the run's own is the one who answers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import ChatMessage, ModelOutput

from harness import wiring
from harness.core.config import ConfigProblem
from harness.interop import inspect_tasks
from harness.interop.inspect_play import KEPT, suite_task
from harness.trajectory import Trajectory
from tests.harness import toy
from tests.inspect.scenes import called, inspected, mock, offer, said, solving

pytestmark = [  # of Inspect's own making, where warnings are errors
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

ANNOUNCED = pytest.mark.skipif(
    not [point for point in entry_points(group="inspect_ai") if point.name == inspect_tasks.NAME],
    reason="the package was installed before it had this entry point",
)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"wrong": 1}, r"-T: wrong: no such setting\. Known: prompt, ask, user, sample, limit, seed\."),
        ({"promt": "original"}, r"-T: promt: no such setting\. Did you mean 'prompt'\?"),
        ({"ask": "maybe"}, "-T: ask: 'maybe' is not allowed; write 'off', 'ask_user' or 'clarify'"),
        ({"prompt": "vague"}, "-T: prompt: 4 of 4 tasks have no prompt 'vague': .*; all of them have original"),
        ({"limit": "x"}, "-T: limit: .*valid integer.*not 'x'"),
        ({"limit": 0}, "-T: limit: .* greater than or equal to 1, not 0"),
        ({"limit": 2, "sample": 2}, "-T: .*give only one of them"),
        ({"seed": "x"}, "-T: seed: .*not 'x'"),
        ({"user": "grounded"}, "-T: .*nobody is asked: give `ask=ask_user`"),
        (
            {"ask": "ask_user", "user": "grunded"},
            r"-T: user: 'grunded' is not a kind of user\. Did you mean 'grounded'",
        ),
        ({"ask": "ask_user", "user": {"manner": "rude"}}, "-T: user.manner: 'rude' is not allowed; write 'plain'"),
        ({"ask": "ask_user", "user": {"kind": "llm", "modle": "m"}}, "-T: user.modle: no such .* mean 'model'"),
        ({"ask": "ask_user", "user": 3}, "-T: user: must be a mapping, not 3"),
    ],
)
def test_an_option_that_does_not_fit_is_refused_with_what_would(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, Any], told: str
) -> None:
    name = offer(monkeypatch, toy.suite([toy.task(n) for n in range(4)]))

    with pytest.raises(ConfigProblem, match=told):
        suite_task(name, **given)


def test_inspect_hears_of_it_as_of_its_own_problems() -> None:
    with pytest.raises(PrerequisiteError, match="-T: path: is required and missing"):
        inspect_tasks._folder()()
    with pytest.raises(PrerequisiteError, match="no suite is named '/nowhere'"):
        inspect_tasks._folder()(path="/nowhere")


@ANNOUNCED
def test_the_command_ends_with_one_line_and_no_traceback(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "inspect_ai", "eval", "workplace/workbench-synth", "--model", "mockllm/model"]
    done = subprocess.run(
        [*command, "-T", "wrong=1"],
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert done.returncode != 0
    assert done.stdout.strip() == "-T: wrong: no such setting. Known: prompt, ask, user, sample, limit, seed."
    assert "Traceback" not in done.stdout + done.stderr


def test_a_user_is_chosen_by_name_or_by_settings_and_stands_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = wiring.suite("lhaw-workplace")
    task = next(t for t in suite.tasks if "underspecified" in t.sessions[0].requests)
    heard: list[str] = []

    def say(conversation: Sequence[ChatMessage]) -> ModelOutput:
        if conversation[-1].role == "tool":
            heard.append(conversation[-1].text)
            return said("Thank you.")
        return called("ask_user_ask_user", {"question": "Who is it for?"})

    def log(user: Any) -> Any:
        played = suite_task(suite.name, prompt="underspecified", ask="ask_user", user=user)
        return inspected(played, mock(say), tmp_path, sample_id=task.id)

    scripted = {"kind": "scripted", "script": ["Ask somebody else."]}

    assert log(scripted).eval.metadata["user"] == "scripted"
    assert heard == ["Ask somebody else."]
    assert log("grounded").eval.metadata["user"] == "grounded@2"
    assert log({"version": 1}).eval.metadata["user"] == "grounded@1"


def test_a_log_names_no_user_where_nobody_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = toy.task(0)
    name = offer(monkeypatch, toy.suite([task]))

    log = inspected(suite_task(name), mock(solving([task])), tmp_path)

    assert (log.eval.metadata or {})["user"] == ""
    assert Trajectory.model_validate((log.samples or [])[0].store[KEPT]).status == "finished"
