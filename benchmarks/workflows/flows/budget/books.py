"""What the three cases of the budget have in common: their papers, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final, NamedTuple

from benchmarks.workflows.layout import Layout
from benchmarks.workflows.plan import Fact, Said

__all__ = ("OPERATIONS", "ROOT", "SUBJECT", "Books", "Letters", "budgets", "cents", "note", "summed")

ROOT: Final = "/workspace/finance/cost_centres"
OPERATIONS: Final = "P4"
"""The project of that name in Todoist."""
SUBJECT: Final = "Operations: where we stand"


@dataclass(frozen=True, kw_only=True)
class Books:
    """What holds once all is read, and where the papers are."""

    rules: str
    papers: tuple[str, ...]
    search: str
    mails: tuple[str, ...]
    files: tuple[str, ...]
    """Attachments to be read."""
    channels: tuple[str, ...] = ("#operations",)
    note: str
    main: tuple[str, Sequence[Sequence[Any]]]
    """Path and rows; so are the next two."""
    beside: tuple[str, Sequence[Sequence[Any]]]
    log: tuple[str, Sequence[Sequence[Any]]]
    left: Mapping[str, Decimal]
    """What is left of each line's budget, negative where it is over."""
    holders: Mapping[str, str]
    """Line -> the post that answers for it."""
    over_subject: str
    title: str
    """What a task begins with, the line behind it."""
    customer: tuple[str, str, Decimal]
    """Id of a company in the CRM, its name, and what it is to be charged."""
    question: str
    asks: str
    asked: str
    answer: tuple[Fact | Said, ...]
    lines: int
    """Lines that figures are worked out from."""
    event: str
    """A word by which entries in the calendar that count are found."""


class Letters(NamedTuple):
    """Mails that count, the one among them that asks something, and its subject."""

    mails: tuple[str, ...]
    question: str
    asked: str


def cents(value: Decimal) -> Decimal:
    """Rounded to cents, halves up."""
    return value.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


def summed(values: Iterable[Decimal]) -> Decimal:
    """The sum of numbers, 0 of none."""
    return sum(values, Decimal(0))


def budgets(spent: Mapping[str, Decimal], over: Mapping[str, str]) -> dict[str, int]:
    """Whole budgets, by which each line is over (or has left, where it is negative) by about so much."""
    return {name: int((amount - Decimal(over[name])).to_integral_value()) for name, amount in spent.items()}


def note(layout: Layout, title: str, minutes: str) -> str:
    """The owner's note about budgets; its id."""
    return layout.note(
        "Budget talk: my own rules",
        f'- tasks: "{title}NAME", NAME being the line as in the sheet, in Operations, no section, due on the working '
        f"day before the talk\n- the talk is {minutes}, just Wanda and me, at ten\n- no numbers in #operations, only "
        "which file\n- eat first",
        at="2026-02-27 17:20",
        tags=("money",),
    )
