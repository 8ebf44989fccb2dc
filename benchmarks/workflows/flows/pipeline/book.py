"""A book of deals, told as text: its customers, its deals, what happened to them, and what of that counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, NamedTuple, Self

__all__ = ("TAKER", "Book", "Deal", "Firm", "Touch")

TAKER: Final = "whoever takes over"


class Firm(NamedTuple):
    """A customer: `told` is what the CRM says of it, `truth` what decides about its owner once all is read."""

    name: str
    domain: str
    told: str
    truth: str
    contact: str
    email: str
    owner: str = ""


class Touch(NamedTuple):
    """Something that happened to a deal, and whether it counts as a sign of life.

    `kind` is a type of note, `mail` (text is subject, | and body), or `step` (text is the stage that it came to).
    """

    kind: str
    day: str
    text: str
    counts: bool


@dataclass(frozen=True, kw_only=True)
class Deal:
    """A deal as the CRM has it, and what is so: the `right` amount, the deal (from 1) that it is a `twin` of.

    `apart` ones are none of the job's, `spared` ones never quiet, others quiet some days `longer` than most.
    """

    title: str
    firm: str
    stage: str
    amount: int
    currency: str
    close: str
    touches: tuple[Touch, ...]
    twin: int = 0
    right: int = 0
    apart: bool = False
    spared: bool = False
    lost: str = ""
    longer: int = 0
    owner: str = ""
    contact: str = ""
    description: str = ""


@dataclass(frozen=True, kw_only=True)
class Book:
    """One case: what lies in the CRM, the papers, mails and messages, and the rules as they hold."""

    firms: Mapping[str, Firm]
    deals: tuple[Deal, ...]
    giver: str
    papers: tuple[tuple[str, str, str], ...]
    to_read: tuple[str, ...]
    mails: tuple[tuple[str, str, str, str], ...]
    chat: tuple[tuple[str, str, str], ...]
    notes: tuple[tuple[str, str, str], ...]
    owners: Mapping[str, str]
    rates: Mapping[str, Decimal]
    double: str
    quiet: str
    sheet: str
    subject: str
    event: str
    search: str

    @classmethod
    def told(cls, firms: str, deals: str, **rest: Any) -> Self:
        """From text: firms line by line; `# deal`, below it `+ touch` (counts) or `- touch`, lines that go on indented.

        `||` is an empty line of a mail, a lone `/` a new one; `.example` is left out of domains.
        """
        return cls(firms=dict(map(_firm, firms.splitlines())), deals=tuple(_deals(deals)), **rest)


def _firm(line: str) -> tuple[str, Firm]:
    key, name, domain, told, truth, contact, email, *owner = (each.strip() for each in line.split("|"))
    domain = domain and f"{domain}.example"
    return key, Firm(name, domain, told, truth, contact, email if "@" in email else f"{email}@{domain}", *owner)


def _deals(text: str) -> list[Deal]:
    found: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("# "):
            found.append([line[2:]])
        elif line.startswith("  "):
            found[-1][-1] += f" {line.strip()}"
        else:
            found[-1].append(line)
    return [_deal(*lines) for lines in found]


def _deal(head: str, *touches: str) -> Deal:
    title, firm, stage, worth, close, *more = (each.strip() for each in head.split("|"))
    amount, currency = worth.split()
    values: dict[str, Any] = {}
    for option in more[0].split("; ") if more else ():
        name, _, value = option.partition("=")
        values[name] = int(value) if name in ("twin", "right", "longer") else value or True
    return Deal(
        title=title, firm=firm, stage=stage, amount=int(amount), currency=currency, close=close,
        touches=tuple(map(_touch, touches)), **values,
    )  # fmt: skip


def _touch(line: str) -> Touch:
    sign, kind, day, text = line.split(" ", 3)
    return Touch(kind, day, text.replace(" || ", "\n\n").replace(" / ", "\n"), sign == "+")
