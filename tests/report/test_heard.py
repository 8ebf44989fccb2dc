"""What reports say of how well a simulated user understands questions that it was not made for."""

from __future__ import annotations

from harness import report, wiring
from harness.core.config import Condition, UserConfig
from harness.report import heard
from tests.report.records import IDS, config, delete, record, suite, task

TASKS = [task(f"t{n}", delete(IDS[n]), template=f"template {n % 2}") for n in range(4)]
ROW = {"questions": 10, "wanted": 8, "got": 6, "told": 8, "rightly": 7, "leaks": 1, "wrong": 2, "assents": 0}
ROW |= {
    "first": 4,
    "first_rightly": 4,
    "declined": 1,
    "lost": 1,
    "contradicts": 0,
    "probed": 0,
    "right": 5,
    "denied": 1,
}
MEASURED = {"grounded@2": {"tuned": {"a": ROW}, "frozen": {"a": ROW, "b": ROW}, "long": {"c": ROW}}}


def notes(agent: str) -> list[str]:
    of = suite(TASKS, measured=MEASURED)
    chosen = config(agent, conditions={"default": Condition(ask="ask_user", user=UserConfig())})
    trials = [record(each, n % 2 == 0, agent=agent) for n, each in enumerate(TASKS)]
    found = report.tables(chosen, of, report.ordered(trials, chosen, of))
    return [note for table in found for note in table.notes if note.startswith("On questions of players")]


def test_with_a_model_the_report_says_how_well_its_user_understood() -> None:
    (line,) = notes("m")

    assert line.startswith("On questions of players that nothing was tuned on, grounded@2 has recall 75.0% ")


def test_instruments_are_not_judged_by_how_their_user_hears() -> None:
    assert notes("oracle") == []


def test_figures_are_quotients_of_sums_over_templates() -> None:
    rows = {(row["half"], row["figure"]): row for row in heard.table(MEASURED).rows}

    assert [rows["frozen", name]["%"] for name in ("recall", "precision", "leaks")] == [75.0, 87.5, 10.0]
    assert rows["frozen", "recall"]["of"] == 16


def test_a_share_that_no_template_differs_in_has_exact_bounds_by_the_templates_that_have_any() -> None:
    several = dict.fromkeys("abc", ROW) | {"d": ROW | {"wrong": 0}}
    rows = {row["figure"]: row for row in heard.table({"grounded@2": {"frozen": several}}).rows}
    assent, leaks = rows["assent to a wrong value"], rows["leaks"]

    assert (assent["of"], assent["%"], assent["low"], assent["high"]) == (6, 0.0, 0.0, 70.8)  # 1 - .025^(1/3)
    assert (leaks["%"], leaks["low"], leaks["high"]) == (10.0, None, None)  # values in an answer: no share


def test_each_grounded_user_has_a_line_whatever_its_manner() -> None:
    users = ["grounded@2 (terse)", "grounded@2", "grounded@1", "scripted", ""]

    # Two templates are alike, so that 1 - .025^(1/2) = .842 of all may be otherwise; of one there is no interval.
    assert list(heard.lines(MEASURED, users)) == [
        "On questions of players that nothing was tuned on, grounded@2 has recall 75.0% (11.9 to 96.0) and precision "
        "87.5% (13.8 to 98.0) about short requests, recall 75.0% and precision 87.5% about long ones.",
        "grounded@1 was not measured on questions that players put.",
    ]


def test_suites_that_are_loaded_by_name_bring_what_was_measured() -> None:
    measured = wiring.suite("workbench-synth").measured

    assert {"grounded@1", "grounded@2"} <= measured.keys()
