"""One sample before its documents: actions, checklist with the right parameters, sources, what states what where."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

from pydantic import JsonValue

from benchmarks.probe.grammar.actions import COUNTS
from benchmarks.probe.grammar.saying import MONTHS
from benchmarks.probe.pipeline.grounds import stands
from benchmarks.probe.pipeline.replies import DETAILS, Actions, Bottleneck, Checklist, Plan, Planned, Sources
from benchmarks.probe.pipeline.work import Work, prompt
from benchmarks.probe.pipeline.world import Cast
from benchmarks.probe.records import CATEGORIES, ESSENTIAL, Action, Difficulty

__all__ = ("Scene", "said", "scene")

_EVIDENCE: Mapping[Difficulty, tuple[int, ...]] = {"easy": (2,), "medium": (3,), "hard": (4, 5, 6)}
"""How many documents the evidence is spread over."""


@dataclass(frozen=True)
class Scene:
    """A bottleneck of a cast, what ends it, and which document is to state what. `others` are bottlenecks to avoid."""

    cast: Cast
    bottleneck: Bottleneck
    others: tuple[str, ...]
    actions: tuple[Action, ...]
    action: Action
    checklist: Checklist
    plan: tuple[Planned, ...]

    @property
    def critical(self) -> dict[str, JsonValue]:
        """The parameters that decide whether the action is carried out."""
        properties = self.action.params_schema.properties
        given = self.checklist.task.parameters
        return {name: given[name] for name, each in properties.items() if each.critical}

    def unsaid(self, planned: Planned, text: str) -> list[str]:
        """What a document should tell and a text does not, as far as a program can see."""
        lacking = [
            f"{name} ({' or '.join(self.bottleneck.ways(name))})"
            for name in planned.states
            if DETAILS[name] != "text" and not any(said(way, text) for way in self.bottleneck.ways(name))
        ]
        for name in planned.parameters:
            values = self.critical[name]
            each = values if isinstance(values, list) else [values]
            lacking += [f"the parameter {name} ({value})" for value in each if not said(str(value), text)]
        return lacking


async def scene(cast: Cast, place: int, work: Work, draw: random.Random) -> Scene:
    """The scene of a cast's bottleneck. Raises `Dropped`."""
    held = cast.bottlenecks[place]
    others = tuple(each.description for each in cast.bottlenecks if each is not held)
    of: dict[str, Any] = {"persona": cast.number, "place": place}
    count = draw.choices([*COUNTS], [*COUNTS.values()])[0]
    fields = {"cast": cast, "bottleneck": held, "others": others}
    asked = prompt("actions", **fields, count=count, categories=CATEGORIES)
    listed = await work.item("actions", of, asked, Actions, check=partial(_acts, cast, held, count))
    actions = tuple(each.record() for each in draw.sample(listed.actions, count))
    action = next(each for each in actions if each.id == listed.solves)
    asked = prompt("checklist", **fields, actions=actions, action=action)
    checklist = await work.item("checklist", of, asked, Checklist, check=partial(_resolves, action))
    sources = await work.item("sources", of, prompt("sources", **fields), Sources)
    draft = Scene(cast, held, others, actions, action, checklist, ())
    spread = draw.choice(_EVIDENCE[cast.difficulty])
    asked = prompt("plan", **fields, scene=draft, sources=sources.sources, count=spread)
    known = {each.name for each in sources.sources}
    plan = await work.item("plan", of, asked, Plan, check=partial(_planned, draft, spread, known))
    return Scene(cast, held, others, actions, action, checklist, plan.documents)


def said(value: str, text: str) -> bool:
    """Whether a text has a value, a day (ISO) in any of the usual ways to write it."""
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return stands(value, text)
    month = rf"{MONTHS[day.month - 1][:3]}\w*\.?"
    number = rf"0?{day.day}(?:st|nd|rd|th)?"
    ways = rf"\b(?:{value}|{number}(?: of)? {month}|{month} {number})(?!\d)"
    return re.search(ways, text, re.IGNORECASE) is not None


def _acts(cast: Cast, held: Bottleneck, count: int, reply: Actions) -> None:
    ids = [each.id for each in reply.actions]
    if len(ids) != count or len(set(ids)) < count:
        raise ValueError(f"expected {count} actions with ids of their own, not {len(set(ids))}")
    if reply.solves not in ids:
        raise ValueError(f"solves: there is no action {reply.solves!r}")
    chosen = next(each for each in reply.actions if each.id == reply.solves)
    if not any(each.critical for each in chosen.params.values()):
        raise ValueError(f"{chosen.id}: at least one of its parameters is to be critical")
    told = [way for name in held.names() if DETAILS[name] not in ("text", "date") for way in held.ways(name)]
    names = [*cast.names, *(part for name in cast.names for part in name.split()), cast.firm.company_name, *told]
    for each in reply.actions:
        if missing := [name for name in each.required if name not in each.params]:
            raise ValueError(f"{each.id}: required names {missing[0]!r}, which is no parameter")
        text = f"{each.id.replace('_', ' ')} {each.description}"
        if named := [name for name in names if stands(name, text)]:
            raise ValueError(f"{each.id}: an action names nobody and nothing of a case, unlike {named[0]!r}")


def _resolves(action: Action, reply: Checklist) -> None:
    task, properties = reply.task, action.params_schema.properties
    if task.action != action.id:
        raise ValueError(f"task.action: the action that ends it is {action.id}")
    if strange := [name for name in (*task.parameters, *task.mentions) if name not in properties]:
        raise ValueError(f"task: {action.id} has no parameter {strange[0]!r}; it has {', '.join(properties)}")
    wanted = [name for name, each in properties.items() if each.critical or name in action.params_schema.required]
    if missing := [name for name in wanted if task.parameters.get(name) in (None, "", [])]:
        raise ValueError(f"task.parameters: {missing[0]!r} has no value")


def _planned(scene: Scene, count: int, sources: Iterable[str], reply: Plan) -> None:
    known = set(sources)
    if len(reply.documents) != count:
        raise ValueError(f"expected {count} documents, not {len(reply.documents)}")
    for place, each in enumerate(reply.documents, 1):
        if each.source is not None and each.source not in known:
            raise ValueError(f"document {place}: no source is called {each.source!r}, but {', '.join(sorted(known))}")
        if each.writer not in scene.cast.names:
            raise ValueError(f"document {place}: nobody is called {each.writer!r}")
        if set(ESSENTIAL) <= set(each.states):
            raise ValueError(f"document {place}: none is to tell all of {', '.join(ESSENTIAL)}")
        if strange := [name for name in each.parameters if name not in scene.critical]:
            raise ValueError(f"document {place}: {strange[0]!r} is none of {', '.join(scene.critical)}")
        if not each.states and not each.parameters:
            raise ValueError(f"document {place}: it is to state something")
    told = {name for each in reply.documents for name in (*each.states, *each.parameters)}
    if missing := [name for name in (*scene.bottleneck.names(), *scene.critical) if name not in told]:
        raise ValueError(f"no document states {', '.join(missing)}")
