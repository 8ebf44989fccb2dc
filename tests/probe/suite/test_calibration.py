"""Instruments that err at known rates, and the table that holds them to it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks.probe import worlds
from benchmarks.probe.calibration import Played, calibrated
from benchmarks.probe.scoring.scored import Scored as Answer
from benchmarks.probe.suite import load
from harness.core.config import Condition, ConfigProblem, Limits, ReferenceConfig, RunConfig
from harness.play.run import evaluate, plan
from harness.report.tables import Agents
from harness.suite import Scored, Suite, Table
from tests.harness.wired import Over

STRUCTURED = Condition(prompt="one", toolsets={"actions": "structured"})


def instrument(name: str, **settings: Any) -> ReferenceConfig:
    return ReferenceConfig(kind="reference", name=name, settings={"mode": "single_shot", **settings})


AGENTS = (
    instrument("confused", confusion=1),
    instrument("mistaken", parameter_error=1),
    instrument("forgetful", recall=0),
    instrument("greedy", noise=1),
    instrument("random", policy="random"),
    instrument("everything", policy="everything"),
    ReferenceConfig(kind="reference", name="random through tools", settings={"policy": "random"}),
)


def config_of(suite: Suite, *agents: ReferenceConfig) -> RunConfig:
    return RunConfig(suite=suite.name, agents=agents, conditions={"c": STRUCTURED}, limits=Limits(tool_calls=400))


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load(total=1, controls=0)


@pytest.fixture(scope="module")
def played(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Scored]:
    run = evaluate(config_of(suite, *AGENTS), suite, Over(suite), tmp_path_factory.mktemp("probe") / "run")
    return {each.trajectory.agent: Scored(each.trajectory, each.scores) for each in run.records()}


def test_confusion_gets_one_essential_detail_wrong_and_nothing_else(played: Mapping[str, Scored]) -> None:
    scores = played["confused"].scores

    assert [scores[name].value for name in ("search_f1", "identification", "execution")] == [1, 0, 1]
    assert [each.value for each in scores["identification"].criteria].count(0) == 1


def test_a_parameter_error_costs_the_execution_alone(played: Mapping[str, Scored]) -> None:
    scores = played["mistaken"].scores

    assert [scores[name].value for name in ("search_f1", "identification", "execution")] == [1, 1, 0]
    assert scores["strict"].detail["wrong_acts"] == 0


def test_without_a_true_positive_nothing_is_said_and_another_act_taken(played: Mapping[str, Scored]) -> None:
    scores = played["forgetful"].scores

    assert [scores[name].value for name in ("search_f1", "identification", "execution")] == [0, 0, 0]
    assert scores["strict"].detail["wrong_acts"] == 1


@pytest.mark.parametrize("name", ["greedy", "everything"])
def test_declaring_everything_has_recall_1_and_the_precision_of_chance(
    suite: Suite, played: Mapping[str, Scored], name: str
) -> None:
    sample = worlds.sample(suite.tasks[0].world)
    found = played[name].scores["search_f1"].detail

    assert found["recall"] == 1
    assert found["precision"] == pytest.approx(len(sample.gold.true_positives) / len(sample.documents))


@pytest.mark.parametrize("name", ["random", "random through tools"])
def test_any_action_is_taken_in_a_form_that_the_tool_takes(played: Mapping[str, Scored], name: str) -> None:
    last = played[name].trajectory.calls[-1]

    assert (last.tool, last.status) == ("choose_action", "ok")


def test_what_is_certain_is_measured_as_it_is(suite: Suite, played: Mapping[str, Scored]) -> None:
    table = table_of(suite, played)
    rows = {(row["Instrument"], row["score"]): row for row in table.rows}

    certain = [row for row in rows.values() if row["standard error"] == 0]
    assert len(certain) > len(rows) / 2
    assert {row["within 3"] for row in certain} == {"yes"}
    assert rows["confused", "Bottleneck Identification"]["true"] == 0
    assert rows["forgetful", "overall"]["true"] == 0
    assert rows["random", "right action"]["true"] == pytest.approx(
        1 / len(worlds.sample(suite.tasks[0].world).actions), abs=1e-4
    )


def test_a_scorer_that_is_off_shows(suite: Suite, played: Mapping[str, Scored]) -> None:
    trial = played["confused"]
    detail = trial.scores["strict"].detail
    right = Answer.model_validate(played["mistaken"].scores["strict"].detail["scored"]).identification
    off = Answer.model_validate(detail["scored"]).model_copy(update={"identification": right})

    table = calibrated(
        "Calibration", [Played(off, detail["relevant"], detail["documents"], detail["actions"], AGENTS[0].model_dump())]
    )

    assert {row["score"] for row in table.rows if row["within 3"] == "no"} == {"Bottleneck Identification"}


def table_of(suite: Suite, played: Mapping[str, Scored]) -> Table:
    assert suite.report is not None
    tables = suite.report(suite, Agents(config_of(suite, *AGENTS)), list(played.values()))
    return next(each for each in tables if "must score" in each.title)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [({"recal": 0.5}, "recal: .*There are recall, noise"), ({"noise": 2}, "noise: "), ({"policy": "luck"}, "policy: ")],
)
def test_a_setting_that_there_is_not_is_refused(suite: Suite, settings: Any, problem: str) -> None:
    agent = ReferenceConfig(kind="reference", settings=settings)

    with pytest.raises(ConfigProblem, match=f"agent reference: .*{problem}"):
        plan(config_of(suite, agent), suite)


def test_settings_are_part_of_what_a_run_is(suite: Suite) -> None:
    heads = [plan(config_of(suite, instrument("one", confusion=rate)), suite).head for rate in (0.1, 0.2)]

    assert heads[0].identity != heads[1].identity


def test_a_config_without_settings_is_what_it_was(tmp_path: Path) -> None:
    assert "settings" not in ReferenceConfig(kind="reference").model_dump()
