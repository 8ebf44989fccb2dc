"""A back-test of a short-rate model: how often rates left the band that it had told for the next day."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from dateutil.relativedelta import relativedelta

from benchmarks.pi.cast import keyed
from benchmarks.pi.market.days import business

__all__ = ("Fit", "Observation", "Outcome", "by_date", "by_share", "fitted", "kupiec", "rates", "run")

_NORMAL_975: Final = 1.959963984540054
"""The band of 95% is that many standard deviations on either side."""


class Observation(NamedTuple):
    """A day's short rate, and the one of the business day before, in percent."""

    day: date
    rate: float
    before: float


class Fit(NamedTuple):
    """Vasicek's model a day ahead: rate = `slope` x rate before + `level` + normal noise of `sd`, in percent."""

    slope: float
    level: float
    sd: float

    def band(self, before: float) -> tuple[float, float]:
        """Where 95% of the next day's rates should lie."""
        mean = self.slope * before + self.level
        return mean - _NORMAL_975 * self.sd, mean + _NORMAL_975 * self.sd


class Outcome(NamedTuple):
    """A back-test: days held out, `exceptions` outside the band of 95%, and Kupiec's p value of as many."""

    fit: Fit
    first: date
    last: date
    days: int
    exceptions: tuple[date, ...]
    p_value: float


def rates(seed: int, *, first: date = date(2024, 4, 1), last: date = date(2026, 3, 31)) -> tuple[Observation, ...]:
    """Two years of a short rate on London's business days, in percent with four decimals.

    It is calm until the autumn of 2025 and a third livelier from then on, which a fit to the calm alone cannot know.
    """
    found: list[Observation] = []
    rate, day = 5.2, first
    while day <= last:
        if business(day, ["London"]):
            lively = day >= date(2025, 10, 1)
            noise = keyed(seed, "short rate", day).gauss(0.0, 0.04 if lively else 0.03)
            now = round(rate + 0.004 * (3.6 - rate) + noise, 4)
            found.append(Observation(day, now, rate))
            rate = now
        day += timedelta(1)
    return tuple(found[1:])


Split = tuple[tuple[Observation, ...], tuple[Observation, ...]]


def by_date(observed: Sequence[Observation], *, months: int = 6) -> Split:
    """What is fitted and what is held out: the last months by date, nothing of which the fit has seen."""
    after = observed[-1].day + relativedelta(days=1) - relativedelta(months=months)
    return tuple(each for each in observed if each.day < after), tuple(each for each in observed if each.day >= after)


def by_share(observed: Sequence[Observation], seed: int, *, share: float = 0.25) -> Split:
    """The same by chance, which leaks: days on either side of one held out are fitted."""
    chosen = set(keyed(seed, "share").sample(range(len(observed)), round(share * len(observed))))
    return (
        tuple(each for n, each in enumerate(observed) if n not in chosen),
        tuple(each for n, each in enumerate(observed) if n in chosen),
    )


def fitted(observed: Sequence[Observation]) -> Fit:
    """The line of least squares from a rate to the next, and the spread of what is left."""
    count = len(observed)
    mean_x, mean_y = math.fsum(o.before for o in observed) / count, math.fsum(o.rate for o in observed) / count
    slope = math.fsum((o.before - mean_x) * (o.rate - mean_y) for o in observed) / math.fsum(
        (o.before - mean_x) ** 2 for o in observed
    )
    level = mean_y - slope * mean_x
    left = math.fsum((o.rate - slope * o.before - level) ** 2 for o in observed)
    return Fit(slope, level, math.sqrt(left / (count - 2)))


def run(fitted_to: Sequence[Observation], held_out: Sequence[Observation]) -> Outcome:
    """Fits to the one part and counts over the other."""
    fit = fitted(fitted_to)
    outside = []
    for each in held_out:
        low, high = fit.band(each.before)
        if not low <= each.rate <= high:
            outside.append(each.day)
    p_value = kupiec(len(held_out), len(outside), 0.05)
    return Outcome(fit, held_out[0].day, held_out[-1].day, len(held_out), tuple(outside), p_value)


def kupiec(days: int, exceptions: int, rate: float) -> float:
    """The p value of a count where exceptions have that rate, by Kupiec's test of proportions (1995)."""

    def log_likelihood(p: float) -> float:
        return (exceptions * math.log(p) if exceptions else 0.0) + (
            (days - exceptions) * math.log1p(-p) if exceptions < days else 0.0
        )

    ratio = 2 * (log_likelihood(exceptions / days) - log_likelihood(rate))
    return math.erfc(math.sqrt(max(ratio, 0.0) / 2))
