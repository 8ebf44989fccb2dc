"""What the three cases of the payroll have in common: their papers, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from random import Random
from typing import Any, Final, NamedTuple

from benchmarks.workflows.layout import Layout, person
from benchmarks.workflows.plan import Fact, Said, amount

__all__ = (
    "OPERATIONS",
    "ROOT",
    "Books",
    "Hours",
    "Letters",
    "cents",
    "leads",
    "note",
    "number",
    "reminder",
    "said",
    "spread",
    "summed",
)

ROOT: Final = "/workspace/people/payroll"
OPERATIONS: Final = "P4"
"""The project of that name in Todoist."""

Hours = Mapping[str, Decimal]
"""Name -> hours."""


@dataclass(frozen=True, kw_only=True)
class Books:
    """What holds once all is read, and where the papers are."""

    tree: str
    rules: str
    papers: tuple[str, ...]
    sheets: tuple[str, ...]
    search: str
    mails: tuple[str, ...]
    note: str
    reminder: str
    pay: tuple[str, Sequence[Sequence[Any]]]
    """Path and rows; so are the next two."""
    beside: tuple[str, Sequence[Sequence[Any]]]
    ledger: tuple[str, Sequence[Sequence[Any]]]
    overtime: Hours
    told: Mapping[str, Hours]
    """Lead (a post) -> hours by name."""
    lead_subject: str
    total: Decimal
    total_subject: str
    title: str
    """What a task begins with, the name behind it."""
    question: str
    asks: str
    asked: str
    answer: tuple[Fact | Said, ...]
    lines: int
    """Lines that figures are worked out from."""
    channels: tuple[str, ...] = ("#operations",)
    records: tuple[str, ...] = ()
    """Companies in the CRM whose notes count."""
    events: tuple[str, str, str] | None = None
    """A word, first and last day: what is to be found in the calendar."""


class Letters(NamedTuple):
    """Mails that count, the one among them that asks something, and its subject."""

    mails: tuple[str, ...]
    question: str
    asked: str


def number(value: str | int) -> Decimal:
    """A number of a table, exactly."""
    return Decimal(value)


def cents(value: Decimal) -> Decimal:
    """Rounded to cents, halves up."""
    return value.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


def summed(values: Iterable[Any]) -> Decimal:
    """The sum of numbers, 0 of none."""
    return sum(values, Decimal(0))


def spread(draw: Random, total: Decimal, parts: int) -> list[Decimal]:
    """Irregular hours, in twentieths, that come to a total."""
    units = int(total * 20)
    cells = [units // parts + (1 if place < units % parts else 0) for place in range(parts)]
    for _ in range(parts if parts > 1 else 0):
        more, less = draw.sample(range(parts), 2)
        moved = draw.randint(0, 6)
        cells[more], cells[less] = cells[more] + moved, cells[less] - moved
    return [Decimal(cell) / 20 for cell in cells]


def said(hours: Decimal) -> tuple[str, ...]:
    """Hours in the forms that people write: 7.5, 7.50, 7.5h."""
    forms = amount(hours) + ((f"{hours:.1f}",) if hours * 10 % 1 == 0 else ())
    forms = tuple(dict.fromkeys(forms))
    return forms + tuple(f"{form}h" for form in forms)


def leads(layout: Layout, posts: Mapping[str, str]) -> str:
    """The list of who leads what, by post; its path."""
    rows = [(team, person(post).name, person(post).address) for team, post in posts.items()]
    return layout.sheet(f"{ROOT}/leads.csv", [("team", "lead", "mail"), *rows], at="2025-11-17 09:25")


def note(layout: Layout, title: str) -> str:
    """The owner's note about payroll; its id."""
    text = (
        f'- tasks about too much of it are called "{title}NAME", full name, one each, project Operations, no section\n'
        "- the reminder in Todoist gets the sum as a comment, and I tick it off myself when the bank has it\n"
        "- bring biscuits for Rufus"
    )
    return layout.note("Payroll: what I always forget", text, at="2026-03-05 17:45", tags=("pay",))


def reminder(layout: Layout, title: str) -> str:
    """The task in Todoist that reminds the owner of it; its id."""
    return layout.task(title, project=OPERATIONS, due="2026-03-20", assignee="owner")
