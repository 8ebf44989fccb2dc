"""The documents of a sample: evidence, distractors, enhancement of both, review of both.

A program decides which kind of document stands where, on which day and how long it is, before anybody knows which are
evidence; a model writes the rest.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import partial
from typing import Any, Literal

from pydantic import JsonValue

from benchmarks.probe.grammar.documents import days, kinds
from benchmarks.probe.pipeline.replies import Mail, Meeting, Paper, Planned, Review, Verdict
from benchmarks.probe.pipeline.scene import Scene
from benchmarks.probe.pipeline.work import Dropped, Work, prompt
from benchmarks.probe.records import Kind

__all__ = ("KINDS", "Placed", "Slot", "payload", "slots", "written_out")

Written = Mail | Meeting | Paper
DistractorKind = Literal[
    "email", "event", "document", "natural", "counterfactual_email", "entity_swap", "time_scope", "template_clone",
    "generic_counterfactual",
]  # fmt: skip
KINDS: Mapping[Kind, Mapping[DistractorKind, int]] = {
    "email": {
        "email": 4, "natural": 1, "counterfactual_email": 1, "entity_swap": 2, "time_scope": 1,
    },
    "event": {"event": 4, "natural": 1, "entity_swap": 1, "time_scope": 1, "generic_counterfactual": 1},
    "document": {
        "document": 4, "natural": 1, "entity_swap": 1, "time_scope": 1, "template_clone": 2,
        "generic_counterfactual": 1,
    },
}  # fmt: skip
"""Which distractors may be of a kind of document, and how often, in proportion."""
_FORMS: Mapping[Kind, type[Written]] = {"email": Mail, "event": Meeting, "document": Paper}
_LENGTH = (0.6, 1.5)
"""How long a text may be, against what was asked for."""
_REVISIONS = 2
_GOOD = 7
"""A review's score below which evidence is written anew."""
_PERIODS = ("the same months of last year", "two years ago", "the spring of next year", "the year after next")


@dataclass(frozen=True)
class Slot:
    """A document to be: its place, kind, moment, length in words, and what it is to be."""

    place: int
    kind: Kind
    at: datetime
    words: int
    distractor: DistractorKind | None = None
    planned: Planned | None = None


@dataclass(frozen=True)
class Placed:
    """A document as it was written in the end."""

    slot: Slot
    written: Written

    @property
    def text(self) -> str:
        """All of it that is text."""
        return "\n".join(str(each) for each in self.written.model_dump().values())


def slots(draw: random.Random, scene: Scene, count: int, words: tuple[int, int]) -> list[Slot]:
    """The documents to be, each of the plan in a place of its kind.

    Raises:
        Dropped: the plan has more of a kind than there is room for.
    """
    sorts, moments = kinds(draw, count), days(draw, count, scene.cast.now)
    free = draw.sample(range(count), count)
    homes: dict[int, Planned] = {}
    for planned in scene.plan:
        home = next((place for place in free if sorts[place] == planned.type), None)
        if home is None:
            raise Dropped("plan", f"there is no room for so many of kind {planned.type}")
        free.remove(home)
        homes[home] = planned
    found: list[Slot] = []
    for place, (kind, day) in enumerate(zip(sorts, moments, strict=True)):
        minute = draw.choice((0, 15, 30, 45)) if kind == "event" else draw.randint(0, 59)
        at = datetime.combine(day, time(draw.randint(8, 17), minute))
        shares = KINDS[kind]
        sort = draw.choices([*shares], [*shares.values()])[0]
        size = draw.randint(*words)
        planned_here = homes.get(place)
        found.append(Slot(place, kind, at, size, None if planned_here else sort, planned_here))
    return found


async def written_out(scene: Scene, slots: Sequence[Slot], work: Work, of: dict[str, Any],
                      notes: Sequence[str]) -> list[Placed]:  # fmt: skip
    """The documents, evidence first, since some distractors have its form. `notes` are patterns to avoid in any.

    Raises:
        Dropped: one could not be written, or not so that its review lets it pass.
    """
    desk = _Desk(scene, work, of, tuple(notes))
    evidence = [each for each in slots if each.planned is not None]
    first = await work.all([partial(desk.evidence, each) for each in evidence])
    outlines = [_outline(each) for each in first]
    others = [each for each in slots if each.planned is None]
    second = await work.all([partial(desk.distractor, each, outlines) for each in others])
    placed = {each.slot.place: each for each in (*first, *second)}
    bare = [placed[each.place] for each in slots]
    better = await work.all([partial(desk.enhanced, each) for each in bare])
    return await work.all([partial(desk.reviewed, each) for each in better])


def payload(scene: Scene, placed: Placed) -> dict[str, JsonValue]:
    """A document's payload, as in every sample."""
    mailbox, at, told = scene.cast.mailbox, placed.slot.at, placed.written
    if isinstance(told, Mail):
        return {
            "from": mailbox(told.sender),
            "to": [mailbox(each) for each in told.to],
            "cc": [mailbox(each) for each in told.cc],
            "subject": told.subject,
            "date": at.isoformat(timespec="minutes"),
            "body": told.body,
        }
    if isinstance(told, Meeting):
        return {
            "title": told.title,
            "organizer": mailbox(told.organizer),
            "attendees": [mailbox(each) for each in told.attendees],
            "start": at.isoformat(timespec="minutes"),
            "end": (at + timedelta(minutes=45)).isoformat(timespec="minutes"),
            "location": told.location,
            "description": told.description,
        }
    return {
        "title": told.title,
        "author": mailbox(told.author),
        "date": at.date().isoformat(),
        "content": told.content,
    }


