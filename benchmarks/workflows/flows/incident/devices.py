"""Customers, how their names are typed, and what is found of devices with a fault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, NamedTuple

__all__ = ("CLIENTS", "Client", "Found", "Hit", "typed", "working")

_OURS: Final = "K-000"
_CLOSED: Final = ("2025-12-25", "2025-12-26", "2026-01-01", "2026-02-23")


class Client(NamedTuple):
    """A customer as the CRM has them, with the quality manager and perhaps a bookkeeper."""

    name: str
    industry: str
    domain: str
    contact: str
    books: str = ""


CLIENTS: Final[Mapping[str, Client]] = {
    "K-104": Client("Aldersyke Dairies", "Food", "aldersyke.example", "Morag Tennant"),
    "K-109": Client("Borrowfell Clinic", "Health", "borrowfell.example", "Sunil Abara", "Petra Lund"),
    "K-113": Client("Carrick Blood Service", "Health", "carrickblood.example", "Iona Metcalf"),
    "K-117": Client("Carrick Blood Bank Trust", "Charity", "cbbt.example", "Basil Orme"),
    "K-121": Client("Dunmoor Vaccines", "Pharma", "dunmoor.example", "Chiara Holt", "Rhys Penn"),
    "K-126": Client("Eskmouth Produce", "Food", "eskmouth.example", "Nils Barclay"),
    "K-130": Client("Fenwick Catering", "Food", "fenwickcatering.example", "Odile Marsh"),
    "K-138": Client("Gilcrux Laboratories", "Pharma", "gilcrux.example", "Tariq Sorley", "Una Frame"),
    "K-142": Client("Hexley Ices", "Food", "hexley.example", "Bettina Crane"),
    "K-145": Client("Inverdale Shellfish", "Seafood", "inverdale.example", "Magnus Thorpe"),
    "K-201": Client("Ottershaw Cold Systems", "Dealer", "ottershaw.example", "Leonie Wark"),
    "K-204": Client("Marrick Refrigeration", "Dealer", "marrick.example", "Anton Pryce", "Saskia Rudd"),
}
_TYPED: Final = {
    "K-104": ("Aldersyke Dairies", "Aldersyke Diaries"), "K-113": ("Carrick Blood", "Carrick Blood Serv."),
    "K-117": ("Carrick Blood B. Trust", "Carrick Blood"), "K-121": ("Dunmoor Vaccines", "Dunmore Vaccines"),
    _OURS: ("Fair, on loan", "Our own hall"),
}  # fmt: skip
"""How deliveries call customers; others as the CRM does."""


@dataclass(frozen=True)
class Hit:
    """A customer with devices that have the fault: how many of each sort at each place, and what decides the offer.

    `always`: visited however few they are.
    """

    number: str
    places: tuple[tuple[str, tuple[int, ...]], ...]
    contract: bool = False
    always: bool = False

    @property
    def name(self) -> str:
        """What the CRM calls them."""
        return CLIENTS[self.number].name

    @property
    def counts(self) -> tuple[int, ...]:
        """Devices of each sort, at all places."""
        return tuple(map(sum, zip(*(counts for _, counts in self.places), strict=True)))

    @property
    def total(self) -> int:
        """Devices of all sorts."""
        return sum(self.counts)


@dataclass(frozen=True)
class Found:
    """What a case has laid out of its devices: who has which, how many lines count, what else is to be read."""

    hits: tuple[Hit, ...]
    lines: int
    mails: tuple[str, ...]
    lists: tuple[str, ...]


def typed(number: str, place: int) -> str:
    """How somebody typed a customer's name."""
    names = _TYPED.get(number) or (CLIENTS[number].name,)
    return names[place % len(names)]


def working(on: date, days: int) -> date:
    """The day so many working days later, or earlier."""
    step = 1 if days > 0 else -1
    while days:
        on += timedelta(step)
        days -= step if on.weekday() < 5 and f"{on}" not in _CLOSED else 0
    return on
