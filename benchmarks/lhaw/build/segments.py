"""Pieces of a request that can be withheld: the slots of a task, or what a model finds, held against the task."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from benchmarks.lhaw.build.context import Context, Phase, prompt
from benchmarks.lhaw.build.records import Baseline, Refusal, Segment, Source
from benchmarks.lhaw.dimensions import DIMENSIONS
from benchmarks.lhaw.variants import FULL, grounded, used
from benchmarks.probe.pipeline.work import Dropped, Work
from harness.task import Slot, Task

__all__ = ("as_slot", "checkpoint", "segment_of", "segments")

_UNUSED = "neither a checkpoint nor a call of the solution depends on it"


def _level(score: float) -> float:
    if score not in (0.0, 0.5, 1.0):
        raise ValueError(f"{score} is no score: 0, 0.5 or 1")
    return score


Score = Annotated[float, AfterValidator(_level)]
Text = Annotated[str, Field(min_length=1)]


class _Found(BaseModel):
    """A segment as a model replies it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Text
    value: Text
    kind: Text
    role: str = ""
    dimension: Literal["goal", "constraint", "input", "context"]
    subdimension: str
    criticality: Score
    guessability: Score
    reason: str
    is_used_in_trajectory: bool
    first_use_pct: Annotated[float, Field(ge=0, le=1)]
    checkpoint_refs: tuple[str, ...] = ()


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    segments: tuple[_Found, ...]


def segments(context: Context) -> Phase:
    """The segments of every source that the baseline kept."""
    tasks = [context.suite.task(each.task) for each in context.read("baseline", Baseline) if each.kept]
    if context.config.route == "model":
        found = context.ask(lambda work: [partial(_extracted, task, work) for task in tasks])
    else:
        found = [_slots(task) for task in tasks]
    kept: list[Source] = []
    refused: list[Refusal] = []
    most = context.config.per_task
    for task, (pieces, lost) in zip(tasks, found, strict=True):
        refused += lost
        refused += [
            Refusal(
                phase="segments", task=task.id, reason=f"beyond the {most} of highest priority", segments=(each.id,)
            )
            for each in pieces[most:]
        ]
        if pieces:
            kept.append(Source(task=task.id, segments=tuple(pieces[:most])))
    return Phase(kept, refused, said=f"{sum(len(each.segments) for each in kept)} segments in {len(kept)} sources")


def segment_of(task: Task, slot: Slot, lost: str = "") -> Segment:
    """A slot as a record; `lost` are the words that go with it, where they are more than its own."""
    return Segment(
        id=slot.name,
        dimension=slot.dimension,
        subdimension=slot.subdimension,
        value=slot.text,
        text=lost or slot.text,
        is_used_in_trajectory=used(task, slot),
        first_use_pct=round(slot.first_use_pct, 4),
        checkpoint_refs=tuple(map(checkpoint, slot.checkpoint_refs)),
        criticality=slot.criticality,
        guessability=slot.guessability,
        priority_score=slot.priority,
        kind=slot.kind,
        role=slot.role,
        reason=slot.reason,
    )


def as_slot(segment: Segment) -> Slot:
    """A segment that no slot stands for, as one."""
    return Slot(
        name=segment.id,
        kind=segment.kind,
        role=segment.role,
        text=segment.value,
        value=segment.value,
        dimension=segment.dimension,
        subdimension=segment.subdimension,
        criticality=segment.criticality,
        guessability=segment.guessability,
        reason=segment.reason,
        checkpoint_refs=tuple(int(each.removeprefix("CP")) - 1 for each in segment.checkpoint_refs),
        first_use_pct=segment.first_use_pct,
    )


def checkpoint(number: int) -> str:
    """What records call an expected change, from 0."""
    return f"CP{number + 1}"


def _slots(task: Task) -> tuple[list[Segment], list[Refusal]]:
    good = grounded(task)
    refused = [
        Refusal(
            phase="segments",
            task=task.id,
            reason=_UNUSED if slot.criticality else "no other value changes the outcome",
            segments=(slot.name,),
        )
        for slot in task.slots
        if slot not in good
    ]
    return [segment_of(task, slot) for slot in good], refused


async def _extracted(task: Task, work: Work) -> tuple[list[Segment], list[Refusal]]:
    request = task.sessions[0].requests[FULL]
    asked = prompt(
        "segments",
        request=request,
        calls=[f"{call.app}.{call.tool} {json.dumps(call.arguments, ensure_ascii=False)}" for call in task.solution],
        checkpoints=[f"{checkpoint(n)}: {change}" for n, change in enumerate(_told(task))],
        dimensions=DIMENSIONS,
    )
    try:
        reply = await work.item("segments", {"task": task.id}, asked, _Reply, check=partial(_sound, task, request))
    except Dropped as error:
        return [], [Refusal(phase="segments", task=task.id, reason=error.problem)]
    kept: list[Segment] = []
    refused: list[Refusal] = []
    ordered = sorted(reply.segments, key=lambda each: (request.index(each.value), -len(each.value)))
    for number, found in enumerate(ordered, 1):
        segment = Segment(
            id=f"S{number}", priority_score=found.criticality * (1 - found.guessability), **found.model_dump()
        )
        problem = "" if segment.checkpoint_refs or used(task, as_slot(segment)) else _UNUSED
        if not segment.criticality:
            problem = "no other value changes the outcome"
        if problem:
            refused.append(Refusal(phase="segments", task=task.id, reason=problem, segments=(segment.id,)))
        else:
            kept.append(segment)
    return sorted(kept, key=lambda each: (-each.priority_score, int(each.id[1:]))), refused


def _told(task: Task) -> Sequence[str]:
    return [
        f"{change.op} {change.app}.{change.table} {json.dumps(dict(change.values), ensure_ascii=False)}"
        for change in task.ends[0].changes
    ]


def _sound(task: Task, request: str, reply: _Reply) -> None:
    """Raises ValueError naming the segment and what would be right."""
    known = [checkpoint(number) for number in range(len(task.ends[0].changes))]
    for number, each in enumerate(reply.segments):
        where = f"segments[{number}]"
        if each.text not in request:
            raise ValueError(f"{where}.text: {each.text!r} does not stand in the request; copy it word for word")
        if each.value not in each.text:
            raise ValueError(f"{where}.value: {each.value!r} is no part of `text`; copy it word for word")
        if request.count(each.value) != 1:
            raise ValueError(
                f"{where}.value: {each.value!r} stands in the request {request.count(each.value)} times, not once"
            )
        if each.subdimension not in DIMENSIONS[each.dimension]:
            raise ValueError(
                f"{where}.subdimension: {each.subdimension!r}; of {each.dimension} there are "
                f"{', '.join(DIMENSIONS[each.dimension])}"
            )
        if strange := [ref for ref in each.checkpoint_refs if ref not in known]:
            raise ValueError(f"{where}.checkpoint_refs: there is no {strange[0]}; there are {', '.join(known)}")
    values = [each.value for each in reply.segments]
    if twice := next((value for value in values if any(value in other for other in values if other != value)), ""):
        raise ValueError(f"segments overlap: {twice!r} is part of another value")
    if len(set(values)) < len(values):
        raise ValueError("two segments have the same value")
