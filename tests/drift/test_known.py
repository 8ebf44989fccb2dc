"""Known answers: what instruments come to over `tests.drift.place`, played in sandboxes, and the tables made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from benchmarks.drift import metrics
from benchmarks.drift.headline import headline
from benchmarks.drift.need import NEEDY
from benchmarks.drift.programs import Dials
from benchmarks.drift.suite import suite_of
from benchmarks.drift.tables import report
from benchmarks.drift.tasks import built
from harness.suite import Table
from tests.drift.place import PLACE, TEMPLATES
from tests.drift.played import Agents, Played

SERVICES = PLACE._replace(
    name="apis",
    templates=tuple(replace(each, id=f"{each.id}-by-post", environment="apis") for each in TEMPLATES),
    worlds=(),
)
"""The same board as if it were services, so that both kinds of environments are there."""

BUILT = built([PLACE, SERVICES], {"sql": 5, "apis": 5})
SUITE = suite_of([PLACE, SERVICES], BUILT)
LUCK = [each.variant.luck for each in BUILT.faulty if each.variant.need in NEEDY]

CLARIFY = {"prompt": "faulty", "ask": "clarify"}
CONDITIONS: dict[str, dict[str, Any]] = {
    "oracle": {"prompt": "original"},
    "faulty": {"prompt": "faulty"},
    "rational": {**CLARIFY, "user": {"kind": "persona", "persona": "rational"}},
    "avoidant": {**CLARIFY, "user": {"kind": "persona", "persona": "avoidant"}},
    "placebo": {**CLARIFY, "user": {"kind": "placebo"}},
    "informed": {"prompt": "informed"},
}
AGENTS: dict[str, dict[str, Any]] = {
    "oracle": {"kind": "oracle"},
    "idle": {"kind": "idle"},
    "silent": {"kind": "reference", "settings": {"ask": "never"}},
    "guessing": {"kind": "reference", "settings": {"ask": "never", "guess": "uniform"}},
    "openly": {"kind": "reference"},
    "twice": {"kind": "reference", "settings": {"limit": 2}},
    "late": {"kind": "reference", "settings": {"ask": "after_write"}},
    "scrambling": {"kind": "reference", "settings": {"guess": "uniform", "scramble": 1.0}},
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    tasks = [each.task.id for each in BUILT.faulty]
    return Played(tmp_path_factory.mktemp("known"), SUITE, "drift-workplace", AGENTS, CONDITIONS, tasks)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_oracle_solves_everything(played: Played, condition: str) -> None:
    assert metrics.success(played.arms["oracle"][condition]).value == 1


@pytest.mark.parametrize("condition", CONDITIONS)
def test_doing_nothing_solves_nothing_and_loses_nothing(played: Played, condition: str) -> None:
    idle = played.arms["idle"]

    assert metrics.success(idle[condition]).value == 0
    assert metrics.execution_bias(idle[condition]).value == 0
    assert metrics.degradation(idle["oracle"], idle["faulty"]).value is None


def test_who_never_asks_nor_guesses_is_never_right_where_the_user_is_needed(played: Played) -> None:
    assert played.success("silent", "faulty") == 0
    assert metrics.execution_bias(played.needy("silent", "faulty")).value == 0


def test_who_guesses_is_right_as_often_as_luck_has_it(played: Played) -> None:
    runs = [played.success("guessing", each) or 0.0 for each in ("faulty", "rational", "avoidant", "placebo")]
    mean, luck = sum(runs) / len(runs), sum(LUCK) / len(LUCK)

    assert abs(mean - luck) < 3 * (luck * (1 - luck) / (len(LUCK) * len(runs))) ** 0.5
    assert metrics.execution_bias(played.needy("guessing", "faulty")).value == 1


@pytest.mark.parametrize(("user", "rounds"), [("rational", 1), ("avoidant", 3)])
def test_who_asks_openly_wins_everything_back_at_the_pace_of_the_persona(
    played: Played, user: str, rounds: int
) -> None:
    whole, faulty, clarify = (played.arms["openly"][each] for each in ("oracle", "faulty", user))

    assert metrics.recovery(whole, faulty, clarify).value == pytest.approx(1)
    assert metrics.rounds(clarify, asking=True).value == rounds
    assert metrics.detection(clarify).value == metrics.resolved(clarify).value == 1
    assert metrics.over_asking(clarify).value == 0


@pytest.mark.parametrize(("user", "success"), [("rational", 1), ("avoidant", 0)])
def test_who_asks_twice_at_most_gets_nothing_from_the_avoidant_one(played: Played, user: str, success: int) -> None:
    assert played.success("twice", user) == success


def test_who_asks_after_the_first_change_has_a_bias_of_1(played: Played) -> None:
    assert metrics.execution_bias(played.needy("late", "rational")).value == 1


def test_a_placebo_wins_nothing_back(played: Played) -> None:
    openly = played.arms["openly"]

    assert metrics.difference(openly["faulty"], openly["placebo"]).value == 0
    assert metrics.resolved(openly["placebo"]).value == 0


@pytest.mark.parametrize("metric", [metrics.detection, metrics.precision, metrics.fit])
def test_a_first_question_is_about_the_same_whoever_answers_it(played: Played, metric: Any) -> None:
    openly = played.arms["openly"]

    assert metric(openly["placebo"]).value == metric(openly["rational"]).value
    assert metric(openly["placebo"]).value > 0.9


def test_being_informed_is_as_good_as_the_whole_request(played: Played) -> None:
    assert played.success("silent", "informed") == 1


def test_scrambling_undoes_what_was_told_in_services_alone(played: Played) -> None:
    assert played.success("scrambling", "rational", "apis") == 0
    assert played.success("scrambling", "rational", "sql") == 1


def test_reading_the_whole_request_nobody_asks(played: Played) -> None:
    assert all(trial.asked == 0 for trials in played.arms["openly"]["oracle"].values() for trial in trials)


def test_the_reference_agent_says_how_it_understood_a_question(played: Played) -> None:
    openly, guessing = played.arms["openly"], played.arms["guessing"]
    accounts = [
        (trial.intent, trial.right)
        for trials in guessing["faulty"].values() for trial in trials if not trial.mutates and trial.needy
    ]  # fmt: skip

    assert {metrics.intent(openly[name]).value for name in ("oracle", "rational", "avoidant", "informed")} == {1.0}
    assert {intent for intent, right in accounts if right} <= {1.0}
    assert {intent for intent, right in accounts if not right} == {2 / 3}
    assert metrics.intent(played.arms["oracle"]["oracle"]).value is None


def test_every_dial_comes_out_as_it_is_set(played: Played) -> None:
    rows = [row for table in played.tables if ": dials, " in table.title for row in table.rows]
    settled = [row for row in rows if row["agent"] != "guessing" and row["true %"] in (0, 100)]

    assert len(settled) > 100
    assert [row for row in settled if row["measured %"] != row["true %"]] == []


@pytest.fixture(scope="module")
def grounded(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The table of dials of those who ask somebody whose hearing nobody knows, or would with another tool."""
    user = {"kind": "grounded"}
    conditions = {"clarify": {**CLARIFY, "user": user}, "ask_user": {**CLARIFY, "ask": "ask_user", "user": user}}
    agents = {name: AGENTS[name] for name in ("openly", "scrambling")}
    tasks = [each.task.id for each in BUILT.faulty]
    run = Played(tmp_path_factory.mktemp("grounded"), SUITE, "drift-workplace", agents, conditions, tasks)
    return [dict(row) for table in run.tables if ": dials, sql" in table.title for row in table.rows]


