"""A fortnight of sterling swap quotes as a vendor delivers them, faults included, and the rules that clean them."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from decimal import Decimal
from io import StringIO
from statistics import median
from typing import Final, Literal, NamedTuple

from benchmarks.pi.cast import keyed
from benchmarks.pi.market.days import business

__all__ = ("FIRST", "LAST", "TENORS", "Cleaned", "Dropped", "Quote", "Reason", "as_csv", "clean", "delivered",
           "read_csv")  # fmt: skip

FIRST: Final = date(2026, 3, 30)
LAST: Final = date(2026, 4, 10)
"""Of the fortnight, which Easter interrupts: Good Friday is 3 April, Easter Monday the 6th."""

TENORS: Final = tuple(range(1, 11))
"""In years."""

Reason = Literal["holiday", "superseded", "bid above ask", "decimal slip", "stale"]

_LEVEL: Final = (371, 366, 367, 371, 376, 382, 388, 394, 400, 406)
"""Par rates by tenor on the first day, in basis points."""

_UNIT: Final = Decimal("0.0001")
_HEADER: Final = ("date", "time", "tenor", "bid", "ask")


class Quote(NamedTuple):
    """Par rates against SONIA of one tenor in years, in percent with four decimals; `time` is London's, HH:MM."""

    day: date
    time: str
    tenor: int
    bid: Decimal
    ask: Decimal

    @property
    def mid(self) -> Decimal:
        return (self.bid + self.ask) / 2


class Dropped(NamedTuple):
    """A quote that the rules took out, and for what."""

    quote: Quote
    reason: Reason


class Cleaned(NamedTuple):
    """What is kept, by day and tenor, and what was dropped in the order of the file."""

    kept: tuple[Quote, ...]
    dropped: tuple[Dropped, ...]

    def on(self, day: date) -> dict[int, Decimal]:
        """The mid par rate of each tenor that has one on a day, in percent."""
        return {each.tenor: each.mid for each in self.kept if each.day == day}


def delivered(seed: int) -> tuple[Quote, ...]:
    """The vendor's file with its six planted faults, one of each kind and one quote that was corrected later."""
    clean_days = [day for day in _weekdays() if business(day, ["London"])]
    found: list[Quote] = []
    shift = Decimal(0)
    for day in clean_days:
        drawn = keyed(seed, "swaps", day)
        # Everything moves by at least two basis points a day, so that a quote that stands still is conspicuous.
        shift += drawn.choice((-1, 1)) * Decimal(drawn.randint(200, 600)) * _UNIT
        for tenor, level in zip(TENORS, _LEVEL, strict=True):
            mid = Decimal(level) / 100 + shift + Decimal(drawn.randint(-40, 40)) * _UNIT
            half = Decimal(drawn.randint(40, 80)) * _UNIT
            found.append(Quote(day, "16:30", tenor, (mid - half).quantize(_UNIT), (mid + half).quantize(_UNIT)))
    at = {(each.day, each.tenor): n for n, each in enumerate(found)}

    slip = at[date(2026, 4, 1), 4]
    found[slip] = found[slip]._replace(
        bid=(found[slip].bid / 10).quantize(_UNIT), ask=(found[slip].ask / 10).quantize(_UNIT)
    )
    stale = at[date(2026, 4, 8), 9]
    before = found[at[date(2026, 4, 7), 9]]
    found[stale] = found[stale]._replace(bid=before.bid, ask=before.ask)
    crossed = at[LAST, 7]
    found[crossed] = found[crossed]._replace(bid=found[crossed].ask, ask=found[crossed].bid)
    twice = found[at[date(2026, 3, 31), 2]]
    late = found[at[LAST, 3]]
    early = late._replace(time="11:00", bid=late.bid + Decimal("0.0610"), ask=late.ask + Decimal("0.0610"))
    good_friday = [
        each._replace(day=date(2026, 4, 3), bid=each.bid + _UNIT, ask=each.ask + _UNIT)
        for each in found
        if each.day == date(2026, 4, 2)
    ]
    rows = [*found, twice, early, *good_friday]
    return tuple(sorted(rows, key=lambda each: (each.day, each.tenor, each.time)))


