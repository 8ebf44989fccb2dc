"""Invented people, places and things. Names come in pairs that begin alike, with one near both that nobody has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

__all__ = ("GHOSTS", "TOWNS", "people", "things")

_PEOPLE: Final = {
    "Marta": ("Lind", "Linde", "Lindt"),
    "Jonas": ("Bakker", "Bekker", "Bokker"),
    "Amina": ("Diallo", "Dialli", "Dialla"),
    "Tomas": ("Novak", "Nowak", "Novack"),
    "Ines": ("Prado", "Prada", "Prade"),
    "Kenji": ("Mori", "Moro", "Mora"),
    "Leila": ("Haddad", "Hadid", "Haddid"),
    "Petra": ("Kral", "Krall", "Krahl"),
    "Chidi": ("Okoro", "Okoli", "Okolo"),
    "Rosa": ("Ferrer", "Ferrera", "Ferrara"),
    "Anton": ("Weiss", "Weisz", "Wais"),
    "Mei": ("Tan", "Tang", "Tann"),
    "Oskar": ("Dahl", "Dahle", "Dall"),
    "Sofia": ("Rossi", "Rosso", "Rosse"),
    "Ravi": ("Menon", "Menan", "Mennon"),
    "Clara": ("Moss", "Morse", "Mors"),
}

_THINGS: Final = {
    "coffee": {
        "Santa": ("Rita", "Rosa", "Rina"),
        "Yirga": ("Blue", "Bloom", "Bluem"),
        "Cerro": ("Alto", "Azul", "Alzo"),
        "Harbour": ("Blend", "Brew", "Bled"),
    },
    "work": {
        "Winter": ("Ferry", "Fairy", "Ferie"),
        "Blue": ("Orchard", "Orchid", "Orched"),
        "Woman": ("Reading", "Riding", "Reding"),
        "Still": ("Waters", "Water Jug", "Watery"),
        "Evening": ("Tide", "Tithe", "Tite"),
        "Salt": ("Road", "Rope", "Roade"),
    },
    "course": {
        "Modern": ("Dance", "Drama", "Drance"),
        "Creative": ("Writing", "Weaving", "Wreaving"),
        "Music": ("Theory", "Theatre", "Theatry"),
        "Robot": ("Workshop", "Works", "Workship"),
    },
}

GHOSTS: Final[Mapping[str, str]] = {
    stem: f"{stem} {ghost}" for pairs in (_PEOPLE, *_THINGS.values()) for stem, (_, _, ghost) in pairs.items()
}
"""How a name begins -> a name near both that begin so, which nobody and nothing has."""

TOWNS: Final = ("Arden", "Belmora", "Corvale", "Dunmere", "Estoria")


def people(first: int, pairs: int) -> Sequence[str]:
    """Names of so many pairs of people, from the pair of that number on."""
    stems = [*_PEOPLE, *_PEOPLE][first : first + pairs]
    return [f"{stem} {last}" for stem in stems for last in _PEOPLE[stem][:2]]


def things(kind: str) -> Sequence[str]:
    """Names of all pairs of a kind of things."""
    return [f"{stem} {rest}" for stem, pair in _THINGS[kind].items() for rest in pair[:2]]
