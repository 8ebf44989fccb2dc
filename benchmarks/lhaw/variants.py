"""Underspecified variants of fully specified tasks (LHAW section 3.3; docs/benchmarks/lhaw.md, Segments).

Here segments are the slots of a task: their criticality is computed where the task is made, so nothing is extracted.
`benchmarks.lhaw.build` makes sets of variants of them, and lets a model find segments where a suite has no slots.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import combinations
from typing import Any, Literal, NamedTuple

from benchmarks.lhaw.leaks import found as leak_in
from benchmarks.lhaw.rewrite import SEVERITIES, Rewritten, Severity, Unnatural, crowded, rewrite
from harness.task import Brief, Segment, Slot, Task
from servers.kernel import canonical

__all__ = (
    "FULL", "LACKING", "DesignedClass", "Refused", "Withheld", "clock", "designed_class", "grounded", "opaque", "used",
    "variant", "withheld",
)  # fmt: skip

DesignedClass = Literal["outcome-critical", "divergent", "benign"]

FULL, LACKING = "original", "underspecified"


class Withheld(NamedTuple):
    """A request without the values of some slots."""

    severity: Severity
    slots: tuple[Slot, ...]
    left: Rewritten


class Refused(NamedTuple):
    """Slots that cannot be withheld together at that severity, and why."""

    severity: Severity
    slots: tuple[Slot, ...]
    reason: str


def withheld(
    task: Task,
    slots: Sequence[Slot],
    now: datetime,
    *,
    severity: Sequence[Severity] = SEVERITIES,
    max_segments: int = 2,
) -> Iterator[Withheld | Refused]:
    """What is left of the task's request without each one to `max_segments` of these slots, at each severity.

    `now` is the task's time, which days are counted from.
    """
    full = task.sessions[0].requests[FULL]
    for count in range(1, max_segments + 1):
        for gone in combinations(slots, count):
            for how in severity:
                yield _withheld(task, full, gone, how, now)


def _withheld(task: Task, full: str, slots: tuple[Slot, ...], how: Severity, now: datetime) -> Withheld | Refused:
    if how == "delete" and any(slot.complete_without for slot in slots):
        return Refused(how, slots, "deletion leaves a complete request")
    if how != "delete" and len({slot.kind for slot in slots}) < len(slots):
        return Refused(how, slots, "the same phrase twice")
    if crowded(slots, how):
        return Refused(how, slots, "two stand-ins")
    try:
        left = rewrite(full, slots, how, task=task.id, template=task.template)
    except Unnatural as error:
        return Refused(how, slots, f"no natural wording: {error}")
    for slot in slots:
        if leak := leak_in(left.request, slot, now):
            return Refused(how, slots, f"leaks the value of {slot.name}: {leak}")
    return Withheld(how, slots, left)


def clock(task: Task, world: datetime) -> datetime:
    """The task's time; `world` is that of its world."""
    return task.sessions[0].now or world


def grounded(task: Task) -> list[Slot]:
    """Slots that the reference solution depends on, most important first (LHAW section 3.3, priority score).

    A slot counts if another value would have changed the outcome (criticality) and if it has a use: a
    checkpoint that needs it, or a call that holds it.
    """
    found = [slot for slot in task.slots if slot.criticality > 0 and (slot.checkpoint_refs or used(task, slot))]
    return sorted(found, key=lambda slot: (-slot.priority, slot.name))


def used(task: Task, slot: Slot) -> bool:
    """Whether a call of the reference solution holds the slot's value."""
    calls = canonical([call.arguments for call in task.solution]).decode().casefold()
    said = (re.escape(str(text).casefold()) for text in (slot.text, slot.value) if text)
    return any(re.search(rf"(?<!\w){text}(?!\w)", calls) for text in said)


def designed_class(slots: Sequence[Slot]) -> DesignedClass:
    """What the slots' records predict (docs/benchmarks/lhaw.md, Classes): it is not an observation.

    Outcome-critical where some withheld slot always matters and cannot be guessed, benign where every
    one can be guessed for certain, divergent in between.
    """
    if any(slot.criticality == 1 and slot.guessability == 0 for slot in slots):
        return "outcome-critical"
    return "benign" if all(slot.priority == 0 for slot in slots) else "divergent"


def opaque(task: str, severity: Severity, names: Sequence[str]) -> str:
    """An id that shows neither value nor variant: agents may see it in a path."""
    return f"task-{hashlib.sha256(canonical([task, severity, list(names)])).hexdigest()[:10]}"


def variant(task: Task, id: str, request: str, gone: Sequence[Slot], facts: Mapping[str, Any]) -> Task:
    """The task with a second prompt, `underspecified`, that lacks the values of the slots in `gone`.

    Their `text` is what the request lost, with a unit perhaps. All else of the task stays as it is.
    """
    session = task.sessions[0]
    full = session.requests[FULL]
    names = tuple(slot.name for slot in gone)
    known = {slot.name: Segment(id=slot.name, slot=slot) for slot in task.slots}
    stated = tuple(segment for name, segment in known.items() if name not in names)
    briefs = {
        FULL: Brief(intent=full, sent=full, stated=tuple(known.values())),
        LACKING: Brief(
            intent=full,
            sent=request,
            withheld=tuple(Segment(id=slot.name, slot=slot) for slot in gone),
            stated=stated,
        ),
    }
    return task.model_copy(
        update={
            "id": id,
            "sessions": (session.model_copy(update={"requests": {FULL: full, LACKING: request}, "briefs": briefs}),),
            "withheld": {LACKING: names},
            "facts": {**task.facts, **facts},
        }
    )
