"""A persona and the people around: who the apps of one sandbox are about, so that all of them tell of the same ones."""

from __future__ import annotations

import random
from typing import Literal, NamedTuple

from servers.kernel import Owner

__all__ = ("FINANCIER", "Cast", "Someone", "keyed", "password")


class Someone(NamedTuple):
    """A person; `role` is who they are to the persona, in a few words, `phone` in international form."""

    name: str
    address: str
    phone: str
    role: str
    kind: Literal["self", "colleague", "client", "friend", "family"]


class Cast(NamedTuple):
    """`home` and `office` are postal addresses in one line; `people` do not include the persona."""

    key: str
    self: Someone
    zone: str
    employer: str
    home: str
    office: str
    people: tuple[Someone, ...]

    @property
    def owner(self) -> Owner:
        """Whose world it is."""
        return Owner(name=self.self.name, address=self.self.address, zone=self.zone)

    def of(self, *kinds: str) -> tuple[Someone, ...]:
        """The people of these kinds, in order."""
        return tuple(each for each in self.people if each.kind in kinds)


def keyed(seed: int, *decision: object) -> random.Random:
    """Chance for one decision alone, so that another drawn before or after changes nothing."""
    return random.Random(f"{seed}/{'/'.join(map(str, decision))}")


def password(seed: int, cast: Cast, app: str) -> str:
    """What the persona logs in to an app with."""
    drawn = keyed(seed, cast.key, "password", app)
    return "".join(drawn.choices("abcdefghkmnpqrstuvwxyz23456789", k=12))


FINANCIER = Cast(
    key="financier",
    self=Someone(
        "Marit Solheim", "marit.solheim@tarnbank.example", "+44 20 5550 0141", "head of model validation", "self"
    ),
    zone="Europe/London",
    employer="Tarn Bank",
    home="Flat 4, 19 Lantern Row, London E1 9QX",
    office="Tarn Bank, 2 Quay Street, London EC3 8TB",
    people=(
        Someone(
            "Devran Okafor", "devran.okafor@tarnbank.example", "+44 20 5550 0152", "validation analyst", "colleague"
        ),
        Someone(
            "Hanne Brightwell", "hanne.brightwell@tarnbank.example", "+44 20 5550 0163", "rates quant", "colleague"
        ),
        Someone("Tomasz Reyl", "tomasz.reyl@tarnbank.example", "+44 20 5550 0174", "market data engineer", "colleague"),
        Someone("Priya Venn", "priya.venn@tarnbank.example", "+44 20 5550 0185", "chief risk officer", "colleague"),
        Someone("Luca Ferrant", "luca.ferrant@tarnbank.example", "+44 20 5550 0196", "internal auditor", "colleague"),
        Someone("Oona Castell", "oona.castell@brackenfunds.example", "+44 161 555 0107", "client at Bracken", "client"),
        Someone("Idris Whitlow", "idris.whitlow@halldata.example", "+44 131 555 0118", "data vendor", "client"),
        Someone("Nell Ashdown", "nell.ashdown@postbox.example", "+44 7700 900129", "flatmate", "friend"),
        Someone("Rafe Lindqvist", "rafe.lindqvist@postbox.example", "+44 7700 900130", "climbing partner", "friend"),
        Someone("Samira Doyle", "samira.doyle@postbox.example", "+44 7700 900141", "university friend", "friend"),
        Someone("Jonas Solheim", "jonas.solheim@postbox.example", "+47 555 01 152", "brother", "family"),
        Someone("Astrid Solheim", "astrid.solheim@postbox.example", "+47 555 01 163", "mother", "family"),
    ),
)
"""Heads model validation at a bank, from the paper's financier."""
