"""Items with a rubric: what a judge is asked, and what its verdict is worth."""

from __future__ import annotations

import pytest

from harness.core.config import OracleConfig, RunConfig
from harness.core.judgement import Verdict
from harness.play.run import evaluate
from harness.trajectory import Trajectory
from harness.wiring import Wired, suite

SUITE = suite("pi-units")
TASK = SUITE.task("financier-g1")
MEMO = "s3.c9"


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Trajectory:
    """The reference's."""
    config = RunConfig.model_validate(
        {
            "suite": "pi-units",
            "tasks": ["financier-g1"],
            "agents": [OracleConfig(kind="oracle")],
            "conditions": {"one": {"ask": "ask_user", "end_of_turn": "user", "user": {"kind": "intents"}}},
        }
    )
    (record,) = evaluate(config, SUITE, Wired(), tmp_path_factory.mktemp("judged") / "run").records()
    return record.trajectory


def test_a_judge_sees_the_memo_and_what_passes_and_fails(trial: Trajectory) -> None:
    (query,) = SUITE.queries(TASK, trial)

    assert query.id == MEMO
    assert "\nYes: The first sentence says whether" in query.text
    assert "\nNo: One of the three is missing" in query.text
    assert query.evidence.startswith("/workspace/validation/short-rate/2026-04-17_short-rate-memo_v1.md:\n")


@pytest.mark.parametrize(("answer", "share"), [("yes", 1.0), ("no", 8 / 9)])
def test_a_verdict_counts_by_the_weight_of_its_item(trial: Trajectory, answer: str, share: float) -> None:
    verdicts = {MEMO: [Verdict(judge="anna", answer=answer)]}
    score = SUITE.scores(TASK, trial, verdicts)["outcome"]

    assert score.detail["sessions"][2] == pytest.approx(share)
    assert (score.detail["unscored"], score.detail["low"] == score.detail["high"]) == (0, True)
    assert score.right == (answer == "yes")


def test_without_a_judge_comp_has_bounds(trial: Trajectory) -> None:
    score = SUITE.scores(TASK, trial)["outcome"]

    assert (score.value, score.detail["unscored"]) == (1, 1)
    assert (score.detail["low"], score.detail["high"]) == (pytest.approx((2 + 8 / 9) / 3), 1)