def test_who_asks_with_a_tool_that_is_not_offered_is_expected_to_ask_nobody(grounded: list[dict[str, Any]]) -> None:
    found = [(row["agent"], row["seen"], row["true %"]) for row in grounded if row["condition"] == "ask_user"]
    bias = [row for row in grounded if row["condition"] == "ask_user" and row["seen"] == "bias"]
    guess = next(true for agent, seen, true in found if (agent, seen) == ("scrambling", "success"))

    assert found == [
        ("openly", "success", 0), ("openly", "bias", 0), ("scrambling", "success", guess), ("scrambling", "bias", 100)
    ]  # fmt: skip
    assert 0 < guess < 100
    assert [row["measured %"] for row in bias] == [0, 100]


def test_no_success_is_foretold_where_it_hangs_on_what_a_user_hears(grounded: list[dict[str, Any]]) -> None:
    found = [(row["seen"], row["true %"], row["measured %"]) for row in grounded if row["condition"] == "clarify"]

    assert found == [("bias", 0, 0)] * 2


def test_no_table_pools_environments(played: Played) -> None:
    both = [table for table in played.tables if not table.title.endswith((", sql", ", apis"))]

    assert [table.title for table in both] == [
        "Calibration: gain by environment", "Calibration: what a gain is made of"
    ]  # fmt: skip
    assert {row["environment"] for row in both[1].rows} == {"sql", "apis"}


def test_the_papers_faults_have_a_block_of_their_own_and_both_are_split_by_need(played: Played) -> None:
    five, sixteen = (
        next(table for table in played.tables if table.title == f"Calibration: {what} faults, sql")
        for what in ("the paper's five", "all sixteen")
    )
    mine = [[row for row in table.rows if row["agent"] == "openly"] for table in (five, sixteen)]

    assert mine[0][0]["total"] < mine[1][0]["total"]
    assert [row["need"] for row in mine[1]] == ["all", "robust", "required", "blocked"]
    assert sum(row["total"] for row in mine[1][1:]) == mine[1][0]["total"]
    assert "not comparable" in five.notes[0]


