"""Rates, intervals and comparisons that know their trials come in clusters.

Tasks made from one template, and trials of one task, go right and wrong together; counting them as
independent makes intervals too short (on the published GPT-4 answers to WorkBench by half). Everything
here therefore takes values grouped by cluster, and every interval says which level its clusters are.

SciPy and NumPy are imported by the functions that need them.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import comb, exp, log, sqrt
from typing import Any, Final, NamedTuple, TypeAlias

from servers.kernel import canonical

__all__ = (
    "FEWEST", "Clusters", "Flips", "Interval", "clusters", "flips", "limits", "number_of", "paired", "pass_at_k",
    "pass_hat_k", "rate", "ratio", "resampled", "stratified", "too_few",
)  # fmt: skip

FEWEST: Final = 4
"""Clusters that a bootstrap takes. From four on its 95% intervals hold the true value in 92 to 96 of 100 cases, of
two or three in 74 to 89: so few make too few different draws."""

Clusters: TypeAlias = Mapping[str, Sequence[float]]
"""Values of trials (or tasks) by cluster name. Order changes nothing."""


class Interval(NamedTuple):
    """An estimate with its 95% interval.

    `value` is None without data. `low` and `high` are None where the data allow no interval; `note`
    says why. `n` counts values, `clusters` the groups at `level` (`template`, `task` or `trial`).
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    clusters: int
    level: str
    note: str = ""


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """Chance that at least one of k trials is right: 1 - C(n-c, k) / C(n, k), from c right of n valid ones.

    The unbiased estimator of Chen et al. 2021 (arXiv 2107.03374, section 2.1, equation 1). None when
    n < k: the task is incomplete. Raises ValueError for impossible counts.
    """
    return None if _incomplete(n, c, k) else 1 - comb(n - c, k) / comb(n, k)


def pass_hat_k(n: int, c: int, k: int) -> float | None:
    """Chance that all of k trials are right, pass^k: C(c, k) / C(n, k) (Yao et al. 2024, arXiv 2406.12045).

    None when n < k: the task is incomplete. Raises ValueError for impossible counts.
    """
    return None if _incomplete(n, c, k) else comb(c, k) / comb(n, k)


def _incomplete(n: int, c: int, k: int) -> bool:
    if k < 1 or not 0 <= c <= n:
        raise ValueError(f"pass@{k} of {c} right among {n} trials makes no sense: it takes k >= 1 and 0 <= c <= n")
    return n < k


def clusters(values: Iterable[tuple[str, str, float]]) -> tuple[dict[str, list[float]], str]:
    """Group (template, task, value) at the highest level declared, and name it (docs/architecture.md, Statistics).

    `template` if any task has one (a task without is a cluster of its own), else `task`, else `trial`.
    """
    rows = list(values)
    level = "template" if any(t for t, _, _ in rows) else "task" if any(t for _, t, _ in rows) else "trial"
    grouped: defaultdict[str, list[float]] = defaultdict(list)
    for n, (template, task, value) in enumerate(rows):
        name = f"template {template}" if template else f"task {task}" if task else f"trial {n}"
        grouped[name].append(value)
    return dict(grouped), level


