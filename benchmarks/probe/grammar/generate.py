"""Samples by number: the same seed and number give the same bytes, in any process and order.

sample = generate(seed=1, number=17, filler=filler)
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from pydantic import JsonValue

from benchmarks.probe.filler.strands import scenes
from benchmarks.probe.filler.things import Things
from benchmarks.probe.grammar.actions import COUNTS, actions, cause_of, filled
from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.documents import TEXT, addressed, composed, days, headed, kinds, writer
from benchmarks.probe.grammar.entities import Mint, desk_forms, short_person
from benchmarks.probe.grammar.facts import Chain, Fact, Remit, keys_of
from benchmarks.probe.grammar.layout import Layout, laid_out
from benchmarks.probe.grammar.people import PERSONAS, Persona, persona
from benchmarks.probe.grammar.proofs import prove
from benchmarks.probe.grammar.reckoning import Almanac, leaned_on
from benchmarks.probe.grammar.saying import said
from benchmarks.probe.grammar.setting import Filler, Setting
from benchmarks.probe.grammar.sizes import MEAN, RANGE, SPREAD, rendered, tokens
from benchmarks.probe.records import Action, Detail, Details, Difficulty, Document, Gold, Sample

__all__ = ("NUMBER", "difficulty_of", "generate", "today")

NUMBER = 1_000
"""Samples of the benchmark: 200 easy, 300 medium, 500 hard, over 235 personas."""
_FIRST_DAY = date(2026, 1, 12)
_BYSTANDERS = 18
_WORDS = (560, 840)
"""Filler of a document, in proportion; with the targets of table 1 these are 480 to 900 words in most samples."""
_USUAL = 1.3
"""Tokens that a word of filler is taken to have before any is counted."""


def difficulty_of(number: int) -> Difficulty:
    """The difficulty of the sample of this number, the same under every seed."""
    return _difficulties()[number % NUMBER]


@cache
def _difficulties() -> tuple[Difficulty, ...]:
    levels: dict[Difficulty, int] = {"easy": 200, "medium": 300, "hard": 500}
    found = [level for level, count in levels.items() for _ in range(count)]
    random.Random("probe difficulties").shuffle(found)
    return tuple(found)


def generate(seed: int, number: int, *, difficulty: Difficulty | None = None, filler: Filler) -> Sample:
    """The sample of this number, proved.

    Raises:
        ProofFailed: it does not hold what it claims, which would be a fault of the grammar.
    """
    level = difficulty or difficulty_of(number)
    who = persona(seed, number % PERSONAS)

    def draw(of: str) -> random.Random:
        return random.Random(f"probe {seed} {number} {level} {of}")

    numbers = draw("numbers")
    now = _day(numbers)
    count = 81 if numbers.random() < 0.8 else numbers.randint(70, 74)
    templates = numbers.sample([*causes()], numbers.choices([*COUNTS], [*COUNTS.values()])[0])
    cause = numbers.choice(templates)
    remit = Remit(frozenset(who.owners), now.isoformat())
    dated = days(draw("days"), count, now)
    layout = _layout(draw, who, templates, remit, level, dated, cause)
    documents = _documents(draw, who, layout, now, _Frame(dated, _target(numbers), filler))
    stated_in = _homes(layout, documents)
    choices = actions(draw("actions"), templates, level)
    right = next(each for each in choices if cause_of(each, level) == cause)
    sample = Sample(
        id=f"grammar-{seed}-{number:04d}-{level}",
        persona_id=who.id,
        difficulty=level,
        template=cause,
        now=now.isoformat(),
        world_model=who.world,
        documents=documents,
        actions=choices,
        gold=_gold((layout, now), stated_in, documents, right),
    )
    prove(sample)
    return sample


def today(seed: int, number: int, difficulty: Difficulty) -> date:
    """The day on which the sample of this number is played, without making it."""
    return _day(random.Random(f"probe {seed} {number} {difficulty} numbers"))


def _day(numbers: random.Random) -> date:
    now = _FIRST_DAY + timedelta(days=numbers.randrange(300))
    while now.weekday() > 4:
        now += timedelta(days=1)
    return now


def _layout(draw: _Drawing, who: Persona, templates: Sequence[str], remit: Remit, level: Difficulty,
            dated: Sequence[date], cause: str) -> Layout:  # fmt: skip
    """A layout. About one in 400 cannot be made even, and is drawn anew."""

    def drawn(attempt: str) -> Layout:
        mint = Mint(draw(f"things{attempt}"), who, templates)
        return laid_out(draw(f"layout{attempt}"), mint, remit, difficulty=level, days=dated, cause=cause)

    for attempt in ("", " again"):
        with suppress(ValueError):
            return drawn(attempt)
    return drawn(" once more")


def _target(draw: random.Random) -> float:
    """Tokens that the sample is to have."""
    while not RANGE[0] * 1.005 <= (target := draw.gauss(MEAN, SPREAD)) <= RANGE[1] * 0.995:
        pass
    return target


class _Frame(NamedTuple):
    """The day of each document, how many tokens the whole is to have, and what fills it."""

    days: Sequence[date]
    target: float
    filler: Filler


_Drawing = Callable[[str], random.Random]
"""A stream of its own for each thing that is drawn, so that none depends on how often another was."""


def _documents(draw: _Drawing, who: Persona, layout: Layout, now: date, frame: _Frame) -> tuple[Document, ...]:
    """The documents around the statements, with so much filler that the whole comes to the target.

    Each is counted once, in drawn order; what is left of the target is shared out by weight among those that remain.
    """
    staff = {each.name for each in (who.me, *who.staff)}
    named = [{value for each in group for value in each.fact.values if value in staff} for group in layout.statements]
    setting, contacts = _setting(draw("crowd"), who, {name for each in named for name in each})
    people = {each.mailbox: each for each in (who.me, *contacts.people)}
    heads, wordings = draw("heads"), draw("wordings")
    sorts = kinds(draw("kinds"), len(layout.statements))
    ids = [f"d{place:02d}" for place in range(1, len(sorts) + 1)]
    things = Things(draw("things of filler"), _numbers(draw("numbers of filler"), who, layout), layout.things)
    planned = scenes(draw("scenes"), setting, sorts, frame.days, things)
    headers: dict[int, dict[str, JsonValue]] = {}
    for place in sorted(range(len(sorts)), key=lambda place: frame.days[place]):
        answers = planned[place].answers
        before = headers[answers.place] if answers else None
        headers[place] = headed(heads, contacts, sorts[place], planned[place], named[place], before)
    payloads = [headers[place] for place in range(len(sorts))]
    sentences = [[said(wordings, each, layout.names, now) for each in group] for group in layout.statements]

    def document(place: int, paragraphs: Sequence[str]) -> Document:
        payload, kind = payloads[place], sorts[place]
        text = composed(draw(f"order {place}"), payload, paragraphs, sentences[place], people, named[place])
        return Document(id=ids[place], type=kind, payload={**payload, TEXT[kind]: text})

    def around(place: int) -> Setting:
        here = {writer(payloads[place]), *addressed(payloads[place])[:1]}
        others = tuple(each for each in setting.people if each.mailbox not in here)
        return replace(setting, people=others, scene=planned[place])

    shares = draw("shares")
    weights = [shares.uniform(*_WORDS) for _ in sorts]
    bare = [tokens(rendered(document(place, ()))) for place in range(len(sorts))]
    left = frame.target - tokens(json.dumps({"world_model": who.world}, indent=2, ensure_ascii=False)) - sum(bare)
    found: dict[int, Document] = {}
    words, spent, weight = 1_000.0, 1_000 * _USUAL, sum(weights)
    for place in shares.sample(range(len(sorts)), len(sorts)):
        wanted = max(40, round(left * weights[place] / weight * words / spent))
        paragraphs = frame.filler(draw(f"filler {place}"), around(place), sorts[place], wanted)
        found[place] = document(place, paragraphs)
        cost = tokens(rendered(found[place])) - bare[place]
        left, weight, words, spent = left - cost, weight - weights[place], words + wanted, spent + cost
    return tuple(found[place] for place in range(len(sorts)))


def _setting(draw: random.Random, who: Persona, named: Collection[str]) -> tuple[Setting, Setting]:
    """The setting of filler, and the same with all who write or get something: those whom the persona knows, too.

    Filler calls people by given names, so it tells of nobody who shares one with somebody else in a statement.
    """
    given = {name.split(" ", 1)[0] for name in named}
    clear = [each for each in who.staff if each.name in named or each.given not in given]
    known = {each.name for each in who.known}
    strangers = [each for each in clear if each.name not in known and each.name not in named]
    others = draw.sample(strangers, min(_BYSTANDERS, len(strangers)))
    told = tuple({each.given: each for each in (*(each for each in who.known if each in clear), *others)}.values())
    setting = Setting(who.me, told, who.firm, who.projects, who.systems, who.trade)
    return setting, replace(setting, people=(*who.known, *(each for each in told if each.name not in known)))


def _numbers(draw: random.Random, who: Persona, layout: Layout) -> Callable[[], str]:
    """References for filler, written as the firm does and none of them one of a statement."""
    mint = Mint(draw, who, [*causes()])
    taken = {value for group in layout.statements for each in group for value in each.fact.values}

    def number() -> str:
        while (found := mint.reference()) in taken:
            pass
        return found

    return number


def _homes(layout: Layout, documents: Sequence[Document]) -> dict[Fact, str]:
    return {each.fact: documents[place].id for place in layout.documents for each in layout.statements[place]}


def _gold(
    of: tuple[Layout, date], stated_in: Mapping[Fact, str], documents: Sequence[Document], action: Action
) -> Gold:
    layout, now = of
    facts = [each.fact for group in layout.statements for each in group]
    almanac, names = Almanac(facts, now), layout.names
    chain = Chain(*map(almanac.plain, layout.chain))
    stated_in = {almanac.plain(fact): id for fact, id in stated_in.items()}
    live = {documents[place].id for place in layout.documents}
    keys = {key for fact in chain for key in keys_of(fact)}
    basis = leaned_on(layout.chain, facts)
    neutral = [
        document.id
        for document, statements in zip(documents, layout.statements, strict=True)
        if document.id not in live
        and any(each.fact in basis or any(key in keys for key in keys_of(each.fact)) for each in statements)
    ]
    return Gold(
        description=_described(chain),
        details=_details(chain, names, stated_in),
        action=action.id,
        parameters=filled(action, chain.lever),
        mentions={"message": (chain.due["task"],)},
        true_positives=tuple(each.id for each in documents if each.id in live),
        neutral=tuple(neutral),
    )


def _details(chain: Chain, names: Mapping[str, str], stated_in: Mapping[Fact, str]) -> Details:
    due, needs, at, run, why = chain.due, chain.needs, chain.at, chain.run, chain.why

    def where(*facts: Fact) -> tuple[str, ...]:
        return tuple(dict.fromkeys(stated_in[fact] for fact in facts))

    def called(thing: str) -> tuple[str, ...]:
        return (thing, f"the {thing}", *((names[thing],) if thing in names else ()))

    def person(name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys((name, short_person(name), *((names[name],) if name in names else ()))))

    return Details(
        who_blocked=Detail(kind="person", value=due["owner"], accept=person(due["owner"]), stated_in=where(due)),
        who_blocker=Detail(kind="person", value=why["person"], accept=person(why["person"]), stated_in=where(run, why)),
        what_task=Detail(kind="work", value=due["task"], accept=called(due["task"]), stated_in=where(due, needs)),
        why_root_cause=Detail(
            kind="cause",
            value={"type": causes()[why["cause"]].type, "object": why["object"]},
            accept=called(why["object"]),
            stated_in=where(why),
        ),
        when_deadline=Detail(kind="date", value=due["deadline"], stated_in=where(due)),
        where_system=Detail(kind="system", value=at["system"], accept=(at["system"],), stated_in=where(at)),
        how_mechanism=Detail(
            kind="text",
            value=f"the {needs['input']} is missing and comes from the {at['desk']}",
            accept=(*called(needs["input"]), *called(at["desk"]), *desk_forms(at["desk"])[1:]),
            stated_in=where(needs, at),
        ),
    )


def _described(chain: Chain) -> str:
    due, needs, at, why, lever = chain.due, chain.needs, chain.at, chain.why, chain.lever
    because = causes()[why["cause"]].why[0].format(object=f"the {why['object']}")
    return (
        f"{due['owner']} owes the {due['task']} by {due['deadline']}. It needs the {needs['input']}, which the "
        f"{at['desk']} keeps in {at['system']}. {why['person']}, who runs that desk, cannot go on: {because}. "
        f"{lever['decider']} decides about it under {lever['reference']}."
    )
