"""A trip as a flow of travel and rooms has it, and what its cases lay out and read alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from benchmarks.workflows.layout import Layout
from benchmarks.workflows.plan import Plan
from benchmarks.workflows.script import Told, told

__all__ = ("Guest", "House", "Meeting", "Trip", "book", "crm", "later", "mails", "records", "rooms", "script")


@dataclass(frozen=True, kw_only=True)
class Guest:
    """Somebody who comes: nights before the first day and from it on; without a bed both are 0."""

    name: str
    company: str
    before: int = 0
    after: int = 0
    needs: bool = False
    shares: str = ""

    @property
    def nights(self) -> int:
        return self.before + self.after


@dataclass(frozen=True, kw_only=True)
class House:
    """A house as it holds on a day: the price of one night in EUR, of a single and of a double."""

    name: str
    mailbox: str
    price: Decimal
    rooms: int
    suits: bool = True
    double: Decimal = Decimal(0)
    doubles: int = 0


@dataclass(frozen=True, kw_only=True)
class Meeting:
    """An event of the trip: days after the first, when, how long, and how many seats it takes."""

    title: str
    offset: int
    minutes: int
    seats: int
    start: str = ""


@dataclass(frozen=True, kw_only=True)
class Trip:
    """What holds once all is read; what hangs on the day or the limit is a function of it."""

    folder: str
    lists: tuple[str, str]
    heads: tuple[str, ...]
    guests: Callable[[str], Sequence[Guest]]
    order: Callable[[Guest], Any]
    houses: Callable[[str], Sequence[House]]
    meetings: Callable[[int], Sequence[Meeting]]
    rooms: tuple[tuple[str, int], ...]
    book: tuple[tuple[str, str, str, str], ...]
    subjects: tuple[str, str]
    bound: int
    payers: tuple[str, str]
    task: str
    helper: str
    fetched: Callable[[Guest], bool]
    contact: str
    address: str
    deal: str
    beds_only: bool
    announced: str
    read: Callable[[Plan], tuple[int, ...]]


def later(first: str, days: int) -> str:
    return (date.fromisoformat(first) + timedelta(days)).isoformat()


def rooms(papers: Told, seats: str) -> tuple[tuple[str, int], ...]:
    return tuple((row["room"], int(row[seats])) for row in papers.rows("rooms"))


def book(papers: Told, name: str) -> tuple[tuple[str, str, str, str], ...]:
    return tuple(
        (row["day"], row["from"], row["to"], row["room"])
        for row in papers.rows(name)
        if row.get("state") != "cancelled"
    )


def script(layout: Layout, name: str) -> Told:
    return told(layout, Path(__file__).with_name(f"{name}.txt"))


def crm(layout: Layout, company: str, who: str, email: str, deal: str, owner: str) -> tuple[str, str]:
    """A company with a contact and a deal: ids of the two."""
    its = layout.customer(company, owner=owner)
    contact = layout.contact(who, email=email, owner=owner, company_id=its)
    return contact, layout.deal(
        deal, owner=owner, amount=4800, stage="Proposal", close_date="2026-05-29", company_id=its
    )


def records(plan: Plan, after: int, who: str, deal: str) -> tuple[int, int]:
    """The contact and the deal looked up."""
    found = plan.read("crm", "find_records", kind="contact", query=who, after=after)
    return found, plan.read("crm", "find_records", kind="deal", query=deal, after=after)


def mails(plan: Plan, papers: Told, query: str, names: Sequence[str], after: int, loop: str) -> list[int]:
    found = plan.read("gmail", "find_emails", query=query, detail="detailed", after=after)
    return [plan.conversation(papers.mails[name], after=found, loop=loop) for name in names]
