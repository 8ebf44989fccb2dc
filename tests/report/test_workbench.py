"""The paper's tables and figures from hand-made trials."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.workbench.tables import report as workbench
from harness import report
from harness.cli import render
from harness.core.config import Condition
from harness.record.store import TrialRecord
from harness.report import Figure
from harness.suite import Suite, Table
from tests.report.records import IDS, by_title, config, delete, record, scored, suite, task

NOTHING = task("a0", template="look", domains=["analytics"])
ONE = task("a1", delete(IDS[1]), template="look", domains=["analytics"])
TWO = task("c2", delete(IDS[1]), delete(IDS[2]), template="clear", domains=["calendar"])
BOTH = task("m1", delete(IDS[3]), template="both", domains=["calendar", "email"])
TASKS = (NOTHING, ONE, TWO, BOTH)

OFFICIAL = "workbench-official@v1"


def made(name: str = "workbench-synth") -> Suite:
    return suite(TASKS, name, report=workbench)


def tables(records: Sequence[TrialRecord], *agents: str, of: Suite | None = None, **more: Condition) -> list[Table]:
    chosen, of = config(*agents, conditions=more or None), of or made()
    return list(report.tables(chosen, of, scored(records, of, chosen)))


def test_table_3_counts_templates_and_tasks_per_domain() -> None:
    found = by_title(tables([record(ONE)]), "Table 3")

    assert [tuple(row.values()) for row in found.rows] == [
        ("Analytics", 1, 2), ("Calendar", 1, 1), ("CRM", 0, 0), ("Email", 0, 0), ("Project management", 0, 0),
        ("Multi-domain", 1, 1), ("Total", 3, 4),
    ]  # fmt: skip


def test_of_one_template_figure_7_has_an_interval_and_says_for_what_and_other_tables_have_none() -> None:
    found = tables([record(NOTHING), record(ONE, False)])
    (outcome,), (each,) = by_title(found, "Results: outcomes").rows, by_title(found, "Figure 7").rows

    assert (outcome["accuracy"], outcome["low"]) == (0.5, None)
    assert each["accuracy %"] == 50.0
    assert each["low"] < 50.0 < each["high"]
    assert "for other tasks of the template" in by_title(found, "Figure 7").notes[-1]


def test_figure_4_counts_actions_and_tells_the_floor_from_expected_ends() -> None:
    vain = task("v", actions=1, template="vain")  # a reference call that leaves everything as it was
    found = by_title(tables([record(ONE)], of=suite((*TASKS, vain), "workbench-synth", report=workbench)), "Figure 4")

    assert [tuple(row.values()) for row in found.rows] == [(0, 1, 20.0), (1, 3, 60.0), (2, 1, 20.0)]
    assert found.notes == ["An agent that does nothing is right in 2 of 5 tasks, 40.0%: the floor."]


def test_table_5_is_per_agent_and_tools_offered_with_the_floor_of_the_same_trials() -> None:
    records = [record(each, each is not TWO) for each in TASKS]
    records += [record(each, False, condition="few") for each in (NOTHING, ONE)]
    found = by_title(tables(records, default=Condition(), few=Condition(tools="required")), "Table 5")

    assert [(r["condition"], r["tools"], r["trials"], r["accuracy %"], r["floor %"]) for r in found.rows] == [
        ("default", "all", 4, 75.0, 25.0), ("few", "required", 2, 0.0, 50.0),
    ]  # fmt: skip
    assert found.rows[0]["low"] < 75 < found.rows[0]["high"]


def test_table_6_has_accuracy_and_side_effects_per_domain() -> None:
    idle = record(TWO, changes=[])
    found = by_title(tables([record(NOTHING), record(ONE, False), idle, record(BOTH)]), "Table 6")

    assert [(r["domain"], r["trials"], r["accuracy %"], r["side effects %"]) for r in found.rows] == [
        ("Analytics", 2, 50.0, 50.0), ("Calendar", 1, 0.0, 0.0), ("Multi-domain", 1, 100.0, 0.0),
    ]  # fmt: skip


def test_table_7_splits_by_number_of_actions_needed() -> None:
    found = by_title(tables([record(NOTHING), record(ONE, False), record(TWO), record(BOTH)]), "Table 7")

    assert [(r["actions needed"], r["trials"], r["accuracy %"], r["floor %"]) for r in found.rows] == [
        ("all", 4, 75.0, 25.0), ("0", 1, 100.0, 100.0), ("1+", 3, 66.7, 0.0), ("2+", 1, 100.0, 0.0),
    ]  # fmt: skip


def test_a_subset_without_trials_has_no_accuracy() -> None:
    found = by_title(tables([record(ONE)]), "Table 7")

    assert [
        (r["trials"], r["accuracy %"], r["low"], r["floor %"]) for r in found.rows if r["actions needed"] == "0"
    ] == [(0, None, None, None)]


def test_figure_6_splits_errors_by_source_and_side_effects() -> None:
    found = by_title(tables([record(ONE, changes=[]), record(TWO, False), record(NOTHING), record(BOTH)]), "Figure 6")
    rows = {row["source"]: tuple(row.values())[3:] for row in found.rows if row["errors"]}

    assert rows == {
        "all errors": (2, 1, 1, 25.0, 25.0),
        "no action": (1, 1, 0, 25.0, 0.0),
        "wrong arguments": (1, 0, 1, 0.0, 25.0),
    }


def test_figure_6_is_in_percent_of_the_trials_that_are_not_void_and_says_so() -> None:
    found = by_title(tables([record(ONE), record(TWO, False), record(BOTH, status="void")]), "Figure 6")

    assert found.rows[0]["with side effects %"] == 50.0
    assert found.notes[0].startswith("Percent of trials, void and unscored ones left out.")


def test_figure_7_ranks_templates_with_intervals_clustered_by_task() -> None:
    records = [record(ONE, False), record(NOTHING), record(TWO), record(BOTH, False)]
    found = by_title(tables(records), "Figure 7")

    assert [(r["template"], r["trials"], r["accuracy %"], r["floor %"]) for r in found.rows] == [
        ("clear", 1, 100.0, 0.0), ("look", 2, 50.0, 50.0), ("both", 1, 0.0, 0.0),
    ]  # fmt: skip
    assert (found.rows[0]["low"], found.rows[1]["low"] is None) == (None, False)
    assert found.notes[0] == "2 of 3 are all right or all wrong."


def test_void_trials_are_in_no_table() -> None:
    found = tables([record(ONE), record(TWO, status="void")])

    assert by_title(found, "Table 5").rows[0]["trials"] == 1
    assert [row["domain"] for row in by_title(found, "Table 6").rows] == ["Analytics"]


def test_intervals_name_the_level_they_cluster_at() -> None:
    assert "clustered by template" in by_title(tables([record(ONE), record(TWO)]), "Table 5").notes[-1]


def test_instruments_have_calibration_tables_of_their_own_without_numbers_of_the_paper() -> None:
    found = tables([record(ONE), record(ONE, changes=[], agent="idle")], "m", "idle")
    numbered = [table for table in found if table.title.startswith(("Table 5", "Table 6", "Table 7", "Figure 6"))]

    assert {row["agent"] for table in numbered for row in table.rows} == {"m"}
    assert {row["agent"] for t in found if t.title.startswith("Calibration") for row in t.rows} == {"idle"}
    only = tables([record(ONE, changes=[], agent="idle")], "idle")
    assert [t.title for t in only if not t.title.startswith("Calibration")] == [
        "Templates and tasks per domain, workbench-synth@1",
        "Number of actions that tasks need, workbench-synth@1",
    ]


@pytest.mark.parametrize(
    ("name", "agents", "shown"),
    [
        (OFFICIAL, ("m",), True),
        (OFFICIAL, ("idle",), False),
        (OFFICIAL, ("m", "idle"), False),
        ("workbench-official@v2", ("m",), False),
        ("workbench-synth", ("m",), False),
    ],
)
def test_published_figures_stand_beside_models_on_the_papers_tasks_alone(
    name: str, agents: tuple[str, ...], shown: bool
) -> None:
    found = tables([record(ONE, agent=agent) for agent in agents], *agents, of=made(name))

    assert any("WorkBench" in table.title for table in found) is shown


def test_a_run_without_a_trial_that_counts_has_the_tables_of_its_tasks() -> None:
    assert [t.title[:8] for t in tables([record(ONE, status="void")]) if "Results" not in t.title] == [
        "Table 3:", "Figure 4",
    ]  # fmt: skip


def test_the_markdown_is_as_reviewed() -> None:
    """Rewrite the file by hand, or from the text that a failure shows, when tables change on purpose."""
    records = [record(NOTHING), record(ONE, False), record(TWO, changes=[]), record(BOTH)]
    records += [record(each, agent="oracle") for each in TASKS]
    reviewed = Path(__file__).with_name("workbench.md").read_text(encoding="utf-8")

    assert render.markdown(tables(records, "m", "oracle")) == reviewed


def test_a_figure_names_columns_that_it_has() -> None:
    found = by_title(tables([record(ONE)]), "Figure 4")
    assert isinstance(found, Figure)
    with pytest.raises(ValueError, match="figure 'F' has no column 'actions'"):
        Figure.of("F", ["tasks %"], [], [], *found.charts)
