"""The chains of a sample: the live one, others that look like it and are none, and what else is said of their keys."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Literal

from benchmarks.probe.grammar.almanac import Reckoning
from benchmarks.probe.grammar.entities import Mint
from benchmarks.probe.grammar.facts import (
    AGAIN,
    AGAINST,
    ARGUMENTS,
    DEFEATERS,
    FACTS,
    KEYS,
    MENTIONS,
    NOTED,
    PASSING,
    REASONS,
    Fact,
    Remit,
)  # fmt: skip
from benchmarks.probe.grammar.saying import Statement
from benchmarks.probe.records import Difficulty

__all__ = ("BUNDLES", "Form", "Noted", "Stories", "Story", "said_as")

Form = Literal["name", "bare", "full"]
"""How something is called: by its full name, by a shorter one, by both."""
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
_DEAD: Mapping[Difficulty, tuple[int, int]] = {"easy": (6, 9), "medium": (6, 9), "hard": (11, 14)}
"""How many chains look live and are not."""
_APART: Mapping[Difficulty, tuple[int, ...]] = {"easy": (0,), "medium": (0, 1, 1), "hard": (2, 3)}
"""At how many joints of a chain one side has a name that only the other explains."""
_OTHERWISE: Mapping[Difficulty, float] = {"easy": 0.0, "medium": 0.5, "hard": 1.0}
"""How many notes call what they speak of by another name than the chain does."""
_ASIDES: Mapping[Difficulty, tuple[int, ...]] = {"easy": (0, 1), "medium": (1,), "hard": (2, 2, 3)}
"""How many notes on a chain change nothing. The live one has one at least; on hard, what no note defeats, one more."""
_LEFT = 6
"""Documents whose note is on no chain, or more."""
_SORTS = ("mention", "like", "like", "back", "back")
"""What they are: mere mentions, what speaks against something of a like name, what is taken back later."""
_OWN = ("mention", "mention", "back")
"""What the first of them is on the live chain."""
_SORTS_FOR_A_TIME = ("passing", "passing", "passing", "passing", "like", "back")
"""The same on hard, where most are arrangements that have run out or have not begun."""
_SAID_OUTRIGHT = 2
"""How many hard chains are contradicted by a sentence that says so; all others differ from the live one in one thing
that has to be reckoned: whether a note holds today, whether the date is ahead, who has an office."""
_BY_OFFICE = 0.45
"""How many owners of hard samples are told by their office."""
_SOON, _LATE = 9, 4
"""Within how many working days hard deadlines are ahead, or past."""
_OURS = 0.6
"""How much of the work of no chain is the persona's or a report's; that of chains is, but where this defeats them."""


def said_as(fact: Fact, forms: Mapping[str, Form]) -> Statement:
    """A fact to be said with its keys in these forms, by type."""
    return Statement(
        fact,
        bare=frozenset(key for key, form in forms.items() if form == "bare"),
        full=frozenset(key for key, form in forms.items() if form == "full"),
    )


@dataclass
class Noted:
    """A note on the key of a joint. `back` takes it back later; `answers`: it comes after what the chain says of it.

    `risky`: it defeats a complete chain. `against`: it speaks against something, if only in looks.
    """

    joint: int
    said: Statement
    back: Statement | None = None
    answers: bool = False
    risky: bool = False
    against: bool = False
    own: bool = True
    """Whether it speaks of the chain's key, and not of another of a like name."""


