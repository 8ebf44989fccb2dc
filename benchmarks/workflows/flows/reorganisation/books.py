"""What the cases have in common: what changes hands, and how it is laid out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple

from benchmarks.workflows.layout import Layout, address, guest, person

__all__ = ("Books", "Deal", "Handed", "Hands", "Rows", "eur", "series", "worth")

Rows = list[tuple[Any, ...]]


class Handed(NamedTuple):
    """A task, a meeting or a file that goes from one post to another; a file's id is its path."""

    id: str
    what: str
    old: str
    new: str


class Deal(NamedTuple):
    """A deal that goes over: its worth in EUR, and the amount to put right in the CRM, if any."""

    id: str
    what: str
    old: str
    new: str
    eur: Decimal
    amount: float | None = None


@dataclass(frozen=True, kw_only=True)
class Hands:
    """What changes hands, each kind in the order of the sheet; `stay` are guests of a meeting who remain, by its id."""

    tasks: Sequence[Handed]
    deals: Sequence[Deal]
    meetings: Sequence[Handed]
    files: Sequence[Handed]
    stay: dict[str, list[str]]
    leave: dict[str, list[str]]
    register: Rows


@dataclass(frozen=True, kw_only=True)
class Books:
    """Where things are, and how it is decided who gets what: from the first day, who takes the rest, and a limit."""

    look: str
    rules: str
    papers: tuple[str, ...]
    mails: tuple[str, ...]
    query: str
    channel: str
    note: str
    project: str
    sheet: str
    register: str
    decide: Callable[[str, str, int], Hands]
    more: tuple[str, ...] = field(default=())
    """Ids of records of the CRM to be looked at."""


def eur(amount: float, currency: str, rate: str) -> Decimal:
    """Worth in EUR, rounded to cents."""
    worth = Decimal(str(amount)) * (Decimal(rate) if currency != "EUR" else 1)
    return worth.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


def worth(
    layout: Layout, title: str, *, owner: str, amount: float, currency: str, stage: str, close: str, company: str
) -> str:
    """A deal in any currency."""
    ended = {"closed": "2026-02-20", "reason": "Bought elsewhere"} if stage == "Lost" else {}
    return layout.add(
        "crm", "deals", "D", title=title, owner=address(owner), amount=amount, currency=currency, stage=stage,
        close_date=close, company_id=company, **ended,
    )  # fmt: skip


def series(
    layout: Layout, title: str, *, start: str, minutes: int, people: Sequence[str], rule: str, until: str = ""
) -> str:
    """A standing meeting of the owner's, accepted by all."""
    return layout.add(
        "calendar", "events", event_name=title, participant_email=address(people[0]), event_start=f"{start}:00",
        duration=str(minutes), organizer=person("owner").address,
        attendees=[{**guest(each), "response": "accepted"} for each in people], recurrence=rule, until=until or None,
    )  # fmt: skip