class _Desk:
    """Who writes the documents of one sample."""

    def __init__(self, scene: Scene, work: Work, of: dict[str, Any], notes: tuple[str, ...]) -> None:
        self._scene, self._work, self._of, self._notes = scene, work, of, notes

    async def evidence(self, slot: Slot) -> Placed:
        return await self._written("evidence", f"evidence_{slot.kind}", slot, planned=slot.planned)

    async def distractor(self, slot: Slot, outlines: Sequence[Sequence[str]]) -> Placed:
        """One that is about something else, of the slot's kind of distractor."""
        draw = random.Random(f"probe model {self._scene.cast.number} {slot.place} {slot.distractor}")
        held, cast = self._scene.bottleneck, self._scene.cast
        others = [each for each in cast.names if each not in (held.who_blocked.value, held.who_blocker.value)]
        system = held.where_system
        fields: dict[str, Any] = {
            "before": {
                "person": held.who_blocker.value,
                "project": held.what_task.value,
                "system": system.value if system else held.why_root_cause.object,
            },
            "instead": {
                "person": draw.choice(others),
                "project": draw.choice((*cast.firm.projects, *cast.firm.key_processes)),
                "system": draw.choice(cast.context.tools_used),
            },
            "period": draw.choice(_PERIODS),
            "outline": draw.choice(outlines),
        }
        return await self._written("distractors", f"distractor_{slot.distractor}", slot, **fields)

    async def enhanced(self, placed: Placed) -> Placed:
        """With more of what offices are full of: evidence as well as distractors, so that it marks neither."""
        return await self._written("enhancement", "enhance", placed.slot, told=self._json(placed))

    async def reviewed(self, placed: Placed) -> Placed:
        """What passes its review, written anew at most twice. Raises `Dropped`."""
        for attempt in range(_REVISIONS + 1):
            issues = await self._issues(placed, attempt)
            if not issues:
                return placed
            if attempt < _REVISIONS:
                placed = await self._written(
                    "revision", "revise", placed.slot, attempt, told=self._json(placed), issues=issues
                )
        raise Dropped("review", f"document {placed.slot.place} was written {_REVISIONS + 1} times; {'; '.join(issues)}")

    async def _issues(self, placed: Placed, attempt: int) -> list[str]:
        fields = {**self._fields(placed.slot), "told": self._json(placed)}
        of = {**self._of, "place": placed.slot.place, "attempt": attempt}
        if placed.slot.planned is not None:
            asked = prompt("review_evidence", **fields, planned=placed.slot.planned)
            review = await self._work.item("review", of, asked, Review, reads=True)
            if review.score >= _GOOD:
                return []
            return [f"it was given {review.score} of 10", *review.issues, *review.improvements]
        asked = prompt("review_distractor", **fields, action=self._scene.action, critical=self._scene.critical)
        verdict = await self._work.item("review", of, asked, Verdict, reads=True)
        issues = [f"it tells of the bottleneck: {each}" for each in verdict.states]
        issues += [f"it takes something of the bottleneck back: {each}" for each in verdict.defeats]
        return issues + ["it holds something else up that would count as well"] * verdict.another

    async def _written(self, phase: str, template: str, slot: Slot, attempt: int = 0, **fields: Any) -> Placed:
        asked = prompt(template, **self._fields(slot), **fields)
        of = {**self._of, "place": slot.place, "attempt": attempt}
        form: type[Any] = _FORMS[slot.kind]
        told = await self._work.item(phase, of, asked, form, check=partial(self._check, slot))
        return Placed(slot, told)

    def _fields(self, slot: Slot) -> dict[str, Any]:
        low, high = (round(part * slot.words) for part in _LENGTH)
        return {
            "scene": self._scene,
            "cast": self._scene.cast,
            "bottleneck": self._scene.bottleneck,
            "others": self._scene.others,
            "kind": slot.kind,
            "at": slot.at.isoformat(sep=" ", timespec="minutes"),
            "day": slot.at.date(),
            "words": slot.words,
            "low": low,
            "high": high,
            "must": self._must(slot.planned) if slot.planned else [],
            "notes": self._notes,
        }

    def _must(self, planned: Planned) -> list[str]:
        """What evidence has to say in so many words."""
        return self._scene.unsaid(planned, "")

    def _json(self, placed: Placed) -> str:
        return placed.written.model_dump_json(indent=1)

    def _check(self, slot: Slot, told: Written) -> None:
        people = [each for value in _people(told) for each in (value if isinstance(value, tuple) else (value,))]
        if strange := [each for each in people if each not in self._scene.cast.names]:
            raise ValueError(f"nobody is called {strange[0]!r}; there are {', '.join(self._scene.cast.names)}")
        text = _body(told)
        low, high = (round(part * slot.words) for part in _LENGTH)
        if not low <= len(text.split()) <= high:
            raise ValueError(f"the text has {len(text.split())} words, expected {low} to {high}")
        if slot.planned is not None:
            whole = "\n".join(map(str, told.model_dump().values()))
            if lacking := self._scene.unsaid(slot.planned, whole):
                raise ValueError(f"it does not say {'; '.join(lacking)}")


def _people(told: Written) -> tuple[str | tuple[str, ...], ...]:
    if isinstance(told, Mail):
        return (told.sender, told.to, told.cc)
    return (told.organizer, told.attendees) if isinstance(told, Meeting) else (told.author,)


def _body(told: Written) -> str:
    if isinstance(told, Mail):
        return told.body
    return told.description if isinstance(told, Meeting) else told.content


def _outline(placed: Placed) -> list[str]:
    """The headings of a document, or what comes nearest to them: its short lines."""
    lines = [line.strip() for line in _body(placed.written).splitlines()]
    return [line for line in lines if line and len(line.split()) <= 6][:8] or ["Background", "Status", "Next steps"]
