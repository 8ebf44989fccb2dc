"""The zero curve that sterling swaps with annual fixed legs imply."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from datetime import date
from decimal import Decimal
from typing import Final, NamedTuple

from benchmarks.pi.market.days import Basis, Calendar, anniversary, fraction

__all__ = ("BOTH", "Point", "as_csv", "basis_points", "bootstrap", "filled")

BOTH: Final[tuple[Calendar, ...]] = ("London", "TARGET")
"""Payments skip the holidays of both, as the bank's sterling swaps with clients in the euro area do."""


class Point(NamedTuple):
    """`par` and `zero` in percent, zero continuously compounded; `discount` is today's worth of 1 paid then."""

    tenor: int
    paid: date
    par: float
    discount: float
    zero: float


def filled(par: Mapping[int, Decimal], tenors: Collection[int]) -> dict[int, Decimal]:
    """Par rates of all tenors: one that lacks lies on the line between its neighbours.

    Raises `ValueError` where the shortest or the longest lacks, since nothing is beyond it.
    """
    found = {}
    for tenor in sorted(tenors):
        below, above = [t for t in par if t <= tenor], [t for t in par if t >= tenor]
        if not below or not above:
            raise ValueError(f"there is no quote to fill {tenor}Y from: quoted are {sorted(par)}")
        low, high = max(below), min(above)
        weight = Decimal(tenor - low) / (high - low) if high > low else Decimal(0)
        found[tenor] = par[low] + weight * (par[high] - par[low])
    return found


def bootstrap(
    start: date,
    par: Mapping[int, Decimal],
    *,
    basis: Basis = "ACT/365F",
    calendars: Collection[Calendar] = BOTH,
) -> tuple[Point, ...]:
    """The curve from par rates in percent, by tenor in whole years from 1 without a gap.

    A swap of n years is worth nothing today if its rate times the sum of accrual times discount is 1 less the last
    discount; so each discount follows from those before it. Raises `ValueError` where a tenor lacks.
    """
    if sorted(par) != list(range(1, len(par) + 1)):
        raise ValueError(f"a rate is needed for each year from 1 on, not for {sorted(par)}")
    points: list[Point] = []
    annuity, last = 0.0, start
    for tenor in sorted(par):
        rate, paid = float(par[tenor]) / 100, anniversary(start, tenor, calendars)
        accrual = fraction(last, paid, basis)
        discount = (1 - rate * annuity) / (1 + rate * accrual)
        annuity, last = annuity + accrual * discount, paid
        zero = -math.log(discount) / fraction(start, paid, basis) * 100
        points.append(Point(tenor, paid, float(par[tenor]), discount, zero))
    return tuple(points)


def basis_points(first: float, second: float) -> float:
    """How far the first of two rates in percent is above the second, in basis points with one decimal."""
    return round((first - second) * 100, 1)


def as_csv(points: Collection[Point]) -> str:
    """`tenor,date,zero_rate_pct`, rates with four decimals."""
    return "tenor,date,zero_rate_pct\n" + "".join(f"{each.tenor}Y,{each.paid},{each.zero:.4f}\n" for each in points)