@dataclass
class Story:
    """A chain to be: facts by place, its bundles, notes, how keys are said, and, once it is laid out, its documents."""

    facts: dict[int, Fact]
    parts: list[tuple[int, ...]]
    spared: int | None = None
    """A joint at which two things only look alike."""
    lacking: tuple[int, ...] = ()
    """The bundle that a stub is without."""
    notes: list[Noted] = field(default_factory=list)
    forms: dict[int, dict[str, Form]] = field(default_factory=dict)
    homes: dict[tuple[int, ...], int] = field(default_factory=dict)

    @property
    def answered(self) -> frozenset[int]:
        """Places of facts that a note comes after."""
        return frozenset(place for each in self.notes if each.answers for place in (each.joint, each.joint + 1))

    def joints_of(self, part: Sequence[int]) -> list[int]:
        """Places of the keys by which a bundle hangs together with other documents."""
        noted = {each.joint for each in self.notes if each.own}
        named = {joint for place in part for joint in (place - 1, place)}
        return [joint for joint in range(5) if joint in noted & named or self.opens(joint, part)]

    def opens(self, joint: int, part: Sequence[int]) -> bool:
        """Whether the key of a joint goes on in another bundle."""
        there = [place in self.facts for place in (joint, joint + 1)]
        return joint != self.spared and all(there) and (joint in part) != (joint + 1 in part)

    def key(self, joint: int) -> str:
        """The thing that a joint is about."""
        place = joint if joint in self.facts else joint + 1
        return self.facts[place][KEYS[joint]]

    def statement(self, place: int) -> Statement:
        return said_as(self.facts[place], self.forms.get(place, {}))

    def home(self, place: int) -> int:
        """The document of the fact of a place."""
        return next(home for part, home in self.homes.items() if place in part)


