"""Intervals hold the true value about as often as they say, over 400 cells of dial and seed."""

from __future__ import annotations

import pytest

from tests.lhaw.coverage import ALLOWED, cells, covered


@pytest.fixture(scope="module")
def shares() -> dict[str, float]:
    return covered()


def test_there_are_four_hundred_cells() -> None:
    assert len(set(cells())) == 400


@pytest.mark.parametrize(
    "figure",
    [
        "ask %",
        "pass@3 %",
        "pass@3 with user %",
        "gain",
        "gain/(questions/trial)",
        "calls/trial",
    ],
)
def test_an_interval_covers_the_true_value_in_92_to_98_of_100_cells(shares: dict[str, float], figure: str) -> None:
    low, high = ALLOWED

    assert low <= shares[figure] <= high
