"""Do 95% intervals of LHAW's figures hold the true value in 95 of 100 cases? `python -m tests.lhaw.coverage` prints it.

A cell is one setting of the dials `ask` and `guess` and one seed. Its arms are drawn, not played: 40 templates of three
variants with three trials each, 120 variants. Each template leans one way, so that trials of one template go together
as those of real templates do. True values are those of the dials, whatever the templates drawn.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from benchmarks.lhaw import metrics
from benchmarks.lhaw.metrics import Arm, Trial
from harness.scoring.stats import Interval
from harness.task import Task
from tests.lhaw.scenes import variant

__all__ = ("ALLOWED", "Cell", "cells", "covered", "draw", "main")

ALLOWED = (0.92, 0.98)
"""The share of cells whose interval holds the true value."""

TEMPLATES, VARIANTS, TRIALS = 40, 3, 3
LEAN = 8.0
"""How alike templates are: chances within one are drawn from a beta distribution whose parameters sum to this."""


class Cell(NamedTuple):
    """Dials: the chance that a trial asks, and that it is right unasked. A trial that asks is right."""

    ask: float
    guess: float
    seed: int


def cells(seeds: int = 25) -> Iterator[Cell]:
    """Sixteen dial settings, each with so many seeds: 400."""
    for ask in (0.2, 0.4, 0.6, 0.8):
        for guess in (0.05, 0.1, 0.2, 0.3):
            yield from (Cell(ask, guess, seed) for seed in range(seeds))


TASKS: Mapping[str, Task] = {
    f"v{n:02}-{m}": variant(f"v{n:02}-{m}", template=f"t{n:02}", original=f"o{n:02}-{m}")
    for n in range(TEMPLATES)
    for m in range(VARIANTS)
}


def draw(cell: Cell) -> tuple[Arm, Arm]:
    """Trials without a user and with one."""
    chance = random.Random(f"{cell}")
    lean = {name: _lean(chance, cell) for name in dict.fromkeys(task.template for task in TASKS.values())}
    without: dict[str, list[Trial]] = {}
    with_user: dict[str, list[Trial]] = {}
    for name, task in TASKS.items():
        asks, guesses = lean[task.template]
        without[name] = [Trial(task=task, valid=True, right=chance.random() < guesses) for _ in range(TRIALS)]
        with_user[name] = []
        for _ in range(TRIALS):
            asked = chance.random() < asks
            right = asked or chance.random() < guesses
            with_user[name].append(Trial(task=task, valid=True, right=right, calls=int(asked)))
    return without, with_user


def _lean(chance: random.Random, cell: Cell) -> tuple[float, float]:
    return tuple(chance.betavariate(LEAN * each, LEAN * (1 - each)) for each in (cell.ask, cell.guess))  # type: ignore[return-value]


def _power(mean: float) -> float:
    """E[(1 - p)^3] of p from that beta distribution: the chance that three trials of a variant all go wrong."""
    b = LEAN * (1 - mean)
    return b * (b + 1) * (b + 2) / (LEAN * (LEAN + 1) * (LEAN + 2))


def truths(cell: Cell) -> dict[str, float]:
    """What each figure would be of endlessly many templates."""
    unasked = 1 - _power(cell.guess)
    asked = 1 - _power(cell.ask) * _power(cell.guess)
    return {
        "ask %": cell.ask,
        "pass@3 %": unasked,
        "pass@3 with user %": asked,
        "gain": asked - unasked,
        "gain/(questions/trial)": 100 * (asked - unasked) / cell.ask,
        "calls/trial": cell.ask,
    }


def seen(without: Arm, with_user: Arm) -> dict[str, Interval]:
    """The same as measured."""
    return {
        "ask %": metrics.ask_rate(with_user),
        "pass@3 %": metrics.pass_rate(without),
        "pass@3 with user %": metrics.pass_rate(with_user),
        "gain": metrics.gain(without, with_user),
        "gain/(questions/trial)": metrics.gain_per_mean_question(without, with_user),
        "calls/trial": metrics.calls_per_trial(with_user),
    }


def covered(seeds: int = 25) -> dict[str, float]:
    """Figure -> the share of cells whose interval holds its true value."""
    hits: dict[str, list[bool]] = {}
    for cell in cells(seeds):
        true = truths(cell)
        for name, found in seen(*draw(cell)).items():
            low, high = found.low, found.high
            hits.setdefault(name, []).append(low is not None and high is not None and low <= true[name] <= high)
    return {name: sum(each) / len(each) for name, each in hits.items()}


def main() -> None:
    low, high = ALLOWED
    lines = [
        f"{len(set(cells()))} cells, {len(TASKS)} variants, {TRIALS} trials each; {low:.0%} to {high:.0%} is right"
    ]
    lines += [f"  {name:<26}{share:.1%}" for name, share in covered().items()]
    sys.stdout.write("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
