"""Words that the page explains are those of whoever coined them."""

from __future__ import annotations

from harness.core.suite import Table
from harness.report.words import FLAGS
from harness.view import reports


def test_a_table_that_names_failure_flags_brings_what_they_mean() -> None:
    rows = [{"flag": "redundant_questions", "trials": 2}, {"flag": "of_another_suite", "trials": 1}]
    made = reports.tables([Table("Flags", ["flag", "trials"], rows)], "r0", {})

    assert made["tables"][0]["means"] == {"redundant_questions": FLAGS["redundant_questions"]}
