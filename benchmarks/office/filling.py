"""Work scripts told until a mailbox has as many mails as its size wants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import accumulate
from typing import Any, NamedTuple

from benchmarks.office.ledger import AHEAD, DAY, NOW, Event, Fact, FileVersion, Ledger, Mail, Story
from benchmarks.office.people import CLOSED, OWNER, Person
from benchmarks.office.render.texts import RULE, Texts
from benchmarks.office.runs import Said
from benchmarks.office.script import threads
from benchmarks.office.stage import Stage, keyed, weekday
from benchmarks.office.timely import untimely
from benchmarks.office.words import TOKEN, stated
from benchmarks.office.work import CAST, Script, Telling, conversations, list_of, used

__all__ = ("fill",)

_DAYS = tuple(day for day in range(-177, 12) if weekday(day) < 5 and day not in CLOSED)
_GOLDEN = 0.6180339887498949
"""Multiples of it, without their whole part, are spread evenly however many there are."""
_SHARE, _UNANSWERED, _MACHINES, _SENT = 0.40, 0.25, 0.087, 0.27
"""Of five correspondents, of conversations, of all mails, of all mails: what is steered to."""
_APART = 4
"""Days between two tellings of a conversation, as long as there are others for a day."""
_PICKS, _FAILURES, _SLOTS = 8, 3, 60
"""Conversations tried for a day; failures after which one is told no more; days in vain before giving up."""
_LABELLED = 0.75
"""How many of the conversations that have a label the owner gave it to."""


class _Wants(NamedTuple):
    """What there is too little of."""

    machines: bool
    alone: bool
    sent: bool
    often: bool
    five: frozenset[str]
    """Who has been written with most so far, of whom `often` is."""


class _Told(NamedTuple):
    facts: dict[str, Fact]
    events: list[Event]
    words: dict[str, str]
    """Mail -> what it says, for the register."""


def fill(ledger: Ledger, wanted: int) -> None:
    """Tell work scripts until so many mails lie in the owner's mailbox at `now`.

    Raises ValueError, saying how many mails short, where the scripts have no more words that are new.
    """
    _Filling(ledger).to(wanted)


class _Filling:
    def __init__(self, ledger: Ledger) -> None:
        self.ledger, self.company = ledger, ledger.company
        self.said = Said()
        self.pool = [script for script in conversations() if script.chance > 0]
        self.days: dict[str, set[int]] = {script.name: set() for script in self.pool}
        self.kinds = {script.name: (len(script.mails) == 1, script.owners > _SENT) for script in self.pool}
        self.told, self.tried, self.dry = (dict.fromkeys(self.days, 0) for _ in range(3))
        self.mails = self.machines = self.sent = 0
        self.with_whom: Counter[str] = Counter()
        self.lengths: Counter[str] = Counter()
        self.alone = 0
        self.known: dict[frozenset[str], dict[str, float]] = {}
        self.office = {name: fact for name, fact in ledger.facts.items() if name.startswith("office.")}
        page = _page(ledger)
        for mail in ledger.of(Mail):
            self.said.add(_own(page.own(mail)))
            self._count(mail)
        for thread in threads("away"):
            self.said.add(TOKEN.sub("x", thread.lines[0].wordings[0]))

    def _count(self, mail: Mail) -> None:
        if mail.draft or mail.at > NOW or mail.kind == "spam":
            return
        self.mails += 1
        self.machines += mail.kind != "person"
        self.sent += mail.sender == OWNER
        if mail.kind == "person":
            self.with_whom[mail.to[0] if mail.sender == OWNER else mail.sender] += 1
            self.lengths[thread := mail.thread or mail.id] += 1
            self.alone += {1: 1, 2: -1}.get(self.lengths[thread], 0)

    def to(self, wanted: int) -> None:
        """Fill the mailbox up."""
        slot = in_vain = 0
        while self.mails < wanted:
            slot += 1
            day = _DAYS[int(slot * _GOLDEN % 1 * len(_DAYS))]
            apart = max(1, _APART - 2 * in_vain // 5)
            in_vain = 0 if self._slot(slot, day, apart) else in_vain + 1
            if in_vain == _SLOTS:
                raise ValueError(
                    f"an office of {wanted:,} mails wants {wanted - self.mails:,} more than its stories and "
                    f"stories/work (conversations: {len(self.pool)}) can tell without saying the same twice: it "
                    "needs more conversations there, or more wordings"
                )

    def _slot(self, slot: int, day: int, apart: int) -> bool:
        draws = keyed(self.ledger.seed, "work", slot)
        today, wants = weekday(day), self._wants()
        often = self._often(wants.five)
        pool = [script for script in self.pool if today in script.weekdays and self._may_be_told(script, day, apart)]
        weights = [self._weight(script, wants, often) for script in pool]
        for _ in range(min(_PICKS, len(pool))):
            place = _weighted(range(len(pool)), weights, draws.random())
            told = self._tell(pool[place], day, wants)
            if told is not None:
                self._keep(pool[place], day, told)
                return True
            weights[place] = 0
        return False

    def _may_be_told(self, script: Script, day: int, apart: int) -> bool:
        if self.dry[script.name] >= _FAILURES:
            return False
        days = self.days[script.name]
        if not days:
            return True
        apart = 1 if script.machine else apart
        return not any(-apart < day - told < apart for told in days)

    def _wants(self) -> _Wants:
        first = self.with_whom.most_common(5)
        return _Wants(
            machines=self.machines < _MACHINES * self.mails,
            alone=self.alone < _UNANSWERED * len(self.lengths),
            sent=self.sent < _SENT * self.mails,
            often=sum(n for _, n in first) < _SHARE * self.with_whom.total(),
            five=frozenset(who for who, _ in first),
        )

    def _weight(self, script: Script, wants: _Wants, often: Mapping[str, float]) -> float:
        """How much a conversation is wanted now: seldom told, and of the kind that there is too little of."""
        weight: float = script.chance / (1 + self.told[script.name]) ** 2
        if script.machine == wants.machines:
            weight *= 1000
        if script.machine:
            return weight
        alone, sent = self.kinds[script.name]
        if alone == wants.alone:
            weight *= 6
        if sent == wants.sent:
            weight *= 6
        here = often[script.name]
        return weight * (0.05 + here if wants.often else 1.05 - here)

    def _often(self, five: frozenset[str]) -> Mapping[str, float]:
        """What part of those in each conversation may be of the five."""
        if five not in self.known:
            found = self.known[five] = {}
            for script in self.pool:
                if not script.machine:
                    posts = [script.posts(part) for part in script.parts]
                    shares = [sum(post in five for post in some) / len(some) for some in posts]
                    found[script.name] = sum(shares) / len(shares)
        return self.known[five]

    def _tell(self, script: Script, day: int, wants: _Wants) -> _Told | None:
        """One telling; None where nobody can be cast that day, it would reach too far, or no new words are found."""
        number = self.tried[script.name]
        self.tried[script.name] += 1
        story = f"{script.name}-{number}"

        def rng(*decision: object) -> Any:
            return keyed(self.ledger.seed, story, *decision)

        cast = self._cast(script, day, wants, rng("cast").random)
        if cast is None:
            return None
        telling = Telling(script, cast, self._words(script, number), rng)
        facts = dict(self.office)
        stage = Stage(Ledger(seed=self.ledger.seed, company=self.company, facts=facts), story, day)
        thread = telling.thread()
        if rng("label").random() > _LABELLED:
            thread = thread._replace(options={**thread.options, "label": ""})
        events = stage.thread(thread)
        if max(each.at for each in events) >= AHEAD * DAY:
            return None
        words: dict[str, str] = {}
        for place, (turn, event) in enumerate(zip(telling.turns, events, strict=True)):
            if isinstance(event, Mail):
                written = self._new_words(telling, turn, event, stage)
                if written is None:
                    self.dry[script.name] += 1
                    return None
                events[place], words[event.id] = written
        if untimely(events, facts, self.company):
            return None
        named = {fact for each in events for fact in (*stated(each), *_in_path(each))}
        return _Told({id: fact for id, fact in facts.items() if id in named and id not in self.office}, events, words)

    def _new_words(self, telling: Telling, number: int, mail: Mail, stage: Stage) -> tuple[Mail, str] | None:
        """A line in words that are new, and these; None where they are not found."""
        written: dict[tuple[int, ...], tuple[Mail, str]] = {}

        def write(again: Sequence[int]) -> str:
            rewritten = replace(mail, text=stage.text(telling.text(number, again))) if any(again) else mail
            words = _own(_page(stage.ledger).own(rewritten))
            written[tuple(again)] = rewritten, words
            return words

        again, left = self.said.fresh(write, telling.choices(number), telling.rng("again", number))
        return None if left else written[tuple(again)]

    def _words(self, script: Script, number: int) -> dict[str, str]:
        """A word for each name of a list: all of a list come before one comes again."""
        found: dict[str, str] = {}
        taken: Counter[str] = Counter()
        names = list(used(script))
        for name in names:
            of = list_of(name, script.lists)
            order = [*script.lists[of]]
            keyed(self.ledger.seed, script.name, "list", of).shuffle(order)
            each_time = sum(list_of(other, script.lists) == of for other in names)
            found[name] = order[(number * each_time + taken[of]) % len(order)]
            taken[of] += 1
        return found

    def _cast(self, script: Script, day: int, wants: _Wants, draw: Any) -> dict[str, str] | None:
        """Who takes part; None where somebody who would write is not there in these days."""
        span, writers = script.span, script.writers
        fixed = [who for who in script.parts if who not in CAST]
        if not all(self._there(who, day, span) for who in (*fixed, OWNER) if who in writers):
            return None
        if not all(self._known(who, day, span) for who in (*fixed, *script.named)):
            return None
        cast: dict[str, str] = {}
        for role in (role for role in script.parts if role in CAST):
            posts = [
                post
                for post in script.posts(role)
                if post not in fixed
                and post not in cast.values()
                and self._known(post, day, span)
                and (role not in writers or self._there(post, day, span))
                and self._may_chat(script, role, post)
            ]
            if not posts:
                return None
            weight = 8.0 if wants.often else 0.1
            cast[role] = _weighted(posts, [weight if post in wants.five else 1.0 for post in posts], draw())
        return cast

    def _there(self, who: str, day: int, span: int) -> bool:
        person: Person | None = self.company.people.get(who)
        if person is None:
            return True
        return all(person.works(each) or each in CLOSED for each in range(day, day + span + 4))

    def _known(self, who: str, day: int, span: int) -> bool:
        """Whether they are of the company all that time, if they ever are: nobody writes to or of those who are not."""
        person: Person | None = self.company.people.get(who)
        if person is None:
            return True
        last = day + span + 4
        return (person.joined is None or person.joined <= day) and (person.left is None or last <= person.left)

    def _may_chat(self, script: Script, role: str, post: str) -> bool:
        return all(
            post in self.company.channels[turn.options["channel"]]
            for turn in script.turns
            if turn.kind == "chat" and turn.who == role
        )

    def _keep(self, script: Script, day: int, told: _Told) -> None:
        self.ledger.stories.append(Story(id=told.events[0].story, kind="work", held_out=False))
        self.ledger.facts.update(told.facts)
        self.ledger.events.extend(told.events)
        for event in told.events:
            if isinstance(event, Mail):
                self.said.add(told.words[event.id])
                self._count(event)
        self.days[script.name].add(day)
        self.told[script.name] += 1
        self.dry[script.name] = 0


def _page(ledger: Ledger) -> Texts:
    """What mails say in the register: all days are one day there, lest mails differ in their days alone."""
    facts = {
        id: replace(fact, history=((-(10**9), 0),)) if fact.kind == "date" else fact
        for id, fact in ledger.facts.items()
    }
    mails = [*ledger.of(Mail)]  # an answer greets whom it answers
    return Texts(Ledger(seed=ledger.seed, company=ledger.company, facts=facts, events=mails), date(2026, 3, 18))


def _own(text: str) -> str:
    return text.partition(RULE)[0]


def _in_path(event: Event) -> Iterator[str]:
    if isinstance(event, FileVersion):
        yield from (found[2] for found in TOKEN.finditer(event.path))


def _weighted(some: Sequence[Any], weights: Sequence[float], draw: float) -> Any:
    """One of some, by weights; `draw` is between 0 and 1."""
    sums = list(accumulate(weights))
    return next(each for each, sum_ in zip(some, sums, strict=True) if draw * sums[-1] < sum_ or sum_ == sums[-1])
