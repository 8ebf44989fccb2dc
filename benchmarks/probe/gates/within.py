"""How well numbers part some rows of a sample from the others, on average over samples, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ("Average", "auc", "averages", "hits")

_DRAWS = 1_000


class Average(NamedTuple):
    """A mean over samples with its 95% interval."""

    value: float
    low: float
    high: float


def auc(values: ndarray, marked: ndarray) -> ndarray:
    """For each column of `values` (rows, columns), the area under the curve of marked rows (bool) against the others.

    That is how often a marked row has more than one that is not, ties counted half (Mann-Whitney). NaN where there are
    only marked rows, or none.
    """
    import numpy as np
    from scipy.stats import rankdata

    count = int(marked.sum())
    rest = len(marked) - count
    if not count or not rest:
        return np.full(values.shape[1], np.nan)
    ranks = rankdata(values, axis=0)
    found: ndarray = (ranks[marked].sum(axis=0) - count * (count + 1) / 2) / (count * rest)
    return found


def hits(values: ndarray, right: int) -> float:
    """1 if the right row has most, 0 if another has; where rows tie for most, its share among them."""
    best = values == values.max()
    return float(best[right]) / int(best.sum())


def averages(values: ndarray, personas: Sequence[str]) -> list[Average]:
    """For each column of `values` (samples, columns) the mean over samples, bootstrapped by persona.

    Samples of NaN are left out. Percentiles of a thousand draws of as many personas as there are, the same draws
    whenever the personas are the same.
    """
    import numpy as np

    groups, place = np.unique(np.array(personas), return_inverse=True)
    there = ~np.isnan(values)
    sums, counts = (np.zeros((len(groups), values.shape[1])) for _ in range(2))
    np.add.at(sums, place, np.where(there, values, 0.0))
    np.add.at(counts, place, there)
    if not counts.sum(axis=0).all():
        raise ValueError("a column without a single number has no mean")
    draws = np.random.default_rng(0).multinomial(len(groups), np.full(len(groups), 1 / len(groups)), size=_DRAWS)
    drawn = draws @ counts
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(drawn > 0, (draws @ sums) / drawn, np.nan)
    low, high = np.nanpercentile(means, (2.5, 97.5), axis=0)
    whole = sums.sum(axis=0) / counts.sum(axis=0)
    return [Average(*map(float, each)) for each in zip(whole, low, high, strict=True)]
