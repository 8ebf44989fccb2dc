"""A sample of the 690 tasks, disturbed at several rates: what is drawn, and that a replay gives it again."""

from __future__ import annotations

from typing import Any

import pytest

from harness.core.config import RunConfig
from harness.play.replay import replay_run
from harness.play.run import evaluate
from harness.record.store import Run
from harness.wiring import wiring

KINDS = ("timeout", "lost", "rate_limit", "error", "cut", "late")
TASKS = slice(0, 690, 30)


@pytest.fixture(scope="module", params=[0, 0.1, 0.5, 1])
def rate(request: pytest.FixtureRequest) -> float:
    return float(request.param)


@pytest.fixture(scope="module")
def run(rate: float, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The sample without disturbances, under every kind once and always, and under one kind alone."""
    wired = wiring()
    suite = wired.suite("workbench-synth")
    conditions = {
        "plain": [],
        "once": [{"kind": kind, "rate": rate} for kind in KINDS],
        "always": [{"kind": kind, "rate": rate, "mode": "always"} for kind in KINDS],
        "timeout": [{"kind": "timeout", "rate": rate, "mode": "always"}],
    }
    config = RunConfig.model_validate(
        {
            "suite": suite.name,
            "agents": [{"kind": "oracle"}, {"kind": "reference"}],
            "conditions": {name: {"disturbances": each} for name, each in conditions.items()},
            "tasks": [task.id for task in suite.tasks[TASKS]],
        }
    )
    return evaluate(config, suite, wired, tmp_path_factory.mktemp("synth") / "run")


def told(run: Run, condition: str) -> dict[tuple[str, str], Any]:
    trials = (record.trajectory for record in run.records())
    return {(t.agent, t.task): (t.calls, t.digest, t.changes) for t in trials if t.condition == condition}


def test_a_disturbed_run_voids_nothing_and_replays_to_equal_digests(run: Run) -> None:
    wired = wiring()
    replayed = replay_run(run, wired.suite("workbench-synth"), wired)

    assert {record.trajectory.status for record in run.records()} == {"finished"}
    assert len(replayed) == 2 * 4 * 23
    assert [each for each in replayed if not each.equal] == []


def test_only_at_rate_0_is_every_trial_as_without(run: Run, rate: float) -> None:
    plain = told(run, "plain")

    assert [told(run, name) == plain for name in ("once", "always", "timeout")] == [rate == 0] * 3


def test_the_share_of_calls_that_are_met_is_near_the_rate(run: Run, rate: float) -> None:
    calls = [call for calls, *_ in told(run, "timeout").values() for call in calls]
    met = sum(call.status == "disturbed" for call in calls)

    assert met / len(calls) == pytest.approx(rate, abs=3 * (rate * (1 - rate) / len(calls)) ** 0.5)
