"""Which statement stands in which document.

Every document holds one bundle of one chain (the live one, a defeated one, a stub that lacks a bundle, a fragment), one
note on a task, and then, so that all documents are alike: for each type of key one key besides that note's that stands
in another document too (by pairs that complete nothing), and single statements up to the same number. So where the live
chain lies shows in nothing but what the statements, taken together, say.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from benchmarks.probe.grammar.entities import Mint
from benchmarks.probe.grammar.facts import ARGUMENTS, DEFEATERS, FACTS, KEYS, NOTES, Chain, Fact, Remit, keys_of
from benchmarks.probe.grammar.saying import Statement
from benchmarks.probe.records import Difficulty

__all__ = ("BUNDLES", "LENGTH", "Layout", "laid_out", "shared")

BUNDLES: Mapping[Difficulty, tuple[tuple[tuple[int, ...], ...], ...]] = {
    "easy": (((0, 1), (2, 3, 4, 5)),),
    "medium": (((0, 1), (2, 3), (4, 5)),),
    "hard": (
        ((0,), (1, 2), (3, 4), (5,)),
        ((0,), (1,), (2, 3), (4,), (5,)),
        ((0,), (1,), (2,), (3,), (4,), (5,)),
    ),
}
"""How the facts of a chain may be parted, by difficulty: each bundle goes into a document of its own."""
LENGTH: Mapping[Difficulty, int] = {"easy": 10, "medium": 8, "hard": 8}
"""Statements in each document."""
_MENTIONS = 0.4
"""How many notes on tasks of no chain are mere mentions."""
_OURS = 0.3
"""How much of the work of no chain is the persona's or a report's; that of chains is, but where this defeats them."""
_TWICE = ("needs", "needs", "at", "run", "why")
"""Of the two kinds that a key joins, the one that may be said twice of it without contradiction."""


@dataclass(frozen=True)
class Layout:
    """Statements by document, in the order in which they stand, and what is true: `chain` by way of `documents`."""

    statements: tuple[tuple[Statement, ...], ...]
    chain: Chain
    documents: tuple[int, ...]
    names: Mapping[str, str]


@dataclass
class _Story:
    """A chain to be: facts by place, forms of its keys by place and name, and the note that its task gets."""

    facts: dict[int, Fact]
    note: str
    parts: list[tuple[int, ...]] = field(default_factory=list)
    forms: dict[int, tuple[frozenset[str], frozenset[str]]] = field(default_factory=dict)
    complete: bool = False
    homes: list[int] = field(default_factory=list)

    @property
    def task(self) -> str | None:
        place = next((place for place in (0, 1) if place in self.facts), None)
        return None if place is None else self.facts[place]["task"]


def laid_out(
    draw: random.Random, mint: Mint, remit: Remit, *, difficulty: Difficulty, count: int, cause: str
) -> Layout:
    """Statements for `count` documents (70 or more), with one live chain, whose cause is given.

    Raises:
        ValueError: so few documents that not every kind of stub finds room.
    """
    return _Page(draw, mint, remit, difficulty, count).filled(cause)


def shared(documents: Sequence[Sequence[Fact]]) -> list[dict[str, int]]:
    """For each document, by type, how many of its keys stand in other documents too."""
    homes: Counter[tuple[str, str]] = Counter()
    keys = [dict.fromkeys(key for fact in facts for key in keys_of(fact)) for facts in documents]
    for each in keys:
        homes.update(each.keys())
    return [{name: sum(key[0] == name and homes[key] > 1 for key in each) for name in KEYS} for each in keys]


class _Page:
    """One layout in the making."""

    def __init__(self, draw: random.Random, mint: Mint, remit: Remit, difficulty: Difficulty, count: int) -> None:
        self._draw = draw
        self._mint = mint
        self._remit = remit
        self._owners = sorted(remit.owners)
        self._today = date.fromisoformat(remit.now)
        self._difficulty: Difficulty = difficulty
        self._bundles = draw.choice(BUNDLES[difficulty])
        self._documents: list[list[Statement]] = [[] for _ in range(count)]

    def filled(self, cause: str) -> Layout:
        live, *others = self._stories(cause)
        self._house([live, *others])
        tasks = [(story.task, story.note, story.homes, story.complete) for story in (live, *others) if story.task]
        tasks += self._pad([each[0] for each in tasks if each[0]])
        self._annotate([(task, note, homes, complete) for task, note, homes, complete in tasks if task], live.homes)
        self._level()
        for statements in self._documents:
            self._draw.shuffle(statements)
        return Layout(
            statements=tuple(map(tuple, self._documents)),
            chain=Chain(*(live.facts[place] for place in range(6))),
            documents=tuple(live.homes),
            names=self._mint.names,
        )

    # Facts

    def _fact(self, kind: str, **known: str) -> Fact:
        """A fact with these values, everything else fresh."""
        mint, draw = self._mint, self._draw
        values = dict(known)
        for name in ARGUMENTS[kind]:
            if name in values:
                continue
            match name:
                case "owner":
                    mine = draw.random() < _OURS
                    values[name] = draw.choice(self._owners) if mine else mint.colleague()
                case "deadline":
                    values[name] = self._day(draw.randint(4, 40))
                case "object":
                    values[name] = mint.object(values["cause"] if "cause" in values else mint.cause())
                case _:
                    values[name] = getattr(mint, name)()
        return Fact(kind, tuple(values[name] for name in ARGUMENTS[kind]))

    def _day(self, ahead: int) -> str:
        return (self._today + timedelta(days=ahead)).isoformat()

    def _chain(self, **known: str) -> dict[int, Fact]:
        """Six facts, joined, with these values."""
        values = {"cause": self._mint.cause(), "owner": self._draw.choice(self._owners), **known}
        facts = {}
        for place, kind in enumerate(FACTS):
            fact = self._fact(kind, **{name: values[name] for name in ARGUMENTS[kind] if name in values})
            values.update(zip(ARGUMENTS[kind], fact.values, strict=True))
            facts[place] = fact
        return facts

    # Stories

    def _stories(self, cause: str) -> list[_Story]:
        """The live chain, then defeated ones, stubs and fragments: a bundle for each document."""
        count, size = len(self._documents), len(self._bundles)
        dead = min(12, max(5, int(0.4 * count / size)))
        rest = count - size * (dead + 1)
        stubs, fragments = divmod(rest, size - 1)
        if stubs < size:
            raise ValueError(f"{count} documents have no room for {size} kinds of stubs")
        order: list[str] = []
        while len(order) < dead:
            order += self._draw.sample(DEFEATERS, len(DEFEATERS))
        found = [self._story(self._chain(cause=cause), complete=True)]
        found += [self._defeated(each) for each in order[:dead]]
        lacking = [each % size for each in range(stubs)]
        found += [self._story(self._chain(), without=self._bundles[each]) for each in lacking]
        for each in self._draw.sample(self._bundles, fragments):
            others = [place for place in range(6) if place not in each]
            found.append(self._story(self._chain(), without=others, note=self._note()))
        return found

    def _defeated(self, how: str) -> _Story:
        facts = self._chain()
        due = facts[0]
        if how in NOTES:
            return self._story(facts, note=how, complete=True)
        if how == "other_period":
            facts[0] = Fact("due", (due["task"], due["owner"], self._day(-self._draw.randint(15, 110))))
        elif how == "out_of_remit":
            facts[0] = Fact("due", (due["task"], self._mint.colleague(), due["deadline"]))
        else:
            joint = self._joint(range(6))
            key, after = KEYS[joint], facts[joint + 1]
            twin = self._mint.person() if key == "person" else self._mint.twin(after[key])
            values = (twin if name == key else after[name] for name in ARGUMENTS[after.kind])
            facts[joint + 1] = Fact(after.kind, tuple(values))
            return self._story(facts, complete=True, spared=joint)
        return self._story(facts, complete=True)

    def _story(self, facts: dict[int, Fact], *, without: Sequence[int] = (), note: str = "mention",
               complete: bool = False, spared: int | None = None) -> _Story:  # fmt: skip
        kept = {place: fact for place, fact in facts.items() if place not in without}
        story = _Story(kept, note, complete=complete)
        story.parts = [bundle for bundle in self._bundles if all(place in kept for place in bundle)]
        joints = [joint for joint in self._joints(kept) if joint != spared]
        if self._difficulty == "hard" and joints:
            joint = self._draw.choice(joints)
            key = frozenset({KEYS[joint]})
            bare = joint + self._draw.choice((0, 1))
            story.forms = {bare: (key, frozenset()), 2 * joint + 1 - bare: (frozenset(), key)}
        return story

    def _joints(self, places: Sequence[int] | dict[int, Fact]) -> list[int]:
        """Places after which another bundle goes on."""
        return [each[-1] for each in self._bundles if each[-1] in places and each[-1] + 1 in places]

    def _joint(self, places: Sequence[int]) -> int:
        return self._draw.choice(self._joints(places))

    def _note(self) -> str:
        return "mention" if self._draw.random() < _MENTIONS else self._draw.choice(NOTES[1:])

    # Documents

    def _house(self, stories: Sequence[_Story]) -> None:
        """Each bundle into a document of its own."""
        free = iter(self._draw.sample(range(len(self._documents)), len(self._documents)))
        for story in stories:
            for part in story.parts:
                home = next(free)
                story.homes.append(home)
                for place in part:
                    bare, full = story.forms.get(place, (frozenset(), frozenset()))
                    self._documents[home].append(Statement(story.facts[place], bare, full))

    def _pad(self, noted: Sequence[str]) -> list[tuple[str, str, list[int], bool]]:
        """One shared key of each type for documents without; the tasks among them, with the note that they get.

        Tasks that will be `noted` elsewhere count as shared.
        """
        there = shared([*self._facts(), *([Fact("mention", (task,))] for task in noted)])
        tasks = []
        for place, key in enumerate(KEYS):
            lacking = [home for home in range(len(self._documents)) if not there[home][key]]
            self._draw.shuffle(lacking)
            if len(lacking) == 1:
                lacking.append(self._draw.choice([home for home in range(len(self._documents)) if home != lacking[0]]))
            for start in range(0, len(lacking) - 1, 2):
                homes = lacking[start : start + (3 if start == len(lacking) - 3 else 2)]
                kinds = [FACTS[place], FACTS[place + 1], _TWICE[place]][: len(homes)]
                first = self._fact(kinds[0])
                facts = [first, *(self._fact(kind, **{key: first[key]}) for kind in kinds[1:])]
                for home, fact in zip(homes, facts, strict=True):
                    self._documents[home].append(Statement(fact))
                if key == "task":
                    tasks.append((first["task"], self._note(), homes, False))
        return tasks

    def _facts(self) -> list[list[Fact]]:
        return [[each.fact for each in statements] for statements in self._documents]

    def _annotate(self, tasks: Sequence[tuple[str, str, list[int], bool]], live: Sequence[int]) -> None:
        """A note for each document, on a task that stands elsewhere.

        What defeats a complete chain stands in no document of the live one: without it that chain would be live too.
        """
        notes = list(tasks)
        while len(notes) < len(self._documents):
            for task, note, homes, complete in self._draw.sample(tasks, len(tasks)):
                again = note if self._draw.random() > _MENTIONS and not complete else "mention"
                notes.append((task, again, homes, complete))
        del notes[len(self._documents) :]
        notes.sort(key=lambda note: not (note[3] and note[1] != "mention"))
        while True:
            free = self._draw.sample(range(len(self._documents)), len(self._documents))
            hosts = []
            for _, note, homes, complete in notes:
                barred = {*homes, *(live if complete and note != "mention" else ())}
                host = next((each for each in free if each not in barred), None)
                if host is None:
                    break
                free.remove(host)
                hosts.append(host)
            else:
                break
        for host, (task, note, _, _) in zip(hosts, notes, strict=True):
            self._documents[host].append(Statement(Fact(note, (task,))))

    def _level(self) -> None:
        """Single statements, of the kinds of which a document has fewest, until all have equally many."""
        length = LENGTH[self._difficulty]
        for statements in self._documents:
            while len(statements) < length:
                kinds = Counter(each.fact.kind for each in statements)
                fewest = min(kinds[kind] for kind in FACTS)
                kind = self._draw.choice([kind for kind in FACTS if kinds[kind] == fewest])
                statements.append(Statement(self._fact(kind)))
