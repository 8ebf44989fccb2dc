"""The suite as instruments play it, and what checks and tables make of that."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks.probe import worlds
from benchmarks.probe.checks import decisions, queries
from benchmarks.probe.headline import headline
from benchmarks.probe.report import report
from benchmarks.probe.suite import load
from harness.core.config import Condition, IdleConfig, Limits, OracleConfig, ReferenceConfig, RunConfig
from harness.play.run import evaluate
from harness.record.scores import scores
from harness.score import Score, Verdict
from harness.suite import Scored, Suite, Table
from harness.task import Task
from harness.trajectory import Trajectory
from tests.harness.wired import Over

STRUCTURED = Condition(prompt="one", toolsets={"datastore": "default", "actions": "structured"})
PAPER = Condition(prompt="any", toolsets={"datastore": "paper", "actions": "paper"})
AGENTS = (IdleConfig(kind="idle"), OracleConfig(kind="oracle"), ReferenceConfig(kind="reference"))

Key = tuple[str, str]


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load(total=1, controls=0)


@pytest.fixture(scope="module")
def played(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Mapping[Key, Scored]:
    """One task under two conditions by three agents: (agent, condition) -> trial."""

    config = RunConfig(
        suite=suite.name,
        agents=AGENTS,
        conditions={"structured": STRUCTURED, "paper": PAPER},
        limits=Limits(tool_calls=400),
    )
    records = evaluate(config, suite, Over(suite), Path(tmp_path_factory.mktemp("probe"))).records()
    return {
        (record.trajectory.agent, record.trajectory.condition): Scored(record.trajectory, record.scores)
        for record in records
    }


@pytest.fixture
def task(suite: Suite) -> Task:
    return suite.tasks[0]


def rescored(suite: Suite, task: Task, trial: Trajectory, **changed: Any) -> dict[str, Score]:
    """The scores of a trial whose only decision is another in these fields."""
    (change,) = trial.changes
    other = change.model_copy(update={"after": {**(change.after or {}), **changed}})
    return scores(suite.checks, task, trial.model_copy(update={"changes": [other]}))


def values(scores: Mapping[str, Score]) -> dict[str, float | None]:
    return {name: score.value for name, score in scores.items()}


@pytest.mark.parametrize("agent", ["oracle", "reference"])
def test_instruments_that_know_get_everything_right(played: Mapping[Key, Scored], agent: str) -> None:
    trial = played[agent, "structured"]

    assert trial.trajectory.status == "finished"
    assert values(trial.scores) == dict.fromkeys(("strict", "search_f1", "identification", "execution", "overall"), 1.0)


def test_doing_nothing_is_worth_nothing(played: Mapping[Key, Scored]) -> None:
    scores = played["idle", "structured"].scores

    assert set(values(scores).values()) == {0.0}
    assert scores["strict"].label == "nothing_done"


@pytest.mark.parametrize("agent", ["oracle", "reference"])
def test_a_bottleneck_told_in_prose_waits_for_a_judge(
    suite: Suite, task: Task, played: Mapping[Key, Scored], agent: str
) -> None:
    trial = played[agent, "paper"]

    assert (trial.scores["search_f1"].value, trial.scores["execution"].value) == (1.0, 1.0)
    assert (trial.scores["identification"].value, trial.scores["strict"].value) == (None, None)
    asked = suite.queries(task, trial.trajectory)
    assert {"who_blocked", "why_root_cause"} <= {query.id for query in asked}


def test_what_a_judge_says_settles_it(suite: Suite, task: Task, played: Mapping[Key, Scored]) -> None:
    trial = played["oracle", "paper"].trajectory
    right = {each.id: [Verdict(judge="j", answer="correct")] for each in queries(task, trial)}
    wrong = {**right, "who_blocker": [Verdict(judge="j", answer="incorrect")]}
    split = {**right, "who_blocker": [Verdict(judge=name, answer=said) for name, said in
                                      (("j", "correct"), ("k", "missing"))]}  # fmt: skip

    found = [scores(suite.checks, task, trial, said)["identification"].value for said in (right, wrong, split)]

    assert found == [1.0, 0.0, None]


@pytest.mark.parametrize(
    ("answers", "would_resolve"),
    [
        ([], ""),
        (["partially"], "partially"),
        (["no", "no", "yes"], "no"),
        (["no", "yes"], "silent"),
        ([None], "silent"),
    ],
)
def test_a_judge_says_whether_a_right_act_that_falls_short_would_resolve_it(
    suite: Suite, task: Task, played: Mapping[Key, Scored], answers: list[str | None], would_resolve: str
) -> None:
    trial, given = short(played["oracle", "structured"].trajectory)
    (asked,) = suite.queries(task, trial)
    said = {asked.id: [Verdict(judge=f"j{place}", answer=each) for place, each in enumerate(answers)]}

    found = scores(suite.checks, task, trial, said)

    assert (asked.id, asked.answers) == ("would_resolve", ("yes", "partially", "no"))
    assert f"reference: {given['reference']}" in asked.evidence.partition("As they did it:")[2]
    assert worlds.sample(task.world).gold.description in asked.evidence
    assert found["strict"].detail["scored"]["would_resolve"] == would_resolve
    assert found["execution"].value == 0.0  # whatever a judge says of it
    assert [each.answer for each in found["execution"].criteria[-1].opinions] == answers


def test_table_5_has_what_the_published_code_counts_once_a_judge_was_asked(
    suite: Suite, task: Task, played: Mapping[Key, Scored]
) -> None:
    trial, _ = short(played["oracle", "structured"].trajectory)
    yes = {"would_resolve": [Verdict(judge="j", answer="yes")]}
    shares = {}
    for name, verdicts in (("before", {}), ("after", yes)):
        open_one = Scored(trial, scores(suite.checks, task, trial, verdicts))
        tables = report(suite, {"oracle": {"kind": "llm"}}, [open_one])
        (rows,) = (table.rows for table in tables if "failure modes" in table.title)
        shares[name] = {row["Failure Mode"]: (row["oracle"], row["of oracle"]) for row in rows}

    modes = ("would not resolve", "paper missing", "paper wrong")
    assert [shares["before"][mode] for mode in modes] == [(None, 0)] * 3
    assert [shares["after"][mode] for mode in modes] == [(0.0, 1), (0.0, 1), (1.0, 1)]


def short(trial: Trajectory) -> tuple[Trajectory, Mapping[str, Any]]:
    """The trial with another reference, and the parameters that it then has."""
    (change,) = trial.changes
    row = change.after or {}
    given = {**row["parameters"], "reference": "ZZ-99999"}
    return trial.model_copy(
        update={"changes": [change.model_copy(update={"after": {**row, "parameters": given}})]}
    ), given


def test_evidence_too_much_or_unknown_costs_precision(suite: Suite, task: Task, played: Mapping[Key, Scored]) -> None:
    trial = played["oracle", "structured"].trajectory
    wanted = worlds.sample(task.world).gold.true_positives

    scores = rescored(suite, task, trial, evidence=[*wanted, *wanted, "none-such"])

    share = len(wanted) / (len(wanted) + 1)
    assert scores["search_f1"].detail["precision"] == pytest.approx(share)
    assert scores["search_f1"].detail["recall"] == 1
    assert scores["strict"].value == 0


def test_swapped_persons_are_no_identification(suite: Suite, task: Task, played: Mapping[Key, Scored]) -> None:
    trial = played["oracle", "structured"].trajectory
    (decision,) = decisions(trial)
    said = decision["details"]
    swapped = {**said, "who_blocked": said["who_blocker"], "who_blocker": said["who_blocked"]}

    scores = rescored(suite, task, trial, details=swapped)

    assert (scores["identification"].value, scores["execution"].value) == (0.0, 1.0)
    assert scores["strict"].detail["scored"]["wrong_reason"] is True


def test_another_action_is_worth_nothing_and_a_side_effect(
    suite: Suite, task: Task, played: Mapping[Key, Scored]
) -> None:
    trial = played["oracle", "structured"].trajectory
    sample = worlds.sample(task.world)
    other = next(each.id for each in sample.actions if each.id != sample.gold.action)

    scores = rescored(suite, task, trial, action=other)

    assert (scores["execution"].value, scores["strict"].detail["side_effects"]) == (0.0, True)


@pytest.mark.parametrize("status", ["limit", "crashed"])
def test_a_trial_that_did_not_end_in_order_has_failed(
    suite: Suite, task: Task, played: Mapping[Key, Scored], status: str
) -> None:
    trial = played["oracle", "structured"].trajectory.model_copy(update={"status": status, "reason": "turns"})

    found = scores(suite.checks, task, trial)

    assert set(values(found).values()) == {0.0}
    assert found["strict"].label == status


@pytest.mark.parametrize(("parameters", "priced"), [({}, False), ({"parameters": {}}, True)])
@pytest.mark.parametrize("status", ["finished", "limit", "crashed"])
def test_an_act_is_priced_by_itself_however_its_trial_ends(
    suite: Suite, task: Task, played: Mapping[Key, Scored], status: str, parameters: dict[str, Any], priced: bool
) -> None:
    trial = played["oracle", "structured"].trajectory.model_copy(update={"status": status, "reason": "turns"})

    detail = rescored(suite, task, trial, **parameters)["strict"].detail

    assert (detail["wrong_acts"], detail["cost"] > 0) == (0, priced)


@pytest.mark.parametrize("agent", ["idle", "oracle"])
def test_a_detail_of_which_there_is_nothing_to_know_is_no_criterion(played: Mapping[Key, Scored], agent: str) -> None:
    names = {each.name for each in played[agent, "structured"].scores["identification"].criteria}

    assert "who_blocked" in names
    assert "impact_scope" not in names


def first_screen(suite: Suite, *trials: Scored) -> tuple[Table, str]:
    config = RunConfig(suite=suite.name, agents=AGENTS[1:2], conditions={"paper": PAPER})
    found = headline(config, suite, trials)
    assert found is not None
    return found.table, found.sentence


def test_the_first_screen_leaves_out_what_most_answers_have_no_score_for(
    suite: Suite, played: Mapping[Key, Scored]
) -> None:
    table, sentence = first_screen(suite, played["oracle", "paper"])

    assert table.rows[0]["named"] is None
    assert "named an unknown share of the bottleneck (0 of 1 answers are scored) and resolved 100%." in sentence


def test_the_first_screen_says_over_how_many_answers_a_share_is_where_some_have_no_score(
    suite: Suite, task: Task, played: Mapping[Key, Scored]
) -> None:
    open_one = played["oracle", "paper"]
    said = {each.id: [Verdict(judge="j", answer="correct")] for each in queries(task, open_one.trajectory)}
    judged = Scored(open_one.trajectory, scores(suite.checks, task, open_one.trajectory, said))
    table, sentence = first_screen(suite, judged, open_one)

    assert table.rows[0]["named"] == "1.00"
    assert "named 100% of the bottleneck (1 of 2 answers are scored) and resolved 100%." in sentence


def test_a_void_trial_is_unscored(suite: Suite, task: Task, played: Mapping[Key, Scored]) -> None:
    trial = played["oracle", "structured"].trajectory.model_copy(update={"status": "void"})

    assert set(values(scores(suite.checks, task, trial)).values()) == {None}


def test_the_reference_agent_is_shown_every_document(played: Mapping[Key, Scored]) -> None:
    for condition in ("structured", "paper"):
        told = played["reference", condition].scores["strict"].detail

        assert told["scored"]["touched"]["recall"] == 1
        assert told["scored"]["touched"]["retrieved"] == told["documents"]


def test_the_inverse_grammar_stands_beside(played: Mapping[Key, Scored]) -> None:
    told = played["idle", "structured"].scores["strict"].detail

    assert told["grammar"] == {"search_f1": 1.0, "identification": 1.0, "execution": 1.0, "strict": 1.0}


def test_tables_say_who_is_an_instrument(suite: Suite, played: Mapping[Key, Scored]) -> None:
    kinds = {"idle": {"kind": "idle"}, "oracle": {"kind": "oracle"}, "reference": {"kind": "llm"}}

    tables = report(suite, kinds, list(played.values()))

    main = {table.title: table for table in tables if "search, identification and execution" in table.title}
    assert {
        title.split(":")[0]: {row["Model"].split(",")[0] for row in table.rows} for title, table in main.items()
    } == {
        "Calibration": {"idle", "oracle"},
        "PROBE": {"reference"},
    }
    assert [table.title for table in tables if "(table " in table.title] == [
        "PROBE: search, identification and execution (table 3)",
        "PROBE: evidence declared and documents touched (table 4)",
        "PROBE: failure modes (table 5)",
    ]
    for table in tables:
        for row in table.rows:
            assert set(row) == set(table.columns)
            assert all(isinstance(cell, str | int | float | None) for cell in row.values())


def test_levels_of_samples_share_no_table(suite: Suite, played: Mapping[Key, Scored]) -> None:
    kinds = {name: {"kind": name} for name in ("idle", "oracle", "reference")}
    ours = list(played.values())
    told_anew = [each._replace(scores=_at("rewrite", each.scores)) for each in ours]

    alone = report(suite, kinds, ours)
    both = report(suite, kinds, [*ours, *told_anew])

    assert both[: len(alone)] == alone
    assert {each.title.split(":")[0] for each in both[len(alone) :]} == {
        "Calibration, level rewrite",
        "Known beforehand, level rewrite, over 1 samples",
    }


def _at(level: str, scores: Mapping[str, Score]) -> Mapping[str, Score]:
    strict = scores["strict"]
    return {**scores, "strict": strict.model_copy(update={"detail": {**strict.detail, "level": level}})}


def test_chance_is_told_beside(suite: Suite, task: Task, played: Mapping[Key, Scored]) -> None:
    sample = worlds.sample(task.world)
    kinds = {name: {"kind": name} for name in ("idle", "oracle", "reference")}

    last = report(suite, kinds, list(played.values()))[-1]

    rows = {row[""]: row for row in last.rows}
    share = len(sample.gold.true_positives) / len(sample.documents)
    assert rows["random"]["right action"] == pytest.approx(1 / len(sample.actions), abs=1e-3)
    assert (rows["everything declared"]["R"], rows["everything declared"]["P"]) == (1.0, pytest.approx(share, abs=1e-3))
    assert rows["inverse grammar"]["strict"] == 1.0
