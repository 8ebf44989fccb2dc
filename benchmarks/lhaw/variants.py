"""Underspecified variants of fully specified tasks (LHAW section 3.3; docs/benchmarks/lhaw.md, Segments).

Segments are the slots of a task: their criticality is computed where the task is made, so nothing is extracted here.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import combinations
from typing import Any, Literal, NamedTuple

from benchmarks.lhaw.leaks import leaks
from benchmarks.lhaw.rewrite import GAPS, SEVERITIES, Rewritten, Severity, Unnatural, crowded, rewrite
from harness.task import Brief, Segment, Session, Slot, Task
from servers.kernel import canonical

__all__ = ("DesignedClass", "Made", "designed_class", "grounded", "make", "variants")

DesignedClass = Literal["outcome-critical", "divergent", "benign"]

FULL, LACKING = "original", "underspecified"


@dataclass(frozen=True)
class Made:
    """Variants, and how many candidates were refused for each reason."""

    tasks: tuple[Task, ...]
    refused: Mapping[str, int] = field(default_factory=dict)


class _Candidate(NamedTuple):
    severity: Severity
    slots: tuple[Slot, ...]
    left: Rewritten


def variants(tasks: Sequence[Task], **options: Any) -> list[Task]:
    """The tasks that `make` makes, with its options."""
    return list(make(tasks, **options).tasks)


def make(
    tasks: Sequence[Task],
    *,
    now: datetime | Callable[[Task], datetime],
    severity: Sequence[Severity] = SEVERITIES,
    max_segments: int = 2,
    per_task: int = 3,
    per_template: int = 3,
) -> Made:
    """Withhold one to `max_segments` grounded segments from up to `per_template` tasks of each template.

    Each task gives up to `per_task` variants, chosen so that severities, numbers of segments, designed classes, slots
    and dimensions stay balanced, then by priority. `now` is the time in the task's world, where its session has none.
    A source has one session, at least one change in every accepted end, and at least one grounded segment.
    """
    refused: Counter[str] = Counter()
    used: Counter[str] = Counter()
    sources: Counter[str] = Counter()
    made: list[Task] = []
    for task in tasks:
        if sources[task.template] == per_template:
            continue
        if len(task.sessions) != 1 or not all(end.changes for end in task.ends):
            refused["source without expected changes"] += 1
            continue
        clock = task.sessions[0].now or (now if isinstance(now, datetime) else now(task))
        left = list(_candidates(task, severity, max_segments, clock, refused))
        sources[task.template] += bool(left)
        for _ in range(min(per_task, len(left))):
            best = min(left, key=lambda candidate: _rank(candidate, task, used))
            left.remove(best)
            used.update(_marks(best, task))
            made.append(_variant(task, best))
    return Made(tuple(made), dict(sorted(refused.items())))


def grounded(task: Task) -> list[Slot]:
    """Slots that the reference solution depends on, most important first (LHAW section 3.3, priority score).

    A slot counts if another value would have changed the outcome (criticality) and if it has a use: a
    checkpoint that needs it, or a call that holds it.
    """
    calls = canonical([call.arguments for call in task.solution]).decode().casefold()

    def used(slot: Slot) -> bool:
        said = (re.escape(str(text).casefold()) for text in (slot.text, slot.value) if text)
        return bool(slot.checkpoint_refs) or any(re.search(rf"(?<!\w){text}(?!\w)", calls) for text in said)

    found = [slot for slot in task.slots if slot.criticality > 0 and used(slot)]
    return sorted(found, key=lambda slot: (-slot.priority, slot.name))


def designed_class(slots: Sequence[Slot]) -> DesignedClass:
    """What the slots' records predict (docs/benchmarks/lhaw.md, Classes): it is not an observation.

    Outcome-critical where some withheld slot always matters and cannot be guessed, benign where every
    one can be guessed for certain, divergent in between.
    """
    if any(slot.criticality == 1 and slot.guessability == 0 for slot in slots):
        return "outcome-critical"
    return "benign" if all(slot.priority == 0 for slot in slots) else "divergent"


def _candidates(
    task: Task, severity: Sequence[Severity], max_segments: int, now: datetime, refused: Counter[str]
) -> Iterator[_Candidate]:
    full = task.sessions[0].requests[FULL]
    segments = grounded(task)
    for count in range(1, max_segments + 1):
        for slots in combinations(segments, count):
            for how in severity:
                if how == "delete" and any(slot.complete_without for slot in slots):
                    refused["deletion leaves a complete request"] += 1
                    continue
                if how != "delete" and len({slot.kind for slot in slots}) < count:
                    refused["the same phrase twice"] += 1
                    continue
                if crowded(slots, how):
                    refused["two stand-ins"] += 1
                    continue
                try:
                    left = rewrite(full, slots, how, task=task.id)
                except Unnatural:
                    refused["no natural wording"] += 1
                    continue
                if any(leaks(left.request, slot, now) for slot in slots):
                    refused["leaks the value"] += 1
                    continue
                yield _Candidate(how, slots, left)


def _marks(candidate: _Candidate, task: Task) -> list[str]:
    """What the balance counts; names of slots within their template."""
    return [
        f"severity {candidate.severity}",
        f"segments {len(candidate.slots)}",
        f"class {designed_class(candidate.slots)}",
        *(f"dimension {slot.dimension}" for slot in candidate.slots),
        f"set {task.template} {_names(candidate.slots)}",
        *(f"slot {task.template} {slot.name}" for slot in candidate.slots),
        f"way {task.template} {candidate.severity} {len(candidate.slots)}",
    ]


def _names(slots: Sequence[Slot]) -> str:
    return " ".join(sorted(slot.name for slot in slots))


def _rank(candidate: _Candidate, task: Task, used: Counter[str]) -> tuple[Any, ...]:
    slots = candidate.slots
    template = f"{task.template} {candidate.severity} {len(slots)}"
    return (
        used[f"set {task.template} {_names(slots)}"],
        used[f"severity {candidate.severity}"] + used[f"segments {len(slots)}"],
        used[f"way {template}"],
        GAPS.index(candidate.left.gap),
        used[f"class {designed_class(slots)}"],
        sum(used[f"slot {task.template} {slot.name}"] for slot in slots) / len(slots),
        sum(used[f"dimension {slot.dimension}"] for slot in slots) / len(slots),
        -sum(slot.priority for slot in slots) / len(slots),
        SEVERITIES.index(candidate.severity),
        [slot.name for slot in slots],
    )


def _variant(task: Task, candidate: _Candidate) -> Task:
    session, slots, left = task.sessions[0], candidate.slots, candidate.left
    full = session.requests[FULL]
    names = tuple(slot.name for slot in slots)
    segments = tuple(Segment(id=slot.name, slot=slot) for slot in task.slots)
    withheld = tuple(Segment(id=slot.name, slot=slot) for slot in left.withheld)
    stated = tuple(segment for segment in segments if segment.id not in names)
    # The id shows neither value nor variant: agents may see it in a path.
    opaque = hashlib.sha256(canonical([task.id, candidate.severity, list(names)])).hexdigest()[:10]
    return task.model_copy(
        update={
            "id": f"task-{opaque}",
            "sessions": (
                Session(
                    requests={FULL: full, LACKING: left.request},
                    now=session.now,
                    briefs={
                        FULL: Brief(intent=full, sent=full, stated=segments),
                        LACKING: Brief(intent=full, sent=left.request, withheld=withheld, stated=stated),
                    },
                ),
            ),
            "withheld": {LACKING: names},
            "facts": {
                **task.facts,
                "original": task.id,
                "severity": candidate.severity,
                "segments": len(slots),
                "dimensions": list(dict.fromkeys(slot.dimension for slot in slots)),
                "designed_class": designed_class(slots),
                "gap": left.gap,
                "new_task": "unjudged",
            },
        }
    )
