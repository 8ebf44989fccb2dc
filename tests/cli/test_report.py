"""Tables and totals: what is counted apart, in which order, and how it is drawn."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import pytest

from harness import report
from harness.cli import render
from harness.core.config import LlmConfig, OracleConfig, RunConfig
from harness.core.counts import dollars
from harness.record.store import Run, RunHead, TrialRecord
from harness.report.headline import limits
from harness.report.headline import percent as words
from harness.report.texts import percent, rounded, texts
from harness.score import Score
from harness.scoring.stats import Interval
from harness.suite import Scored, Suite, Table
from harness.trajectory import CallRecord, Message, Trajectory, Usage
from tests.harness import toy

Status = Literal["finished", "limit", "crashed", "void"]


def record(
    task: int = 0,
    *,
    value: float | None = 1.0,
    status: Status = "finished",
    trial: int = 0,
    agent: str = "oracle",
    condition: str = "default",
    side_effects: bool = False,
    cost: float | None = 0.0,
) -> TrialRecord:
    detail = {"correct": value == 1.0, "side_effects": side_effects}
    return TrialRecord(
        trajectory=Trajectory(
            suite="toy", task=f"toy-{task}", task_hash="", agent=agent, condition=condition, trial=trial, seed=0,
            prompt="original", status=status, digest=f"{agent}{condition}{task}{trial}", usage=Usage(cost_usd=cost),
        ),
        scores={"outcome": Score(value=None if status == "void" else value, detail=detail)},
    )  # fmt: skip


def config(**changes: Any) -> RunConfig:
    return toy.config(conditions={"b": {}, "default": {}}, **changes)


def row(records: Sequence[TrialRecord], table: int = 0, **changes: Any) -> dict[str, Any]:
    chosen = config(**changes)
    tables = report.tables(chosen, toy.suite(), report.ordered(records, chosen, toy.suite()))
    return dict(tables[table].rows[0])


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (record(), "correct"),
        (record(value=0.0), "failed"),
        (record(status="limit"), "failed"),
        (record(status="crashed"), "failed"),
        (record(status="void"), "void"),
        (record(value=None), "unscored"),
    ],
)
def test_a_trial_is_exactly_one_of_void_unscored_failed_correct(made: TrialRecord, expected: str) -> None:
    assert report.verdict(Scored(made.trajectory, made.scores)) == expected


def test_void_and_unscored_are_counted_apart_and_outside_accuracy() -> None:
    found = row([record(0), record(1, value=0.0), record(2, status="void"), record(3, value=None)])

    assert {key: found[key] for key in ("tasks", "trials", "void", "unscored", "failed", "correct", "accuracy")} == {
        "tasks": 4, "trials": 4, "void": 1, "unscored": 1, "failed": 1, "correct": 1, "accuracy": 0.5,
    }  # fmt: skip


def test_intervals_cluster_by_template_and_say_so() -> None:
    by_template = row([record(n, value=float(n % 4 < 2)) for n in range(12)])
    across = row([record(n, value=float(n % 2 == n // 4 % 2)) for n in range(12)])

    assert (by_template["level"], by_template["accuracy"]) == (across["level"], across["accuracy"]) == ("template", 0.5)
    assert by_template["high"] - by_template["low"] > 1.2 * (across["high"] - across["low"])


def test_side_effects_are_counted_whether_the_outcome_is_right_or_not() -> None:
    assert row([record(0, value=0.0, side_effects=True), record(1)])["side effects"] == 1


def test_passes_need_as_many_valid_trials_as_the_run_has() -> None:
    trials = [
        *(record(0, trial=n) for n in range(3)),
        *(record(1, trial=n, value=float(n == 0)) for n in range(3)),
        *(record(2, trial=n, status="void" if n == 0 else "finished") for n in range(3)),
    ]
    found = row(trials, table=-1, trials=3)

    assert (found["complete"], found["incomplete"], found["pass@3"], found["pass^3"]) == (2, 1, 1.0, 0.5)


def test_effort_is_the_mean_over_trials_that_are_not_void() -> None:
    busy, lazy, void = record(0, cost=0.5), record(1, cost=0.1), record(2, status="void", cost=9.0)
    call: dict[str, Any] = {"n": 0, "session": 0, "turn": 0, "app": "crm", "tool": "x", "arguments": {}, "text": ""}
    busy.trajectory.events += [CallRecord(status="ok", **call), CallRecord(status="failed", **call)]
    busy.trajectory.events += [Message(session=0, role="assistant", content="") for _ in range(3)]
    found = row([busy, lazy, void], table=-1)

    assert {key: found[key] for key in ("model turns", "tool calls", "failed calls", "questions", "cost USD")} == {
        "model turns": 1.5, "tool calls": 1.0, "failed calls": 0.5, "questions": 0.0, "cost USD": 0.3,
    }  # fmt: skip


def test_one_unknown_cost_makes_the_mean_unknown() -> None:
    assert row([record(0, cost=None), record(1, cost=1.0)], table=-1)["cost USD"] is None


def test_instruments_and_models_never_share_a_table() -> None:
    chosen = config().model_copy(
        update={"agents": (LlmConfig(kind="llm", model="m"), OracleConfig(kind="oracle"))}
    )  # fmt: skip
    trials = report.ordered([record(), record(agent="m")], chosen, toy.suite())
    tables = report.tables(chosen, toy.suite(), trials)

    assert [(table.title, [r["agent"] for r in table.rows]) for table in tables] == [
        ("Results: outcomes", ["m"]), ("Results: effort", ["m"]),
        ("Calibration: outcomes", ["oracle"]), ("Calibration: effort", ["oracle"]),
    ]  # fmt: skip


def test_trials_come_in_the_order_of_config_and_suite() -> None:
    mixed = [record(10), record(9, trial=1), record(9), record(2, condition="b"), record(0)]
    found = report.ordered(mixed, config(), toy.suite())

    assert [(s.trajectory.condition, s.trajectory.task, s.trajectory.trial) for s in found] == [
        ("b", "toy-2", 0), ("default", "toy-0", 0), ("default", "toy-9", 0), ("default", "toy-9", 1),
        ("default", "toy-10", 0),
    ]  # fmt: skip


def test_the_digest_is_over_all_final_states_in_that_order() -> None:
    found = report.ordered([record(1), record(0)], config(), toy.suite())

    assert report.digest(found) == hashlib.sha256(b"oracledefault00\noracledefault10").hexdigest()


def test_the_summary_has_what_scripts_read_and_the_suites_own_tables(tmp_path: Path) -> None:
    def own(suite: Suite, agents: object, trials: Sequence[Scored]) -> list[Table]:
        assert agents == {"oracle": {"kind": "oracle", "name": "oracle"}}
        return [Table("Calibration: mine", ["n"], [{"n": len(trials)}])]

    suite = Suite(**{**vars(toy.suite()), "report": own})
    head = RunHead(
        identity="0" * 12, config=config(), suite="toy", suite_version="1", suite_digest=suite.digest, package="0"
    )
    found = report.summary(Run(tmp_path, head), suite, [record(0), record(1, value=0.0)])

    assert set(found) >= {
        "run",
        "trials",
        "void",
        "correct",
        "side_effects",
        "accuracy",
        "digest",
        "conditions",
        "tables",
    }
    assert set(found["accuracy"]) >= {"value", "low", "high", "level"}
    assert (
        found["conditions"][0].items() >= {"agent": "oracle", "condition": "default", "trials": 2, "correct": 1}.items()
    )
    assert found["tables"]["Calibration: mine"] == [{"n": 2}]


def test_cells_are_short_and_nothing_is_a_dash() -> None:
    assert texts([None, 0.0, 1.0, 0.123456, -0.0001, 12, "a"]) == [
        "-", "0.000", "1.000", "0.123", "-0.0001", "12", "a",
    ]  # fmt: skip


def test_a_cost_below_a_cent_has_two_digits() -> None:
    table = Table("T", ["cost USD", "low"], [{"cost USD": n, "low": n} for n in (0.00142, 0.012, 0.0)])

    assert render.markdown([table]).splitlines()[4:] == ["| 0.0014 | 0.001 |", "| 0.012 | 0.012 |", "| 0.000 | 0.000 |"]


def test_halves_are_rounded_away_from_0() -> None:
    assert [rounded(each, 2) for each in (3 / 40, 1 / 8, 5 / 8, -3 / 40)] == [0.08, 0.13, 0.63, -0.08]
    assert texts([3 / 80, 5 / 16]) == ["0.038", "0.313"]
    assert percent(1 / 16) == 6.3


def test_a_number_without_a_bound_is_shown_as_it_is() -> None:
    assert texts([float("inf")]) == ["inf"]
    assert texts([-float("inf")]) == ["-inf"]
    assert texts([float("nan")]) == ["nan"]
    assert texts([1e30]) == [f"{1e30:.0f}"]


def test_a_share_is_the_same_in_tables_and_sentences() -> None:
    shares = [n / 40 for n in range(1, 40)]

    assert [limits(Interval(each, None, None, 40, 1, "task")) for each in shares] == [
        f"{int(words(each)[:-1]) / 100:.2f}" for each in shares
    ]


def test_sums_below_a_cent_have_two_digits() -> None:
    assert [dollars(each) for each in (0, 0.00142, 0.000014, 0.0142, 1.5)] == [
        "$0.00", "$0.0014", "$0.000014", "$0.01", "$1.50",
    ]  # fmt: skip


def test_the_numbers_of_a_column_have_as_many_decimals_as_the_one_that_needs_most() -> None:
    table = Table("T", ["rate", "points"], [{"rate": 0.5, "points": 40.0}, {"rate": 0.948, "points": -3.0}], [])

    assert render.markdown([table]).splitlines()[4:] == ["| 0.500 | 40 |", "| 0.948 | -3 |"]


def test_markdown_escapes_what_would_break_a_row() -> None:
    table = Table("T", ["a|b", "c"], [{"a|b": "x|y\nz", "c": 0.5}], ["a note"])

    assert render.markdown([table]) == "## T\n\n| a\\|b | c |\n| --- | --- |\n| x\\|y z | 0.5 |\n\n- a note\n"


def test_a_wide_table_keeps_its_rows_whole_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    columns = [f"column {n}" for n in range(14)]
    render.terminal([Table("T", columns, [dict.fromkeys(columns, 0.25)])])

    assert capsys.readouterr().out.count("0.25") == 14
    render.terminal([Table("T", ["a"], [{"a": "x" * 150}])])
    assert "x" * 150 in capsys.readouterr().out