def _weekdays() -> list[date]:
    days = (FIRST + timedelta(n) for n in range((LAST - FIRST).days + 1))
    return [day for day in days if day.weekday() < 5]


def clean(quotes: Iterable[Quote]) -> Cleaned:
    """What can be built on.

    A quote goes for the first of these that is true of it:

    - `holiday`: London was closed on the day.
    - `superseded`: the same day and tenor was quoted later, or again at the same minute.
    - `bid above ask`.
    - `decimal slip`: its mid is below a third or above three times the median of its tenor.
    - `stale`: bid and ask are those of the day before, and more than half of the other tenors moved by over a basis
      point.

    Nothing is repaired: who swaps bid and ask, or moves a point, guesses.
    """
    rows = list(quotes)
    dropped: dict[int, Reason] = {}
    latest = {(each.day, each.tenor, each.time): n for n, each in reversed(list(enumerate(rows)))}
    last_time: dict[tuple[date, int], str] = {}
    for each in rows:
        last_time[each.day, each.tenor] = max(each.time, last_time.get((each.day, each.tenor), ""))
    typical = {
        tenor: median(each.mid for each in rows if each.tenor == tenor) for tenor in {each.tenor for each in rows}
    }
    for n, each in enumerate(rows):
        key = each.day, each.tenor
        if not business(each.day, ["London"]):
            dropped[n] = "holiday"
        elif each.time != last_time[key] or latest[*key, each.time] != n:
            dropped[n] = "superseded"
        elif each.bid > each.ask:
            dropped[n] = "bid above ask"
        elif not typical[each.tenor] / 3 <= each.mid <= typical[each.tenor] * 3:
            dropped[n] = "decimal slip"
    here = {(each.day, each.tenor): each for n, each in enumerate(rows) if n not in dropped}
    days = sorted({day for day, _ in here})
    earlier = dict(zip(days[1:], days, strict=False))
    for n, each in enumerate(rows):
        if n not in dropped and each.day in earlier and _stands_still(each, earlier[each.day], here):
            dropped[n] = "stale"
    kept = sorted((each for n, each in enumerate(rows) if n not in dropped), key=lambda each: (each.day, each.tenor))
    return Cleaned(tuple(kept), tuple(Dropped(rows[n], reason) for n, reason in sorted(dropped.items())))


def _stands_still(quote: Quote, before: date, here: dict[tuple[date, int], Quote]) -> bool:
    then = here.get((before, quote.tenor))
    if then is None or (then.bid, then.ask) != (quote.bid, quote.ask):
        return False
    others = [(here[day, tenor], here[before, tenor]) for day, tenor in here if day == quote.day
              and tenor != quote.tenor and (before, tenor) in here]  # fmt: skip
    moved = sum(abs(now.mid - past.mid) > Decimal("0.01") for now, past in others)
    return 2 * moved > len(others)


def as_csv(quotes: Sequence[Quote]) -> str:
    """The quotes as the vendor's file: `date,time,tenor,bid,ask`, tenors as `5Y`, rates in percent."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_HEADER)
    writer.writerows((each.day, each.time, f"{each.tenor}Y", each.bid, each.ask) for each in quotes)
    return text.getvalue()


def read_csv(text: str) -> tuple[Quote, ...]:
    """The quotes of such a file. Raises `ValueError` with the line where a row is none."""
    reader = csv.DictReader(StringIO(text))
    if tuple(reader.fieldnames or ()) != _HEADER:
        raise ValueError(f"line 1: the header is {','.join(_HEADER)}, not {','.join(reader.fieldnames or ())}")
    found = []
    for row in reader:
        try:
            rate = Decimal(row["bid"]), Decimal(row["ask"])
            found.append(
                Quote(date.fromisoformat(row["date"]), row["time"], int(row["tenor"].removesuffix("Y")), *rate)
            )
        except (ValueError, ArithmeticError, TypeError, AttributeError):
            raise ValueError(f"line {reader.line_num}: {row} is no quote") from None
    return tuple(found)
