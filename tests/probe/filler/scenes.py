"""Settings to write for, and what is in the text that comes out."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from benchmarks.probe.filler import prose
from benchmarks.probe.filler.days import working_days
from benchmarks.probe.filler.strands import number, scenes
from benchmarks.probe.filler.things import Things
from benchmarks.probe.filler.topics import trades
from benchmarks.probe.grammar.setting import Person, Scene, Setting
from benchmarks.probe.records import Kind

GIVEN = (
    "Abena", "Bogdan", "Chloe", "Dagmar", "Emeka", "Farah", "Goran", "Hakan", "Ilse", "Jelena", "Kenji", "Leila",
    "Marek", "Niamh", "Oksana", "Pavel", "Rahul", "Selma", "Tariq", "Ulrike", "Vasil", "Wiebke", "Yuki", "Zoran",
    "Ines", "Karim", "Lucia", "Mihai", "Petra", "Teemu",
)  # fmt: skip
FAMILY = ("Adeyemi", "Brunetti", "Carvalho", "Dubois", "Eriksen", "Farkas", "Grabowski", "Horvat", "Ionescu", "Keita")
PROJECTS = ("Lantern", "Harrier", "Juniper", "Cobalt", "Meridian", "Saffron", "Tidewater", "Quarry")
KINDS: tuple[Kind, ...] = ("email",) * 40 + ("document",) * 24 + ("event",) * 15
"""A sample's documents."""
NOW = date(2026, 5, 12)

_SENTENCE_ENDS = re.compile(r"(?<=[a-z)\"][.!?]) +(?=[A-Z\"0-9])")


def setting(draw: random.Random, people: int = 30, trade: str = "") -> Setting:
    found = [
        Person(f"{given} {draw.choice(FAMILY)}", "planner", "planning", f"{given.lower()}@example.com")
        for given in draw.sample(GIVEN, people)
    ]
    systems = ("Brightfold", "Vellum", "Docket", "Inkwell")
    return Setting(Person("Moana Quist", "head", "board", ""), tuple(found), "Corvane Foods", PROJECTS, systems, trade)


def planned(draw: random.Random, given: Setting) -> list[Scene]:
    """The scenes of a sample's 79 documents."""
    days = draw.choices(working_days(NOW - timedelta(days=42), NOW - timedelta(days=1)), k=len(KINDS))
    return scenes(draw, given, KINDS, days, Things(draw, lambda: number(draw)))


def sample(seed: int) -> Iterator[str]:
    """The texts of a sample's 79 documents."""
    draw = random.Random(seed)
    given = setting(draw, trade=draw.choice([*trades()]))
    for kind, scene in zip(KINDS, planned(draw, given), strict=True):
        yield "\n\n".join(prose(draw, replace(given, scene=scene), kind, draw.randint(480, 900)).paragraphs)


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text; headings, agendas, table rows and most points of lists are none."""
    for line in text.split("\n"):
        yield from (each for each in _SENTENCE_ENDS.split(line) if each.endswith((".", "!", "?", '"')))
