"""What a calibrated agent is expected to score, worked out from its dials: the truth that a table of it must show.

The instrument reads everything and then errs on purpose: it declares each true positive with chance `recall`, and each
other document with chance `noise`. Where it declares all true positives it tells the bottleneck, with chance
`confusion` with one essential detail wrong, and takes the right action, with chance `parameter_error` with one critical
parameter wrong. With one true positive gone it abstains, and both scores are 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import comb, sqrt
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from benchmarks.probe.scoring.search import search

__all__ = ("Dials", "Expected", "Outcome", "expected", "outcomes")


class Dials(BaseModel):
    """Recall, noise, confusion and parameter error, each a chance in [0, 1]."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    recall: float = Field(default=1, ge=0, le=1)
    noise: float = Field(default=0, ge=0, le=1)
    confusion: float = Field(default=0, ge=0, le=1)
    parameter_error: float = Field(default=0, ge=0, le=1)


class Outcome(NamedTuple):
    """One way that an answer may come out, with its chance."""

    chance: float
    precision: float
    recall: float
    f1: float
    identification: float
    execution: float

    @property
    def overall(self) -> float:
        return (self.f1 + self.identification + self.execution) / 3

    @property
    def strict(self) -> float:
        return float(self.f1 == self.identification == self.execution == 1)

    @property
    def wrong_reason(self) -> float:
        return float(self.execution == 1 and self.identification == 0)


class Expected(NamedTuple):
    """Mean and standard deviation of a score of one answer."""

    mean: float
    sd: float


def outcomes(
    dials: Dials, true_positives: int, documents: int, *, after_error: float = 0.0, nothing_else: float = 1.0
) -> Iterator[Outcome]:
    """Every way in which an answer may come out, over the 2^T sets of true positives that it may declare.

    `after_error` is the execution score with one critical parameter wrong (0 where it names a person or a thing), and
    `nothing_else` the identification score of an answer without a confusion. Ways of no chance are left out. Raises
    ValueError where there are fewer documents than true positives, or no true positives.
    """
    others = documents - true_positives
    if true_positives < 1 or others < 0:
        raise ValueError(f"{true_positives} true positives among {documents} documents make no sample")
    wanted = [f"T{number}" for number in range(true_positives)]
    extra = [(wrong, _binomial(others, wrong, dials.noise)) for wrong in range(others + 1)]
    for taken in product((True, False), repeat=true_positives):
        found = [each for each, one in zip(wanted, taken, strict=True) if one]
        chance = dials.recall ** len(found) * (1 - dials.recall) ** (true_positives - len(found))
        ends = _ends(dials, after_error, nothing_else) if all(taken) else [(1.0, 0.0, 0.0)]
        for wrong, likely in extra:
            if not chance * likely:
                continue
            scores = search([*found, *(f"K{number}" for number in range(wrong))], wanted)
            assert scores is not None
            for rest, identification, execution in ends:
                if rest:
                    yield Outcome(
                        chance * likely * rest,
                        scores.precision,
                        scores.recall,
                        scores.f1,
                        identification,
                        execution,
                    )


def expected(ways: Iterator[Outcome], score: Callable[[Outcome], float]) -> Expected:
    """Mean and standard deviation of a score over all ways: `expected(outcomes(...), lambda way: way.f1)`."""
    values = [(way.chance, score(way)) for way in ways]
    mean = sum(chance * value for chance, value in values)
    return Expected(mean, sqrt(max(0.0, sum(chance * (value - mean) ** 2 for chance, value in values))))


def _ends(dials: Dials, after_error: float, nothing_else: float) -> list[tuple[float, float, float]]:
    """Chance, identification and execution of an answer that rests on all true positives."""
    return [
        (a * b, identification, execution)
        for a, identification in ((1 - dials.confusion, nothing_else), (dials.confusion, 0.0))
        for b, execution in ((1 - dials.parameter_error, 1.0), (dials.parameter_error, after_error))
    ]


def _binomial(n: int, k: int, p: float) -> float:
    return float(comb(n, k) * p**k * (1 - p) ** (n - k))
