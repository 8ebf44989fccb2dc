"""Sentences with choices in them: read once, said many times in other words.

    [We|The team] counted {~40} {gear} on {weekday}; {@a} had guessed {~90}.

`[a|b]` is one of these words, `{gear}` one of a word list (`{gear2}` another, `{Gear}` with a capital), `{@a}` a
person, `{~40}` a figure of about 40. `{guests~400}` is that figure in the whole document; what has no name of its own
is drawn again for each passage, and is the same within it. The figures of a passage keep their proportions, more or
less, so that what is part of something stays less than it; before `per cent` and `out of ten` they know their limit.
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = ("Figure", "Frame", "Page", "Person", "Word", "capital", "frame")

_SLOT = re.compile(r"@(?P<who>[a-d])|(?P<key>[a-z]*)~(?P<about>\d+)|(?P<list>[A-Za-z]+)(?P<other>[2-4]?)")
_PER_CENT = 98
"""The largest share of anything. Shares move half as far as other figures, so that two of them stay within a whole."""
_LETTERS = ("nought", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@dataclass(slots=True)
class Page:
    """A document being written: what has been drawn for it."""

    draw: random.Random
    cast: list[str]
    """The people of the document, as it calls them."""
    lists: Mapping[str, tuple[str, ...]]
    """Words to draw from; one for the whole document where the list is in `once`."""
    once: Collection[str] = ()
    spelled: bool = False
    """Whether numbers below ten stand in letters."""
    kept: dict[str, str] = field(default_factory=dict)
    """What is the same in the whole document."""
    drawn: dict[str, str] = field(default_factory=dict)
    """What is the same within a passage."""
    scale: float = 1
    """How far figures of the passage lie above or below what the frame says."""
    whole: float = 1
    """The same for figures of the whole document, and for passages that have one."""
    full: Mapping[str, str] = field(default_factory=dict)
    """Names that stand in place of those of the cast: the first time, or always where `formal`."""
    formal: bool = False
    met: set[str] = field(default_factory=set)
    """Those of the cast who have been named."""

    def named(self, name: str) -> str:
        """One of the cast as the document calls them at this point."""
        if name in self.met and not self.formal:
            return name
        self.met.add(name)
        return self.full.get(name, name)


class Person(NamedTuple):
    """`{@a}`: one of the cast; `{@b}` in the same passage is another."""

    who: str

    def say(self, page: Page) -> str:
        return page.named(page.drawn.get(self.who) or _another(page.draw, page.drawn, self.who, "abcd", page.cast))


class Figure(NamedTuple):
    """`{~40}`: a number within a third of 40, never one; from 200 on mostly round, below ten often in letters."""

    key: str
    about: int
    raised: bool = False
    most: int = 0
    """The largest that makes sense, or nought."""

    def say(self, page: Page) -> str:
        values = page.kept if self.key else page.drawn
        name = f"{self.key}~{self.about}"
        if name not in values:
            scale = (1 + page.scale) / 2 if self.most == _PER_CENT else page.scale
            value = max(2, int(self.about * scale * (0.95 + 0.1 * page.draw.random()) + 0.5))
            if self.most and value > self.most:
                value = self.most - int((self.most - self.about + 1) * page.draw.random())
            if self.about >= 200 and page.draw.random() < 0.6:
                value -= value % 10
            values[name] = f"{value:,}"
        found = values[name]
        if page.spelled and len(found) == 1:
            found = _LETTERS[int(found)]
            return capital(found) if self.raised else found
        return found


class Word(NamedTuple):
    """`{gear}`: one of a word list; `{gear2}` in the same passage is another."""

    name: str
    other: str = ""
    raised: bool = False
    key: str = ""
    rivals: tuple[str, ...] = ()
    """The keys of all slots of that list, of which no two are to be the same."""

    def say(self, page: Page) -> str:
        values = page.kept if self.name in page.once else page.drawn
        found = values.get(self.key)
        if found is None:
            found = _another(page.draw, values, self.key, self.rivals, page.lists[self.name])
        return capital(found) if self.raised else found


class _Choice(NamedTuple):
    """`[a|b]`: one of these."""

    options: tuple[tuple[str | Person | Figure | Word, ...], ...]

    def say(self, page: Page) -> str:
        option = self.options[int(page.draw.random() * len(self.options))]
        return "".join([part if isinstance(part, str) else part.say(page) for part in option])


class Frame(NamedTuple):
    """A passage, point or row as read. `words` is about how long it gets."""

    parts: tuple[str | Person | Figure | Word | _Choice, ...]
    words: int
    anchored: bool = False
    """Whether it has a figure of the whole document."""

    def say(self, page: Page, given: dict[str, str] | None = None) -> str:
        """Its text in this document, with what it draws afresh, but for the words `given`."""
        page.drawn = given or {}
        page.scale = page.whole if self.anchored else 0.7 + 0.6 * page.draw.random()
        return capital(self.words_of(page))

    def words_of(self, page: Page) -> str:
        """The same as it stands within a sentence, with what the passage has drawn."""
        return "".join([part if isinstance(part, str) else part.say(page) for part in self.parts])

    def slots(self) -> list[Person | Figure | Word]:
        """The slots in it, in order, those of choices among them."""
        found: list[Person | Figure | Word] = []
        for part in self.parts:
            options = part.options if isinstance(part, _Choice) else ((part,),)
            found += [each for option in options for each in option if not isinstance(each, str)]
        return found


def frame(text: str) -> Frame:
    """Reads a passage. Raises ValueError saying what in it cannot be read."""
    parts: list[str | Person | Figure | Word | _Choice] = []
    for number, piece in enumerate(re.split(r"\[([^\[\]]*)\]", text)):
        if number % 2:
            if "|" not in piece:
                raise ValueError(f"[{piece}] has one choice; [a|b] has two")
            parts.append(_Choice(tuple(tuple(_pieces(each)) for each in piece.split("|"))))
        elif "[" in piece or "]" in piece:
            raise ValueError("a bracket without its other half, or one within another")
        else:
            parts += _pieces(piece)
    with_last_choices = re.sub(r"\[(?:[^|\]]*\|)*([^|\]]*)\]", r"\1", text)
    found = Frame(tuple(parts), len(with_last_choices.split()))
    return found._replace(anchored=any(isinstance(slot, Figure) and slot.key for slot in found.slots()))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _pieces(text: str) -> list[str | Person | Figure | Word]:
    found: list[str | Person | Figure | Word] = []
    pieces = re.split(r"\{([^{}]*)\}", text)
    for number, piece in enumerate(pieces):
        if number % 2:
            slot = _slot(piece)
            if isinstance(slot, Figure):
                begins = pieces[number - 1].endswith((". ", "? ", "! "))
                slot = slot._replace(raised=begins, most=_most(slot.about, pieces[number + 1]))
            found.append(slot)
        elif "{" in piece or "}" in piece:
            raise ValueError("a brace without its other half")
        elif piece:
            found.append(piece)
    return found


def _most(about: int, after: str) -> int:
    """The limit of a figure, from what it counts."""
    if after.startswith(" per cent"):
        return _PER_CENT
    if re.match(r"(?: \w+)? (?:out of|in) ten\b", after) and about <= 10:
        return 9
    return 10 if after.startswith((" points", " marks")) and about <= 10 else 0


def _slot(text: str) -> Person | Figure | Word:
    match = _SLOT.fullmatch(text)
    if match is None:
        raise ValueError(f"{{{text}}} is no slot; there are {{gear}}, {{gear2}}, {{Gear}}, {{@a}}, {{~40}}, {{key~40}}")
    if match["who"]:
        return Person(match["who"])
    if match["about"]:
        return Figure(match["key"], int(match["about"]))
    name = match["list"].lower()
    rivals = tuple(name + other for other in ("", *"234"))
    return Word(name, match["other"], match["list"][0].isupper(), name + match["other"], rivals)


def _another(draw: random.Random, held: dict[str, str], key: str, rivals: Sequence[str], choices: Sequence[str]) -> str:
    """Draws what is under none of the rivals' keys yet, and keeps it."""
    taken = [held[rival] for rival in rivals if rival in held]
    free = [each for each in choices if each not in taken] if taken else choices
    held[key] = found = free[int(draw.random() * len(free))]
    return found
