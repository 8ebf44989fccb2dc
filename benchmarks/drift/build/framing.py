"""Phase 1: the clean tasks, and the frame of each: what its request is made of and takes for granted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from benchmarks.drift.build.context import Context, Phase, prompt
from benchmarks.drift.build.records import Refusal, Source
from benchmarks.drift.drawn import Drawn
from benchmarks.drift.faults.making import frame
from benchmarks.drift.frames import Frame, FrameSlot, Prerequisite
from benchmarks.drift.template import Slot
from benchmarks.probe.pipeline.work import Dropped, Work

__all__ = ("frames", "tasks")

Text = Annotated[str, Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Slot(_Strict):
    id: str
    value: Text
    span: Text
    domain_query: Text


class _Prerequisite(_Strict):
    slot: str
    claim: Text
    query: Text


class _Reply(_Strict):
    """A frame as a model replies it."""

    action: Text
    prerequisites: tuple[_Prerequisite, ...] = ()
    slots: tuple[_Slot, ...]
    expected_output: Text


def tasks(context: Context) -> Phase:
    """The clean tasks of the pool, those that are released first."""
    sources = [
        Source(
            task=task.id,
            environment=task.place.name,
            template=task.template.id,
            released=task.id in context.released,
            text=task.text,
        )
        for task in context.tasks.values()
    ]
    return Phase(sources, said=f"{len(sources)} tasks, {len(context.released)} of them to be released")


def frames(context: Context) -> Phase:
    """The frames, from slots or by a model."""
    those = list(context.tasks.values())
    if context.config.route == "slots":
        return Phase([frame(task) for task in those], said=f"{len(those)} frames")
    found = context.ask(lambda work: [_job(task, work) for task in those])
    kept = [each for each in found if isinstance(each, Frame)]
    refused = [each for each in found if isinstance(each, Refusal)]
    return Phase(kept, refused, said=f"{len(kept)} frames, {len(refused)} refused")


def _job(task: Drawn, work: Work) -> Callable[[], Awaitable[Frame | Refusal]]:
    return partial(_framed, task, work)


async def _framed(task: Drawn, work: Work) -> Frame | Refusal:
    slots = _said(task)
    asked = prompt("frames", request=task.text, slots=slots)
    try:
        reply = await work.item("frames", {"task": task.id}, asked, _Reply, check=partial(_sound, task, slots))
    except Dropped as error:
        return Refusal(phase="frames", task=task.id, reason=error.problem)
    own, told = frame(task), {each.id: each for each in reply.slots}
    return Frame(
        task=task.id,
        action=reply.action,
        prerequisites=tuple(
            Prerequisite(claim=each.claim, query=each.query, holds=_holds(task, each.slot))
            for each in reply.prerequisites
        ),
        slots=tuple(_merged(each, told.get(each.id)) for each in own.slots),
        expected_output=reply.expected_output,
    )


def _said(task: Drawn) -> Sequence[Slot]:
    """The slots whose value stands in the request word for word."""
    return [each for each in task.template.slots if task.values[each.id].text.strip() in task.text]


def _merged(own: FrameSlot, told: _Slot | None) -> FrameSlot:
    return own.model_copy(update={"span": told.span, "domain_query": told.domain_query}) if told else own


def _holds(task: Drawn, slot: str) -> bool:
    """Whether the slot's value is one that the world has: nobody's opinion counts."""
    domain = task.template.slot(slot).domain(task.rows, task.values)
    return task.values[slot].value in [value.value for value in domain]


def _sound(task: Drawn, slots: Sequence[Slot], reply: _Reply) -> None:
    """Raises ValueError saying where it does not fit the request, and what would be right."""
    named, wanted = [each.id for each in reply.slots], [each.id for each in slots]
    if sorted(named) != sorted(wanted):
        raise ValueError(f"slots: one entry for each of {', '.join(wanted)}, and not {', '.join(named) or 'none'}")
    for each in reply.slots:
        value = task.values[each.id].text.strip()
        if each.span not in task.text:
            raise ValueError(f"slots, {each.id}: {each.span!r} does not stand in the request; copy it word for word")
        if each.value not in each.span or value not in each.span:
            raise ValueError(f"slots, {each.id}: the span {each.span!r} does not hold the whole value")
    known = {each.id for each in task.template.slots}
    if strange := next((each.slot for each in reply.prerequisites if each.slot not in known), ""):
        raise ValueError(f"prerequisites: there is no slot {strange!r}; there are {', '.join(sorted(known))}")
