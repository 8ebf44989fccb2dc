"""A made-up workplace: tables, sizes and value shapes of WorkBench section 3.1 and appendix A.1, content of our own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from functools import cache
from itertools import count, product
from random import Random
from typing import Any

from benchmarks.workbench.synth import history, mailbox, names
from benchmarks.workbench.synth.draw import keyed
from benchmarks.workbench.synth.office import REACH
from servers.kernel import World

__all__ = ("NOW", "SEED", "make_world", "world")

SEED = 20250313

NOW = datetime(2025, 3, 13)
"""A Thursday, at midnight: the whole day is still to come."""

_TODAY = NOW.date()
_Row = dict[str, Any]


@cache
def world(scale: int = 1) -> World:
    """The office that tasks of that scale play in."""
    return make_world(SEED, scale)


def make_world(seed: int, scale: int = 1) -> World:
    """Rows for the six apps, the same in every process for the same seed.

    `scale` multiplies every table but the directory: 500 mails, 300 events, 1,000 visits, 300
    project tasks and 200 customers at 1, with 20 colleagues throughout. The rows of scale 1, the core,
    are in every larger world too, under other ids; `history` and `mailbox` say what is added.
    Raises ValueError for a scale below 1.
    """
    if scale < 1:
        raise ValueError(f"a world's scale is 1 or more, not {scale}")
    people = [f"{name}@{names.DOMAIN}" for name in (*names.SALES_PEOPLE, *names.PROJECT_PEOPLE)]
    sales, staff = people[: len(names.SALES_PEOPLE)], people[len(names.SALES_PEOPLE) :]
    mails = _mails(keyed(seed, "mails"), people, 500)
    events = _events(keyed(seed, "events"), people)
    visits = history.visits(keyed(seed, "visits"), _days(90, 1), 1000)
    tasks = _tasks(keyed(seed, "tasks"), staff)
    customers = _customers(keyed(seed, "crm"), sales, 200)
    if scale > 1:
        more, back = scale - 1, history.DAYS_A_UNIT * (scale - 1)
        past = _days(REACH + back, REACH + 1)
        spans = ((_weekdays(_days(60, 1)), 60), (_weekdays(past), 100 * more - 60))
        mails += mailbox.threads(keyed(seed, "threads"), people, spans, mails)
        mails += mailbox.outside(keyed(seed, "outside"), _days(REACH + back, 1), 400 * more)
        mails.sort(key=_when("sent_datetime"))
        events += history.meetings(keyed(seed, "old events"), people, _weekdays(past), 300 * more)
        events.sort(key=_when("event_start"))
        visits = history.visits(keyed(seed, "old visits"), past, 1000 * more) + visits
        tasks += history.archived(keyed(seed, "old tasks"), staff, _weekdays(past), more)
        tasks.sort(key=_when("due_date"))
        customers += history.trade_customers(keyed(seed, "trade"), sales, _TODAY, 200 * more)
    rows = {
        "gmail": {"emails": _numbered(mails, keyed(seed, "mail ids"))},
        "calendar": {"events": _numbered(events, keyed(seed, "event ids"))},
        "analytics": {"visits": [{"id": str(n), **visit} for n, visit in enumerate(visits)], "plots": []},
        "projects": {"tasks": _numbered(tasks, keyed(seed, "task ids"))},
        "crm": {"customers": _numbered(customers, keyed(seed, "crm ids"))},
        "directory": {"people": [{"id": str(n), "email_address": address} for n, address in enumerate(people)]},
    }
    return World(f"tarnwick-{seed}-x{scale}", NOW, rows)


def _numbered(rows: list[_Row], rng: Random) -> list[_Row]:
    """Rows with ids in no order that says anything."""
    ids = [f"{n:08d}" for n in range(len(rows))]
    rng.shuffle(ids)
    return [{"id": id, **row} for id, row in zip(ids, rows, strict=True)]


def _when(field: str) -> Callable[[_Row], str]:
    return lambda row: str(row[field])


def _days(first: int, last: int) -> list[date]:
    """Days from so many days ago to so many days ago."""
    return [_TODAY - timedelta(days=n) for n in range(first, last - 1, -1)]


def _weekdays(days: Sequence[date]) -> list[date]:
    return [day for day in days if day.weekday() < 5]


def _workdays(first: date, last: date) -> list[date]:
    return _weekdays([first + timedelta(days=n) for n in range((last - first).days + 1)])


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


def _events(rng: Random, people: Sequence[str]) -> list[_Row]:
    """220 past and 80 coming meetings, on weekdays between 9 and 18, none overlapping another."""
    past = _workdays(_TODAY - timedelta(days=119), _TODAY - timedelta(days=1))
    coming = _workdays(_TODAY, _TODAY + timedelta(days=21))
    rows: list[_Row] = []
    for days, total in ((past, 220), (coming, 80)):
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
    return sorted(rows, key=_when("event_start"))


def _tasks(rng: Random, staff: Sequence[str]) -> list[_Row]:
    """A hundred tasks a board; five assignees are at home on each board and help on the others."""
    days = _workdays(_TODAY - timedelta(days=8), _TODAY + timedelta(days=14))
    rows: list[_Row] = []
    for place, board in enumerate(names.BOARDS):
        home = staff[place * 5 : place * 5 + 5]
        pairs = list(product(names.TASK_VERBS[board], names.TASK_OBJECTS[board]))
        for verb, thing in rng.sample(pairs, 100):
            rows.append(
                {
                    "task_name": f"{verb} {thing}",
                    "assigned_to_email": rng.choice(home if rng.random() < 0.75 else staff),
                    "list_name": rng.choices(names.LISTS, (50, 15, 15, 20))[0],
                    "due_date": str(rng.choice(days)),
                    "board": board,
                }
            )
    return sorted(rows, key=_when("due_date"))


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
