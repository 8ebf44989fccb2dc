"""Which statement stands in which document.

Every document holds one bundle of one chain (the live one, a defeated one, a stub that lacks a bundle, a fragment), one
note on a task, and then, so that all documents are alike: for each type of key one key besides that note's that stands
in another document too (by pairs that complete nothing), and single statements until each kind is said equally often.
So where the live chain lies shows in nothing but what the statements, taken together, say.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from benchmarks.probe.grammar.entities import Mint
from benchmarks.probe.grammar.facts import ARGUMENTS, DEFEATERS, FACTS, KEYS, NOTES, Chain, Fact, Remit, keys_of
from benchmarks.probe.grammar.notes import Note, hosts
from benchmarks.probe.grammar.saying import Statement
from benchmarks.probe.records import Difficulty

__all__ = ("BUNDLES", "MIX", "Layout", "laid_out", "shared")

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
MIX: Mapping[Difficulty, tuple[int, ...]] = {
    "easy": (1, 2, 2, 2, 2, 1),
    "medium": (1, 2, 1, 2, 2, 1),
    "hard": (1, 2, 1, 2, 1, 1),
}
"""How often each kind of fact stands in a document: the least that has room for every bundle and what makes it even."""
_MENTIONS = 0.4
"""How many notes on tasks of no chain are mere mentions."""
_LATEST = 6
"""In so many of the latest documents no chain begins, so that every deadline can have its note after it."""
_OURS = 0.3
"""How much of the work of no chain is the persona's or a report's; that of chains is, but where this defeats them."""
_TWICE = (1, 1, 2, 3, 4)
"""Of the two places in a chain that a key joins, the one whose fact may be said twice of it without contradiction."""
_ONCE = (0, 2, 3, 4, 5)
"""The other one."""


@dataclass(frozen=True)
class Layout:
    """Statements by document, in the order in which they stand, and what is true: `chain` by way of `documents`."""

    statements: tuple[tuple[Statement, ...], ...]
    chain: Chain
    documents: tuple[int, ...]
    names: Mapping[str, str]


@dataclass
class _Story:
    """A chain to be: facts by place, the note that its task gets, its bundles, how keys are said, and its documents."""

    facts: dict[int, Fact]
    note: str
    parts: list[tuple[int, ...]] = field(default_factory=list)
    forms: dict[int, tuple[frozenset[str], frozenset[str]]] = field(default_factory=dict)
    complete: bool = False
    homes: dict[tuple[int, ...], int] = field(default_factory=dict)


def laid_out(draw: random.Random, mint: Mint, remit: Remit, *, difficulty: Difficulty, days: Sequence[date],
             cause: str) -> Layout:  # fmt: skip
    """Statements for documents of these days (70 or more), with one live chain, whose cause is given.

    Raises:
        ValueError: so few documents that not every kind of stub finds room.
    """
    return _Page(draw, mint, remit, difficulty, days).filled(cause)


def shared(documents: Sequence[Sequence[Fact]]) -> list[dict[str, int]]:
    """For each document, by type, how many of its keys stand in other documents too."""
    homes: Counter[tuple[str, str]] = Counter()
    keys = [dict.fromkeys(key for fact in facts for key in keys_of(fact)) for facts in documents]
    for each in keys:
        homes.update(each.keys())
    return [{name: sum(key[0] == name and homes[key] > 1 for key in each) for name in KEYS} for each in keys]


class _Page:
    """One layout in the making."""

    def __init__(self, draw: random.Random, mint: Mint, remit: Remit, difficulty: Difficulty,
                 days: Sequence[date]) -> None:  # fmt: skip
        self._draw = draw
        self._mint = mint
        self._remit = remit
        self._owners = sorted(remit.owners)
        self._today = date.fromisoformat(remit.now)
        self._difficulty: Difficulty = difficulty
        self._bundles = draw.choice(BUNDLES[difficulty])
        self._days = days
        self._documents: list[list[Statement]] = [[] for _ in days]
        self._homes = range(len(days))

    def filled(self, cause: str) -> Layout:
        live, *others = self._stories(cause)
        self._house([live, *others])
        notes = [note for story in (live, *others) for note in self._notes(story)]
        notes += self._pad([each.task for each in notes])
        self._annotate(notes, live)
        self._level()
        for statements in self._documents:
            self._draw.shuffle(statements)
        return Layout(
            statements=tuple(map(tuple, self._documents)),
            chain=Chain(*(live.facts[place] for place in range(6))),
            documents=tuple(live.homes[part] for part in live.parts),
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
        """Each bundle into a document of its own, none with a deadline into the latest, so that notes can follow."""
        free = [*self._homes]
        latest = sorted(self._homes, key=lambda home: (self._days[home], home))[-_LATEST:]
        late = {home for home in self._homes if self._days[home] >= self._days[latest[0]]}
        parts = [(story, part) for story in stories for part in story.parts]
        for story, part in sorted(parts, key=lambda each: 0 not in each[1]):
            home = self._draw.choice([home for home in free if 0 not in part or home not in late])
            free.remove(home)
            story.homes[part] = home
            for place in part:
                bare, full = story.forms.get(place, (frozenset(), frozenset()))
                self._documents[home].append(Statement(story.facts[place], bare, full))

    def _notes(self, story: _Story) -> Iterator[Note]:
        """The note on the task of a chain, if its documents name the task."""
        task = next((story.facts[place]["task"] for place in (0, 1) if place in story.facts), None)
        if task is not None:
            due = [home for part, home in story.homes.items() if 0 in part]
            after = self._days[due[0]] if due else None
            risky = story.complete and story.note != "mention"
            yield Note(story.note, task, tuple(story.homes.values()), after, risky)

    def _pad(self, noted: Sequence[str]) -> list[Note]:
        """One shared key of each type for documents without; the tasks among them, with the note that they get.

        Tasks that will be `noted` elsewhere count as shared.
        """
        there = shared([*self._facts(), *([Fact("mention", (task,))] for task in noted)])
        lacking = [[place for place, key in enumerate(KEYS) if not there[home][key]] for home in self._homes]
        tasks: list[Note] = []
        for place, pairs in enumerate(self._pairs(lacking)):
            key = KEYS[place]
            for pair in pairs:
                first: Fact | None = None
                for home, side in pair:
                    known = {} if first is None else {key: first[key]}
                    fact = self._fact(FACTS[side], **known)
                    first = first or fact
                    self._documents[home].append(Statement(fact))
                if key == "task" and first is not None:
                    tasks.append(Note(self._note(), first["task"], tuple(home for home, _ in pair)))
        return tasks

    def _pairs(self, lacking: Sequence[Sequence[int]]) -> list[list[list[tuple[int, int]]]]:
        """For each type of key its pairs (at the end a triple, for an odd number) of (document, place of the fact)."""
        for fairness in (0.5, 0.4, 0.3, 0.2, 0.1, 0.0):
            sides = [self._sides(home, lacking[home], fairness) for home in self._homes]
            once = [[home for home in self._homes if _ONCE[place] == sides[home].get(place)] for place in range(5)]
            twice = [[home for home in self._homes if _TWICE[place] == sides[home].get(place)] for place in range(5)]
            if all(
                len(ones) <= len(others) and len(ones) + len(others) != 1
                for ones, others in zip(once, twice, strict=True)
            ):
                return [self._paired(place, once[place], twice[place]) for place in range(5)]
        raise ValueError(f"no even layout for {len(self._documents)} documents")

    def _sides(self, home: int, lacking: Sequence[int], fairness: float) -> dict[int, int]:
        """By which fact a document gets each type of key that it lacks: one for which it has room."""
        room = self._room(home)
        wishes = [(_ONCE, _TWICE) if self._draw.random() < fairness else (_TWICE, _ONCE) for _ in lacking]
        for turn in itertools.product((0, 1), repeat=len(lacking)):
            sides = {place: wish[each][place] for place, wish, each in zip(lacking, wishes, turn, strict=True)}
            if not Counter(sides.values()) - room:
                return sides
        raise ValueError(f"a document of {[each.fact.kind for each in self._documents[home]]} has no room for its keys")

    def _room(self, home: int) -> Counter[int]:
        """How many more facts of each place a document takes."""
        there = Counter(FACTS.index(each.fact.kind) for each in self._documents[home] if each.fact.kind in FACTS)
        return Counter(dict(enumerate(MIX[self._difficulty]))) - there

    def _paired(self, place: int, once: list[int], twice: list[int]) -> list[list[tuple[int, int]]]:
        self._draw.shuffle(once)
        self._draw.shuffle(twice)
        pairs = [[(one, _ONCE[place]), (twice.pop(), _TWICE[place])] for one in once]
        while len(twice) > 1:
            pairs.append([(twice.pop(), _TWICE[place]), (twice.pop(), _TWICE[place])])
        if twice:
            pairs[-1].append((twice.pop(), _TWICE[place]))
        return pairs

    def _facts(self) -> list[list[Fact]]:
        return [[each.fact for each in statements] for statements in self._documents]

    def _annotate(self, tasks: Sequence[Note], live: _Story) -> None:
        """A note for each document: on every task of `tasks` once, then again until there are enough."""
        notes = [*tasks]
        while len(notes) < len(self._homes):
            for note in self._draw.sample(tasks, len(tasks)):
                again = note.kind if self._draw.random() > _MENTIONS and not note.risky else "mention"
                notes.append(Note(again, note.task, note.homes))
        del notes[len(self._homes) :]
        found = hosts(self._draw, notes, self._days, [*live.homes.values()])
        for home, note in zip(found, notes, strict=True):
            self._documents[home].append(Statement(Fact(note.kind, (note.task,))))

    def _level(self) -> None:
        """Single statements, until each kind of fact is said equally often in all documents."""
        for home, statements in enumerate(self._documents):
            statements += [Statement(self._fact(FACTS[place])) for place in self._room(home).elements()]
