"""A made-up workplace: tables, sizes and value shapes of WorkBench section 3.1 and appendix A.1, content of our own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from itertools import count, product
from random import Random
from typing import Any

from benchmarks.workbench.synth import names
from benchmarks.workbench.synth.draw import keyed
from servers.kernel import World

__all__ = ("NOW", "make_world")

NOW = datetime(2025, 3, 13)
"""A Thursday, at midnight: the whole day is still to come."""

_TODAY = NOW.date()
_Row = dict[str, Any]


def make_world(seed: int, scale: int = 1) -> World:
    """Rows for the six apps, the same in every process for the same seed.

    `scale` multiplies every table but the directory: 500 mails, 300 events, 1,000 visits, 300
    project tasks and 200 customers at 1, with 20 colleagues throughout.
    """
    people = [f"{name}@{names.DOMAIN}" for name in (*names.SALES_PEOPLE, *names.PROJECT_PEOPLE)]
    sales, staff = people[: len(names.SALES_PEOPLE)], people[len(names.SALES_PEOPLE) :]
    rows = {
        "gmail": {"emails": _numbered(_mails(keyed(seed, "mails"), people, 500 * scale), keyed(seed, "mail ids"))},
        "calendar": {"events": _numbered(_events(keyed(seed, "events"), people, scale), keyed(seed, "event ids"))},
        "analytics": {"visits": _visits(keyed(seed, "visits"), 1000 * scale), "plots": []},
        "projects": {"tasks": _numbered(_tasks(keyed(seed, "tasks"), staff, scale), keyed(seed, "task ids"))},
        "crm": {"customers": _numbered(_customers(keyed(seed, "crm"), sales, 200 * scale), keyed(seed, "crm ids"))},
        "directory": {"people": [{"id": str(n), "email_address": address} for n, address in enumerate(people)]},
    }
    return World(f"tarnwick-{seed}-x{scale}", NOW, rows)


def _numbered(rows: list[_Row], rng: Random) -> list[_Row]:
    """Rows with ids in no order that says anything."""
    ids = [f"{n:08d}" for n in range(len(rows))]
    rng.shuffle(ids)
    return [{"id": id, **row} for id, row in zip(ids, rows, strict=True)]


def _workdays(first: date, last: date) -> list[date]:
    days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    return [day for day in days if day.weekday() < 5]


def _mails(rng: Random, people: Sequence[str], total: int) -> list[_Row]:
    """Each colleague keeps to five threads over two months, so that a thread has several mails."""
    subjects = [(pattern.format(topic), topic) for topic in names.TOPICS for pattern in names.MAIL_SUBJECTS]
    threads = {person: rng.sample(subjects, 5) for person in people}
    days = _workdays(_TODAY - timedelta(days=60), _TODAY - timedelta(days=1))
    moments: dict[datetime, None] = {}
    while len(moments) < total:
        second = rng.randrange(7 * 3600, 20 * 3600)
        moments[datetime.combine(rng.choice(days), time()) + timedelta(seconds=second)] = None
    rows: list[_Row] = []
    for n, moment in enumerate(sorted(moments)):
        person = people[n % len(people)] if n % 4 else rng.choice(people)
        subject, topic = rng.choice(threads[person])
        lines = rng.sample(names.MAIL_LINES, rng.choice((1, 1, 2)))
        signed = f"{rng.choice(names.MAIL_CLOSINGS)}\n{person.partition('.')[0].title()}"
        text = " ".join(line.format(topic.lower()) for line in lines)
        rows.append(
            {
                "folder": "inbox",
                "address": person,
                "subject": subject,
                "sent_datetime": str(moment),
                "body": f"{rng.choice(names.MAIL_OPENINGS)}\n\n{text}\n\n{signed}",
            }
        )
    return rows


def _events(rng: Random, people: Sequence[str], scale: int) -> list[_Row]:
    """220 past and 80 coming meetings per unit of scale, on weekdays between 9 and 18; a unit never overlaps itself."""
    past = _workdays(_TODAY - timedelta(days=119), _TODAY - timedelta(days=1))
    coming = _workdays(_TODAY, _TODAY + timedelta(days=21))
    rows: list[_Row] = []
    for days, total in ((past, 220), (coming, 80)):
        for _ in range(scale):
            taken: dict[date, set[int]] = {day: set() for day in days}
            placed = 0
            while placed < total:
                day, start = rng.choice(days), rng.randrange(18)
                halves = rng.choice((1, 1, 2, 2, 3, 4))
                span = range(start, start + halves)
                if span.stop > 18 or len(taken[day]) + halves > 13 or taken[day] & set(span):
                    continue
                taken[day].update(span)
                placed += 1
                begin = datetime.combine(day, time(9)) + timedelta(minutes=30 * start)
                rows.append(
                    {
                        "event_name": rng.choice(names.EVENTS),
                        "participant_email": rng.choice(people),
                        "event_start": str(begin),
                        "duration": str(30 * halves),
                    }
                )
    return sorted(rows, key=lambda row: str(row["event_start"]))


def _visits(rng: Random, total: int) -> list[_Row]:
    """Ninety days up to yesterday, with quiet and busy ones; a visitor may come back."""
    days = [_TODAY - timedelta(days=n) for n in range(90, 0, -1)]
    weights = [rng.uniform(0.4, 1.6) * (0.6 if day.weekday() > 4 else 1) for day in days]
    when = sorted(rng.choices(days, weights, k=total))
    return [
        {
            "id": str(n),
            "date_of_visit": str(day),
            "visitor_id": f"{rng.randrange(10_000):04d}",
            "page_views": rng.randint(1, 18),
            "session_duration_seconds": min(60, int(rng.expovariate(1 / 12))),
            "traffic_source": rng.choices(names.SOURCES, (45, 13, 15, 27))[0],
            "user_engaged": rng.random() < 0.48,
        }
        for n, day in enumerate(when)
    ]


def _tasks(rng: Random, staff: Sequence[str], scale: int) -> list[_Row]:
    """A hundred tasks a board per unit of scale; five assignees are at home on each board and help on the others."""
    days = _workdays(_TODAY - timedelta(days=8), _TODAY + timedelta(days=14))
    rows: list[_Row] = []
    for place, board in enumerate(names.BOARDS):
        home = staff[place * 5 : place * 5 + 5]
        for unit in range(scale):
            pairs = list(product(names.TASK_VERBS[board], names.TASK_OBJECTS[board]))
            for verb, thing in rng.sample(pairs, 100):
                rows.append(
                    {
                        "task_name": f"{verb} {thing}" + (f", part {unit + 1}" if unit else ""),
                        "assigned_to_email": rng.choice(home if rng.random() < 0.75 else staff),
                        "list_name": rng.choices(names.LISTS, (50, 15, 15, 20))[0],
                        "due_date": str(rng.choice(days)),
                        "board": board,
                    }
                )
    return sorted(rows, key=lambda row: str(row["due_date"]))


def _customers(rng: Random, sales: Sequence[str], total: int) -> list[_Row]:
    fullnames = _fullnames(rng)
    without_phone = set(rng.sample(range(total), total // 2))
    without_notes = set(rng.sample(range(total), total * 44 // 200))
    rows: list[_Row] = []
    for n in range(total):
        name = next(fullnames)
        contact = _TODAY - timedelta(days=rng.randint(1, 70))
        earlier = sorted(contact - timedelta(days=rng.randint(1, 30)) for _ in range(rng.randint(0, 2)))
        notes = " ".join(f"{day}: {rng.choice(names.NOTES)}." for day in (*earlier, contact))
        phone = f"555-{rng.randrange(1000):03d}-{rng.randrange(10_000):04d}"
        rows.append(
            {
                "assigned_to_email": rng.choice(sales),
                "customer_name": name,
                "customer_email": f"{'.'.join(name.lower().split())}@{rng.choice(names.COMPANIES)}.example",
                "customer_phone": None if n in without_phone else phone,
                "last_contact_date": str(contact),
                "product_interest": rng.choice(names.PRODUCTS),
                "status": rng.choice(names.STATUSES),
                "follow_up_by": str(_TODAY + timedelta(days=rng.randint(1, 28))),
                "notes": None if n in without_notes else notes,
            }
        )
    return rows


def _fullnames(rng: Random) -> Iterator[str]:
    """Full names without end, none twice: plain ones first, then with numbered generations."""
    pairs = list(product(names.CUSTOMER_FIRST, names.CUSTOMER_LAST))
    for generation in count(1):
        rng.shuffle(pairs)
        for first, last in pairs:
            yield f"{first} {last}" + (f" {generation}" if generation > 1 else "")