class Stories:
    """Draws the chains of one sample, and single facts like theirs."""

    def __init__(
        self, draw: random.Random, mint: Mint, remit: Remit, difficulty: Difficulty, reckoning: Reckoning | None = None
    ) -> None:
        """`reckoning` has the events and offices of a sample that tells days and persons by them."""
        self._draw = draw
        self._mint = mint
        self._owners = sorted(remit.owners)
        self._today = date.fromisoformat(remit.now)
        self._difficulty: Difficulty = difficulty
        self._hard = difficulty == "hard"
        self._reckoning = reckoning
        self._bundles = draw.choice(BUNDLES[difficulty])

    def drawn(self, cause: str, count: int) -> list[Story]:
        """The live chain, then defeated ones, stubs and fragments: for as many documents a bundle each, or more.

        Raises:
            ValueError: so few documents that not every kind of stub finds room.
        """
        size = len(self._bundles)
        dead = self._draw.randint(*_DEAD[self._difficulty])
        rest = count - size * (dead + 1)
        if count < 70:
            raise ValueError(f"{count} documents have no room for {size} kinds of stubs")
        stubs = max(size, rest // (size - 1))
        order = self._order(dead)
        found = [self._story(self._chain(cause=cause), noted=True)]
        found += [self._defeated(each) for each in order]
        found += [self._stub(self._bundles[each % size]) for each in range(stubs)]
        for each in self._draw.sample(self._bundles, max(0, rest - stubs * (size - 1))):
            facts = self._chain()
            found.append(self._story({place: facts[place] for place in each}))
        self._thin(found, count - _LEFT)
        for story in found:
            self._call(story)
        return found

    def _order(self, count: int) -> list[str]:
        """In how many ways chains that look live are none, and in which."""
        if self._reckoning is None:
            return self._draw.sample(DEFEATERS, len(DEFEATERS))[:count]
        reckoned = [*PASSING, "overdue", "out_of_office"]
        outright = self._draw.sample([kind for kind in DEFEATERS if kind in NOTED], _SAID_OUTRIGHT)
        found = [*outright, *self._draw.sample(reckoned, len(reckoned))][:count]
        self._draw.shuffle(found)
        return found

    def _thin(self, stories: Sequence[Story], most: int) -> None:
        """Takes away notes that change nothing, until there are no more than that."""
        reasons = {*REASONS.values()}
        notes = [(story, note) for story in stories for note in story.notes]
        others = [(story, note) for story, note in notes if story is not stories[0]]
        spare = [(story, note) for story, note in others if not note.risky and note.said.fact.kind not in reasons]
        total = sum(1 + (note.back is not None) for _, note in notes)
        for story, note in self._draw.sample(spare, len(spare)):
            if total <= most:
                break
            story.notes = [each for each in story.notes if each is not note]
            total -= 1 + (note.back is not None)

    # Facts

    def fact(self, kind: str, **known: str) -> Fact:
        """A fact with these values, everything else fresh."""
        mint, draw = self._mint, self._draw
        values = dict(known)
        for name in ARGUMENTS[kind]:
            if name in values:
                continue
            match name:
                case "owner":
                    values[name] = self._owner(draw.random() < _OURS)
                case "decider" if self._reckoning:
                    values[name] = draw.choice(self._reckoning.acts)
                case "deadline":
                    values[name] = self._ahead()
                case "cause":
                    values[name] = mint.cause_of(values["object"]) if "object" in values else mint.cause()
                case "object":
                    values[name] = mint.object(values["cause"] if "cause" in values else mint.cause())
                case _:
                    values[name] = getattr(mint, name)()
        return Fact(kind, tuple(values[name] for name in ARGUMENTS[kind]))

    def _owner(self, mine: bool) -> str:
        """Who owes work, at times by office: the persona or a report, if `mine`."""
        if self._reckoning and self._draw.random() < _BY_OFFICE:
            return self._draw.choice(self._reckoning.owes[mine])
        return self._draw.choice(self._owners) if mine else self._mint.colleague()

    def _ahead(self) -> str:
        """A working day to come."""
        if self._reckoning:
            return self._reckoning.ahead(self._draw.randint(1, _SOON))
        while (day := self._today + timedelta(days=self._draw.randint(4, 40))).weekday() > 4:
            pass
        return day.isoformat()

    def _last_year(self) -> str:
        while (day := date(self._today.year - 1, 3, 1) + timedelta(days=self._draw.randrange(270))).weekday() > 4:
            pass
        return day.isoformat()

    def _chain(self, **known: str) -> dict[int, Fact]:
        """Six facts, joined, with these values."""
        owner = self._owner(True) if self._reckoning else ""
        values = {"cause": self._mint.cause(), "owner": owner or self._draw.choice(self._owners), **known}
        facts = {}
        for place, kind in enumerate(FACTS):
            fact = self.fact(kind, **{name: values[name] for name in ARGUMENTS[kind] if name in values})
            values.update(zip(ARGUMENTS[kind], fact.values, strict=True))
            facts[place] = fact
        return facts

    # Chains

    def _story(self, facts: dict[int, Fact], *, spared: int | None = None, against: str = "",
               noted: bool = False) -> Story:  # fmt: skip
        """A chain of these facts with its notes: what defeats it, if anything does, and what changes nothing.

        `noted`: one at least speaks of the chain itself.
        """
        parts = [bundle for bundle in self._bundles if all(place in facts for place in bundle)]
        story = Story(facts, parts, spared)
        if against:
            joint = KEYS.index(NOTED[against])
            story.notes.append(self._note(story, joint, against, answers=True, risky=True, against=True))
        number = self._draw.choice(_ASIDES[self._difficulty])
        number += not against and self._hard
        asides = [*self._asides(story, max(number, noted), own=noted)]
        if not against and asides:
            asides[0].answers = asides[0].back is None and asides[0].own
        story.notes += asides
        return story

    def _defeated(self, how: str) -> Story:
        facts = self._chain()
        due = facts[0]
        if how in NOTED:
            return self._story(facts, against=how)
        if self._reckoning and how == "overdue":
            late = self._reckoning.ahead(-self._draw.randint(1, _LATE))
            facts[0] = Fact("due", (due["task"], due["owner"], late))
            return self._story(facts)
        if self._reckoning and how == "out_of_office":
            other = self._draw.choice(self._reckoning.owes[False])
            facts[0] = Fact("due", (due["task"], other, due["deadline"]))
            return self._story(facts)
        if how == "other_period":
            facts[0] = Fact("due", (due["task"], due["owner"], self._last_year()))
            return self._story(facts)
        if how == "out_of_remit":
            facts[0] = Fact("due", (due["task"], self._mint.colleague(), due["deadline"]))
            return self._story(facts)
        joint = self._draw.choice([each[-1] for each in self._bundles if each[-1] < 5])
        key, after = KEYS[joint], facts[joint + 1]
        twin = self._mint.twin(key, after[key])
        facts[joint + 1] = Fact(
            after.kind, tuple(twin if name == key else after[name] for name in ARGUMENTS[after.kind])
        )
        return self._story(facts, spared=joint)

    def _stub(self, lacking: Sequence[int]) -> Story:
        """A chain without a bundle; where a reader would look for its beginning or end, a note says why it has none."""
        facts = {place: fact for place, fact in self._chain().items() if place not in lacking}
        story = self._story(facts)
        story.lacking = tuple(lacking)
        for place, joint in ((0, 0), (5, 4)):
            if story.lacking == (place,):
                story.notes = [each for each in story.notes if each.joint != joint]
                story.notes.append(self._note(story, joint, REASONS[KEYS[joint]]))
        return story

    def _asides(self, story: Story, number: int, *, own: bool) -> Iterator[Noted]:
        """Notes that change nothing, each on another key; `own`: the first speaks of the chain itself."""
        taken = {each.joint for each in story.notes}
        free = [
            joint
            for joint in range(5)
            if joint not in taken and joint != story.spared and {joint, joint + 1} & story.facts.keys()
        ]
        order = self._draw.sample(free, len(free))
        if own and not self._hard:  # where it changes least: at a key that hangs together with no other document
            order.sort(key=lambda joint: any(story.opens(joint, part) for part in story.parts))
        for joint in order[:number]:
            key = KEYS[joint]
            sort = self._draw.choice(_SORTS_FOR_A_TIME if self._reckoning else _OWN if own else _SORTS)
            own = False
            match sort:
                case "mention":
                    yield self._note(story, joint, MENTIONS[key])
                case "passing":
                    yield self._note(story, joint, self.passing(key), against=True)
                case "like":
                    twin = self._mint.twin(key, story.key(joint))
                    fact = Fact(self._draw.choice(AGAINST[key]), (twin,))
                    yield Noted(joint, Statement(fact), against=True, own=False)
                case _:
                    noted = self._note(story, joint, self._draw.choice(AGAINST[key]), against=True)
                    noted.back = Statement(Fact(AGAIN[key], (story.key(joint),)))
                    yield noted

    def _note(self, story: Story, joint: int, kind: str, *, answers: bool = False, risky: bool = False,
              against: bool = False) -> Noted:  # fmt: skip
        day = [self._reckoning.passing(kind, holds=risky)] if self._reckoning and kind in PASSING else []
        said = Statement(Fact(kind, (story.key(joint), *day)))
        return Noted(joint, said, answers=answers, risky=risky, against=against)

    def passing(self, key: str) -> str:
        """A kind of note on this key that holds for a time."""
        return self._draw.choice([kind for kind, (of, _) in PASSING.items() if of == key])

    # Names

    def _call(self, story: Story) -> None:
        """Decides by which of its names each key is called, and where the shorter one is explained."""
        draw = self._draw
        joints = [part[-1] for part in story.parts if story.opens(part[-1], part)]
        apart = draw.sample(joints, min(len(joints), draw.choice(_APART[self._difficulty])))
        for joint in apart:
            bare = joint + draw.choice((0, 1))
            self._form(story, bare, joint, "bare")
            self._form(story, 2 * joint + 1 - bare, joint, "full")
        for note in story.notes:
            if not note.own or draw.random() >= _OTHERWISE[self._difficulty]:
                continue
            key = KEYS[note.joint]
            if note.joint not in apart:
                places = [place for place in (note.joint, note.joint + 1) if place in story.facts]
                self._form(story, draw.choice(places), note.joint, "full")
            form: Form = draw.choice(("bare", "name")) if note.joint in apart else "bare"
            note.said = said_as(note.said.fact, {key: form})
            if note.back is not None:
                note.back = said_as(note.back.fact, {key: draw.choice(("bare", "name"))})

    def _form(self, story: Story, place: int, joint: int, form: Form) -> None:
        key = KEYS[joint]
        self._mint.shortened(key, story.facts[place][key])
        story.forms.setdefault(place, {})[key] = form
