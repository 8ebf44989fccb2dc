"""Fresh things for statements: pieces of work with mixed codes, desks, systems, references. None is drawn twice."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.lines import entries
from benchmarks.probe.grammar.people import Persona

__all__ = ("Mint", "known_as", "nouns")


def nouns() -> tuple[str, ...]:
    """What a piece of work may be called, of whatever kind."""
    return (*entries("tasks"), *entries("inputs"), *(noun for cause in causes().values() for noun in cause.nouns))


class Mint:
    """Draws things of one sample. `names` gives the name of each code, without article: `Halden rate sheet`.

    Who runs a desk runs no other; deciders may decide about several objects. Causes are of the given templates.
    """

    def __init__(self, draw: random.Random, who: Persona, templates: Sequence[str]) -> None:
        self._draw = draw
        self._who = who
        self._deciders = [each.name for each in who.deciders]
        self._templates = templates
        self._people = self._shuffled(who.operators)
        self._desks = self._shuffled([f"{area} {function}" for area in entries("areas") for function in who.functions])
        codes = [f"{letter}{number}" for letter in "BCDFGHKLMNPRSTW" for number in range(10, 100)]
        self._desk_codes = self._shuffled(codes)
        self._taken: set[str] = set()
        self.names: dict[str, str] = {}

    def _shuffled(self, of: Sequence[str]) -> Iterator[str]:
        return iter(self._draw.sample(of, len(of)))

    def task(self) -> str:
        return self._work(self._who.tasks)

    def input(self) -> str:
        return self._work(self._who.inputs)

    def object(self, template: str) -> str:
        return self._work(causes()[template].nouns)

    def cause(self) -> str:
        return self._draw.choice(self._templates)

    def desk(self) -> str:
        code = next(self._desk_codes)
        self.names[code] = f"{next(self._desks)} desk"
        return code

    def person(self) -> str:
        return next(self._people)

    def decider(self) -> str:
        return self._draw.choice(self._deciders)

    def colleague(self) -> str:
        """Somebody who may owe work, or decide."""
        return self._draw.choice(self._deciders)

    def system(self) -> str:
        return self._draw.choice(self._who.systems)

    def reference(self) -> str:
        while True:
            number = self._draw.randrange(10_000, 100_000)
            letters = "".join(self._draw.choices("BCDFGHKLMNPRSTVW", k=2))
            code = (f"{letters[0]}{number}", f"{letters[0]}-{number}", f"{number % 90 + 10}/{number:05d}/{letters}")[
                self._who.style % 3
            ]
            if self._take(code):
                return code

    def twin(self, code: str) -> str:
        """Something that is easily taken for what has this code: two digits changed places, another name or desk."""
        if len(code) == 3:
            return self.desk()
        digits = [place for place, sign in enumerate(code) if sign.isdigit()]
        for first, second in zip(digits[::-1][1:], digits[::-1], strict=False):
            swapped = [*code]
            swapped[first], swapped[second] = code[second], code[first]
            other = "".join(swapped)
            if self._take(other):
                noun = self.names[code].split(" ", 1)[1]
                self.names[other] = self._name((noun,))
                return other
        return self._work((self.names[code].split(" ", 1)[1],))

    def _work(self, kinds: Sequence[str]) -> str:
        name = self._name(kinds)
        while True:
            letters = "".join(self._draw.choices("ABCDEFGHJKLMNPQRSTVWXZ", k=2))
            number = self._draw.randrange(1000, 10_000)
            forms = (f"{letters}-{number}", f"{letters}/{number}", f"{letters}{number}-{self._draw.choice('ABCDE')}")
            code = forms[(self._who.style + self._draw.choice((0, 0, 0, 1))) % 3]
            if self._take(code):
                self.names[code] = name
                return code

    def _name(self, kinds: Sequence[str]) -> str:
        while True:
            name = f"{self._draw.choice(entries('themes'))} {self._draw.choice(kinds)}"
            if self._take(name):
                return name

    def _take(self, what: str) -> bool:
        if what in self._taken:
            return False
        self._taken.add(what)
        return True


def known_as(code: str, names: Mapping[str, str]) -> tuple[str, ...]:
    """Other ways to name what has a code."""
    name = names.get(code)
    return (code,) if name is None else (code, name, f"the {name}", f"the {name} ({code})")
