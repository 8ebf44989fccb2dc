"""What a writer of filler is told of a sample: who works there, at what, with what. Nothing of its facts."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Protocol

from benchmarks.probe.records import Kind

__all__ = ("Filler", "Person", "Setting")


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


@dataclass(frozen=True)
class Setting:
    """Where a document is written.

    `people` (about 30, without the persona) may be named in filler. `projects` (8) are proper names without an
    article, `Lantern`; `systems` (8) are programs, `Brightfold`; `firm` is a name.
    """

    persona: Person
    people: tuple[Person, ...]
    firm: str
    projects: tuple[str, ...]
    systems: tuple[str, ...]


class Filler(Protocol):
    """Office prose that states nothing of a bottleneck: paragraphs of about `words` words in all."""

    def __call__(self, draw: random.Random, setting: Setting, kind: Kind, words: int, /) -> list[str]: ...
