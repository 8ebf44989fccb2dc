"""What filler's pieces of work, desks and things are called: from the names of statements' neighbours, none of them.

They share themes, kinds and looks with what statements name, so that a name does not tell of which of the two it is.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Iterator, Sequence

from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.entities import desk_forms
from benchmarks.probe.grammar.lines import entries
from benchmarks.probe.grammar.saying import BOTH
from benchmarks.probe.grammar.setting import Named

__all__ = ("Things", "called", "once_comma")

_THEMES, _KINDS, _FUNCTIONS, _LOOKS = 26, 32, 8, 14
"""How many there are to draw from where nothing is named yet."""
_SHORT = 0.55
"""How many things have a shorter name, where statements have any."""
_NEAR = 0.4
"""How many of these are called after their theme: `Drummond bundle`."""
_BARE, _BOTH = 0.4, 0.25
"""How often what has a shorter name goes by that alone, and by both."""
_DOUBLED = re.compile(r",(?=[,.;:)?])")


def called(draw: random.Random, thing: Named) -> str:
    """One of the ways to call it, with article; where it is called by both names, there may be a comma behind."""
    full = draw.choice(desk_forms(thing.full)) if thing.full.endswith(" desk") else f"the {thing.full}"
    how = draw.random()
    if not thing.short or how >= _BARE + _BOTH:
        return full
    if how < _BARE:
        return f"the {thing.short}"
    return draw.choice(BOTH).format(full=full, short=f"the {thing.short}", who=draw.choice(entries("given")))


def once_comma(text: str) -> str:
    """A sentence without the commas that names bring along, where others stand behind them."""
    return _DOUBLED.sub("", text)


class Things:
    """Draws names of one sample. `taken` are the names of statements, full and shorter, of which it draws none.

    `numbers` gives references.
    """

    def __init__(self, draw: random.Random, numbers: Callable[[], str], taken: Collection[str] = ()) -> None:
        self.number = numbers
        self._draw = draw
        self._taken = {*taken}
        named = [each.split(" ", 1) for each in sorted(taken) if " " in each]
        papers = (*entries("tasks"), *entries("inputs"))
        objects = tuple(dict.fromkeys(noun for cause in causes().values() for noun in cause.nouns))
        looks, functions = entries("nicknames"), [f"{each} desk" for each in entries("functions")]
        self._themes = self._among(named, entries("themes"), 0, _THEMES)
        self._papers = self._among(named, papers, 1, _KINDS)
        self._objects = self._among(named, objects, 1, _KINDS)
        self._functions = self._among(named, functions, 1, _FUNCTIONS)
        self._looks = self._among(named, looks, 0, _LOOKS)
        self._nicknames: dict[str, dict[str, None]] = {}
        self._short = _SHORT if not taken or any(each[0] in looks for each in named) else 0.0

    def _among(self, named: Sequence[Sequence[str]], words: Sequence[str], place: int, count: int) -> list[str]:
        """Those words that stand there in names, as often as they do; where there are none, any few."""
        known = {*words}
        return [each[place] for each in named if each[place] in known] or self._draw.sample(words, count)

    def work(self) -> Named:
        return self._named(self._grid(self._themes, self._papers, entries("tasks")), "nicknamed works")

    def object(self) -> Named:
        return self._named(self._grid(self._themes, self._objects, entries("inputs")), "nicknamed works")

    def desk(self) -> Named:
        areas, functions = entries("areas"), [f"{each} desk" for each in entries("functions")]
        return self._named(self._grid(areas, self._functions, functions), "nicknamed desks")

    def _grid(self, firsts: Sequence[str], seconds: Sequence[str], others: Sequence[str]) -> Iterator[str]:
        """Names near those of statements, and others once these are hard to find."""
        for _ in range(200):
            yield f"{self._draw.choice(firsts)} {self._draw.choice(seconds)}"
        while True:
            yield f"{self._draw.choice(entries('themes'))} {self._draw.choice(others)}"

    def _named(self, names: Iterator[str], nicknames: str) -> Named:
        full = self._free(names)
        if self._draw.random() >= self._short:
            return Named(full)
        theme = full.split(" ")[0]
        near = [] if full.endswith(" desk") else [f"{theme} {word}" for word in entries("catchwords")]
        free = [each for each in near if each not in self._taken]
        if free and self._draw.random() < _NEAR:
            return Named(full, self._free(iter(self._draw.sample(free, len(free)))))
        left = self._left(nicknames)
        return Named(full, self._free(iter([self._draw.choice([*left])]))) if left else Named(full)

    def _left(self, nicknames: str) -> dict[str, None]:
        """The nicknames that nothing has yet, in their order; `_free` takes out what it gives."""
        if nicknames not in self._nicknames:
            looks = (f"{look} {thing}" for look in dict.fromkeys(self._looks) for thing in entries(nicknames))
            self._nicknames[nicknames] = {each: None for each in looks if each not in self._taken}
        return self._nicknames[nicknames]

    def _free(self, names: Iterator[str]) -> str:
        name = next(each for each in names if each not in self._taken)
        self._taken.add(name)
        for left in self._nicknames.values():
            left.pop(name, None)
        return name
