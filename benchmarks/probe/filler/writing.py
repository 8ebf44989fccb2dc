"""Writes the filler of one document: what its topic is like, and between that what its project is at.

Nothing here is told what the document is for, so nothing can depend on it.
"""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple, TypeVar

from benchmarks.probe.filler.days import dated, form, working_days
from benchmarks.probe.filler.frames import Frame, Page, capital
from benchmarks.probe.filler.strands import lone
from benchmarks.probe.filler.things import called, once_comma
from benchmarks.probe.filler.topics import Listing, Section, Topic, general, topics, worded, work
from benchmarks.probe.grammar.entities import short_person
from benchmarks.probe.grammar.lines import sections
from benchmarks.probe.grammar.setting import SEAM, Matter, Scene, Setting, plain
from benchmarks.probe.records import Kind

__all__ = ("Prose", "filler", "prose", "write_about")

_T = TypeVar("_T")


class Prose(NamedTuple):
    """Filler with a title that fits it. A list or table is one paragraph of several lines."""

    title: str
    paragraphs: list[str]


class _Manner(NamedTuple):
    """How often, from 0 to 1, a kind of document has lists, tables, full names always or at their first mention."""

    lists: float
    tables: float
    headings: bool
    formal: float
    full: float


_MANNERS: dict[Kind, _Manner] = {
    "email": _Manner(0.14, 0.03, False, 0.1, 0.5),
    "event": _Manner(0.3, 0.06, True, 0.15, 0.5),
    "document": _Manner(0.3, 0.34, True, 0.35, 0.5),
}
_AGENDAS = ("Agenda ({} min)", "Agenda, {} minutes in all:", "Running order ({} minutes)", "Points, {} min:")
_POINT = 5
"""Minutes that a point of an agenda takes at least."""
_LINE = 6
"""Words that a point of an agenda takes, about."""
_MOST = 1400
"""Words that one topic yields."""
_PLAIN = 130
"""Below that many words there are paragraphs alone."""
_ROOM = 130
"""Words that have to be left for a list or table."""
_WORK = 0.5
"""The share of the words of a document that tell of its project."""
_BLOCK = 115
"""Words that are told of it at a time."""
_ASPECTS = {
    "state": 40,
    "Who has the say": 13,
    "Where it is kept": 11,
    "What stopped and went on": 10,
    "At the desks": 11,
    "Small things": 7,
    "Around the project": 8,
}
"""How often each side of the work is told of. `state` is what is in hand or, from its day on, what is done."""
_STATES = ("state", "Where it is kept", "What stopped and went on")
"""Sides of work that is in hand; of what is done only that is told."""
_USES = {"Work in hand": 4, "What is done": 3}
"""How many passages of a side a document has, more or less."""
_MATTERS = 7
"""Pieces of work of which a document tells."""
_CLOSE = 4
"""Working days that lie before a piece of work is done, where it is told of: room for what is said to come first."""
_IN_FULL, _INITIALS = 0.5, 0.1
"""How many passages on the work have people by full names, and how many of them by initial and surname."""
_LED, _LED_ELSEWHERE = 0.24, 0.1
"""How many passages on the work and on other things have something before them; half as many have it after."""
_BEGINNINGS = re.compile(
    "(?:all?|an|and|as|at|before|between|both|by|for|from|half|here|if|in|it|most|my|no|nobody|nothing|of|on|one|our|part"
    "|since|some|that|the|their|there|these|they|this|those|three|travel|two|under|we|what|when|whoever|with|you)\\b",
    re.IGNORECASE,
)
"""First words that are written small where something stands before them."""


def filler(draw: random.Random, setting: Setting, kind: Kind, words: int) -> list[str]:
    """The paragraphs, headings, lists and tables of a document of about that many words (within 3%, or two words).

    It tells of `setting.people` as of others, so the writer is not among them, in the scene of the setting or, where it
    has none, one of its own. The same draw gives the same text. A paragraph on the work of the project has seams.
    Raises ValueError where `words` is negative or fewer than four people have given names of their own.
    """
    return _written(draw, setting, kind, words).paragraphs


