"""Writes the filler of one document: a topic, its sections in some order, and as many words as asked for.

Nothing here is told what the document is for, so nothing can depend on it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from benchmarks.probe.filler.frames import Frame, Page
from benchmarks.probe.filler.topics import PARTS, Listing, Section, Topic, general, topics
from benchmarks.probe.grammar.setting import Person, Setting
from benchmarks.probe.records import Kind

__all__ = ("Prose", "filler", "prose", "write_about")

_T = TypeVar("_T")


class Prose(NamedTuple):
    """Filler with a title that fits it. A list or table is one paragraph of several lines."""

    title: str
    paragraphs: list[str]


class _Manner(NamedTuple):
    """How often a kind of document has lists and tables, from 0 to 1, and whether it has headings."""

    lists: float
    tables: float
    headings: bool


_MANNERS: dict[Kind, _Manner] = {
    "email": _Manner(0.14, 0.03, False),
    "event": _Manner(0.3, 0.06, True),
    "document": _Manner(0.3, 0.34, True),
}
_AGENDAS = ("Agenda ({} min)", "Agenda, {} minutes in all:", "Running order ({} minutes)", "Points, {} min:")
_MOST = 1400
"""Words that one topic yields."""
_PLAIN = 130
"""Below that many words there are paragraphs alone."""
_ROOM = 130
"""Words that have to be left for a list or table."""


def filler(draw: random.Random, setting: Setting, kind: Kind, words: int) -> list[str]:
    """The paragraphs, headings, lists and tables of a document of about that many words (within 3%, or two words).

    It tells of `setting.people` as of others, so the writer is not among them. The same draw gives the same text.
    Raises ValueError where `words` is negative or fewer than four people have given names of their own.
    """
    return prose(draw, setting, kind, words).paragraphs


def prose(draw: random.Random, setting: Setting, kind: Kind, words: int) -> Prose:
    """The same with a title, whose words do not count."""
    if words < 0:
        raise ValueError(f"a document has no words or more, not {words}")
    parts = -(-words // _MOST) or 1
    found: list[Prose] = []
    for part, topic in enumerate(draw.sample(topics(), parts)):
        share = words * (part + 1) // parts - words * part // parts
        found.append(write_about(topic, draw, setting, kind, share))
    return Prose(found[0].title, [each for one in found for each in one.paragraphs])


def write_about(topic: Topic, draw: random.Random, setting: Setting, kind: Kind, words: int) -> Prose:
    """The same about one topic. Beyond 1,400 words it runs out of things to say, and grows poor."""
    people = list({person.given: person for person in setting.people}.values())
    if len(people) < 4:
        raise ValueError(f"filler tells of four people with given names of their own, or more; here are {len(people)}")
    cast = draw.sample(people, min(6, len(people)))
    return _Writer(draw, setting, cast, kind, topic).write(words)


class _Writer:
    """Writes about one topic."""

    def __init__(self, draw: random.Random, setting: Setting, cast: Sequence[Person], kind: Kind, topic: Topic) -> None:
        self.draw = draw
        self.kind: Kind = kind
        self.topic = topic
        whole = kind == "document" and draw.random() < 0.4
        names = [person.name if whole else person.given for person in cast]
        lists = {**topic.words, "firm": (setting.firm,), "project": setting.projects, "system": setting.systems}
        self.spelled = draw.random() < 0.6
        self.page = Page(draw, names, lists, topic.once, self.spelled, whole=0.7 + 0.6 * draw.random())
        lists["topic"] = tuple(each.words_of(self.page) for each in topic.called)
        self.page.drawn = {}
        self.heading = self.one(("{}", "{}", "{1}. {0}", "## {}")) if kind == "document" else self.one(("{}", "{}:"))
        self.bullet = self.one(("- ", "- ", "* ", "• "))
        self.ruled = self.one((True, False))
        self.numbered = 0
        self.left = 0
        self.said: list[str] = []
        self.general = {section.name: section for section in general().sections}
        self.further = [each for name, each in self.general.items() if name not in PARTS]
        self.asides = _Deck(draw, self.general["aside"].passages)

    def write(self, words: int) -> Prose:
        self.left, slack = words, max(2, words * 3 // 100)
        title = self.one(self.topic.titles).say(self.page)
        if words < _PLAIN:
            self.fit(_Deck(self.draw, self.one(self.topic.sections).passages), slack)
            return Prose(title, self.said)
        self.paragraph([self.passage(self.one(self.general[f"{self.kind} opens"].passages))])
        ending = self.passage(self.one(self.general[f"{self.kind} ends"].passages))
        sections = self.sections()
        headings = [self.one(section.headings).say(self.page) for section in sections]
        if self.kind == "event":
            self.agenda(headings)
        deck = self.asides
        for section, heading in zip(sections, headings, strict=True):
            if self.left < 45:
                break
            deck = self.section(section, heading)
        self.fit(deck, slack)
        self.paragraph([ending])
        return Prose(title, self.said)

    def sections(self) -> list[Section]:
        """Enough for the document: those of the topic, and of those for any topic one or as many as it takes."""
        own = self.draw.sample(self.topic.sections, len(self.topic.sections))
        rest = self.draw.sample(self.further, len(self.further))
        if self.draw.random() < 0.6:
            own.insert(1 + int(len(own) * self.draw.random()), rest.pop())
        found: list[Section] = []
        length = 0
        for section in own + rest:
            if length > self.left:
                break
            found.append(section)
            length += sum(passage.words for passage in section.passages)
        return found

    def section(self, section: Section, heading: str) -> _Deck:
        """Writes about one side of the topic; what it has left to say comes back."""
        deck = _Deck(self.draw, section.passages + (section.personal if self.kind == "email" else ()))
        manner = _MANNERS[self.kind]
        if manner.headings:
            self.numbered += 1
            self.paragraph([self.count(self.heading.format(heading, self.numbered))])
        parts: list[str] = []
        for listings, often, write in (
            (section.lists, manner.lists, self.listing),
            (section.tables, manner.tables, self.table),
        ):
            parts += [write(each) for each in listings if self.draw.random() < often and self.left > _ROOM]
        first = True
        while first or (len(deck) and self.left > 45):
            size = 1 + int(2.6 * self.draw.random())
            texts = [self.passage(deck.next()) for _ in range(min(size, len(deck))) if self.left > 45]
            if texts and self.draw.random() < 0.1:
                texts.append(self.passage(self.asides.next()))
            self.paragraph(texts)
            if parts:
                self.said.append(parts.pop())
            first = False
        self.said += parts
        return deck

    def agenda(self, headings: list[str]) -> None:
        """The sections to come, with minutes."""
        minutes = [self.one((5, 10, 10, 15, 15, 20, 25, 30)) for _ in headings]
        head = self.one(_AGENDAS).format(sum(minutes))
        points = enumerate(zip(headings, minutes, strict=True), 1)
        lines = [head, *(f"{place}. {heading} ({length} min)" for place, (heading, length) in points)]
        self.said.append(self.count("\n".join(lines)))

    def listing(self, listing: Listing) -> str:
        lines = [f"{listing.head.say(self.page).rstrip(':.')}:"]
        lines += [self.bullet + row for row in self.rows(listing)]
        return self.count("\n".join(lines))

    def table(self, listing: Listing) -> str:
        lines = [listing.head.say(self.page), *self.rows(listing)]
        return self.count("\n".join(f"| {line} |" for line in lines) if self.ruled else "\n".join(lines))

    def rows(self, listing: Listing) -> list[str]:
        words = self.page.lists[listing.over]
        number = min(len(words), 3 + int(4 * self.draw.random()))
        self.page.spelled = False
        found = [listing.row.say(self.page, {listing.over: word}) for word in self.draw.sample(words, number)]
        self.page.spelled = self.spelled
        return found

    def fit(self, deck: _Deck, slack: int) -> None:
        """Says what brings the document to its length, within `slack` words."""
        texts: list[str] = []
        while self.left > 45:
            long = deck.within(8, self.left - 8) or self.asides.within(8, self.left - 8)
            texts.append(self.passage(long or self.asides.next()))
        for _ in range(100):
            if self.left <= slack // 3:
                break
            low, high = self.left - slack // 2, self.left + slack // 2
            chosen = deck.within(low, high) or self.asides.within(low, high) or self.asides.next()
            text = chosen.say(self.page)
            rest = self.left - len(text.split())
            if abs(rest) <= slack or rest >= 8:
                texts.append(self.count(text))
        for start in range(0, len(texts), 3):
            self.paragraph(texts[start : start + 3])

    def paragraph(self, texts: list[str]) -> None:
        if texts:
            self.said.append(" ".join(texts))

    def passage(self, found: Frame) -> str:
        return self.count(found.say(self.page))

    def count(self, text: str) -> str:
        self.left -= len(text.split())
        return text

    def one(self, choices: Sequence[_T]) -> _T:
        return choices[int(self.draw.random() * len(choices))]


class _Deck:
    """Passages in a drawn order, each dealt once before any is dealt again."""

    def __init__(self, draw: random.Random, passages: Sequence[Frame]) -> None:
        self._draw = draw
        self._all = passages
        self._rest = draw.sample(passages, len(passages))

    def __len__(self) -> int:
        return len(self._rest)

    def next(self) -> Frame:
        if not self._rest:
            self._rest = self._draw.sample(self._all, len(self._all))
        return self._rest.pop()

    def within(self, fewest: int, most: int) -> Frame | None:
        """The next one of that many words or so, if there is one."""
        for place in range(len(self._rest) - 1, -1, -1):
            if fewest <= self._rest[place].words <= most:
                return self._rest.pop(place)
        return None
