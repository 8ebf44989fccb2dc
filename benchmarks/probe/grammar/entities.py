"""Fresh things for statements: pieces of work, desks, systems, references. None is drawn twice."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.lines import entries
from benchmarks.probe.grammar.people import Persona

__all__ = ("Mint", "desk_forms", "nouns", "short_person")

_THEMES, _LOOKS = 26, 14
"""So few that many things of a sample share a name but for one word of it."""
_FAMILIAR = 24
"""Of so many people who run desks, the first to be drawn, half share their given name with nobody."""


def nouns() -> tuple[str, ...]:
    """What a piece of work may be called, of whatever kind."""
    of_causes = (noun for cause in causes().values() for noun in cause.nouns)
    return tuple(dict.fromkeys((*entries("tasks"), *entries("inputs"), *of_causes)))


def desk_forms(name: str) -> tuple[str, str]:
    """The two ways to say a desk's full name `Harbour permits desk`, with article."""
    area, function, _ = name.split(" ")
    return f"the {name}", f"the {function} desk at {area}"


def short_person(name: str) -> str:
    """`H. Iyer` for `Hana Iyer`."""
    given, family = name.split(" ")
    return f"{given[0]}. {family}"


class Mint:
    """Draws things of one sample, each under its full name without article: `Halden rate sheet`.

    Names lie close together. `short` has other names of things: `blue book`, or the given name of a person who shares
    it with nobody. Who runs a desk runs no other; deciders may decide about several objects. Causes are of the given
    templates, and their objects of the kinds that they can befall.
    """

    def __init__(self, draw: random.Random, who: Persona, templates: Sequence[str]) -> None:
        self._draw = draw
        self._who = who
        self._deciders = [each.name for each in who.deciders]
        self._templates = templates
        self._desks = self._shuffled(
            [f"{area} {function} desk" for area in entries("areas") for function in who.functions]
        )
        self._themes = draw.sample(entries("themes"), _THEMES)
        self._taken: set[str] = set()
        self._kinds: dict[str, Sequence[str]] = {}
        self._causes: dict[str, str] = {}
        given = Counter(each.given for each in (who.me, *who.staff))
        self._alone = {name for name, count in given.items() if count == 1}
        self._people = iter(self._mixed(draw.sample(who.operators, len(who.operators))))
        looks = draw.sample(entries("nicknames"), _LOOKS)
        works, places = entries("nicknamed works"), entries("nicknamed desks")
        self._nicknames = {
            "work": self._shuffled([f"{look} {thing}" for look in looks for thing in works]),
            "desk": self._shuffled([f"{look} {place}" for look in looks for place in places]),
        }
        self.short: dict[str, str] = {}

    @property
    def deciders(self) -> tuple[str, ...]:
        """Those who have a say in something."""
        return tuple(self._deciders)

    def _shuffled(self, of: Sequence[str]) -> Iterator[str]:
        return iter(self._draw.sample(of, len(of)))

    def _mixed(self, people: Sequence[str]) -> list[str]:
        alone = [name for name in people if name.split(" ")[0] in self._alone][: _FAMILIAR // 2]
        others = [name for name in people if name not in alone]
        first = [*alone, *others[: _FAMILIAR - len(alone)]]
        self._draw.shuffle(first)
        return [*first, *others[_FAMILIAR - len(alone) :]]

    def task(self) -> str:
        return self._work(self._who.tasks)

    def input(self) -> str:
        return self._work(self._who.inputs)

    def object(self, template: str) -> str:
        name = self._work(causes()[template].nouns)
        self._causes[name] = template
        return name

    def cause(self) -> str:
        return self._draw.choice(self._templates)

    def cause_of(self, thing: str) -> str:
        """A cause that can befall an object: the one for which it was drawn."""
        return self._causes[thing]

    def desk(self) -> str:
        return next(name for name in self._desks if self._take(name))

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

    def shortened(self, key: str, thing: str) -> None:
        """Sees to it that something has another name: what `key` joins by."""
        if thing in self.short:
            return
        first = thing.split(" ")[0]
        if key == "person":
            self.short[thing] = first if first in self._alone else short_person(thing)
            return
        near = [f"{first} {word}" for word in entries("catchwords")] if key != "desk" else []
        free = [name for name in near if name not in self._taken]
        if free and self._draw.random() < 0.5:
            self.short[thing] = self._draw.choice(free)
            self._take(self.short[thing])
        else:
            self.short[thing] = next(self._nicknames["desk" if key == "desk" else "work"])

    def twin(self, key: str, thing: str) -> str:
        """Something that is easily taken for this."""
        if key == "person":
            return self.person()
        theme, noun = thing.split(" ", 1)
        if key == "desk":
            near = [f"{theme} {other} desk" for other in self._who.functions]
            return next((each for each in near if self._take(each)), "") or self.desk()
        kinds = self._kinds[thing]
        near = [f"{theme} {other}" for other in kinds if other != noun] if self._draw.random() < 0.5 else []
        near += [f"{other} {noun}" for other in self._draw.sample(self._themes, len(self._themes))]
        name = next((each for each in near if self._take(each)), "") or self._work(kinds)
        self._kinds[name] = kinds
        if thing in self._causes:
            self._causes[name] = self._causes[thing]
        return name

    def _work(self, kinds: Sequence[str]) -> str:
        while True:
            name = f"{self._draw.choice(self._themes)} {self._draw.choice(kinds)}"
            if self._take(name):
                self._kinds[name] = kinds
                return name
            if all(f"{theme} {kind}" in self._taken for theme in self._themes for kind in kinds):
                more = [each for each in entries("themes") if each not in self._themes]
                self._themes = [*self._themes, self._draw.choice(more)]

    def _take(self, what: str) -> bool:
        if what in self._taken:
            return False
        self._taken.add(what)
        return True
