"""What the documents of a sample are about, planned together.

There are projects with a few people and pieces of work each, and conversations of two or three mails that answer each
other.

Nothing here is told what a document states, so nothing can depend on it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import NamedTuple

from benchmarks.probe.filler.days import dated, form, working_days
from benchmarks.probe.filler.frames import Page, capital
from benchmarks.probe.filler.things import Things, called, once_comma
from benchmarks.probe.filler.topics import Topic, suited, worded, work
from benchmarks.probe.grammar.lines import entries
from benchmarks.probe.grammar.setting import Earlier, Matter, Named, Person, Scene, Setting
from benchmarks.probe.records import Kind

__all__ = ("lone", "number", "scenes")

_TEAM, _MATTERS = 8, 28
_DESKS = 60
"""So many desks and small things go with the work of all projects."""
_ANSWERED = 0.5
"""How often a mail goes on with a conversation of its project, where there is one of the last fortnight."""
_ANSWERED_BY = timedelta(days=14)
"""What a sentence that is quoted says of a day to come is still to come then."""
_AGAIN = 0.25
"""How often it comes from whoever wrote last."""
_LONGEST = 3
_MINUTES = (45, 60, 60, 90)
_LONE = date(2026, 5, 12)


class _Around(NamedTuple):
    """What all projects draw on."""

    things: Things
    desks: Sequence[Named]
    objects: Sequence[Named]


class _Strand(NamedTuple):
    project: str
    team: tuple[Person, ...]
    matters: tuple[Matter, ...]


@dataclass
class _Talk:
    """A conversation: the places of its documents in order of days."""

    places: list[int]
    topic: Topic
    remarks: list[str] = field(default_factory=list)


def scenes(draw: random.Random, setting: Setting, kinds: Sequence[Kind], days: Sequence[date],
           things: Things) -> list[Scene]:  # fmt: skip
    """A scene for each document, from its kind and day. `things` names what there is.

    Raises:
        ValueError: fewer than four people have given names of their own.
    """
    people = list({person.given: person for person in setting.people if person.team != "outside"}.values())
    if len(people) < 4:
        raise ValueError(f"filler tells of four people with given names of their own, or more; here are {len(people)}")
    around = _Around(things, [things.desk() for _ in range(_DESKS)], [things.object() for _ in range(_DESKS)])
    strands = [_strand(draw, setting, each, people, max(days), around) for each in setting.projects]
    topics = _topics(draw, suited(setting.trade))
    found: dict[int, Scene] = {}
    homes = [int(draw.random() * len(strands)) for _ in days]
    for home, strand in enumerate(strands):
        mine = sorted((place for place in range(len(days)) if homes[place] == home), key=lambda place: days[place])
        for talk in _talks(draw, mine, kinds, days, topics):
            found.update(_told(draw, setting, strand, talk, kinds, days))
    deal = draw.randrange(1_000_000)
    return [replace(found[place], turn=place, deal=deal) for place in range(len(days))]


def lone(draw: random.Random, setting: Setting, kind: Kind) -> Scene:
    """The scene of a document that belongs to no others."""
    setting = Setting(setting.persona, setting.people, setting.firm, (draw.choice(setting.projects),), setting.systems,
                      setting.trade)  # fmt: skip
    return scenes(draw, setting, [kind], [_LONE], Things(draw, lambda: number(draw)))[0]


def number(draw: random.Random) -> str:
    """A reference such as offices have."""
    return f"{draw.choice('BCDFGHKLMNPRSTVW')}-{draw.randrange(10_000, 100_000)}"


def _topics(draw: random.Random, choices: Sequence[Topic]) -> Iterator[Topic]:
    """All of them in a drawn order, over and over."""
    while True:
        yield from draw.sample(choices, len(choices))


def _strand(draw: random.Random, setting: Setting, project: str, people: Sequence[Person], last: date,
            around: _Around) -> _Strand:  # fmt: skip
    team = tuple(draw.sample(people, min(_TEAM, len(people))))
    ahead = working_days(last - timedelta(days=20), last + timedelta(days=48))
    matters = []
    for _ in range(_MATTERS):
        worker, decider, helper = draw.sample(team, 3)
        name, reference = around.things.work(), around.things.number()
        desk, trifle = draw.choice(around.desks), draw.choice(around.objects)
        program, source = draw.choice(setting.systems), draw.choice(work().words["source"])
        goal = draw.choice(ahead)
        matters.append(Matter(name, worker, decider, helper, reference, program, source, desk, trifle, goal))
    return _Strand(project, team, tuple(matters))


def _talks(draw: random.Random, places: Sequence[int], kinds: Sequence[Kind], days: Sequence[date],
           topics: Iterator[Topic]) -> list[_Talk]:  # fmt: skip
    found: list[_Talk] = []
    for place in places:
        open_ = [
            talk
            for talk in found
            if kinds[place] == kinds[talk.places[-1]] == "email"
            and timedelta(0) < days[place] - days[talk.places[-1]] <= _ANSWERED_BY
            and len(talk.places) < _LONGEST
        ]
        if open_ and draw.random() < _ANSWERED:
            draw.choice(open_).places.append(place)
        else:
            found.append(_Talk([place], next(topics)))
    return found


def _told(draw: random.Random, setting: Setting, strand: _Strand, talk: _Talk, kinds: Sequence[Kind],
          days: Sequence[date]) -> Iterator[tuple[int, Scene]]:  # fmt: skip
    """The scenes of one conversation, or of a document that stands alone."""
    topic, parts = talk.topic, len(talk.places)
    kind = kinds[talk.places[0]]
    page = Page(
        draw,
        [each.given for each in strand.team],
        {**worded(topic, setting.trade), "firm": (setting.firm,)},
        topic.once,
    )
    title = _title(draw, page, topic, kind, strand.project)
    for name in sorted(topic.once - page.kept.keys()):
        page.kept[name] = draw.choice(page.lists[name])
    sections = draw.sample([each.name for each in topic.sections], len(topic.sections))
    remarks = [
        _remark(draw, strand, days[place]) if order + 1 < parts else "" for order, place in enumerate(talk.places)
    ]
    for order, place in enumerate(talk.places):
        earlier = None
        if order:
            before = talk.places[order - 1]
            earlier = Earlier(before, days[before], remarks[order - 1], draw.random() < _AGAIN)
        yield (
            place,
            Scene(
                day=days[place],
                project=strand.project,
                team=strand.team,
                matters=strand.matters,
                topic=topic.name,
                title=title,
                sections=tuple(sections[order::parts]),
                kept=dict(page.kept),
                location=draw.choice(entries("rooms")) if kind == "event" else "",
                minutes=draw.choice(_MINUTES) if kind == "event" else 0,
                remarks=(remarks[order],) if remarks[order] else (),
                answers=earlier,
            ),
        )


def _title(draw: random.Random, page: Page, topic: Topic, kind: Kind, project: str) -> str:
    title = draw.choice(topic.titles).say(page)
    page.drawn = {}
    called = draw.choice(topic.called).words_of(page)
    other = {"email": capital(called), "event": f"{capital(called)}, {project}", "document": f"{title} ({project})"}
    return draw.choice((title, f"{project}: {called}", other[kind]))


def _remark(draw: random.Random, strand: _Strand, day: date) -> str:
    """A sentence that names nobody, for whoever writes it is not known yet."""
    ahead = [each for each in strand.matters if each.goal > day + _ANSWERED_BY] or [*strand.matters]
    one = draw.choice(ahead)
    two = draw.choice([each for each in strand.matters if each != one])
    section = next(each for each in work().sections if each.name == "Remarks")
    page = Page(draw, [], work().words)
    text = draw.choice(section.passages).say(
        page,
        {
            "effort": called(draw, one.name),
            "effort2": called(draw, two.name),
            "number": one.number,
            "program": one.program,
            "source": one.source,
            "term": dated(one.goal, form(draw)),
        },
    )
    return once_comma(text)
