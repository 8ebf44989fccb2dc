"""Samples whose decisive document arrives during the week: what is there when, and who acted in time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pytest

from benchmarks.probe import days, naming, worlds
from benchmarks.probe.acts import in_time
from benchmarks.probe.grammar.documents import TEXT
from benchmarks.probe.grammar.facts import live
from benchmarks.probe.grammar.proofs import remit_of
from benchmarks.probe.grammar.reading import read
from benchmarks.probe.suite import load
from harness.core.agent_config import AgentConfig
from harness.core.config import (
    Condition,
    ConfigProblem,
    IdleConfig,
    Limits,
    LlmConfig,
    OracleConfig,
    ReferenceConfig,
    RunConfig,
)
from harness.play.run import evaluate, plan
from harness.record.scores import scores
from harness.report.headline import headline
from harness.score import Score
from harness.suite import Scored, Suite, SuiteError
from harness.task import Task
from tests.harness.wired import Over

FIRST = days.names()[:2]
AGENTS = (
    IdleConfig(kind="idle"),
    OracleConfig(kind="oracle"),
    ReferenceConfig(kind="reference"),
    ReferenceConfig(kind="reference", name="hasty", settings={"hasty": True}),
    ReferenceConfig(kind="reference", name="late", settings={"waits": 1}),
)


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load(total=1, controls=1)


@pytest.fixture(scope="module")
def task(suite: Suite) -> Task:
    return suite.task(FIRST[0])


@pytest.mark.parametrize("name", FIRST)
def test_there_is_a_live_chain_from_the_day_of_the_arrival_on(name: str) -> None:
    sample, of = worlds.sample(name), days.coming(name)
    found = []
    for number, day in enumerate(of.days):
        there = [each for each in sample.documents if number >= of.arrives or each.id != of.document.id]
        texts = {each.id: str(each.payload[TEXT[each.type]]) for each in there}
        facts = [fact for some in read(texts, date.fromisoformat(day)).values() for fact in some]
        found.append(len(live(facts, remit_of(sample)._replace(now=day))))

    assert found == [int(number >= of.arrives) for number in range(len(of.days))]


@pytest.mark.parametrize("name", FIRST)
def test_only_what_arrives_differs_from_the_sample_and_has_its_last_place(name: str) -> None:
    sample, base, of = worlds.sample(name), worlds.sample(naming.base_of(name)), days.coming(name)
    before = {each.id: each.payload for each in base.documents}
    now = {each.id: each.payload for each in sample.documents}

    assert sample.documents[-1] == of.document
    assert of.document.id in sample.gold.true_positives
    assert {**before[of.instead], "date": ""} == {**of.document.payload, "date": ""}
    assert str(of.document.payload["date"]).startswith(of.days[of.arrives])
    same = set(before) - {of.instead, of.document.id}
    assert {id: before[id] for id in same} == {id: now[id] for id in same}


def test_the_world_begins_without_what_arrives(task: Task) -> None:
    of = days.coming(task.id)
    rows = [row for table in worlds.world(task.world).rows["datastore"].values() for row in table]
    arrivals = [(number, each) for number, session in enumerate(task.sessions) for each in session.arrivals]

    assert of.document.id not in {row["id"] for row in rows}
    assert [row["place"] for row in sorted(rows, key=lambda row: row["place"])] == list(range(1, len(rows) + 1))
    ((number, arrival),) = arrivals
    assert number == of.arrives
    assert arrival.edits[0].values == {"place": len(rows) + 1, "payload": of.document.payload}


def test_each_day_has_the_same_request_under_one_prompt(task: Task) -> None:
    assert {tuple(session.requests.items()) for session in task.sessions} == {tuple(task.sessions[0].requests.items())}
    assert list(task.sessions[0].requests) == ["any"]
    assert days.NOTE in task.sessions[0].requests["any"]


def test_a_task_of_several_days_is_not_shown_as_one_text(suite: Suite, task: Task) -> None:
    with pytest.raises(SuiteError, match="still to arrive"):
        suite.whole_of(task.id)


@pytest.mark.parametrize(
    "agent",
    [
        ReferenceConfig(kind="reference", name="once", settings={"mode": "single_shot"}),
        LlmConfig(kind="llm", name="once", model="hosted_vllm/stub", strategy="single_shot"),
    ],
)
def test_days_are_refused_before_the_first_trial_to_who_is_shown_everything_at_once(
    suite: Suite, config: RunConfig, agent: AgentConfig
) -> None:
    both = config.model_copy(update={"agents": (*AGENTS, agent)})

    with pytest.raises(ConfigProblem, match=r"once \(single_shot\): 1 of 1 tasks have several days"):
        plan(both, suite)
    assert plan(config, suite).jobs
    assert plan(both.model_copy(update={"tasks": (naming.base_of(FIRST[0]),)}), suite).jobs


def test_a_name_without_days_is_refused() -> None:
    with pytest.raises(SuiteError, match="there is no task 'days-1-0999-hard'"):
        days.coming("days-1-0999-hard")


@pytest.mark.parametrize(("number", "found"), [(0, ("early", 0)), (1, ("on time", 0)), (3, ("late", 2))])
def test_the_first_act_decides_when_it_was(number: int, found: tuple[str, int]) -> None:
    of = days.coming(FIRST[0])
    of = of.model_copy(update={"arrives": 1})
    made = [{"made": f"{of.days[number]}T09:00:00"}, {"made": f"{of.days[1]}T09:00:00"}]

    assert days.timing(of, made) == found


def test_no_act_is_never_in_time() -> None:
    assert days.timing(days.coming(FIRST[0]), []) == ("never", 0)


@pytest.fixture(scope="module")
def config(suite: Suite, task: Task) -> RunConfig:
    parts = Condition(prompt="any", toolsets={"actions": "structured"})
    return RunConfig(
        suite=suite.name, agents=AGENTS, conditions={"c": parts}, tasks=(task.id,), limits=Limits(tool_calls=1600)
    )


@pytest.fixture(scope="module")
def played(suite: Suite, config: RunConfig, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Scored]:
    """One task with days, by agent."""

    run = evaluate(config, suite, Over(suite), tmp_path_factory.mktemp("days") / "run")
    return {each.trajectory.agent: Scored(each.trajectory, each.scores) for each in run.records()}


@pytest.mark.parametrize(
    ("agent", "timing", "right", "value"),
    [
        ("idle", "never", 0, 0),
        ("oracle", "on time", 1, 1),
        ("reference", "on time", 1, 1),
        ("hasty", "early", 0, 0),
        ("late", "late", 1, 0),
    ],
)
def test_an_act_is_right_on_the_day_of_the_arrival_alone(
    played: Mapping[str, Scored], agent: str, timing: str, right: float, value: float
) -> None:
    strict = played[agent].scores["strict"]

    assert (strict.detail["timing"], strict.detail["right"], strict.value) == (timing, right, value)


def test_the_report_has_a_table_of_acting_in_time_and_these_trials_in_no_other(
    suite: Suite, played: Mapping[str, Scored]
) -> None:
    assert suite.report is not None
    kinds = {agent.name: agent.model_dump() for agent in AGENTS}

    (table,) = suite.report(suite, kinds, list(played.values()))

    rows = {row["Model"]: row for row in table.rows}
    assert table.title == "Calibration: acting in time"
    assert {name: (row["early"], row["on time"], row["late"], row["never"]) for name, row in rows.items()} == {
        "idle": (0, 0, 0, 1),
        "oracle": (0, 1, 0, 0),
        "reference": (0, 1, 0, 0),
        "hasty": (1, 0, 0, 0),
        "late": (0, 0, 1, 0),
    }
    assert (rows["late"]["mean delay"], rows["late"]["right"], rows["late"]["right and on time"]) == (1, 1, 0)
    assert rows["hasty"]["cost"] > 0


def test_the_first_screen_tells_who_acted_in_time_from_who_was_late(
    suite: Suite, config: RunConfig, played: Mapping[str, Scored]
) -> None:
    table, sentence = headline(config, suite, list(played.values()))
    _, shorter = headline(config, suite, [played["oracle"], played["late"]])
    rows = {row["agent"]: row for row in table.rows}

    assert rows["late"]["resolved"] == rows["oracle"]["resolved"] == "1.00"
    assert {name: row["in time"] for name, row in rows.items()} == {
        "idle": "0.00", "oracle": "1.00", "reference": "1.00", "hasty": "0.00", "late": "0.00",
    }  # fmt: skip
    assert sentence.endswith("; acted in time: from 0% (hasty) to 100% (oracle).")
    assert shorter.endswith(
        "late found 100% of the evidence, named 100% of the bottleneck and resolved 100%, "
        "acting in time in 0% of trials over days."
    )


@pytest.mark.parametrize("status", ["limit", "crashed"])
def test_a_right_act_costs_nothing_in_a_trial_that_did_not_end_in_order(
    suite: Suite, task: Task, played: Mapping[str, Scored], status: str
) -> None:
    trial = played["oracle"].trajectory.model_copy(update={"status": status, "reason": "turns"})
    strict = scores(suite.checks, task, trial)["strict"]

    assert (strict.value, strict.detail["timing"], strict.detail["cost"]) == (0, "on time", 0)


def test_acting_in_time_is_counted_in_trials() -> None:
    detail = {"timing": "on time", "delay": 0, "right": 1.0, "cost": 0}
    (table,) = in_time("PROBE", [("me", Score(value=1.0, detail=detail))] * 3)

    assert (table.rows[0]["trials"], table.rows[0]["on time"]) == (3, 1)
    assert table.notes[0].startswith("Shares of trials")


def test_of_many_agents_what_is_scored_for_none_is_unknown(
    suite: Suite, config: RunConfig, played: Mapping[str, Scored]
) -> None:
    trials = [
        Scored(each.trajectory, {name: score for name, score in each.scores.items() if name != "identification"})
        for each in played.values()
    ]

    assert "; bottleneck named: unknown; resolved: from 0%" in headline(config, suite, trials).sentence