def prose(draw: random.Random, setting: Setting, kind: Kind, words: int) -> Prose:
    """The same without seams, with its title, whose words do not count."""
    found = _written(draw, setting, kind, words)
    return Prose(found.title, [*map(plain, found.paragraphs)])


def write_about(topic: Topic, draw: random.Random, setting: Setting, kind: Kind, words: int) -> Prose:
    """The same about one topic. Beyond 1,400 words it runs out of things to say, and grows poor."""
    scene = dataclasses.replace(lone(draw, setting, kind), topic=topic.name, sections=(), kept={})
    found = _Writer(draw, setting, kind, topic, scene)
    title = found.one(topic.titles).say(found.page)
    return Prose(title, [*map(plain, found.write(words))])


def _written(draw: random.Random, setting: Setting, kind: Kind, words: int) -> Prose:
    if words < 0:
        raise ValueError(f"a document has no words or more, not {words}")
    parts = -(-words // _MOST) or 1
    first = setting.scene or lone(draw, setting, kind)
    said: list[str] = []
    by_name = {each.name: each for each in topics()}
    for part in range(parts):
        scene = first if not part else lone(draw, setting, kind)
        share = words * (part + 1) // parts - words * part // parts
        said += _Writer(draw, setting, kind, by_name[scene.topic], scene).write(share)
    return Prose(first.title, said)


class _Writer:
    """Writes about one topic and the work on one project."""

    def __init__(self, draw: random.Random, setting: Setting, kind: Kind, topic: Topic, scene: Scene) -> None:
        self.draw = draw
        self.kind: Kind = kind
        self.topic = topic
        self.scene = scene
        manner = _MANNERS[kind]
        told = {person.name for person in setting.people}
        team = [person for person in scene.team if person.name in told]
        self.team = team
        self.told = told
        self.matters = self.chosen(scene)
        lists = {
            **work().words,
            **worded(topic, setting.trade),
            "firm": (setting.firm,),
            "project": (scene.project,),
            "system": setting.systems,
        }
        self.spelled = draw.random() < 0.6
        how = draw.random()
        self.names = {person.given: person.name for person in team}
        known = set() if how < manner.formal + manner.full else {*self.names}
        self.page = Page(
            draw, [person.given for person in team], lists, topic.once, self.spelled, dict(scene.kept),
            whole=0.7 + 0.6 * draw.random(), full=self.names, formal=how < manner.formal, met=known,
        )  # fmt: skip
        lists["topic"] = tuple(each.words_of(self.page) for each in topic.called)
        self.page.drawn = {}
        self.day_form = form(draw)
        self.heading = self.one(("{}", "{}", "{1}. {0}", "## {}")) if kind == "document" else self.one(("{}", "{}:"))
        self.bullet = self.one(("- ", "- ", "* ", "• "))
        self.ruled = self.one((True, False))
        self.numbered = 0
        self.left = 0
        self.said: list[str] = []
        self.general = {section.name: section for section in general().sections}
        self.asides = self.dealt("aside", self.general["aside"].passages, 2)
        self.work = {section.name: section for section in work().sections}
        self.decks: dict[str, _Deck] = {}
        self.order: list[Matter] = []
        self.remarks = [*scene.remarks]

    def deck(self, name: str) -> _Deck:
        """The passages on one side of the work, of which none comes twice before all have."""
        if name not in self.decks:
            self.decks[name] = self.dealt(name, self.passages(self.work[name]), _USES.get(name, 2))
        return self.decks[name]

    def dealt(self, name: str, passages: Sequence[Frame], uses: int) -> _Deck:
        """The passages, beginning where the document before, which had so many `uses`, has left off."""
        deal = random.Random(f"{self.scene.deal} {name} {len(passages)}").sample(passages, len(passages))
        start = -self.scene.turn * uses % len(deal)
        return _Deck(self.draw, passages, [*deal[start:], *deal[:start]])

    def chosen(self, scene: Scene) -> list[Matter]:
        """The pieces of work of which this document tells: done, or with days enough before they are."""
        day, one = scene.day, timedelta(days=1)
        told = [each for each in scene.matters if {each.worker.name, each.decider.name} <= self.told]
        fitting = [each for each in told if each.goal < day or len(working_days(day + one, each.goal - one)) >= _CLOSE]
        return self.draw.sample(fitting, min(_MATTERS, len(fitting)))

    def passages(self, section: Section) -> tuple[Frame, ...]:
        return section.passages + (section.personal if self.kind == "email" else ())

    def write(self, words: int) -> list[str]:
        self.left, slack = words, max(2, words * 3 // 100)
        if words < _PLAIN:
            self.fit(_Deck(self.draw, self.one(self.topic.sections).passages), slack)
            return self.said
        self.opening()
        ending = self.passage(self.dealt("ends", self.general[f"{self.kind} ends"].passages, 1).next())
        parts = self.parts()
        room = self.scene.minutes // _POINT
        if self.kind == "event" and len(parts) > room:
            parts = [*parts[: room - 1], parts[-1]]
        head, kept = len(self.said), _LINE * len(parts) if self.kind == "event" else 0
        self.left -= kept
        deck, written = self.asides, list[str]()
        share = words * _WORK / max(1, parts.count(self.work["Work in hand"]))
        for part, heading in zip(parts, self.headings(parts), strict=True):
            if written and self.left < 45:
                break
            written.append(heading)
            if part is self.work["Work in hand"]:
                self.business(heading, share)
            else:
                deck = self.section(part, heading)
        self.left += kept
        if self.kind == "event":
            self.said.insert(head, self.agenda(written))
        while self.left > 60 and len(self.matters) > 1:
            self.paragraph_of_work()
        self.fit(deck, slack)
        self.paragraph([ending])
        return self.said

    def opening(self) -> None:
        scene = self.scene
        given = {"here": _at(scene.location)}
        if scene.answers:
            earlier = scene.answers
            given["wrote"] = dated(earlier.day, self.one(("{weekday} {day} {month}", "{day} {month}")))
            given["remark"] = earlier.remark
            frame = self.deck("Again" if earlier.again else "Answers").next()
        else:
            frame = self.dealt("opens", self.general[f"{self.kind} opens"].passages, 1).next()
        self.paragraph([self.count(frame.say(self.page, given))])

    def parts(self) -> list[Section]:
        """Enough for the document: sides of the topic, and between them what the project is at."""
        named = [each for each in self.topic.sections if not self.scene.sections or each.name in self.scene.sections]
        own = self.draw.sample(named, len(named))
        sides: list[Section] = []
        length = self.left * _WORK
        while own and length < self.left:
            sides.append(own.pop())
            length += sum(passage.words for passage in sides[-1].passages)
        blocks = round(self.left * _WORK / _BLOCK) - 1
        after = self.draw.sample(range(len(sides)), max(0, min(blocks, len(sides) - 1)))
        found: list[Section] = []
        for place, side in enumerate(sides):
            found += [self.work["Work in hand"], side] if place in after else [side]
        return [*found, self.work["Work in hand"]] if len(self.matters) > 1 else sides

    def headings(self, parts: Sequence[Section]) -> list[str]:
        """A heading for each part, none of them twice."""
        found: list[str] = []
        for part in parts:
            for heading in self.draw.sample(part.headings, len(part.headings)):
                text = heading.say(self.page, self.of_project())
                if text not in found:
                    break
            found.append(text)
        return found

    def section(self, section: Section, heading: str) -> _Deck:
        """Writes about one side of the topic; what it has left to say comes back."""
        deck = _Deck(self.draw, self.passages(section))
        manner = _MANNERS[self.kind]
        self.head(heading)
        parts: list[str] = []
        for listings, often, write in (
            (section.lists, manner.lists, self.listing),
            (section.tables, manner.tables, self.table),
        ):
            parts += [write(each) for each in listings if self.draw.random() < often and self.left > _ROOM]
        first = True
        while first or (len(deck) and self.left > 45):
            size = 1 + int(2.6 * self.draw.random())
            self.paragraph([self.passage(deck.next()) for _ in range(min(size, len(deck))) if self.left > 45])
            if parts:
                self.said.append(parts.pop())
            first = False
        self.said += parts
        return deck

    def head(self, heading: str) -> None:
        if _MANNERS[self.kind].headings:
            self.numbered += 1
            self.paragraph([self.count(self.heading.format(heading, self.numbered))])

    def business(self, heading: str, words: float) -> None:
        """Writes so many words or a few more about the work, with a heading of their own where there are any."""
        self.head(heading)
        stop = self.left - words * (0.75 + 0.4 * self.draw.random())
        while self.left > max(stop, 45):
            self.paragraph_of_work()

    def paragraph_of_work(self) -> None:
        """A few passages on one piece of work, or two; as points of a list at times. The first names the project."""
        lead = self.draw.random() < 0.16 or "Leads" not in self.decks
        listed = self.draw.random() < (0.07 if self.kind == "email" else 0.12)
        texts = []
        if lead or listed:
            texts.append(self.count(self.deck("Leads").next().say(self.page, self.of_project())))
        matter, passages = self.next_matter(), []
        for place in range(2 + int(2 * self.draw.random())):
            if place and self.left < 45:
                break
            passages.append(self.on(matter, led=bool(texts) and not place))
            if listed or self.draw.random() < 0.45:
                matter = self.next_matter()
        if self.remarks:
            passages.append(self.count(self.remarks.pop()))
        if listed:
            points = f"{SEAM}\n".join(self.bullet + each for each in passages)
            self.said.append(f"{texts[0].rstrip('.:')}:\n{points}")
        else:
            self.said.append(" ".join([*texts, SEAM.join(passages)]))

    def next_matter(self) -> Matter:
        if not self.order:
            self.order = self.draw.sample(self.matters, len(self.matters))
        return self.order.pop()

    def on(self, matter: Matter, *, led: bool) -> str:
        """A passage on one piece of work, which something has `led` to already or not."""
        (aspect,) = self.draw.choices([*_ASPECTS], [*_ASPECTS.values()])
        if aspect in _STATES:
            aspect = "Work in hand" if aspect == "state" else aspect
            aspect = aspect if matter.goal > self.scene.day else "What is done"
        return self.told_of(matter, self.deck(aspect).next(), 0 if led else _LED)

    def told_of(self, matter: Matter, found: Frame, often: float) -> str:
        how = self.draw.random()
        if how < _IN_FULL:
            self.page.met -= {matter.worker.given, matter.decider.given, matter.helper.given}
            initials = how < _INITIALS and not self.page.formal
            self.page.full = (
                {given: short_person(name) for given, name in self.names.items()} if initials else self.names
            )
        text = once_comma(found.say(self.page, self.about(matter)))
        self.page.full = self.names
        return self.count(self.framed(text, often))

    def framed(self, text: str, often: float) -> str:
        """The passage with something before it, at times, or after it, as statements have."""
        how = self.draw.random()
        if how < often:
            first = re.split(r"[ ,']", text, maxsplit=1)[0]
            if _BEGINNINGS.match(text):
                text = text[0].lower() + text[1:]
            elif first != "I" and first not in self.names:
                return text
            return f"{capital(self.one(sections('wordings.txt')['leads']))} {text}"
        if how < often * 1.5 and text.endswith("."):
            return f"{text[:-1]}, {self.one(sections('wordings.txt')['tails'])}."
        return text

    def of_project(self) -> dict[str, str]:
        return {"past": self.days(-16, -1, 1)[0]}

    def about(self, matter: Matter) -> dict[str, str]:
        """What a passage on this piece of work names."""
        day = self.scene.day
        ahead = [each for each in self.matters if each != matter and each.goal > day]
        other = self.one(ahead or [each for each in self.matters if each != matter])
        done = max(1, (day - matter.goal).days + 1)
        past, past2 = self.days(-done - 24, -done, 2)
        soon, soon2 = self.days(1, 20, 2, before=matter)
        found = {
            "a": matter.worker.given,
            "b": matter.decider.given,
            "effort": called(self.draw, matter.name),
            "effort2": called(self.draw, other.name),
            "desk": called(self.draw, matter.desk),
            "trifle": called(self.draw, matter.trifle),
            "number": matter.number,
            "program": matter.program,
            "source": matter.source,
            "term": dated(matter.goal, self.day_form),
            "past": past,
            "past2": past2,
            "ahead": soon,
            "ahead2": soon2,
        }
        if matter.helper.name in self.told:
            found["c"] = matter.helper.given
        return found

    def days(self, first: int, last: int, count: int, before: Matter | None = None) -> list[str]:
        """Working days from so many days after the document's to so many, in order; if it can be, before a matter's."""
        today = self.scene.day
        found = working_days(today + timedelta(days=first), today + timedelta(days=last))
        if before is not None:
            earlier = tuple(day for day in found if day < before.goal)
            found = earlier if len(earlier) >= count else found
        return [dated(day, self.day_form) for day in sorted(self.draw.sample(found, count))]

    def agenda(self, headings: list[str]) -> str:
        """These sections, with minutes that come to the length of the meeting."""
        total = self.scene.minutes // _POINT
        shares = [1] * len(headings)
        for _ in range(total - len(headings)):
            shares[int(len(shares) * self.draw.random())] += 1
        head = self.one(_AGENDAS).format(sum(shares) * _POINT)
        points = enumerate(zip(headings, shares, strict=True), 1)
        lines = [head, *(f"{place}. {heading} ({length * _POINT} min)" for place, (heading, length) in points)]
        return self.count("\n".join(lines))

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
        for _ in range(100):
            if self.left <= slack * 2 // 3:
                break
            text, low, high = "", max(6, self.left - slack // 2), self.left + slack // 2
            if found := deck.within(low, high):
                text = found.say(self.page)
            elif self.left > 20 and len(self.matters) > 1:
                text = self.on_any(high)
            if not text:
                text = (self.asides.within(3, high) or self.asides.next()).say(self.page)
            if len(text.split()) <= self.left + slack:
                texts.append(self.count(text))
        for start in range(0, len(texts), 3):
            self.paragraph(texts[start : start + 3])

    def on_any(self, most: int) -> str:
        """A passage on the next piece of work, of at most that many words or so, or nothing."""
        matter = self.next_matter()
        for name in self.draw.sample(("Who has the say", "Where it is kept", "What stopped and went on"), 3):
            if name in _STATES and matter.goal <= self.scene.day:
                continue
            if found := self.deck(name).within(6, most):
                return once_comma(found.say(self.page, self.about(matter)))
        return ""

    def paragraph(self, texts: list[str]) -> None:
        if texts:
            self.said.append(" ".join(texts))

    def passage(self, found: Frame) -> str:
        return self.count(self.framed(found.say(self.page), _LED_ELSEWHERE))

    def count(self, text: str) -> str:
        self.left -= len(text.split())
        return text

    def one(self, choices: Sequence[_T]) -> _T:
        return choices[int(self.draw.random() * len(choices))]


def _at(location: str) -> str:
    """A place as it stands in a sentence."""
    if location.startswith("by "):
        return location
    return f"{'at' if location.endswith('site') else 'in'} {location}"


class _Deck:
    """Passages in a drawn order, each dealt once before any is dealt again."""

    def __init__(self, draw: random.Random, passages: Sequence[Frame], order: Sequence[Frame] = ()) -> None:
        self._draw = draw
        self._all = passages
        self._rest = [*order] or draw.sample(passages, len(passages))

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
