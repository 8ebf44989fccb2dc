"""Profile `agentbench`: which answers are right."""

from __future__ import annotations

import pytest

from benchmarks.dbbench.profile import same


@pytest.mark.parametrize("nothing", ["", "none", "None", "NULL", "undefined", "nan", "Inf", "-inf", "infinity"])
def test_every_kind_of_nothing_is_0(nothing: str) -> None:
    assert same([nothing], ["0"])
    assert not same([nothing], ["1"])


@pytest.mark.parametrize(
    ("answer", "gold"),
    [("45%", "45"), ("1,234", "1234"), (" Oslo ", "Oslo"), ("'Oslo'", "Oslo"), ("17.005", "17"), ("17", "17.0")],
)
def test_marks_around_a_value_and_a_hundredth_make_no_difference(answer: str, gold: str) -> None:
    assert same([answer], [gold])


@pytest.mark.parametrize(("answer", "gold"), [("17.02", "17"), ("oslo", "Oslo"), ("17 m", "17"), ("Os lo", "Oslo")])
def test_case_words_and_more_than_a_hundredth_do(answer: str, gold: str) -> None:
    assert not same([answer], [gold])


def test_numbers_are_counted_one_by_one() -> None:
    assert same(["2", "1.005", "1"], ["1", "1", "2"])
    assert not same(["1", "2", "2"], ["1", "1", "2"])
    assert not same(["1", "2"], ["1", "1", "2"])


def test_texts_are_sets() -> None:
    assert same(["b", "a", "a"], ["a", "b"])
    assert not same(["a"], ["a", "b"])


def test_one_text_among_numbers_makes_all_of_them_texts() -> None:
    assert same(["x", "1", "1"], ["1", "x"])
    assert not same(["x", "1.0"], ["1", "x"])


def test_one_text_written_as_a_list_stands_for_its_items() -> None:
    assert same(["['b', 'a']"], ["a", "b"])
    assert same(["[('a',), ('b',)]"], ["a", "b"])
    assert same(["[3.0]"], ["3"])
    assert same(["[a, b]"], ["a", "b"])  # no literal, so its parts
    assert not same(["['b', 'a']", "c"], ["a", "b", "c"])
    assert not same(["a", "b"], ["['a', 'b']"])  # an answer, never the gold one


def test_no_answers_are_right_only_where_nothing_is_asked() -> None:
    assert same([], [])
    assert not same([], ["0"])
