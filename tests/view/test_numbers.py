"""Numbers of a report: where one leads to a list of its own, that list is as long as the number says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from harness.core.config_file import load
from harness.core.suite import Table
from harness.play.run import evaluate
from harness.view import View, reports
from harness.wiring import suite, wiring
from tests.view import scene

CONFIGS = Path(__file__).parents[2] / "configs"
COUNTS = frozenset({
    "trials", "void", "unscored", "failed", "correct", "side effects", "errors", "without", "with", "not understood",
    "contradiction", "asked twice",
})  # fmt: skip

PARTS = ("verdict", "side_effects", "questions", "flags")
BASES = (("correct", "failed"), ("correct", "failed", "unscored"), "failed")


@pytest.fixture(scope="module", params=["lhaw-short", "workbench-synth"])
def real(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> View:
    """A sample of the real suites, as their configs play them."""
    folder = tmp_path_factory.mktemp(request.param) / "run"
    config, wired = load(CONFIGS / f"{request.param}.yaml"), wiring()
    evaluate(config, wired.suite(config.suite, config.scale), wired, folder, sample=30)
    return View([folder], suite, read_only=True)


def linked(view: View) -> list[tuple[str, str, Any, dict[str, Any]]]:
    """Title, column, number and filter of every cell that has a list of its own."""
    return [
        (table["title"], column, row[column], link)
        for table in view.value("report-0")["tables"]
        for row, cells in zip(table["rows"], table["cells"], strict=True)
        for column, link in cells.items()
    ]


def test_the_list_that_a_count_leads_to_has_as_many_trials(real: View) -> None:
    rows = scene.rows(real)
    counts = [each for each in linked(real) if each[1] in COUNTS]

    assert len(counts) >= 20
    for title, column, number, link in counts:
        assert sum(reports.passes(row, link) for row in rows) == number, (title, column, link)


def test_the_list_that_a_share_leads_to_has_that_share_of_trials(real: View) -> None:
    rows = scene.rows(real)
    shares = [each for each in linked(real) if each[1] not in (*COUNTS, "accuracy gain")]

    assert shares
    for title, column, number, link in shares:
        counted = sum(reports.passes(row, link) for row in rows)
        share = number / 100 if "%" in column else number
        whole = {name: value for name, value in link.items() if name not in PARTS}
        bases = [sum(reports.passes(row, {**whole, "verdict": each}) for row in rows) for each in BASES]
        assert any(abs(counted / base - share) <= 0.0005 for base in bases if base), (title, column, link)


def test_every_count_of_the_outcomes_leads_to_its_trials(real: View) -> None:
    first = real.value("report-0")["tables"][0]

    for row, cells in zip(first["rows"], first["cells"], strict=True):
        counts = {"trials", "void", "unscored", "failed", "correct", "side effects"}
        assert cells.keys() >= {name for name in counts if row[name]}
        assert not cells.keys() & {name for name in counts if not row[name]}


def test_a_report_says_in_a_sentence_what_the_run_comes_to(tmp_path: Path) -> None:
    report = scene.view(scene.played(tmp_path / "run").folder).value("report-0")

    assert re.fullmatch(r"\w+ was right in 100% of its trials\.", report["sentence"])


LISTED: list[dict[str, Any]] = [
    {"agent": "a", "verdict": "failed", "side_effects": 1, "questions": 0, "flags": ["asked_twice"], "condition": "c"},
    {"agent": "a", "verdict": "correct", "side_effects": 0, "questions": 7, "flags": [], "condition": "c"},
    {"agent": "a", "verdict": "void", "side_effects": None, "questions": 0, "flags": [], "condition": "d"},
    {"agent": "b", "verdict": "failed", "side_effects": 0, "questions": 1, "flags": [], "condition": "d"},
]


def cells(*rows: dict[str, Any], among: Any = ()) -> list[dict[str, Any]]:
    table = Table("t", list(rows[0]), list(rows))
    (found,) = reports.tables([table], "t", {"agent": {"a", "b"}}, LISTED, among)["tables"]
    return list(found["cells"])


def test_a_number_that_the_list_does_not_agree_with_has_no_list_of_its_own() -> None:
    right, wrong = cells({"agent": "a", "failed": 1}, {"agent": "b", "failed": 2})

    assert right == {"failed": {"agent": "a", "verdict": "failed"}}
    assert wrong == {}


def test_a_share_leads_to_the_trials_that_it_counts() -> None:
    (found,) = cells({"agent": "a", "accuracy": 0.5, "ask %": 50.0})

    assert found["accuracy"] == {"agent": "a", "verdict": "correct"}
    assert sum(reports.passes(row, found["ask %"]) for row in LISTED) == 1


def test_a_part_of_a_number_that_no_filter_tells_has_no_list_of_its_own() -> None:
    whole, part = cells(
        {"agent": "a", "source": "all errors", "errors": 1}, {"agent": "a", "source": "wrong dates", "errors": 1}
    )

    assert whole == {"errors": {"agent": "a", "verdict": "failed"}}
    assert part == {}


def test_a_row_that_says_how_many_trials_it_is_of_is_narrowed_to_them() -> None:
    table = Table("t", ["agent", "user", "trials"], [{"agent": "a", "user": "u", "trials": 1}])
    among: list[dict[str, Any]] = [{"condition": ["d"]}]

    (found,) = reports.tables([table], "t", {"agent": {"a", "b"}}, LISTED, among)["tables"]

    assert found["links"] == [{"condition": ["d"], "agent": "a"}]


def test_a_table_of_models_leads_to_their_trials_and_not_to_those_of_instruments() -> None:
    listed = [
        {"agent": agent, "template": "x", "verdict": verdict, "side_effects": 0, "questions": 0, "flags": []}
        for agent, verdicts in (("model", ("correct", "failed", "void")), ("script", ("failed", "correct")))
        for verdict in verdicts
    ]
    row = {"template": "x", "trials": 2, "failed": 1, "void": 1}
    found = [Table(f"{part}: by template", list(row), [row]) for part in ("Results", "Calibration")]
    parts = {"Results": {"agent": ["model"]}, "Calibration": {"agent": ["script"]}}

    results, calibration = reports.tables(found, "t", {"template": {"x"}}, listed, (), parts)["tables"]

    own = {"agent": ["model"], "template": "x"}
    assert results["links"] == [{**own, "verdict": ("correct", "failed", "unscored")}]
    assert results["cells"][0]["failed"] == {**own, "verdict": "failed"}
    assert results["cells"][0]["void"] == {**own, "verdict": "void"}
    assert calibration["links"] == [{"agent": ["script"], "template": "x"}]


def test_a_row_that_counts_no_void_trials_leads_to_none() -> None:
    table = Table("t", ["agent", "trials"], [{"agent": "a", "trials": 2}])

    (found,) = reports.tables([table], "t", {"agent": {"a", "b"}}, LISTED)["tables"]

    assert found["links"] == [{"agent": "a", "verdict": ("correct", "failed", "unscored")}]
    assert sum(reports.passes(row, found["links"][0]) for row in LISTED) == 2


def test_a_row_of_something_that_no_filter_tells_leads_nowhere_unless_it_counts_as_many_trials() -> None:
    rows = [{"agent": "a", "half": "tuned", "trials": 3}, {"agent": "a", "half": "frozen", "trials": 7}]
    table = Table("t", list(rows[0]), rows)

    (found,) = reports.tables([table], "t", {"agent": {"a", "b"}}, LISTED)["tables"]

    assert found["links"] == [{"agent": "a"}, None]


def test_the_gain_of_asking_leads_to_all_trials_that_it_is_made_from(real: View) -> None:
    rows = scene.rows(real)
    gains = [each for each in linked(real) if each[1] == "accuracy gain"]
    trials = {
        table["title"]: row["trials"]
        for table in real.value("report-0")["tables"] if "accuracy gain" in table["columns"] for row in table["rows"]
    }  # fmt: skip

    assert {title for title, *_ in gains} == set(trials)
    for title, _, _, link in gains:
        assert sum(reports.passes(row, link) for row in rows) == trials[title]
