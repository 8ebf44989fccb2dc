"""Counts over published variants, and beside them those that were published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.lhaw.published.rows import CLASSES, Row
from benchmarks.lhaw.published.statistics import Figure, compared, compared_table, tables
from tests.lhaw.published.rows import PAYROLL, TOP, made

ROWS = (made(), made(variant_id="b", ambiguity_class="benign"), made(TOP))


def table(title: str, rows: Sequence[Row] = ROWS) -> Sequence[Mapping[str, Any]]:
    return next(each.rows for each in tables(rows) if each.title == title)


def of_the_published_counts() -> list[Row]:
    """285 rows with the counts of the paper: classes, tasks, segments and question groups of each data set."""
    rows = []
    for name, tasks, classes, double in (
        ("TheAgentCompany", 13, (40, 30, 15), 40),
        ("SWE-Bench Pro", 75, (31, 34, 35), 60),
        ("MCP-Atlas", 100, (50, 30, 20), 62),
    ):
        labels = [label for label, count in zip(CLASSES, classes, strict=True) for _ in range(count)]
        for number, label in enumerate(labels):
            rows.append(
                made(
                    TOP if number < double else PAYROLL, variant_id=f"{name} {number}", dataset=name,
                    original_task=f"{name} {number % tasks}", ambiguity_class=label,
                )
            )  # fmt: skip
    rows[0] = rows[0].model_copy(update={"expected_questions": rows[0].expected_questions[:1]})
    return rows


def test_variants_and_base_tasks_are_counted_by_data_set_and_class() -> None:
    assert table("Variants by empirical class") == [
        {"data set": name, "base tasks": tasks, "variants": sum(found), **dict(zip(CLASSES, found, strict=True))}
        for name, tasks, found in (
            ("TheAgentCompany", 1, (1, 0, 1)),
            ("MCP-Atlas", 1, (0, 1, 0)),
            ("all", 2, (1, 1, 1)),
        )
    ]


def test_data_sets_that_the_paper_does_not_have_come_last() -> None:
    rows = [made(dataset="Zoo"), made(dataset="Ark", variant_id="b"), made(TOP)]

    assert [row["data set"] for row in table("Variants by empirical class", rows)] == ["MCP-Atlas", "Ark", "Zoo", "all"]


def test_variants_are_counted_by_segments_removed() -> None:
    assert table("Variants by segments removed")[-1] == {"data set": "all", "1 segment": 2, "2 segments": 1}


def test_a_dimension_counts_once_for_each_segment() -> None:
    both = made(TOP, removed_segments=[{**each, "dimension": "goal"} for each in TOP["removed_segments"]])
    instances, labels = table("Dimension instances", [both]), table("Variants by information dimension", [both])

    assert (instances[-1]["goal"], instances[-1]["constraint"], instances[-1]["instances"]) == (2, 0, 2)
    assert (labels[-1]["goal"], labels[-1]["constraint"], labels[-1]["labels"]) == (1, 1, 2)


def test_all_17_subdimensions_are_listed_and_strange_ones_behind_them() -> None:
    strange = made(removed_segments=[{**PAYROLL["removed_segments"][0], "subdimension": "mood"}], variant_id="s")
    rows = table("Segments by subdimension", [*ROWS, strange])

    assert len(rows) == 18
    assert rows[-1] == {
        "dimension": "input",
        "subdimension": "mood",
        "TheAgentCompany": 1,
        "MCP-Atlas": 0,
        "segments": 1,
    }
    assert sum(row["segments"] for row in rows) == 5


def test_question_groups_are_counted_beside_segments() -> None:
    short = made(TOP, variant_id="short", expected_questions=[{"S1": ["How many?"]}])

    assert table("Question groups", [*ROWS, short]) == [
        {"segments removed": 1, "question groups": 1, "variants": 2, "questions": 4},
        {"segments removed": 2, "question groups": 1, "variants": 1, "questions": 1},
        {"segments removed": 2, "question groups": 2, "variants": 1, "questions": 2},
    ]


def test_terminal_states_are_counted_by_class() -> None:
    rows = [*ROWS, made(variant_id="c", terminal_states="unknown")]

    assert table("Distinct terminal states by empirical class", rows) == [
        {"class": "outcome-critical", "one state": 1, "several": 0, "none to read": 1},
        {"class": "divergent", "one state": 0, "several": 1, "none to read": 0},
        {"class": "benign", "one state": 1, "several": 0, "none to read": 0},
    ]


def test_rows_of_the_published_counts_differ_in_none() -> None:
    found = compared(of_the_published_counts())

    assert [each for each in found if each.published != each.here] == []
    assert {each.what: each.here for each in found if each.what in ("variants, benign", "variants, 2 segments")} == {
        "variants, benign": 70, "variants, 2 segments": 162,
    }  # fmt: skip
    assert Figure("dimension instances, MCP-Atlas", 162, 162) in found
    assert compared_table(found).notes == (f"All {len(found)} counts are as published.",)


def test_a_row_of_another_class_and_data_set_is_seen_in_every_count() -> None:
    rows = of_the_published_counts()
    rows[-1] = rows[-1].model_copy(update={"ambiguity_class": "divergent", "dataset": "SWE-Bench Pro"})
    found = compared(rows)

    assert [(each.what, each.here) for each in found if each.published != each.here] == [
        ("variants, divergent", 95),
        ("variants, benign", 69),
        ("base tasks, SWE-Bench Pro", 76),
        ("base tasks, MCP-Atlas", 99),
        ("variants, SWE-Bench Pro", 101),
        ("variants, SWE-Bench Pro, divergent", 35),
        ("variants, MCP-Atlas", 99),
        ("variants, MCP-Atlas, benign", 19),
        ("dimension instances, MCP-Atlas", 161),
    ]
    assert compared_table(found).notes == (f"9 of {len(found)} counts differ.",)
