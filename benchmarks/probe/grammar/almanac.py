"""The events and offices of a hard sample: drawn so that what is told by them falls shortly before or after today."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date

from benchmarks.probe.grammar.facts import Fact
from benchmarks.probe.grammar.lines import entries
from benchmarks.probe.grammar.reckoning import Almanac, shifted

__all__ = ("Reckoning",)

_EVENTS, _OFFICES, _OWNERS = 12, 5, 6
"""How many events, offices of deciders and offices of owners a sample has."""
_HOSTS, _OCCASIONS = 5, 5
"""So few that the names of events lie close together."""
_AROUND = (-8, 10)
"""Working days from today within which an event takes place in the end."""
_FARTHEST = 12
_MOVES = (2, 3, 4, 5, 6)
"""By how many working days an event is moved at a time."""
_TIED = 0.5
"""How many events are first told by another one."""


class Reckoning:
    """Draws events and offices. `facts` are what documents have to say of them, as many as there are documents.

    `acts` are the offices of deciders; `owes` the offices whose holders owe work: held by one of `owners` or not.
    """

    def __init__(
        self, draw: random.Random, now: date, owners: Sequence[str], others: Sequence[str], count: int
    ) -> None:
        self._draw, self._now = draw, now
        self._owners, self._others = [*owners], [*others]
        hosts, occasions = draw.sample(entries("hosts"), _HOSTS), draw.sample(entries("occasions"), _OCCASIONS)
        self._events = draw.sample([f"{host} {what}" for host in hosts for what in occasions], _EVENTS)
        self._finals = [shifted(now, draw.randint(*_AROUND)) for _ in self._events]
        offices = draw.sample([f"{rank} {office}" for rank in entries("ranks") for office in entries("offices")],
                              _OFFICES + _OWNERS)  # fmt: skip
        self.acts, owes = tuple(offices[:_OFFICES]), offices[_OFFICES:]
        held = [fact for each in self.acts for fact in self._held(each, None)]
        held += [fact for place, each in enumerate(owes) for fact in self._held(each, place % 2 == 0)]
        self.facts = (*self._placed(count - len(held)), *held)
        almanac = Almanac(self.facts, now)
        holders = {each: almanac.holder(each) for each in owes}
        self.owes = {mine: [each for each in owes if (holders[each] in owners) == mine] for mine in (True, False)}

    def ahead(self, days: int) -> str:
        """The day so many working days from today (before it, if negative), told by an event."""
        wanted = shifted(self._now, days)
        near = [(at, gap) for at, final in enumerate(self._finals) if abs(gap := _gap(final, wanted)) <= _FARTHEST]
        at, gap = self._draw.choice(near)
        return f"{self._events[at]}{gap:+d}"

    def passing(self, kind: str, *, holds: bool) -> str:
        """A day such that a note that holds until it, or from it on, does so today or does not."""
        near = self._draw.randint(1, 4)
        return self.ahead(near if holds == kind.startswith("until") else -near)

    def _placed(self, count: int) -> list[Fact]:
        """The first day of each event, and how it was moved: so many facts in all."""
        moves = [1] * _EVENTS
        for _ in range(count - 2 * _EVENTS):
            moves[self._draw.choice([at for at, each in enumerate(moves) if each == min(moves)] or range(_EVENTS))] += 1
        found = []
        for at, event in enumerate(self._events):
            steps = [self._step() for _ in range(moves[at])]
            while len({*steps}) < len(steps):  # two alike look like one that was told twice
                steps = [self._step() for _ in range(moves[at])]
            found += [Fact("later" if step > 0 else "sooner", (event, str(abs(step)))) for step in steps]
            first = shifted(self._finals[at], -sum(steps))
            told = first.isoformat()
            if at and self._draw.random() < _TIED:
                by = self._draw.randrange(at)
                gap = _gap(self._finals[by], first)
                told = f"{self._events[by]}{gap:+d}" if abs(gap) <= _FARTHEST else told
            found.append(Fact("event", (event, told)))
        return found

    def _step(self) -> int:
        """Working days by which an event is moved once."""
        return self._draw.choice(_MOVES) * self._draw.choice((-1, 1))

    def _held(self, office: str, mine: bool | None) -> list[Fact]:
        """Who has an office, in turn; `mine`: whether that is one of the owners today, else anybody who has a say."""
        draw = self._draw
        now_acting = draw.random() < 0.45
        past = draw.choice((0, 1, 1, 2))
        days = [-each for each in draw.sample(range(1, 8), past)] + draw.sample(range(1, 8), 2 - past)
        current = 3 if now_acting else (1 + days.index(max(each for each in days if each < 0)) if past else 0)
        if mine is None:
            people = draw.sample(self._others, 4)
        else:
            people = draw.sample(self._others, 4) if mine else self._mixed()
            if mine:
                people[current] = draw.choice(self._owners)
            else:
                people[current] = draw.choice([each for each in self._others if each not in people])
        near, far = draw.randint(1, 4), draw.randint(5, 8)
        span = (-near, draw.randint(1, 4)) if now_acting else draw.choice(((-far, -near), (near, far)))
        return [
            Fact("office", (office, people[0])),
            *(Fact("office from", (office, people[1 + at], self.ahead(each))) for at, each in enumerate(days)),
            Fact("acting", (office, people[3], self.ahead(span[0]), self.ahead(span[1]))),
        ]

    def _mixed(self) -> list[str]:
        """Four people of whom some are owners."""
        some = self._draw.sample(self._owners, min(2, len(self._owners)))
        return self._draw.sample([*some, *self._draw.sample(self._others, 4 - len(some))], 4)


def _gap(first: date, second: date) -> int:
    """Working days from the first to the second, both working days."""
    weeks, days = divmod((second - first).days, 7)
    within = days if first.weekday() + days < 5 else days - 2
    return 5 * weeks + within
