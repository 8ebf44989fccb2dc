"""Which statement stands in which document.

Every document holds bundles of chains (the live one, defeated ones, stubs that lack a bundle, fragments), one note, and
then, so that all documents are alike: for each type of key one that stands in another document too (by pairs that
complete nothing), and single statements until each kind is said equally often. So where the live chain lies shows in
nothing but what the statements, taken together, say.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from benchmarks.probe.grammar.almanac import Reckoning
from benchmarks.probe.grammar.entities import Mint
from benchmarks.probe.grammar.facts import AGAINST, FACTS, KEYS, MENTIONS, Chain, Fact, Remit, keys_of, live
from benchmarks.probe.grammar.notes import Note, hosts
from benchmarks.probe.grammar.proofs import leaves_open
from benchmarks.probe.grammar.reckoning import Almanac, reckoned
from benchmarks.probe.grammar.saying import Statement
from benchmarks.probe.grammar.stories import BUNDLES, Form, Stories, Story, said_as
from benchmarks.probe.records import Difficulty

__all__ = ("BUNDLES", "MIX", "Layout", "laid_out", "shared")

MIX: Mapping[Difficulty, tuple[int, ...]] = {
    "easy": (1, 2, 2, 2, 2, 1),
    "medium": (1, 2, 1, 2, 2, 1),
    "hard": (1, 2, 1, 2, 1, 1),
}
"""How often each kind of fact stands in a document: the least that has room for every bundle and what makes it even."""
_MENTIONS = 0.35
"""How many notes on what is in no chain are mere mentions."""
_LATEST = 10
"""In so many of the latest documents stands nothing that a note is to answer."""
_NAMED_APART: Mapping[Difficulty, float] = {"easy": 0.0, "medium": 0.18, "hard": 0.42}
"""How many pairs outside of chains hang on a name that only one of their documents explains."""
_TWICE = (1, 1, 2, 3, 4)
"""Of the two places in a chain that a key joins, the one whose fact may be said twice of it without contradiction."""
_ONCE = (0, 2, 3, 4, 5)
"""The other one."""
_FOR_A_TIME = 0.6
"""How many notes of hard samples on what is in no chain hold for a time only."""
_ATTEMPTS = 100


@dataclass(frozen=True)
class Layout:
    """Statements by document, in the order in which they stand, and what is true: `chain` by way of `documents`.

    The chain stands as it is told, before days and offices are reckoned.

    `names` has the shorter names of things.
    """

    statements: tuple[tuple[Statement, ...], ...]
    chain: Chain
    documents: tuple[int, ...]
    names: Mapping[str, str]

    @property
    def things(self) -> frozenset[str]:
        """Every name of a thing or person that statements give, full or shorter."""
        said = (each.fact for group in self.statements for each in group)
        return frozenset(value for fact in said for _, value in keys_of(fact)).union(self.names.values())


def laid_out(draw: random.Random, mint: Mint, remit: Remit, *, difficulty: Difficulty, days: Sequence[date],
             cause: str) -> Layout:  # fmt: skip
    """Statements for documents of these days (70 or more), with one live chain, whose cause is given.

    Raises:
        ValueError: so few documents that not every kind of stub finds room.
    """
    reckoning = None
    if difficulty == "hard":
        owners = sorted(remit.owners)
        reckoning = Reckoning(draw, date.fromisoformat(remit.now), owners, mint.deciders, len(days))
    return _Page(draw, mint, remit, (difficulty, days), reckoning).filled(cause)


def shared(documents: Sequence[Sequence[Fact]]) -> list[dict[str, int]]:
    """For each document, by type, how many of its keys stand in other documents too."""
    homes: Counter[tuple[str, str]] = Counter()
    keys = [dict.fromkeys(key for fact in facts for key in keys_of(fact)) for facts in documents]
    for each in keys:
        homes.update(each.keys())
    return [{name: sum(key[0] == name and homes[key] > 1 for key in each) for name in KEYS} for each in keys]


class _Page:
    """One layout in the making."""

    def __init__(self, draw: random.Random, mint: Mint, remit: Remit, of: tuple[Difficulty, Sequence[date]],
                 reckoning: Reckoning | None) -> None:  # fmt: skip
        difficulty, days = of
        self._draw = draw
        self._mint = mint
        self._remit = remit
        self._difficulty: Difficulty = difficulty
        self._reckoning = reckoning
        self._stories = Stories(draw, mint, remit, difficulty, reckoning)
        self._days = days
        self._documents: list[list[Statement]] = [[] for _ in days]
        self._homes = range(len(days))
        self._earlier = [sum(other < day for other in days) for day in days]
        self._taken_back: set[int] = set()

    def filled(self, cause: str) -> Layout:
        live_one, *others = self._stories.drawn(cause, len(self._days))
        self._house([live_one, *others])
        notes = [note for story in (live_one, *others) for note in self._notes(story)]
        further = self._pad([note.said.fact for note in notes])
        self._annotate(notes, further, live_one)
        self._level()
        if self._reckoning:
            self._reckon(self._reckoning.facts, live_one)
        for statements in self._documents:
            self._draw.shuffle(statements)
        return Layout(
            statements=tuple(map(tuple, self._documents)),
            chain=Chain(*(live_one.facts[place] for place in range(6))),
            documents=tuple(live_one.homes[part] for part in live_one.parts),
            names=self._mint.short,
        )

    # Stories

    def _house(self, stories: Sequence[Story]) -> None:
        """A bundle for each document, then more where they fit: none beside another that joins by a key of its type."""
        latest = sorted(self._homes, key=lambda home: (self._days[home], home))[-_LATEST:]
        late = {home for home in self._homes if self._days[home] >= self._days[latest[0]]}
        parts = [(story, part) for story in stories for part in story.parts]
        self._draw.shuffle(parts)
        for _ in range(_ATTEMPTS):
            if self._housed(sorted(parts, key=lambda each: not each[0].answered & {*each[1]}), late, stories[0]):
                return
            self._draw.shuffle(parts)
        raise ValueError(f"no room for {len(parts)} bundles in {len(self._documents)} documents")

    def _housed(self, parts: Sequence[tuple[Story, tuple[int, ...]]], late: set[int], live: Story) -> bool:
        """Whether all found room. No stub that lacks a bundle is beside the live one that it leaves open."""
        apart: set[tuple[int, tuple[int, ...], bool]] = set()
        room = [Counter(dict(enumerate(MIX[self._difficulty]))) for _ in self._homes]
        joined: list[set[str]] = [set() for _ in self._homes]
        tenants: list[set[int]] = [set() for _ in self._homes]
        found: list[int] = []
        for story, part in parts:
            mine = part if story is live else story.lacking
            outer = {KEYS[place] for place in story.joints_of(part)}
            fits = [
                home
                for home in self._homes
                if not (story.answered & {*part} and home in late)
                and not Counter(part) - room[home]
                and not outer & joined[home]
                and id(story) not in tenants[home]
                and (home, mine, story is not live) not in apart
            ]
            empty = [home for home in fits if not tenants[home]]
            if not fits:
                return False
            home = self._draw.choice(empty or fits)
            room[home] -= Counter(part)
            joined[home] |= outer
            tenants[home].add(id(story))
            apart.add((home, mine, story is live))
            found.append(home)
        if not self._evened(room, joined):
            return False
        for (story, part), home in zip(parts, found, strict=True):
            story.homes[part] = home
            self._documents[home] += [story.statement(place) for place in part]
        return True

    def _evened(self, room: Sequence[Counter[int]], joined: Sequence[set[str]]) -> bool:
        """Whether each document has room for a fact of each key that it lacks."""
        return all(
            any(
                not Counter(turn) - room[home]
                for turn in itertools.product(
                    *((_ONCE[place], _TWICE[place]) for place, key in enumerate(KEYS) if key not in joined[home])
                )
            )
            for home in self._homes
        )

    def _notes(self, story: Story) -> Iterator[Note]:
        """The notes on a chain: what answers something comes after all that is said of its key."""
        homes = tuple(story.homes.values())
        for noted in story.notes:
            places = [place for place in (noted.joint, noted.joint + 1) if place in story.facts]
            said = [self._days[story.home(place)] for place in places]
            if noted.back is None:
                yield Note(
                    noted.said,
                    homes,
                    after=max(said) if noted.answers else None,
                    risky=noted.risky,
                    against=noted.against,
                )
                continue
            later = [home for home in homes if self._earlier[home] >= _LATEST and home not in self._taken_back]
            if not later:
                fact = Fact(MENTIONS[KEYS[noted.joint]], noted.said.fact.values)
                yield Note(Statement(fact, noted.said.bare), homes)
                continue
            own = self._draw.choice(later)
            self._taken_back.add(own)
            yield Note(noted.back, (), only=own)
            yield Note(noted.said, homes, before=self._days[own], against=True)

    # What makes documents alike

    def _pad(self, noted: Sequence[Fact]) -> list[Note]:
        """One shared key of each type for documents without, and notes on them. What is `noted` elsewhere is shared."""
        there = shared([*self._facts(), *([fact] for fact in noted)])
        lacking = [[place for place, key in enumerate(KEYS) if not there[home][key]] for home in self._homes]
        notes: list[Note] = []
        for place, pairs in enumerate(self._pairs(lacking)):
            key = KEYS[place]
            for pair in pairs:
                first: Fact | None = None
                form = self._form()
                other: Form = "full" if form == "bare" else "bare"
                for home, side in pair:
                    known = {} if first is None else {key: first[key]}
                    fact = self._stories.fact(FACTS[side], **known)
                    if form is not None:
                        self._mint.shortened(key, fact[key])
                    forms = {} if form is None else {key: form if first is None else other}
                    self._documents[home].append(said_as(fact, forms))
                    first = first or fact
                if first is not None:
                    notes.append(self._note(key, first[key], tuple(home for home, _ in pair), form is not None))
        return notes

    def _form(self) -> Form | None:
        """How the first of a pair calls what it shares with the second, if that hangs on a name."""
        if self._draw.random() >= _NAMED_APART[self._difficulty]:
            return None
        return self._draw.choice(("bare", "full"))

    def _note(self, key: str, thing: str, homes: tuple[int, ...], explained: bool) -> Note:
        mention = self._draw.random() < _MENTIONS
        kind = MENTIONS[key] if mention else self._draw.choice(AGAINST[key])
        fact = Fact(kind, (thing,))
        if self._reckoning and self._draw.random() < _FOR_A_TIME:
            mention, kind = False, self._stories.passing(key)
            fact = Fact(kind, (thing, self._reckoning.passing(kind, holds=self._draw.random() < 0.5)))
        form: Form = "bare" if explained and self._draw.random() < 0.5 else "name"
        return Note(said_as(fact, {key: form}), homes, against=not mention)

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

    def _annotate(self, notes: Sequence[Note], others: Sequence[Note], live: Story) -> None:
        """A note for each document: those on chains, then as many others as there is room for."""
        room = len(self._homes) - len(notes)
        chosen = [*notes, *self._draw.sample(others, min(room, len(others)))]
        chosen += self._draw.choices(others, k=len(self._homes) - len(chosen))
        found = hosts(self._draw, chosen, self._days, [*live.homes.values()])
        for home, note in zip(found, chosen, strict=True):
            self._documents[home].append(note.said)

    def _reckon(self, facts: Sequence[Fact], live_one: Story) -> None:
        """A statement on an event or an office for each document, so that none of the live chain decides another one.

        Raises:
            ValueError: there is no such way, which 100 attempts did not find.
        """
        stated, homes = self._facts(), [*live_one.homes.values()]
        order = self._draw.sample(facts, len(facts))
        for _ in range(_ATTEMPTS):
            found = [home for home in homes if self._tells(stated, order, home, live_one)]
            if not found:
                break
            for home in found:
                other = self._draw.choice([each for each in self._homes if each not in homes])
                order[home], order[other] = order[other], order[home]
        else:
            raise ValueError("no document of the live chain can do without deciding another one")
        for home, fact in enumerate(order):
            self._documents[home].append(Statement(fact))

    def _tells(self, stated: Sequence[Sequence[Fact]], order: Sequence[Fact], without: int, live_one: Story) -> bool:
        """Whether what is left without a document has a live chain, or tells what was in that document."""
        now = date.fromisoformat(self._remit.now)
        left = {str(home): (*facts, order[home]) for home, facts in enumerate(stated) if home != without}
        known = [fact for each in reckoned(left, now).values() for fact in each]
        almanac = Almanac([fact for facts in stated for fact in facts] + [*order], now)
        chain = Chain(*(almanac.plain(live_one.facts[place]) for place in range(6)))
        kinds = {fact.kind for fact in live_one.facts.values() if fact in stated[without]}
        return bool(live(known, self._remit)) or not leaves_open(known, self._remit, kinds, chain)

    def _level(self) -> None:
        """Single statements, until each kind of fact is said equally often in all documents."""
        for home, statements in enumerate(self._documents):
            statements += [Statement(self._stories.fact(FACTS[place])) for place in self._room(home).elements()]
