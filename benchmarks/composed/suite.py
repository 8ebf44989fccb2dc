"""Faulty requests of any suite with slots, as a suite: `drift-short` and `drift-long`, or over whichever is named.

All but tasks, programs and tables is the source's. Figures are those of Drift-Bench, with the source's name as the
environment.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from benchmarks.composed.making import Composed, made
from benchmarks.composed.programs import Dials, programs
from benchmarks.composed.world import ORIGINAL, Source, unfit
from benchmarks.drift.drawn import segment
from benchmarks.drift.faults import Fails
from benchmarks.drift.headline import headline
from benchmarks.drift.need import Refused
from benchmarks.drift.tables import report
from benchmarks.drift.tasks import FAULTY, INFORMED, faulty
from benchmarks.drift.template import FAULTS, Fault, Value
from harness.suite import Suite, SuiteError
from harness.task import Brief, Segment, Slot, Task

__all__ = ("LONG", "SHORT", "Found", "composed", "found", "load", "played")

SHORT: Final = 240
"""Faulty requests of `drift-short`."""

LONG: Final = 120
"""Those of `drift-long`."""

_SEED: Final = 7


class Found(NamedTuple):
    """The faulty requests of a suite, and what was refused on the way."""

    faulty: tuple[Composed, ...]
    refused: tuple[Refused | Fails, ...]


def load(source: str, number: int, name: str) -> Suite:
    """The suite over a source that is on offer. Raises `SuiteError`."""
    from harness.wiring import suite

    base = suite(source)
    return composed(base, found(base, number=number), name)


def found(
    source: Suite, *, number: int = SHORT, faults: frozenset[Fault] = frozenset(FAULTS), seed: int = _SEED
) -> Found:
    """Up to `number` faulty requests of a suite's tasks, and what was refused.

    Raises `SuiteError` where no task of the suite can have any.
    """
    of = Source(source)
    if not of.tasks:
        why = next((f"{task.id}: {unfit(task)}" for task in source.tasks), "it has none")
        raise SuiteError(f"suite {source.name}: no faulty request can be made of its tasks ({why})")
    each = list(made(of, number, faults, seed))
    kept = tuple(one for one in each if isinstance(one, Composed))
    return Found(kept, tuple(one for one in each if not isinstance(one, Composed)))


def composed(source: Suite, of: Found, name: str) -> Suite:
    """The suite of these faulty requests."""
    return replace(
        source,
        name=name,
        version="1",
        description=f"Requests of {source.name} with a fault in them, and a user who can be asked",
        tasks=tuple(played(source.name, each) for each in of.faulty),
        programs=programs(source, of.faulty),
        settings=Dials,
        asking={"ask": "clarify", "user": {"kind": "persona", "persona": "rational"}},
        report=report,
        headline=headline,
        questions=None,
        files=None,
        aside=frozenset(),
    )


def played(source: str, each: Composed) -> Task:
    """A faulty request as a task: prompts `original`, `faulty` and `informed`."""
    whole = _whole(source, each)
    task = faulty(whole, each.variant).task
    session = task.sessions[0]
    brief = session.briefs[FAULTY]
    withheld = tuple(_rivalled(segment, each.readings[1:]) for segment in brief.withheld)
    if not withheld:
        return task
    full = session.requests[ORIGINAL]
    told = "; ".join(_told(segment) for segment in withheld)
    informed = f"{each.variant.text}\n\nTo be exact: {told}. In full: {full}"
    session = session.model_copy(
        update={
            "requests": {**session.requests, INFORMED: informed},
            "briefs": {**session.briefs, FAULTY: brief.model_copy(update={"withheld": withheld})},
        }
    )
    return task.model_copy(update={"sessions": (session,)})


def _whole(source: str, each: Composed) -> Task:
    """The source's task with what tables and users need of it: facts, what its whole request states, what went."""
    task, gone = each.task, each.variant.strategy.slots
    slots = tuple(_sayable(slot, each.lost if slot.name in gone else "") for slot in task.slots)
    session = task.sessions[0]
    full = session.requests[ORIGINAL]
    brief = Brief(intent=full, sent=full, stated=tuple(map(segment, slots)))
    return task.model_copy(
        update={
            "slots": slots,
            "sessions": (session.model_copy(update={"requests": {ORIGINAL: full}, "briefs": {ORIGINAL: brief}}),),
            "facts": {**task.facts, "environment": source, "kind": "change", "risky": False, "original": task.id},
        }
    )


_ASKS: Final = re.compile(r"(who|whose|which|what|when|where|how)\b")
"""Roles that are half a question already: who gets the sum."""


def _sayable(slot: Slot, lost: str) -> Slot:
    """The slot with all that goes with its value."""
    return slot.model_copy(update={"text": lost}) if lost else slot


def _rivalled(each: Segment, rivals: Sequence[Value]) -> Segment:
    """A segment whose slot says what it might be taken for."""
    others = tuple(dict.fromkeys((*(rival.text for rival in rivals), *each.slot.others)))
    return each.model_copy(update={"slot": each.slot.model_copy(update={"others": others})})


def _told(each: Segment) -> str:
    """What the user says of a value without being asked."""
    slot = each.slot
    if slot.says:
        return slot.says.replace("{value}", each.value)
    if _ASKS.match(slot.role):
        return f"{each.value} is {slot.role}"
    return f"the {slot.role or slot.kind.replace('_', ' ')} I mean is {each.value}"
