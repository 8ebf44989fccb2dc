"""What a writer of filler is told of a sample: who works there, at what, with what. Nothing of its facts."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple, Protocol

from benchmarks.probe.records import Kind

__all__ = ("SEAM", "Earlier", "Filler", "Matter", "Named", "Person", "Scene", "Setting", "plain")

SEAM = "\v"
"""Stands in a paragraph of filler in place of the space between two passages where a sentence may come in."""


def plain(paragraph: str) -> str:
    """A paragraph without its seams."""
    return paragraph.replace(f"{SEAM}\n", "\n").replace(SEAM, " ")


@dataclass(frozen=True)
class Person:
    """Somebody with a name of two words. `team` is what people there call it, lower case: `procurement`."""

    name: str
    role: str
    team: str
    address: str

    @property
    def given(self) -> str:
        return self.name.split(" ", 1)[0]

    @property
    def mailbox(self) -> str:
        """As it stands in a header: `Name <address>`."""
        return f"{self.name} <{self.address}>"


class Named(NamedTuple):
    """A thing by its full name, without article, and a shorter one or none."""

    full: str
    short: str = ""


@dataclass(frozen=True)
class Matter:
    """A piece of work that filler tells of: it is in hand until its day and done from then on, and nobody misses it."""

    name: Named
    worker: Person
    decider: Person
    helper: Person
    number: str
    program: str
    source: str
    """Who outside has to do with it: `the builders`."""
    desk: Named
    trifle: Named
    """Something small that goes with it: `Sable gate pass`."""
    goal: date


@dataclass(frozen=True)
class Earlier:
    """The mail that a mail answers: its place among the documents, its day, and a sentence of it."""

    place: int
    day: date
    remark: str
    again: bool
    """Whether the same person writes again."""


@dataclass(frozen=True)
class Scene:
    """What one document is about, and what it shares with others of its project."""

    day: date
    project: str
    team: tuple[Person, ...]
    """Those who work on the project, and are told of in all that is written about it."""
    matters: tuple[Matter, ...]
    topic: str
    title: str
    """As an answer has it too, there after `Re:`."""
    sections: tuple[str, ...]
    """Which of the topic's sections are this document's; its other ones belong to other mails of the conversation."""
    kept: Mapping[str, str] = field(default_factory=dict)
    """Words of the topic that are the same in all mails of a conversation: the town of a fair."""
    location: str = ""
    """Where an event takes place: `Room 1.04`, `by video`."""
    minutes: int = 0
    """How long an event lasts."""
    remarks: tuple[str, ...] = ()
    """Sentences that later mails quote."""
    answers: Earlier | None = None
    turn: int = 0
    """Which document of the sample this is, so that each tells in words that others have not just used."""
    deal: int = 0
    """The same in all documents of a sample, and another in each sample."""


@dataclass(frozen=True)
class Setting:
    """Where a document is written.

    `people` (about 30, without the persona) may be named in filler. `projects` (8) are proper names without an
    article, `Lantern`; `systems` (8) are programs, `Brightfold`; `firm` is a name, and `trade` what it is: `a weaver`.
    """

    persona: Person
    people: tuple[Person, ...]
    firm: str
    projects: tuple[str, ...]
    systems: tuple[str, ...]
    trade: str = ""
    scene: Scene | None = None


class Filler(Protocol):
    """Office prose that states nothing of a bottleneck: paragraphs of about `words` words in all, with seams."""

    def __call__(self, draw: random.Random, setting: Setting, kind: Kind, words: int, /) -> list[str]: ...
