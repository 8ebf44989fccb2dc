"""Items with a rubric: what a judge is asked, and what its verdict is worth."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.pi.scoring import checks
from benchmarks.pi.suite import units
from harness.core.config import OracleConfig, RunConfig
from harness.core.judgement import Verdict
from harness.play.run import evaluate
from harness.record.scores import scores
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
    score = scores(SUITE.checks, TASK, trial, verdicts)["outcome"]

    assert score.detail["sessions"][2] == pytest.approx(share)
    assert (score.detail["unscored"], score.detail["low"] == score.detail["high"]) == (0, True)
    assert score.right == (answer == "yes")


def test_without_a_judge_the_trial_is_unscored_and_comp_has_bounds(trial: Trajectory) -> None:
    score = scores(SUITE.checks, TASK, trial)["outcome"]

    assert (score.value, score.right, score.detail["comp"], score.detail["unscored"]) == (None, None, 1, 1)
    assert (score.detail["low"], score.detail["high"]) == (pytest.approx(20 / 21), 1)


def test_a_trial_that_rules_fail_is_unscored_too_until_a_judge_has_spoken(trial: Trajectory) -> None:
    nothing = trial.model_copy(update={"events": [each for each in trial.events if each.kind != "call"]})
    waiting, judged = (
        scores(SUITE.checks, TASK, nothing, verdicts)["outcome"]
        for verdicts in ({}, {MEMO: [Verdict(judge="anna", answer="no")]})
    )

    assert (waiting.value, waiting.right, judged.right) == (None, None, False)
    assert (judged.value or 0) < 0.2


def test_what_rules_say_alone_is_there_for_audits(trial: Trajectory) -> None:
    assert SUITE.ruled is not None
    score = SUITE.ruled(TASK, trial, {})

    assert (score.value, score.right) == (1, True)


def test_a_session_whose_items_all_await_a_judge_has_no_share(trial: Trajectory) -> None:
    unit = units()[TASK.id]
    first, *others = unit.sessions
    rubric = next(item.rubric for session in others for item in session.checklist if item.rubric)
    items = tuple(item.model_copy(update={"check": None, "rubric": rubric}) for item in first.checklist)
    changed = replace(unit, sessions=(first.model_copy(update={"checklist": items}), *others))
    score = checks(lambda _: changed, lambda _: SUITE.load_world(TASK.world))["outcome"](TASK, trial, {})

    assert (score.detail["sessions"][0], score.detail["comp"]) == (None, 1)