def rate(values: Clusters, level: str, *, bounded: bool = True) -> Interval:
    """The mean over all values, with a cluster-robust 95% interval.

    The variance of the mean is that of cluster totals around it, G/(G-1) sum_g (sum_i (y_gi - m))^2 / N^2
    (Liang and Zeger 1986; for evaluations, Miller 2024, arXiv 2411.00640), but at least what
    independent values would give: templates do not make outcomes more even, so less is noise. The quantile
    is Student's t on G - 1 degrees of freedom (Cameron and Miller 2015, section VI).

    `bounded` is for values in [0, 1] (rates, Ckpt%): the variance becomes an effective sample size
    m(1-m)/V and the interval Wilson's score interval for it (Korn and Graubard 1998; Franco et al. 2019), which
    stays inside [0, 1] and covers near its ends, where m +- t sqrt(V) does not. When all values are equal,
    at 0% or 100% most of all, V says nothing; each cluster then counts as one value, the least that N values
    in G clusters can be worth. Unbounded: m +- t sqrt(V), and no interval where all values are equal.

    One cluster allows no interval: `low` and `high` are None.
    """
    n, g = sum(map(len, values.values())), sum(1 for group in values.values() if group)
    if n == 0:
        return Interval(None, None, None, 0, 0, level, "no data")
    everything = sorted(value for group in values.values() for value in group)
    mean = sum(everything) / n
    if bounded and not 0 <= everything[0] <= everything[-1] <= 1:
        raise ValueError(f"values from {everything[0]} to {everything[-1]} are not rates; say bounded=False")
    if g == 1:
        return Interval(mean, None, None, n, 1, level, too_few(1, level))
    # Sums in the order of cluster names: the same to the last bit whatever order trials came in.
    squares = sum((sum(sorted(group)) - len(group) * mean) ** 2 for _, group in sorted(values.items()) if group)
    spread = max(g / (g - 1) * squares / n**2, sum((value - mean) ** 2 for value in everything) / (n - 1) / n)
    t = _t(g - 1)
    alike = everything[0] == everything[-1]
    if not bounded and alike:
        return _alike(Interval(mean, None, None, n, g, level), None)
    if not bounded:
        half = t * sqrt(spread)
        return Interval(mean, mean - half, mean + half, n, g, level)
    low, high = _wilson(mean, g if alike else mean * (1 - mean) / spread, t)
    return Interval(mean, low, high, n, g, level, f"all alike: each {level} counts once" if alike else "")


def number_of(clusters: int, level: str) -> str:
    """So many clusters in words: `one template`, `12 templates`."""
    if clusters == 1:
        return f"one {level}"
    return f"{clusters} {level[:-1]}ies" if level.endswith("y") else f"{clusters} {level}s"


def too_few(clusters: int, level: str) -> str:
    """Why there is no interval where there are too few clusters for one."""
    return f"{number_of(clusters, level)} only: no interval"


def _wilson(mean: float, n: float, t: float) -> tuple[float, float]:
    """Where |p - mean| = t sqrt(p(1-p)/n) (Wilson 1927)."""
    middle = (mean + t * t / (2 * n)) / (1 + t * t / n)
    half = t / (1 + t * t / n) * sqrt(mean * (1 - mean) / n + t * t / (4 * n * n))
    return (0.0 if mean == 0 else max(0.0, middle - half)), (1.0 if mean == 1 else min(1.0, middle + half))


@lru_cache
def _t(freedom: int) -> float:
    """The 97.5% quantile of Student's t."""
    from scipy.special import stdtrit  # a tenth of the import time of scipy.stats

    return float(stdtrit(freedom, 0.975))


@lru_cache
def _tail(*clusters: int) -> float:
    """The share of draws outside either limit, Phi(-sqrt(g/(g-1)) t(g-1)) (Hesterberg 2015, arXiv 1411.5279).

    Percentiles of a bootstrap are short, as the variance of a sample is less by (g-1)/g and its t is taken for normal.
    Of several strata the smallest says by how much the variance is less, and all together how far t is from normal.
    """
    from scipy.special import ndtr

    g = min(clusters)
    return float(ndtr(-sqrt(g / (g - 1)) * _t(sum(clusters) - len(clusters))))


def limits(estimates: Any, *clusters: int) -> tuple[float, float]:
    """The 95% limits of estimates over draws from so many clusters, by stratum."""
    import numpy

    tail = 100 * _tail(*clusters)
    low, high = numpy.percentile(estimates, [tail, 100 - tail])
    return float(low), float(high)


def _equal(values: Sequence[float]) -> bool:
    return max(values) - min(values) <= 1e-9


def _alike(found: Interval, within: tuple[float, float] | None, strata: Sequence[tuple[float, int]] = ()) -> Interval:
    """With exact bounds (`ratio`), since resampling equal values gives limits of no width; without ends, with none.

    `strata` are the values and numbers of clusters of which it is the mean, where there are several.
    """
    if within is None:
        return found._replace(note=f"every {found.level} is alike: no interval")
    value = found.value or 0.0
    low, high = (value + _unseen(strata or [(value, found.clusters)], end) for end in within)
    return found._replace(low=low, high=high, note=f"every {found.level} is alike: exact bounds")


