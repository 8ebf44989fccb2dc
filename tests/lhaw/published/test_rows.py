"""Published variants are read in either shape; what cannot be read is told in a line, with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.lhaw.published.rows import Published, PublishedError, read
from tests.lhaw.published.rows import PAYROLL, TOP, array, changed, lines, made

BAD = changed(variant_id="bad", ambiguity_class="unclear")


def test_an_array_and_lines_give_the_same_rows(tmp_path: Path) -> None:
    first, second = read(array(tmp_path, PAYROLL, TOP)), read(lines(tmp_path, PAYROLL, "", TOP))

    assert first.rows == second.rows
    assert [row.variant_id for row in first.rows] == ["payroll_V1_input", "top_sellers_V4"]
    assert first.broken == second.broken == ()
    assert first.sha256 != second.sha256


def test_a_byte_order_mark_and_windows_line_ends_are_read_over(tmp_path: Path) -> None:
    path = lines(tmp_path, PAYROLL, TOP)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))

    assert len(read(path).rows) == 2


@pytest.mark.parametrize(
    "questions",
    [
        [{"segment_id": "S1", "questions": ["Which one?"]}],
        [{"S1": ["Which one?"]}],
        [{"S1": ["Which one?"], "S2": None}],
    ],
)
def test_questions_are_the_same_in_either_shape(questions: Any) -> None:
    assert made(expected_questions=questions).expected_questions == (("S1", ("Which one?",)),)


def test_there_may_be_fewer_groups_of_questions_than_segments() -> None:
    row = made(TOP, expected_questions=[{"segment_id": "S2", "questions": ["Which format?"]}])

    assert (len(row.removed_segments), len(row.expected_questions)) == (2, 1)


@pytest.mark.parametrize(
    ("dimension", "found"),
    [("goal", ("goal",)), ("goal, input", ("goal", "input")), (["goal", "input"], ("goal", "input")), ([], ())],
)
def test_a_dimension_is_a_text_or_a_list(dimension: Any, found: tuple[str, ...]) -> None:
    assert made(information_dimension=dimension).information_dimension == found


@pytest.mark.parametrize(
    ("states", "found"),
    [
        ("[ (1, 1) ]", ((1, 1),)),
        ("[(1, 0), (0, 0)]", ((1, 0), (0, 0))),
        ("[(1,)]", ((1,),)),
        ("{(True, False)}", ((1, 0),)),
        ("[[0.5, 1]]", ((0.5, 1),)),
        ([[1, 0], [True, False]], ((1, 0), (1, 0))),
        ("[]", ()),
        ("", None),
        (None, None),
        (..., None),
        ("__import__('os').getcwd()", None),
        ("[(1, 1), open('x')]", None),
        ("[(1, 1)", None),
        ("all failed", None),
    ],
)
def test_terminal_states_are_read_and_never_run(states: Any, found: Any) -> None:
    assert made(terminal_states=states).terminal_states == found


def test_a_segment_may_have_more_text_than_its_value() -> None:
    assert [segment.text for segment in made(TOP).removed_segments] == ["best 12 products", None]
    assert made().removed_segments[0].text is None


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"variant_id": ...}, "variant_id: is missing"),
        ({"original_prompt": ""}, "original_prompt: should be a text that is not empty"),
        ({"dataset": 3}, "dataset: input should be a valid string; it is 3"),
        ({"underspecified_prompt": "\ud800"}, "underspecified_prompt: should be text that can be written"),
        (
            {"ambiguity_class": "unclear"},
            "ambiguity_class: input should be 'outcome-critical', 'divergent' or 'benign'",
        ),
        (
            {"information_dimension": 5},
            'information_dimension: should be a list of texts, or one text, such as ["goal"]',
        ),
        ({"information_dimension": [5]}, "information_dimension.0: input should be a valid string; it is 5"),
        ({"removed_segments": []}, "removed_segments: should name at least one segment"),
        ({"removed_segments": [{"id": "S1"}]}, "removed_segments.0.dimension: is missing (and 2 more)"),
        (
            {"removed_segments": [*PAYROLL["removed_segments"], *PAYROLL["removed_segments"]]},
            "removed_segments: S1 stands twice; each segment needs an id of its own",
        ),
        (
            {"expected_questions": "Which?"},
            'expected_questions: should be a list of {"segment_id": "S1", "questions": [',
        ),
        ({"expected_questions": ["Which?"]}, "item 1 is a text"),
        ({"expected_questions": [{"S1": "Which?"}]}, "item 1 is of another shape"),
        ({"expected_questions": [{"segment_id": None, "questions": []}]}, "item 1 is of another shape"),
        ({"expected_questions": [{"S1": [4]}]}, "questions should be texts; one of item 1 is a number"),
        (
            {"expected_questions": [{"S1": ["\udfff"]}]},
            "expected_questions: should be text that can be written as UTF-8",
        ),
        ({"expected_questions": [{"S1": [0]}]}, "questions should be texts; one of item 1 is a number"),
        ({"terminal_states": 3}, 'terminal_states: should be a text such as "[ (1, 0) ]", or a list of lists'),
        ({"terminal_states": [1]}, "terminal_states: should be lists of numbers, one list for each state"),
    ],
)
def test_a_broken_row_is_told_with_its_place_its_field_and_what_would_be_right(
    fields: dict[str, Any], told: str, tmp_path: Path
) -> None:
    path = array(tmp_path, TOP, changed(**fields))
    (problem,) = read(path).broken

    assert str(problem).startswith(f"{path}: row 2")
    assert told in problem.problem
    assert "\n" not in str(problem)


def test_all_broken_rows_are_told_and_the_others_are_read(tmp_path: Path) -> None:
    path = lines(tmp_path, BAD, PAYROLL, "{", "[3]", PAYROLL)
    found = read(path)

    assert [row.variant_id for row in found.rows] == ["payroll_V1_input"]
    assert [each.where for each in found.broken] == [
        f"{path}:1 ('bad')", f"{path}:3", f"{path}:4", f"{path}:5 ('payroll_V1_input')",
    ]  # fmt: skip
    assert [each.problem for each in found.broken[1:]] == [
        "should be one JSON object on a line, and is none: Expecting property name enclosed in double quotes",
        "should be a JSON object; it is a list",
        f"variant_id: should be the row's own, and is that of {path}:2",
    ]


def test_a_row_that_is_nested_too_deeply_is_a_broken_row(tmp_path: Path) -> None:
    deep = [json.dumps(changed(terminal_states="@")).replace('"@"', "[" * n + "]" * n) for n in (900, 990, 100_000)]
    found = read(lines(tmp_path, *deep, PAYROLL))

    assert (len(found.rows), len(found.broken)) == (1, 3)


def test_a_strict_reader_stops_at_the_first_broken_row(tmp_path: Path) -> None:
    path = array(tmp_path, PAYROLL, BAD, changed(variant_id="worse", dataset=3))

    with pytest.raises(PublishedError, match=r"test\.json: row 2 \('bad'\): ambiguity_class: "):
        read(path, strict=True)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "has no rows; it should be a JSON array of variants, or one JSON object a line"),
        (b"[]", "has no rows"),
        (b'[{"a": 1},\n', ":2: should be a JSON array, and is none: "),
        (b"[" * 100_000, "should be a JSON array, and is none: "),
        (b'[{"a": "\xff"}]', "should be UTF-8, and is not at byte 8"),
    ],
)
def test_a_file_that_is_no_list_of_rows_is_refused_in_one_line(data: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "test.json"
    path.write_bytes(data)

    with pytest.raises(PublishedError) as problem:
        read(path)
    assert told in str(problem.value)
    assert str(problem.value).startswith(str(path))
    assert "\n" not in str(problem.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PublishedError, match=r"gone\.json: cannot be read: No such file"):
        read(tmp_path / "gone.json")


def test_only_the_published_bytes_are_the_published_file(tmp_path: Path) -> None:
    found = read(array(tmp_path, PAYROLL))

    assert not found.official
    assert Published("f67973650afd425cb0344c8b078a1c911cde0fcacb4005476c3cd520091a6ed5", (), ()).official
