"""Controls: what differs from their sample, what is right there, and the tables that count acts."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from benchmarks.probe import naming, worlds
from benchmarks.probe.acts import Acted, alarms, costs
from benchmarks.probe.controls import control
from benchmarks.probe.costs import COSTS, cost
from benchmarks.probe.grammar.documents import TEXT
from benchmarks.probe.grammar.facts import AGAINST, NOTED, keys_of, live
from benchmarks.probe.grammar.proofs import facts_of, remit_of
from benchmarks.probe.pins import chosen
from benchmarks.probe.records import CATEGORIES
from benchmarks.probe.suite import load
from harness.core.config import Condition, ConfigProblem, IdleConfig, Limits, OracleConfig, ReferenceConfig, RunConfig
from harness.play.run import evaluate, plan
from harness.suite import Scored, Suite
from tests.harness.wired import Over

FIRST = chosen(total=3)
AGENTS = (
    IdleConfig(kind="idle"),
    OracleConfig(kind="oracle"),
    ReferenceConfig(kind="reference", settings={"mode": "single_shot"}),
    ReferenceConfig(kind="reference", name="random", settings={"mode": "single_shot", "policy": "random"}),
)
ANY = Condition(prompt="any", toolsets={"actions": "structured"})


@pytest.mark.parametrize("name", FIRST)
def test_one_sentence_differs_and_nothing_else(name: str) -> None:
    sample, other = worlds.sample(name), worlds.sample(naming.control_of(name))
    pairs = [
        (one, two) for one, two in zip(sample.documents, other.documents, strict=True) if one.payload != two.payload
    ]

    ((one, two),) = pairs
    assert one.id not in sample.gold.true_positives
    field = TEXT[one.type]
    assert {**one.payload, field: ""} == {**two.payload, field: ""}
    before, after = str(one.payload[field]).split(), str(two.payload[field]).split()
    assert before[:3] == after[:3] or before[-3:] == after[-3:]
    assert (sample.world_model, sample.actions, sample.now) == (other.world_model, other.actions, other.now)


@pytest.mark.parametrize("name", FIRST)
def test_the_sentence_speaks_against_the_live_chain(name: str) -> None:
    sample, other = worlds.sample(name), worlds.sample(naming.control_of(name))
    before, after = ([fact for facts in facts_of(each).values() for fact in facts] for each in (sample, other))
    (chain,) = live(before, remit_of(sample))
    keys = {key for fact in chain for key in keys_of(fact)}

    assert live(after, remit_of(other)) == []
    (new,) = [fact for fact in after if fact not in before]
    assert (NOTED[new.kind], new.values[0]) in keys
    assert new.kind in AGAINST[NOTED[new.kind]]


def test_a_control_asks_for_nothing() -> None:
    gold = worlds.sample(naming.control_of(FIRST[0])).gold

    assert (gold.action, gold.true_positives, gold.parameters) == (None, (), {})
    assert set(gold.details.model_dump().values()) == {None}


def test_a_control_has_no_control() -> None:
    with pytest.raises(ValueError, match="0 live chains"):
        control(worlds.sample(naming.control_of(FIRST[0])), "again")


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load(total=1, controls=1)


def config(suite: Suite, *tasks: str, condition: Condition = ANY) -> RunConfig:
    return RunConfig(
        suite=suite.name, agents=AGENTS, conditions={"c": condition}, tasks=tasks, limits=Limits(tool_calls=400)
    )


def test_a_control_is_played_only_where_it_is_named(suite: Suite) -> None:
    sample, other = (task.id for task in suite.tasks[:2])

    assert {job.task for job in plan(config(suite), suite).jobs} == {sample}
    assert {job.task for job in plan(config(suite, sample, other), suite).jobs} == {sample, other}


def test_a_control_is_refused_where_a_bottleneck_is_promised(suite: Suite) -> None:
    with pytest.raises(ConfigProblem, match="no prompt 'one'"):
        plan(config(suite, suite.tasks[1].id, condition=Condition(prompt="one")), suite)


@pytest.fixture(scope="module")
def played(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Mapping[tuple[str, bool], Scored]:
    """A sample and its control: (agent, whether it is the control) -> trial."""

    both = config(suite, *(task.id for task in suite.tasks[:2]))
    run = evaluate(both, suite, Over(suite), tmp_path_factory.mktemp("probe") / "run")
    return {
        (each.trajectory.agent, each.trajectory.task in suite.aside): Scored(each.trajectory, each.scores)
        for each in run.records()
    }


@pytest.mark.parametrize("agent", ["idle", "oracle", "reference"])
def test_doing_nothing_is_right_in_a_control(played: Mapping[tuple[str, bool], Scored], agent: str) -> None:
    strict = played[agent, True].scores["strict"]

    assert (strict.value, strict.label, strict.detail["cost"]) == (1, "quiet", 0)


def test_an_act_in_a_control_is_a_false_alarm_and_costs(
    suite: Suite, played: Mapping[tuple[str, bool], Scored]
) -> None:
    trial = played["random", True]
    (call,) = trial.trajectory.calls
    types = {each.id: each.type for each in worlds.sample(suite.tasks[1].world).actions}

    assert (trial.scores["strict"].value, trial.scores["strict"].label) == (0, "false_alarm")
    assert trial.scores["strict"].detail["cost"] == cost(types[call.arguments["action"]])
    assert {score.value for name, score in trial.scores.items() if name != "strict"} == {None}
    assert suite.queries(suite.tasks[1], trial.trajectory) == ()


def test_the_reference_agent_tells_a_sample_from_its_control(played: Mapping[tuple[str, bool], Scored]) -> None:
    assert played["reference", False].scores["strict"].value == 1
    assert played["reference", True].trajectory.calls == []


def test_tables_have_false_alarms_beside_hits(suite: Suite, played: Mapping[tuple[str, bool], Scored]) -> None:
    assert suite.report is not None
    kinds = {agent.name: agent.model_dump() for agent in AGENTS}

    tables = {table.title: table for table in suite.report(suite, kinds, list(played.values()))}

    rows = {row["Model"]: row for row in tables["Calibration: false alarms beside hits"].rows}
    assert {name: (row["hits"], row["false alarms"], row["both right"]) for name, row in rows.items()} == {
        "idle": (0, 0, 0),
        "oracle": (1, 0, 1),
        "reference": (1, 0, 1),
        "random": (0, 1, 0),
    }
    spent = {row["Model"]: row for row in tables["Calibration: what wrong acts cost"].rows}
    assert (spent["oracle"]["cost"], spent["oracle"]["net at B=10"], spent["oracle"]["break-even B"]) == (0, 5, 0)
    assert spent["random"]["cost"] > 0
    assert (spent["random"]["break-even B"], spent["idle"]["break-even B"]) == (None, None)


def acted(execution: float | None, cost: int, *, control: bool = False, prompt: str = "any") -> Acted:
    task = "control-1-0000-hard" if control else "grammar-1-0000-hard"
    return Acted("model", task, 0, prompt, control, int(cost > 0), int(cost > 0), cost, execution)


def test_the_break_even_benefit_is_where_nothing_is_left() -> None:
    (table,) = costs("PROBE", [acted(1, 0), acted(0.5, 0), acted(0, 10), acted(None, 3, control=True), acted(None, 3)])
    (row,) = table.rows

    assert (row["answers"], row["solved"], row["cost"]) == (4, 1.5, 13)
    assert row["break-even B"] == pytest.approx(13 / 1.5, abs=1e-3)
    assert row["net at B=10"] == pytest.approx((15 - 13) / 4)


def test_false_alarms_are_counted_only_where_there_may_be_nothing() -> None:
    assert alarms("PROBE", [acted(1, 0, prompt="one"), acted(1, 0)]) == []


def test_samples_and_controls_are_counted_in_trials() -> None:
    trials = [acted(1, 0)._replace(trial=n) for n in range(3)]
    (table,) = alarms("PROBE", [*trials, *(acted(None, 3, control=True)._replace(trial=n) for n in range(3))])
    (row,) = table.rows

    assert (row["sample trials"], row["control trials"], row["pairs"]) == (3, 3, 3)


def test_every_category_of_action_has_a_cost() -> None:
    assert sorted(COSTS) == sorted(CATEGORIES)
    assert set(COSTS.values()) == {1, 3, 10}
    assert cost("something new") == 3