def test_personas_without_a_model_are_called_patience_dials(played: Played) -> None:
    table = next(table for table in played.tables if table.title == "Calibration: personas, sql")

    assert {row["user"] for row in table.rows} == {"patience dials 1/1 all", "patience dials 3/2 one"}
    assert any("few numbers of ours" in note for note in table.notes)


def test_the_table_of_personas_says_where_the_arms_are_told_different_things(played: Played) -> None:
    agents = Agents({each.name: each.model_dump() for each in played.config.agents})
    agents.conditions = {
        name: {**condition, "notice": "may-be-faulty" if condition.get("ask") else "none"}
        for name, condition in CONDITIONS.items()
    }

    def notes(tables: Sequence[Table]) -> str:
        return " ".join(next(table for table in tables if table.title == "Calibration: personas, sql").notes)

    assert "told different things" in notes(report(SUITE, agents, played.scored))
    assert "told different things" not in notes(played.tables)


def test_the_headline_of_one_agent_has_a_sentence_for_each_environment(played: Played) -> None:
    config = played.config.model_copy(
        update={"agents": [each for each in played.config.agents if each.name == "openly"]}
    )
    found = headline(config, SUITE, [each for each in played.scored if each.trajectory.agent == "openly"])

    assert found is not None
    assert "In sql, faults cost openly" in found.sentence
    assert "In apis, faults cost openly" in found.sentence
    assert "What asking won back in sql, less what it did in apis: openly " in found.sentence


def test_an_environment_that_no_trial_is_of_has_no_column_and_is_named(played: Played) -> None:
    found = headline(played.config, SUITE, played.scored)

    assert found is not None
    assert {"sql", "apis"} < {*found.table.columns}
    assert "terminal" not in found.table.columns
    assert "No task of terminal is among those played." in found.table.notes


def test_the_gain_in_state_less_that_in_services_has_limits(played: Played) -> None:
    (table,) = (table for table in played.tables if table.title == "Calibration: gain by environment")
    row = next(row for row in table.rows if row["agent"] == "scrambling")

    assert row["difference"] == pytest.approx(row["gain"] - row["its gain"], abs=0.11)
    assert (row["from"] is None) == (row["to"] is None) == (row["low"] is None or row["its low"] is None)


def test_figures_of_asking_do_not_hang_on_the_order_of_conditions_and_name_the_one_they_are_of(played: Played) -> None:
    agents = Agents({each.name: each.model_dump() for each in played.config.agents})
    agents.conditions = dict(reversed(CONDITIONS.items()))
    config = played.config.model_copy(
        update={
            "agents": [each for each in played.config.agents if each.name == "twice"],
            "conditions": dict(reversed(played.config.conditions.items())),
        }
    )
    titles = ("gain by environment", "what a gain is made of", "strategies by fault, sql")
    tables = {table.title: table for table in report(SUITE, agents, played.scored)}
    found = headline(config, SUITE, [each for each in played.scored if each.trajectory.agent == "twice"])

    for title in titles:
        assert tables[f"Calibration: {title}"] == next(each for each in played.tables if each.title.endswith(title))
        assert "condition rational (user: patience dials 1/1 all)" in tables[f"Calibration: {title}"].notes[0]
    assert found is not None
    assert "asking (rational) won back" in found.sentence
    assert any("condition rational (user: patience dials 1/1 all)" in note for note in found.table.notes)


def test_the_headline_of_many_agents_says_where_they_lie_in_each_environment(played: Played) -> None:
    found = headline(played.config, SUITE, played.scored)

    assert found is not None
    assert found.sentence.startswith("Points of success that faults cost: in sql from 0 (idle) to")
    assert "; in apis from 0 (idle) to" in found.sentence
    assert " What asking won back in sql, less what it did in apis: from " in found.sentence


def test_without_a_faulty_arm_the_headline_says_how_often_trials_were_right(played: Played) -> None:
    config = played.config.model_copy(update={"conditions": {"oracle": played.config.conditions["oracle"]}})
    found = headline(config, SUITE, [each for each in played.scored if each.trajectory.condition == "oracle"])

    assert found is not None
    assert found.sentence.startswith("Trials that were right: in sql from 0% (idle, oracle) to 100% (")


def test_a_dial_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValidationError, match="Input should be 'never', 'openly' or 'after_write'"):
        Dials.model_validate({"ask": "often"})