def _unseen(strata: Sequence[tuple[float, int]], end: float) -> float:
    """How much nearer to `end` the mean over strata may lie for clusters that are there, though none was drawn.

    With a share p of each stratum's clusters at the end, none is drawn with the probability of the product of
    (1 - p) ** clusters, which has to be 0.025. Of such shares those move the mean most whose 1 - p is in proportion to
    clusters / distance; where that is above 1, p is 0.
    """
    rest = sorted((clusters / abs(end - value), clusters, end - value) for value, clusters in strata if value != end)
    while rest:
        drawn = sum(clusters for _, clusters, _ in rest)
        factor = exp((log(0.025) - sum(clusters * log(share) for share, clusters, _ in rest)) / drawn)
        if factor * rest[-1][0] <= 1:
            break
        rest.pop()
    return sum((1 - factor * share) * distance for share, _, distance in rest) / len(strata)


def paired(
    differences: Clusters,
    level: str,
    *,
    within: tuple[float, float] | None = None,
    seed: int = 0,
    resamples: int = 2000,
) -> Interval:
    """The mean of differences between two conditions, each taken within one task, with a bootstrap interval.

    A value is one task's (or variant's) result under the second condition less that under the first. `within` is what
    values can be, -1 and 1 for differences of shares. Resampling and limits as in `ratio`.
    """
    pairs = {name: [(difference, 1.0) for difference in group] for name, group in differences.items()}
    return ratio(pairs, level, within=within, seed=seed, resamples=resamples)


def stratified(
    strata: Mapping[str, Mapping[str, Sequence[tuple[float, float]]]],
    level: str,
    *,
    within: tuple[float, float],
    seed: int = 0,
    resamples: int = 2000,
) -> Interval:
    """The mean over strata of each one's weighted mean, with a bootstrap interval that takes the strata as given.

    Values come with weights above 0, by stratum and cluster. Clusters are drawn within their stratum, each with all its
    values (Davison and Hinkley 1997, sections 3.2 and 3.8), and limits taken as in `ratio`; `within` as there, where
    all clusters of each stratum have one mean: the bounds allow then for the worst that strata may come to together. A
    stratum of fewer than `FEWEST` clusters allows no other interval.
    """
    import numpy

    sums = {
        stratum: [
            (name, len(group), sum(value * weight for value, weight in group), sum(weight for _, weight in group))
            for name, group in sorted((name, sorted(group)) for name, group in clustered.items() if group)
        ]
        for stratum, clustered in sorted(strata.items())
        if any(clustered.values())
    }
    n, g = sum(each[1] for groups in sums.values() for each in groups), sum(map(len, sums.values()))
    if not sums:
        return Interval(None, None, None, 0, 0, level, "no data")
    value = sum(sum(each[2] for each in groups) / sum(each[3] for each in groups) for groups in sums.values())
    found = Interval(value / len(sums), None, None, n, g, level)
    even = all(_equal([top / bottom for *_, top, bottom in groups]) for groups in sums.values())
    if few := {name: len(groups) for name, groups in sums.items() if len(groups) < (2 if even else FEWEST)}:
        told = (f"{number_of(clusters, level)} only of {name}" for name, clusters in few.items())
        return found._replace(note=f"{', '.join(told)}: no interval")
    if even:
        return _alike(found, within, [(groups[0][2] / groups[0][3], len(groups)) for groups in sums.values()])
    estimates = numpy.zeros(resamples)
    for stratum, groups in sums.items():
        key = [seed, "bootstrap", stratum, [[name, size] for name, size, *_ in groups]]
        tops, bottoms = resampled([(top, bottom) for *_, top, bottom in groups], key, resamples)
        estimates += tops / bottoms / len(sums)
    low, high = limits(estimates, *map(len, sums.values()))
    return found._replace(low=low, high=high)


