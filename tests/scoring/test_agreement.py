"""Cohen's kappa with an interval, by figures that are known."""

from __future__ import annotations

import random

import pytest

from harness.scoring.agreement import agreement, kappa


def test_a_kappa_with_an_interval_is_the_one_without() -> None:
    groups = {"a": [("y", "y"), ("n", "y")], "b": [("n", "n")], "c": [("y", "y")], "d": [("n", "n")]}
    found = kappa(groups, "session")

    assert found.value == agreement([pair for group in groups.values() for pair in group]).kappa
    assert found.value == pytest.approx((4 / 5 - 12 / 25) / (1 - 12 / 25))  # y 2 and 3 of 5, n 3 and 2
    assert (found.n, found.clusters, found.level) == (5, 4, "session")
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.615 < found.high


def test_groups_whose_answers_are_all_alike_but_for_their_sign_give_the_limits_of_a_binomial() -> None:
    # A group holds one yes-yes and one no-no, or a yes-no and a no-yes: with k of 8 groups of the first kind, kappa is
    # k/4 - 1. Outside either limit lies .0057: limits are at k = 1 and 7 where half of them are (see `test_stats`).
    good, bad = [("y", "y"), ("n", "n")], [("y", "n"), ("n", "y")]
    groups = {f"{number}": good if number % 2 else bad for number in range(8)}
    found = kappa(groups, "session", resamples=20_000)

    assert found.value == 0
    assert [found.low, found.high] == pytest.approx([1 / 4 - 1, 7 / 4 - 1])


def test_agreement_throughout_and_few_groups_have_no_interval() -> None:
    same = kappa({"a": [("y", "y")], "b": [("n", "n")]}, "session")
    single = kappa({"a": [("y", "y"), ("n", "y"), ("n", "n")]}, "session")

    assert (same.value, same.low, same.note) == (1.0, None, "they agree throughout: no interval")
    assert (single.low, single.note) == (None, "one session only: no interval")
    few = kappa({"a": [("y", "y"), ("n", "y")], "b": [("n", "n")], "c": [("n", "n")]}, "session")
    assert (few.low, few.note) == (None, "3 sessions only: no interval")
    assert kappa({"a": []}, "session").note == "no data"


def test_draws_with_one_answer_throughout_are_left_out_and_counted() -> None:
    found = kappa(
        {"a": [("y", "y")] * 3, "b": [("y", "n"), ("n", "n")], "c": [("y", "y")], "d": [("y", "y")]}, "session"
    )

    assert found.note.endswith("of 2000 resamples left out: one and the same answer throughout")


def test_the_interval_covers_the_true_kappa_about_95_times_in_100() -> None:
    """Two judges who say what is so in four of five cases agree in .68 of them, by chance in half: kappa is .36."""
    draw, covered = random.Random(2), 0

    def said(truth: bool) -> bool:
        return truth if draw.random() < 0.8 else not truth

    for trial in range(200):
        groups = {}
        for session in range(25):
            truths = [draw.random() < 0.5 for _ in range(6)]
            groups[str(session)] = [(said(truth), said(truth)) for truth in truths]
        found = kappa(groups, "session", seed=trial, resamples=400)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.36 <= found.high

    assert 0.92 <= covered / 200 <= 0.98
