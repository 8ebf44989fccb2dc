"""What a scaled world has beside its core: years of meetings, visits and finished tasks, and the trade customers.

Only the past grows, and what requests do not ask about: the last months, the days to come and open work stay as they
are at scale 1, so that tasks keep their kind and their size however large the world.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from itertools import product
from random import Random
from typing import Any

from benchmarks.workbench.synth import clutter, names

__all__ = ("DAYS_A_UNIT", "archived", "meetings", "trade_customers", "visits")

DAYS_A_UNIT = 18
"""How far back the past goes for each unit of scale: about five years at 100."""

_AT_ONCE = 4
"""Meetings that start at the same time, at most: one less than a search shows."""
_Row = dict[str, Any]


def meetings(rng: Random, people: Sequence[str], days: Sequence[date], total: int) -> list[_Row]:
    """So many meetings of the whole office, whose calendars were one in those days; they overlap."""
    starts: Counter[datetime] = Counter()
    rows: list[_Row] = []
    while len(rows) < total:
        begin = datetime.combine(rng.choice(days), time(9)) + timedelta(minutes=30 * rng.randrange(18))
        if starts[begin] == _AT_ONCE:
            continue
        starts[begin] += 1
        left = (datetime.combine(begin.date(), time(18)) - begin) // timedelta(minutes=30)
        rows.append(
            {
                "event_name": rng.choice(names.EVENTS),
                "participant_email": rng.choice(people),
                "event_start": str(begin),
                "duration": str(30 * min(rng.choice((1, 1, 2, 2, 3, 4)), left)),
            }
        )
    return rows


def visits(rng: Random, days: Sequence[date], total: int) -> list[_Row]:
    """So many visits by day, with quiet and busy ones; a visitor may come back."""
    weights = [rng.uniform(0.4, 1.6) * (0.6 if day.weekday() > 4 else 1) for day in days]
    when = sorted(rng.choices(days, weights, k=total))
    return [
        {
            "date_of_visit": str(day),
            "visitor_id": f"{rng.randrange(10_000):04d}",
            "page_views": rng.randint(1, 18),
            "session_duration_seconds": min(60, int(rng.expovariate(1 / 12))),
            "traffic_source": rng.choices(names.SOURCES, (45, 13, 15, 27))[0],
            "user_engaged": rng.random() < 0.48,
        }
        for day in when
    ]


def archived(rng: Random, staff: Sequence[str], days: Sequence[date], units: int) -> list[_Row]:
    """Three hundred tasks a unit, long completed and off the boards."""
    rows: list[_Row] = []
    for place, board in enumerate(names.BOARDS):
        home = staff[place * 5 : place * 5 + 5]
        pairs = list(product(names.TASK_VERBS[board], names.TASK_OBJECTS[board]))
        for unit in range(units):
            rows.extend(
                {
                    "task_name": f"{verb} {thing}, part {unit + 2}",
                    "assigned_to_email": rng.choice(home if rng.random() < 0.75 else staff),
                    "list_name": "Completed",
                    "due_date": str(rng.choice(days)),
                    "board": clutter.ARCHIVE,
                }
                for verb, thing in rng.sample(pairs, 100)
            )
    return rows


def trade_customers(rng: Random, sales: Sequence[str], today: date, total: int) -> list[_Row]:
    """So many customers for product lines of their own, with notes that were typed in a hurry."""
    surnames = [start + end for start, end in product(clutter.SURNAME_STARTS, clutter.SURNAME_ENDS)]
    pairs = list(product(clutter.TRADE_FIRST, surnames))
    rng.shuffle(pairs)
    rows: list[_Row] = []
    for n in range(total):
        turn, place = divmod(n, len(pairs))
        first, last = pairs[place]
        name = f"{first} {_roman(turn)}{last}"
        contact = today - timedelta(days=rng.randint(1, 70))
        phone = f"555-{rng.randrange(1000):03d}-{rng.randrange(10_000):04d}"
        note = rng.choice(clutter.ACCOUNTS)
        rows.append(
            {
                "assigned_to_email": rng.choice(sales),
                "customer_name": name,
                "customer_email": f"{'.'.join(name.lower().split())}@{rng.choice(names.COMPANIES)}.example",
                "customer_phone": phone if rng.random() < 0.5 else None,
                "last_contact_date": str(contact),
                "product_interest": rng.choice(clutter.BRANCHES),
                "status": rng.choice(clutter.ACCOUNT_STATUSES),
                "follow_up_by": str(today + timedelta(days=rng.randint(1, 28))),
                "notes": None if rng.random() < 0.22 else f"{contact}: {note.lower() if rng.random() < 0.3 else note}.",
            }
        )
    return rows


def _roman(turn: int) -> str:
    """A middle initial for everybody but the first of a name."""
    return f"{chr(ord('A') + (turn - 1) % 26)}. " * ((turn + 25) // 26)