def resampled(sums: Sequence[Sequence[float]], key: object, resamples: int) -> Any:
    """Rows of so many draws with replacement, added up: an array a column. The draws depend on the key alone."""
    import numpy

    seed = hashlib.sha256(canonical(key)).digest()
    # RandomState: the one NumPy generator whose stream is promised not to change (NEP 19).
    draw = numpy.random.RandomState(numpy.frombuffer(seed, dtype="<u4"))
    chosen = draw.randint(0, len(sums), size=(resamples, len(sums)), dtype=numpy.int64)
    return tuple(numpy.array(column, dtype=float)[chosen].sum(axis=1) for column in zip(*sums, strict=True))


def ratio(
    pairs: Mapping[str, Sequence[tuple[float, float]]],
    level: str,
    *,
    within: tuple[float, float] | None = None,
    seed: int = 0,
    resamples: int = 2000,
) -> Interval:
    """Sum of the first over sum of the second of all pairs, with a bootstrap interval: gain per question, say.

    Whole clusters are drawn with replacement (Davison and Hinkley 1997, section 3.8), and percentiles taken that are
    further out than 2.5% and 97.5%, the fewer clusters the more (`_tail`); draws whose second sum is 0 are
    left out and counted in `note`. The draws depend on `seed` and on names and sizes of clusters, never on order,
    process or hash seed. The value is None when the second sum is 0. Clusters without anything to divide, or to divide
    by, are drawn like the others and do not count as clusters that say something.

    `within` is what a cluster's own ratio can be, 0 and 1 for shares. Where it is the same in all a bootstrap has no
    spread, and the limits come from an exact bound instead: of G clusters that all have one value, as many as
    q = 1 - 0.025^(1/G) of all there are may have another (Clopper and Pearson 1934, with none seen of G), at worst one
    of the ends of `within`. Fewer than `FEWEST` clusters allow no other interval.
    """
    groups = [(name, sorted(group)) for name, group in sorted(pairs.items()) if group]
    n = sum(len(group) for _, group in groups)
    sums = [(sum(top for top, _ in group), sum(bottom for _, bottom in group)) for _, group in groups]
    telling = [(top, bottom) for top, bottom in sums if top or bottom]
    top, bottom, g = sum(t for t, _ in sums), sum(b for _, b in sums), len(telling)
    if bottom == 0:
        return Interval(None, None, None, n, g, level, "no data" if n == 0 else "nothing to divide by")
    found = Interval(top / bottom, None, None, n, g, level)
    even = all(b for _, b in telling) and _equal([t / b for t, b in telling])
    if g < (2 if even else FEWEST):
        return found._replace(note=too_few(g, level))
    if even:
        return _alike(found, within)
    tops, bottoms = resampled(sums, [seed, "bootstrap", [[name, len(group)] for name, group in groups]], resamples)
    usable = bottoms != 0
    estimates = tops[usable] / bottoms[usable]
    low, high = limits(estimates, len(groups))
    left_out = resamples - int(usable.sum())
    note = f"{left_out} of {resamples} resamples left out: nothing to divide by" if left_out else ""
    return found._replace(low=low, high=high, note=note)


class Flips(NamedTuple):
    """Tasks whose result differs between two conditions, and how likely so uneven a split is by chance.

    `gained` and `lost` name tasks that did better, or worse, under the second condition; `kept` and
    `unpaired` count those without difference, and those that only one condition has. `p` is two-sided.
    """

    gained: tuple[str, ...]
    lost: tuple[str, ...]
    kept: int
    unpaired: int
    p: float


def flips(first: Mapping[str, float], second: Mapping[str, float]) -> Flips:
    """Compare results per task: 0 or 1 for one trial, pass rates for several.

    `p` is the exact sign test, for single trials the exact McNemar test (McNemar 1947): under no effect, a
    task that flips is as likely to gain as to lose. It takes tasks for independent; where they share
    templates, the interval of `paired` is the one to trust.
    """
    both = sorted(first.keys() & second.keys())
    gained = tuple(task for task in both if second[task] > first[task])
    lost = tuple(task for task in both if second[task] < first[task])
    flipped, fewer = len(gained) + len(lost), min(len(gained), len(lost))
    tail = sum(comb(flipped, i) for i in range(fewer + 1))
    unpaired = len(first.keys() ^ second.keys())
    return Flips(gained, lost, len(both) - flipped, unpaired, min(1.0, 2 * tail / 2**flipped))
