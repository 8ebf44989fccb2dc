"""What published variants have to pass, and that what fails is seen."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.lhaw.published.checks import CHECKS, Failure, failures, tables
from tests.lhaw.published.rows import PAYROLL, TOP, made

SEGMENT = PAYROLL["removed_segments"][0]


def test_sound_rows_fail_nothing() -> None:
    rows = [made(), made(TOP)]

    assert failures(rows) == []
    (summary,) = tables(rows, [])
    assert [row["check"] for row in summary.rows] == [*CHECKS]
    assert {row["fail"] for row in summary.rows} == {0}


@pytest.mark.parametrize(
    ("fields", "check", "segment", "found"),
    [
        (
            {"removed_segments": [{**SEGMENT, "value": "hours-april.csv"}]},
            "value is in the original prompt", "S1", "'hours-april.csv' stands there nowhere",
        ),
        (
            {"removed_segments": [{**SEGMENT, "value": "Hours-March.csv"}]},
            "value is in the original prompt", "S1", "'Hours-March.csv' stands there in other case or marks only",
        ),
        (
            {"underspecified_prompt": "Work out the pay from HOURS-MARCH.CSV."},
            "value is gone from the underspecified prompt",
            "S1", "'hours-march.csv' is given away by 'hours-march.csv'",
        ),
        (
            {"removed_segments": [{**SEGMENT, "subdimension": "mood"}]},
            "segment is in the taxonomy", "S1", "input/mood is none of the 17",
        ),
        (
            {"removed_segments": [{**SEGMENT, "subdimension": "format"}]},
            "segment is in the taxonomy", "S1", "input/format is none of the 17",
        ),
        (
            {"information_dimension": ["goal"]},
            "information_dimension is that of the segments", "", "says goal; segments are of input",
        ),
        (
            {"information_dimension": []},
            "information_dimension is that of the segments", "", "says nothing; segments are of input",
        ),
        (
            {"expected_questions": [{"S1": []}]},
            "questions are not empty", "S1", "its group is empty",
        ),
        (
            {"expected_questions": [{"S1": ["Which?", " "]}]},
            "questions are not empty", "S1", "one of its questions is empty",
        ),
        (
            {"terminal_states": "unknown"},
            "terminal states can be read", "", "there are none, or not as a list of lists of numbers",
        ),
    ],
)  # fmt: skip
def test_a_row_that_is_not_what_it_claims_fails_that_check_alone(
    fields: dict[str, Any], check: str, segment: str, found: str
) -> None:
    assert failures([made(**fields)]) == [Failure("payroll_V1_input", "TheAgentCompany", check, segment, found)]


@pytest.mark.parametrize(
    ("value", "left"),
    [
        ("12", "List the best twelve products."),
        ("2024-03-20", "List what came on March 20."),
        ("16:30", "List what came until 4:30 pm."),
        ("Priya Nair", "List what PRIYA NAIR sold."),
    ],
)
def test_a_value_that_is_left_in_other_words_is_found(value: str, left: str) -> None:
    segment = {**SEGMENT, "value": value}
    row = made(original_prompt=f"List {value}.", underspecified_prompt=left, removed_segments=[segment])

    assert [each.check for each in failures([row])] == ["value is gone from the underspecified prompt"]


@pytest.mark.parametrize("value", ["2024-13-45", "٣٣", "99:99", "5" * 5000, "\\(", "a" * 20_000, "\n"])
def test_values_of_any_shape_are_checked(value: str) -> None:
    segment = {**SEGMENT, "value": f"x{value}" if not value.strip() else value}
    row = made(original_prompt=f"List {segment['value']}.", removed_segments=[segment])

    assert failures([row]) == []


def test_a_group_for_no_segment_and_a_segment_without_a_group_are_both_told() -> None:
    row = made(expected_questions=[{"S7": ["Which?"]}])

    assert [(each.segment, each.found) for each in failures([row])] == [
        ("S1", "no group is for it"),
        ("S7", "a group is for it, and no such segment was removed"),
    ]


def test_a_row_without_questions_fails_as_a_row_and_at_its_segment() -> None:
    assert [(each.segment, each.found) for each in failures([made(expected_questions=None)])] == [
        ("", "there is no group of questions"),
        ("S1", "no group is for it"),
    ]


def test_a_row_counts_once_for_a_check_that_it_fails_twice() -> None:
    rows = [made(), made(TOP, removed_segments=[{**each, "subdimension": "mood"} for each in TOP["removed_segments"]])]
    found = failures(rows)
    summary, listed = tables(rows, found)

    assert len(listed.rows) == len(found) == 2
    assert next(row for row in summary.rows if row["check"] == "segment is in the taxonomy") == {
        "check": "segment is in the taxonomy", "rows": 2, "TheAgentCompany": 0, "MCP-Atlas": 1, "fail": 1,
    }  # fmt: skip
