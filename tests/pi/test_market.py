"""The financier's figures against figures by hand, published calendars and a second route through scipy."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from collections import Counter
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from benchmarks.pi import market
from benchmarks.pi.market import backtest, curve, days, quotes

SEED = 7


@pytest.mark.parametrize(
    ("basis", "start", "end", "expected"),
    [
        ("ACT/365F", date(2024, 1, 31), date(2025, 1, 31), 366 / 365),
        ("ACT/360", date(2024, 1, 31), date(2025, 1, 31), 366 / 360),
        ("30/360", date(2024, 1, 31), date(2025, 1, 31), 1.0),
        ("30/360", date(2026, 2, 28), date(2026, 3, 31), 33 / 360),
        ("30/360", date(2026, 1, 30), date(2026, 3, 31), 60 / 360),
    ],
)
def test_a_year_fraction_is_what_its_basis_says(basis: days.Basis, start: date, end: date, expected: float) -> None:
    assert days.fraction(start, end, basis) == expected


LONDON = {
    2024: "01-01 03-29 04-01 05-06 05-27 08-26 12-25 12-26",
    2025: "01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26",
    2026: "01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28",
    2027: "01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28",
}
TARGET = {
    2024: "01-01 03-29 04-01 05-01 12-25 12-26",
    2025: "01-01 04-18 04-21 05-01 12-25 12-26",
    2026: "01-01 04-03 04-06 05-01 12-25",
    2027: "01-01 03-26 03-29",
}


@pytest.mark.parametrize("year", LONDON)
def test_holidays_are_those_that_were_published(year: int) -> None:
    for calendar, published in (("London", LONDON), ("TARGET", TARGET)):
        expected = {date.fromisoformat(f"{year}-{day}") for day in published[year].split()}
        assert days.holidays(calendar, year) == expected


def test_a_new_year_on_a_saturday_is_kept_on_the_monday() -> None:
    assert date(2022, 1, 3) in days.holidays("London", 2022)


def test_a_settlement_day_skips_both_calendars() -> None:
    # Thursday 30 April 2026; TARGET is closed on Friday 1 May, London on Monday the 4th.
    assert days.add_business_days(date(2026, 4, 30), 1, ["London"]) == date(2026, 5, 1)
    assert days.add_business_days(date(2026, 4, 30), 1, ["London", "TARGET"]) == date(2026, 5, 5)
    assert days.add_business_days(date(2026, 5, 5), -1, ["London", "TARGET"]) == date(2026, 4, 30)


def test_a_roll_stays_in_its_month() -> None:
    assert days.roll(date(2026, 5, 30), ["London"]) == date(2026, 5, 29)
    assert days.roll(date(2026, 5, 2), ["London", "TARGET"]) == date(2026, 5, 5)


def test_the_delivered_file_has_a_fault_of_every_kind() -> None:
    dropped = quotes.clean(quotes.delivered(SEED)).dropped

    assert Counter(each.reason for each in dropped) == {
        "holiday": 10, "superseded": 2, "decimal slip": 1, "stale": 1, "bid above ask": 1,
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_cleaning_takes_out_what_was_planted_and_nothing_else(seed: int) -> None:
    dropped = {(each.quote.day, each.quote.tenor, each.reason) for each in quotes.clean(quotes.delivered(seed)).dropped}

    assert dropped == {
        (date(2026, 3, 31), 2, "superseded"),
        (date(2026, 4, 1), 4, "decimal slip"),
        *((date(2026, 4, 3), tenor, "holiday") for tenor in quotes.TENORS),
        (date(2026, 4, 8), 9, "stale"),
        (date(2026, 4, 10), 3, "superseded"),
        (date(2026, 4, 10), 7, "bid above ask"),
    }


def test_what_is_clean_has_nothing_to_clean() -> None:
    kept = quotes.clean(quotes.delivered(SEED)).kept

    assert quotes.clean(kept) == (kept, ())


def test_the_file_reads_back_as_it_was_written() -> None:
    delivered = quotes.delivered(SEED)

    assert quotes.read_csv(quotes.as_csv(delivered)) == delivered


def test_a_row_that_is_no_quote_is_named_by_its_line() -> None:
    with pytest.raises(ValueError, match=r"line 3: .* is no quote"):
        quotes.read_csv("date,time,tenor,bid,ask\n2026-04-10,16:30,1Y,3.6,3.7\n2026-04-10,16:30,1Y,3.6,n/a\n")


def test_a_tenor_that_lacks_lies_between_its_neighbours() -> None:
    par = {1: Decimal("3.0"), 2: Decimal("3.1"), 5: Decimal("4.0")}

    assert curve.filled(par, range(1, 6)) == {**par, 3: Decimal("3.4"), 4: Decimal("3.7")}
    with pytest.raises(ValueError, match="no quote to fill 6Y"):
        curve.filled(par, range(1, 7))


def test_one_year_is_what_a_calculator_says() -> None:
    # 12 April 2027 is a Monday, 367 days on: 1 / (1 + 0.04 x 367 / 365), then its logarithm.
    (point,) = curve.bootstrap(date(2026, 4, 10), {1: Decimal("4.0")})

    assert point.paid == date(2027, 4, 12)
    assert point.discount == pytest.approx(0.961336, abs=5e-7)
    assert point.zero == pytest.approx(3.92166, abs=5e-6)


def test_the_curve_solves_the_equations_of_all_swaps_at_once() -> None:
    from scipy.linalg import solve

    par = curve.filled(quotes.clean(quotes.delivered(SEED)).on(quotes.LAST), quotes.TENORS)
    points = curve.bootstrap(quotes.LAST, par)
    starts = [quotes.LAST, *(each.paid for each in points[:-1])]
    accruals = [(each.paid - start).days / 365 for start, each in zip(starts, points, strict=True)]
    # A row a swap: its coupons and its notional, discounted, are worth one today.
    rows = [[float(par[n]) / 100 * accruals[k - 1] * (k <= n) + (k == n) for k in quotes.TENORS] for n in quotes.TENORS]

    found = solve(rows, [1.0] * len(rows))

    assert [each.discount for each in points] == pytest.approx(list(found), rel=1e-12)
    zeros = [-math.log(d) * 365 / (p.paid - quotes.LAST).days * 100 for d, p in zip(found, points, strict=True)]
    assert [each.zero for each in points] == pytest.approx(zeros, rel=1e-10)


def test_mistaken_conventions_show_in_the_printed_digits() -> None:
    cleaned = quotes.clean(quotes.delivered(SEED))
    par = curve.filled(cleaned.on(quotes.LAST), quotes.TENORS)
    right = curve.bootstrap(quotes.LAST, par)
    by_360 = curve.bootstrap(quotes.LAST, par, basis="ACT/360")
    uncleaned = {q.tenor: q.mid for q in reversed(quotes.delivered(SEED)) if q.day == quotes.LAST}
    dirty = curve.bootstrap(quotes.LAST, uncleaned)

    for each, other in zip(right, by_360, strict=True):
        # The rate and its time are counted alike, so only the last digits tell.
        assert 0.0003 < each.zero - other.zero < 0.001
    assert all(abs(each.zero - each.par) > 0.03 for each in right)
    assert any(abs(each.zero - other.zero) > 0.01 for each, other in zip(right, dirty, strict=True))


def test_differences_are_told_in_basis_points() -> None:
    assert curve.basis_points(3.6123, 3.6732) == -6.1


def test_the_last_six_months_are_held_out_by_date() -> None:
    fitted_to, held_out = backtest.by_date(backtest.rates(SEED))

    assert (fitted_to[-1].day, held_out[0].day, held_out[-1].day) == (
        date(2025, 9, 30), date(2025, 10, 1), date(2026, 3, 31),
    )  # fmt: skip
    # October to March: 23 + 20 + 21 + 21 + 20 + 22 of London's business days.
    assert len(held_out) == 127


def test_a_random_share_leaks_days_around_each_held_out() -> None:
    observed = backtest.rates(SEED)
    fitted_to, held_out = backtest.by_share(observed, SEED)

    assert max(each.day for each in fitted_to) > min(each.day for each in held_out)
    assert {each.day for each in fitted_to} | {each.day for each in held_out} == {each.day for each in observed}


def test_the_fit_is_that_of_a_library() -> None:
    from scipy.stats import linregress

    fitted_to, _ = backtest.by_date(backtest.rates(SEED))
    found = backtest.fitted(fitted_to)
    line = linregress([each.before for each in fitted_to], [each.rate for each in fitted_to])

    assert found[:2] == pytest.approx((line.slope, line.intercept))


def test_the_test_of_proportions_is_that_of_a_chi_square() -> None:
    from scipy.stats import binom, chi2

    ratio = 2 * (binom.logpmf(17, 127, 17 / 127) - binom.logpmf(17, 127, 0.05))
    assert backtest.kupiec(127, 17, 0.05) == pytest.approx(chi2.sf(ratio, 1))
    assert backtest.kupiec(20, 1, 0.05) == 1.0


def test_the_split_by_date_rejects_the_model_and_the_split_by_share_hides_it() -> None:
    observed = backtest.rates(SEED)
    honest, leaking = backtest.run(*backtest.by_date(observed)), backtest.run(*backtest.by_share(observed, SEED))

    assert honest.p_value < 0.01
    assert leaking.p_value > 0.05


def test_every_process_computes_the_same_bytes() -> None:
    program = (
        "from benchmarks.pi.market import quotes, curve, backtest\n"
        "q = quotes.delivered(7); par = curve.filled(quotes.clean(q).on(quotes.LAST), quotes.TENORS)\n"
        "print(quotes.as_csv(q), curve.as_csv(curve.bootstrap(quotes.LAST, par)))\n"
        "print(backtest.run(*backtest.by_date(backtest.rates(7))))\n"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]

    assert told[0] == told[1]


def test_each_test_that_the_page_on_mistakes_names_exists() -> None:
    named = re.findall(r"`(test_\w+)`", (Path(market.__file__).parents[1] / "fields.md").read_text(encoding="utf-8"))
    here = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))

    assert named
    assert [name for name in named if f"def {name}(" not in here] == []
