"""Precision, recall and F1, by hand."""

from __future__ import annotations

import pytest

from benchmarks.probe.scoring.search import micro, search


@pytest.mark.parametrize(
    ("retrieved", "precision", "recall", "f1", "without_neutral"),
    [
        (["a", "b", "c", "d"], 1, 1, 1, 1),
        (["a", "b"], 1, 1 / 2, 2 / 3, 1),
        (["a", "x", "n"], 1 / 3, 1 / 4, 2 / 7, 1 / 2),  # 2 * 1/12 / (7/12)
        (["n"], 0, 0, 0, 0),
        (["x"], 0, 0, 0, 0),
        ([], 0, 0, 0, 0),
        (["a", "a", "a", "unknown"], 1 / 2, 1 / 4, 1 / 3, 1 / 2),  # duplicates once, unknown ids false positives
    ],
)
def test_an_answer_is_scored(
    retrieved: list[str], precision: float, recall: float, f1: float, without_neutral: float
) -> None:
    found = search(retrieved, ["a", "b", "c", "d"], ["n", "m"])

    assert found is not None
    assert (found.precision, found.recall, found.precision_without_neutral) == (precision, recall, without_neutral)
    assert found.f1 == pytest.approx(f1)


def test_a_sample_without_true_positives_is_unscored() -> None:
    assert search(["a"], []) is None


def test_pooled_scores_add_up_counts_first() -> None:
    # Hits 1 of 1 declared and 1 wanted, and 0 of 3 declared and 2 wanted: P 1/4, R 1/3, F1 2/7; macro F1 would be 1/2.
    one, two = search(["a"], ["a"]), search(["x", "y", "n"], ["b", "c"], ["n"])
    assert one is not None
    assert two is not None
    found = micro([one, two])

    assert found is not None
    assert (found.precision, found.recall, found.precision_without_neutral) == (1 / 4, 1 / 3, 1 / 3)
    assert found.f1 == pytest.approx(2 / 7)
    assert micro([]) is None
