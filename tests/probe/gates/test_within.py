"""Areas under curves, means and their intervals, each worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.probe.gates.within import auc, averages, hits

BOTH = np.array([True, True, False, False, False])


def test_the_area_is_how_often_a_marked_row_has_more() -> None:
    values = np.array([[9, 1, 3.0], [8, 2, 1.0], [3, 7, 2.0], [2, 8, 0.0], [1, 9, 4.0]])

    # Third column: 3 exceeds 2 and 0, 1 exceeds 0; three of six pairs.
    assert auc(values, BOTH).tolist() == [1.0, 0.0, 0.5]


def test_ties_count_half() -> None:
    values = np.array([[1.0, 5.0], [1.0, 2.0], [1.0, 5.0], [1.0, 1.0], [1.0, 2.0]])

    # Second column: 5 ties with 5 and exceeds 1 and 2; 2 ties with 2, exceeds 1, is below 5: 2.5 and 1.5 of six.
    assert auc(values, BOTH).tolist() == pytest.approx([0.5, 4 / 6])


@pytest.mark.parametrize("marked", [[True] * 5, [False] * 5])
def test_there_is_no_area_without_both_sorts(marked: list[bool]) -> None:
    assert np.isnan(auc(np.ones((5, 2)), np.array(marked))).all()


def test_a_mean_is_over_samples_and_leaves_out_those_without_a_number() -> None:
    values = np.array([[0.2, 1.0], [0.4, np.nan], [0.9, 0.0]])

    one, two = averages(values, ["a", "a", "b"])

    assert [one.value, two.value] == pytest.approx([0.5, 0.5])


def test_an_interval_comes_from_drawing_personas_not_samples() -> None:
    # Of two personas a draw has one alone in half of all cases: the ends are those of a (0.2) and of b (0.8) alone.
    (found,) = averages(np.array([[0.1], [0.3], [0.8]]), ["a", "a", "b"])

    assert found == pytest.approx((0.4, 0.2, 0.8))


def test_numbers_that_agree_have_an_interval_without_width() -> None:
    (found,) = averages(np.full((4, 1), 0.6), ["a", "b", "c", "d"])

    assert found == pytest.approx((0.6, 0.6, 0.6))


def test_the_order_of_samples_changes_nothing() -> None:
    values, personas = np.random.default_rng(1).random((30, 2)), [f"P{number % 7}" for number in range(30)]
    order = np.random.default_rng(2).permutation(30)

    one, other = averages(values, personas), averages(values[order], [personas[place] for place in order])

    assert np.array(one) == pytest.approx(np.array(other))


def test_a_column_without_a_number_has_no_mean() -> None:
    with pytest.raises(ValueError, match="without a single number"):
        averages(np.array([[np.nan], [np.nan]]), ["a", "b"])


@pytest.mark.parametrize(("right", "share"), [(0, 0.5), (2, 0.5), (1, 0.0)])
def test_rows_that_tie_for_most_share_a_hit(right: int, share: float) -> None:
    assert hits(np.array([3.0, 1.0, 3.0]), right) == share
