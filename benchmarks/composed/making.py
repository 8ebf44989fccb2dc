"""The faulty requests of a suite's tasks: at most one of each category of a task, by hash, up to a number in all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from benchmarks.composed.added import added
from benchmarks.composed.checks import CHECKS, check
from benchmarks.composed.premises import broken_rule, false_presupposition, ghost_entity, wrong_state
from benchmarks.composed.said import conflict, lexical
from benchmarks.composed.ways import Way
from benchmarks.composed.withheld import omission, referential, vague_degree, widening
from benchmarks.composed.world import Source, Spot
from benchmarks.drift.drawn import opaque
from benchmarks.drift.faults import Fails
from benchmarks.drift.faults.catalogue import category
from benchmarks.drift.frames import Hidden, Reveal, Strategy, Variant
from benchmarks.drift.need import ADDED, Cost, Refused, severity
from benchmarks.drift.template import CATEGORIES, Draw, Fault, Value
from harness.task import Task

__all__ = ("NEVER", "Composed", "made", "of_task", "ordered", "ways_of")

NEVER: Final[Mapping[Fault, str]] = {
    "I2": "no slot says what is to be done, so what a bare wish could mean is nowhere worked out",
    "I4": "no slot says what is to be done, so what a general verb could mean is nowhere worked out",
    "E2": "slots say nothing of how a sentence is built, so two ways to attach a part cannot be told",
}
"""Faults that slots alone are not enough for, and why."""

_Makes: TypeAlias = Callable[[Spot], Iterator[Way]]

_MAKES: Final[Mapping[Fault, _Makes]] = {
    "P1": false_presupposition,
    "P2": ghost_entity,
    "P3": wrong_state,
    "P4": broken_rule,
    "A1": omission,
    "A2": widening,
    "A3": conflict,
    "E1": lexical,
    "E3": referential,
    "E4": vague_degree,
}


class Composed(NamedTuple):
    """A faulty request of a task, and the values that its reader may take, the one that was meant first."""

    task: Task
    variant: Variant
    readings: tuple[Value, ...]
    lost: str
    """What went with the value, its unit perhaps."""


def made(source: Source, number: int, faults: frozenset[Fault], seed: int) -> Iterator[Composed | Refused | Fails]:
    """Up to `number` faulty requests, task by task, with what was refused on the way and why."""
    taken: set[str] = set()
    often: Counter[Fault] = Counter()
    for task in ordered(source.tasks, seed):
        for each in of_task(source, task, faults, seed, taken=taken, often=often):
            if isinstance(each, Composed):
                if len(taken) == number:
                    return
                taken.add(each.variant.text)
                often[each.variant.strategy.id] += 1
            yield each


def ordered(tasks: Sequence[Task], seed: int) -> list[Task]:
    """One task of each template, then the second of each; which comes first falls by hash."""
    grouped: dict[str, list[Task]] = {}
    for task in sorted(tasks, key=lambda task: Draw(seed, task.id).number("order", 1 << 60)):
        grouped.setdefault(task.template or task.id, []).append(task)
    rounds = zip_longest(*(grouped[name] for name in sorted(grouped)))
    return [task for each in rounds for task in each if task is not None]


def of_task(
    source: Source,
    task: Task,
    faults: frozenset[Fault],
    seed: int,
    *,
    taken: Container[str] = (),
    often: Mapping[Fault, int] = MappingProxyType({}),
) -> Iterator[Composed | Refused | Fails]:
    """The faulty requests of a task, in each category the first that holds.

    `taken` are faulty requests of other tasks; of the faults of a category the one that was made least `often` so far
    is tried first, and among equals a hash decides.
    """
    for kind in CATEGORIES:
        choice = Draw(seed, task.id, kind)
        those = [fault for fault in sorted(faults) if category(fault) == kind]
        for fault in sorted(those, key=lambda fault: (often.get(fault, 0), choice.number(fault, 1 << 60))):
            found = list(_first(source, task, fault, choice, taken))
            yield from found
            if found and isinstance(found[-1], Composed):
                break


def _first(
    source: Source, task: Task, fault: Fault, choice: Draw, taken: Container[str]
) -> Iterator[Composed | Refused | Fails]:
    """What is refused up to the first that holds, and that."""
    for way in ways_of(source, task, fault, choice):
        if isinstance(way, Refused):
            yield way
            continue
        try:
            check(task, way)
            if way.text in taken:
                raise Fails("unique", fault, task.id, "another task has the same faulty request")
        except Fails as refusal:
            yield refusal
            continue
        yield _composed(source, task, way)
        return


def ways_of(source: Source, task: Task, fault: Fault, choice: Draw) -> Iterator[Way | Refused]:
    """All that a fault can do to a task's request, slot by slot in the order of a hash; what is refused on the way."""
    if fault in NEVER:
        yield Refused(fault, task.id, NEVER[fault])
        return
    if fault in ADDED:
        yield added(fault, task)
        return
    for spot in sorted(source.spots(task), key=lambda spot: choice.number(f"{fault} {spot.slot.name}", 1 << 60)):
        try:
            yield from _MAKES[fault](spot)
        except Refused as refusal:
            yield refusal


def _composed(source: Source, task: Task, way: Way) -> Composed:
    slot = way.spot.slot if way.spot else None
    readings = way.readings or (Value("", None),)
    cost = Cost((), len(readings), 1 / len(readings), way.need)
    hidden = (
        (Hidden(slot=slot.name, text=way.lost or slot.text, value=slot.value),) if slot and way.need != "robust" else ()
    )
    reveals = (Reveal(slot=slot.name, claim=way.claim, truth=way.lost or slot.text),) if slot else ()
    strategy = Strategy(
        id=way.fault,
        slots=(slot.name,) if slot else (),
        licence_query=f"values of {slot.name} in tasks made alike that fit {way.words!r}" if slot else "",
        reveals=reveals,
    )
    variant = Variant(
        id=opaque("composed", source.suite.name, task.id, category(way.fault)),
        task=task.id,
        strategy=strategy,
        category=category(way.fault),
        text=way.text,
        added="" if slot else way.words,
        mention=way.words if slot else "",
        hidden=hidden,
        k=cost.k,
        luck=cost.luck,
        need=way.need,
        severity=severity(cost),
        checks=(*CHECKS, "unique"),
    )
    return Composed(task, variant, way.readings, way.lost)
