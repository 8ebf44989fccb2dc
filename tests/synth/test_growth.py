from __future__ import annotations

import pytest

from benchmarks.workbench.synth.templates.website import changed, outgrew


@pytest.mark.parametrize(
    ("base", "now", "direction", "percent", "expected"),
    [
        (10, 12, "up", 20, False),
        (10, 13, "up", 20, True),
        (10, 8, "down", 20, False),
        (10, 7, "down", 20, True),
        (10, 7, "up", 5, False),
        (10, 13, "down", 5, False),
        (3, 3.31, "up", 10, True),
        (10, 0, "down", 80, True),
        (10, 0, "down", 120, False),
    ],
)
def test_a_change_counts_only_beyond_the_percentage_and_in_its_direction(
    base: float, now: float, direction: str, percent: int, expected: bool
) -> None:
    assert changed({"then": base, "now": now}, "then", "now", direction, percent) is expected


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [((2, 3), (10, 12), True), ((10, 12), (2, 3), False), ((2, 3), (4, 6), False), ((10, 9), (10, 8), True)],
)
def test_growth_is_compared_in_percent_and_a_fall_is_negative(
    ours: tuple[int, int], theirs: tuple[int, int], expected: bool
) -> None:
    figures = [dict(zip(("then", "now"), each, strict=True)) for each in (ours, theirs)]

    assert outgrew(figures, "then", "now") is expected
