"""What is drawn by default: from the rows of the tables, and nothing where there is nothing to compare."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from harness import report
from harness.core.config import Condition
from harness.record.store import TrialRecord
from harness.report import Chart, Figure, plots
from harness.report.compare import Played, compare
from harness.suite import Table
from harness.trajectory import Trajectory, Usage
from harness.view import reports
from servers.kernel import Change
from tests.report.records import IDS, by_title, changed, config, delete, record, scored, suite, task

TASKS = [task(f"t{n}", delete(IDS[n]), template=f"template {n}") for n in range(4)]


def played(
    agent: str, condition: str, right: str, cost: float | None = 0.0, harmed: Sequence[Change] = ()
) -> list[TrialRecord]:
    """A trial of each task; `right` has a 1 for each that is right, and `harmed` is all that the others changed."""
    found = []
    for each, r in zip(TASKS, right, strict=True):
        more: dict[str, Any] = {} if r == "1" else {"changes": harmed}
        done = record(each, agent=agent, condition=condition, **more)
        found.append(done.model_copy(update={"trajectory": paid(done.trajectory, cost)}))
    return found


def paid(trajectory: Trajectory, cost: float | None) -> Trajectory:
    return trajectory.model_copy(update={"usage": Usage(cost_usd=cost)})


def tables(*records: Sequence[TrialRecord]) -> list[Table]:
    every = [each for some in records for each in some]
    agents = dict.fromkeys(each.trajectory.agent for each in every)
    conditions = dict.fromkeys(each.trajectory.condition for each in every)
    chosen = config(*agents, conditions={name: Condition() for name in conditions})
    return list(report.tables(chosen, suite(TASKS), scored(every, suite(TASKS), chosen)))


def drawn(table: Table) -> dict[str, str]:
    assert isinstance(table, Figure)
    return plots.draw(table)


def said(svg: str) -> str:
    (found,) = re.findall(r'aria-label="([^"]*)"', svg)
    return str(found)


def test_accuracy_is_drawn_for_each_agent_with_its_interval() -> None:
    found = drawn(by_title(tables(played("m", "default", "1110"), played("n", "default", "1000")), "Results: outcomes"))

    assert said(found["accuracy"]) == "Results: outcomes. accuracy. accuracy by agent: m: 0.75; n: 0.25."
    assert ">95% interval</text>" in found["accuracy"]


def test_four_arms_are_drawn_together_for_each_agent() -> None:
    arms = ("original", "original+ask", "underspecified", "underspecified+ask")
    every = [played(agent, arm, "1110") for agent in ("m", "n") for arm in arms]
    found = drawn(by_title(tables(*every), "Results: outcomes"))

    assert list(found) == ["m: accuracy", "n: accuracy"]
    assert said(found["m: accuracy"]).endswith("; ".join(f"{arm}: 0.75" for arm in arms) + ".")


def test_many_agents_under_two_conditions_are_drawn_together_for_each_condition() -> None:
    every = [played(agent, name, "1110") for agent in ("a", "b", "c") for name in ("all", "few")]

    assert list(drawn(by_title(tables(*every), "Results: outcomes"))) == ["all: accuracy", "few: accuracy"]


def test_side_effects_are_drawn_beside_accuracy_as_a_share_of_trials() -> None:
    harmed = [changed(delete(IDS[9]))]
    found = tables(played("m", "default", "1110", harmed=harmed), played("n", "default", "1000", harmed=harmed))
    figures = drawn(by_title(found, "Results: outcomes"))

    assert list(figures) == ["accuracy", "side effects"]
    assert said(figures["side effects"]).endswith("side effects by agent: m: 0.25; n: 0.75.")


def test_a_void_trial_is_in_no_share_of_side_effects() -> None:
    harmed = [changed(delete(IDS[9]))]
    spoilt = record(task("v"), changes=harmed, status="void", agent="n")
    found = by_title(
        tables(played("m", "default", "1110"), [*played("n", "default", "1000", harmed=harmed), spoilt]),
        "Results: outcomes",
    )

    assert said(drawn(found)["side effects"]).endswith("side effects by agent: m: 0; n: 0.75.")
    assert [(row["trials"], row["side effects"]) for row in found.rows] == [(4, 0), (5, 3)]


def test_one_accuracy_alone_is_not_drawn() -> None:
    assert drawn(by_title(tables(played("m", "default", "1110")), "Results: outcomes")) == {}


def test_an_accuracy_that_there_is_not_is_no_bar_of_nothing() -> None:
    rows = [{"agent": name, "accuracy": value, "low": None, "high": None} for name, value in (("m", 0.5), ("n", None))]
    chart = Chart("bars", "agent", ("accuracy",), "low", "high", unit="share")
    (svg,) = plots.draw(Figure.of("F", list(rows[0]), rows, [], chart)).values()

    assert svg.count("> not scored</text>") == 1


def test_the_longest_bar_of_a_number_without_an_end_leaves_room_in_its_frame() -> None:
    rows = [{"agent": name, "questions": value} for name, value in (("m", 2.5), ("n", 1.0))]
    chart = Chart("bars", "agent", ("questions",), unit="questions a trial")

    assert plots._top(chart, rows) > 2.5


def test_cost_is_drawn_against_accuracy_where_two_have_both() -> None:
    found = tables(played("m", "default", "1110", 0.5), played("n", "default", "1000", 0.01))
    table = by_title(found, "Results: cost against accuracy")

    assert [(row["agent"], row["cost USD"], row["accuracy"]) for row in table.rows] == [
        ("m", 0.5, 0.75), ("n", 0.01, 0.25),
    ]  # fmt: skip
    (svg,) = drawn(table).values()
    assert said(svg).endswith("cost USD, accuracy by agent: m: 0.5 and 0.75; n: 0.01 and 0.25.")
    assert ">1  m</text>" in svg


def test_rows_at_one_place_share_a_point_and_its_number() -> None:
    rows = [{"agent": name, "cost": cost, "share": 0.5} for name, cost in (("m", 0.3), ("n", 0.7), ("o", 0.3))]
    chart = Chart("scatter", "agent", ("share",), across="cost", unit="share")
    (svg,) = plots.draw(Figure.of("F", list(rows[0]), rows, [], chart)).values()

    assert re.findall(r">(\d)  (\w)</text>", svg) == [("1", "m"), ("1", "o"), ("2", "n")]
    assert re.findall(r">([1-9])</text>", svg) == ["1", "2"]


def test_the_numbers_of_cost_and_accuracy_are_those_of_the_other_tables() -> None:
    found = tables(played("m", "default", "1110", 0.5), played("n", "default", "1000", 0.25))
    both = by_title(found, "Results: cost against accuracy")
    parts = [by_title(found, f"Results: {name}").rows for name in ("outcomes", "effort")]

    for row, outcome, effort in zip(both.rows, *parts, strict=True):
        known: Mapping[str, Any] = {**outcome, **effort}
        assert {name: known[name] for name in both.columns} == row


@pytest.mark.parametrize("costs", [(None, None), (0.5, None), (0.0, 0.0)])
def test_without_two_known_costs_there_is_no_figure_of_them(costs: tuple[float | None, float | None]) -> None:
    found = tables(played("m", "default", "1110", costs[0]), played("n", "default", "1000", costs[1]))

    assert not any("cost against" in table.title for table in found)


def test_flips_between_two_runs_are_drawn_with_their_numbers() -> None:
    of = suite(TASKS)
    runs = [
        Played(label, config("m"), scored(played("m", "default", right), of, config("m")), of)
        for label, right in (("monday", "1100"), ("tuesday", "0110"))
    ]
    (table,) = (each for each in compare(runs) if each.title == "Results: side by side")
    (svg,) = drawn(table).values()

    assert [table.rows[0][name] for name in ("gained", "lost", "unchanged")] == [1, 1, 2]
    assert ">1 gained, 1 lost, 2 unchanged</text>" in svg
    assert "first: monday" in svg


def test_points_have_an_axis_that_goes_below_nothing() -> None:
    rows = [{"agent": "m", "gain": -5.0, "low": -9.0, "high": 3.0}]
    chart = Chart("points", "agent", ("gain",), "low", "high", unit="percentage points")
    (svg,) = plots.draw(Figure.of("F", list(rows[0]), rows, [], chart)).values()

    assert ">0</text>" in svg
    assert ">percentage points</text>" in svg


def test_no_text_is_smaller_than_eleven_pixels_on_a_phone() -> None:
    """A page of 390 px leaves a drawing 361 of them."""
    rows = [{"agent": f"a{n}", "a": 1.0, "b": 2.0, "cost": 0.5 + n} for n in range(40)]
    charts = [
        Chart("bars", "agent", ("a", "b")),
        Chart("columns", "agent", ("a",), title="standing"),
        Chart("scatter", "agent", ("a",), across="cost", title="scatter"),
    ]
    for svg in plots.draw(Figure.of("F", list(rows[0]), rows, [], *charts)).values():
        (width,) = re.findall(r'viewBox="0 0 ([\d.]+) ', svg)
        sizes = {float(size) for size in re.findall(r"font(?:-size)?: ?([\d.]+)px", svg)}
        assert sizes
        assert min(sizes) * 361 / float(width) >= 11


def test_a_drawing_has_a_size_of_its_own_in_the_view_as_an_image_has_no_page_around_it() -> None:
    found = by_title(tables(played("m", "default", "1110"), played("n", "default", "1000")), "Results: outcomes")
    (plot,) = reports.tables([found], "report-0", {})["tables"][0]["plots"]

    assert plot["name"] == "accuracy"
    assert re.match(r'<svg [^>]* width="440" height="\d+">', plot["svg"])


def test_long_names_above_bars_keep_their_ends() -> None:
    rows = [{"first": f"{'x' * 60}, original+ask", "second": "b", "gained": 1, "lost": 2}]
    chart = Chart("bars", ("first", "second"), ("gained", "lost"), unit="tasks")
    (svg,) = plots.draw(Figure.of("F", list(rows[0]), rows, [], chart)).values()

    assert ">first: xxxxxxxxxxx…xxxxxxxxxxxxxxxxx, original+ask</text>" in svg


def test_the_same_charts_give_the_same_bytes() -> None:
    found = by_title(tables(played("m", "default", "1110", 1.0), played("n", "default", "1000", 0.1)), "Results: cost")

    assert drawn(found) == drawn(found)
