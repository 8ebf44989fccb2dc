"""The composition root: the right user and the right agent for a config."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from benchmarks.workbench.official.commands import imported
from harness import wiring
from harness.agents.instruments import IdleAgent, OracleAgent
from harness.agents.llm import LlmAgent
from harness.core.config import AgentConfig, IdleConfig, LlmConfig, OracleConfig, UserConfig
from harness.play.stage import Job
from harness.suite import SuiteError
from servers.kernel import Question
from tests.harness import toy

BRIEF = toy.task(1, ask=True).sessions[0].briefs["underspecified"]


def test_the_grounded_user_knows_what_the_brief_withholds() -> None:
    user = wiring.Wired().user(UserConfig(), BRIEF)
    answer = anyio.run(user.answer, Question(text="Which list should it go to?"))

    assert "In Review" in answer.text
    assert (answer.targets, answer.revealed) == (("list",), ("list",))


def test_the_scripted_user_reads_out_its_script() -> None:
    user = wiring.Wired().user(UserConfig(kind="scripted", script=("Yes.",)), BRIEF)

    assert anyio.run(user.answer, Question(text="Really?")).text == "Yes."


@pytest.mark.parametrize(
    ("config", "kind"),
    [
        (IdleConfig(kind="idle"), IdleAgent),
        (OracleConfig(kind="oracle"), OracleAgent),
        (LlmConfig(kind="llm", model="openai/stub", api_base="http://127.0.0.1:9/v1"), LlmAgent),
    ],
)
def test_agents_are_made_by_kind(config: AgentConfig, kind: type) -> None:
    job = Job(agent=config, condition="default", prompt="original", task="toy-0", trial=0)

    assert isinstance(wiring.Wired().agent(job, toy.suite()), kind)


def test_an_import_that_does_not_fit_is_a_suite_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARNESS_DATA", str(tmp_path / "data"))
    with pytest.raises(SuiteError, match="nowhere"):
        imported(tmp_path / "nowhere")


def test_the_fixture_release_becomes_a_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARNESS_DATA", str(tmp_path / "data"))
    release = Path(__file__).parents[1] / "fixtures" / "workbench_small"
    found = imported(release)

    assert found["counts"]["tasks"] == len(wiring.suite(found["suite"]).tasks) > 0
