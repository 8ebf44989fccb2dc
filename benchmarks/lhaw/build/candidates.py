"""Requests that lack one or two segments, by three strategies (section 3.3, appendices D.2, D.3); none leaks.

From slots, the sentences are those of our phrases. Otherwise a model writes them, and what it writes is held against
the request: what was to go is gone in every shape, all else still stands.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from itertools import combinations
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from benchmarks.lhaw.build.baseline import checkpoints
from benchmarks.lhaw.build.context import Context, Phase, prompt
from benchmarks.lhaw.build.records import Candidate, Criteria, Refusal, Segment, Source
from benchmarks.lhaw.build.segments import as_slot, segment_of
from benchmarks.lhaw.leaks import found as leak_in
from benchmarks.lhaw.leaks import plain
from benchmarks.lhaw.rewrite import Gap, Severity
from benchmarks.lhaw.variants import FULL, Withheld, designed_class, opaque, withheld
from benchmarks.probe.pipeline.work import Dropped, Work
from harness.agents.reference import SlotView, question
from harness.task import Slot, Task

__all__ = ("candidates", "failure")

_SHORTEST = 0.4
"""What has to be left of a request's length: a model that cuts more has withheld more."""

Text = Annotated[str, Field(min_length=1)]


class _Asked(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    segment_id: str
    questions: Annotated[tuple[Text, ...], Field(min_length=1)]


class _Reply(BaseModel):
    """A candidate as a model replies it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    underspecified_prompt: Text
    expected_questions: tuple[_Asked, ...]
    failure_mode: Text
    gap: Gap


def candidates(context: Context) -> Phase:
    """Every candidate that holds, and why the others do not."""
    sources = context.read("segments", Source)
    if context.config.route == "model":
        found = context.ask(lambda work: [job for source in sources for job in _jobs(context, source, work)])
    else:
        found = [each for source in sources for each in _phrased(context, source)]
    kept = [each for each in found if isinstance(each, Candidate)]
    refused = [each for each in found if isinstance(each, Refusal)]
    return Phase(kept, refused, said=f"{len(kept)} candidates, {len(refused)} refused")


def failure(task: Task, gone: Sequence[Segment]) -> str:
    """What goes wrong where other values are taken, as the segments' records have it."""
    hit = sorted({ref for segment in gone for ref in segment.checkpoint_refs}, key=lambda ref: int(ref[2:]))
    what = " and ".join(_called(segment.role or segment.kind.replace("_", " ")) for segment in gone)
    if not hit:
        return f"The agent takes another value for {what} than the one meant, so that the outcome differs."
    missed = f"{len(hit)} of {checkpoints(task)} checkpoints {'is' if len(hit) == 1 else 'are'} missed"
    return f"The agent takes another value for {what} than the one meant, so that {missed} ({', '.join(hit)})."


def _called(role: str) -> str:
    """A role as a noun: the day of the talk, the person who gets the sum."""
    return f"the person {role}" if role.startswith("who ") else f"the {role}"


# From slots.


def _phrased(context: Context, source: Source) -> list[Candidate | Refusal]:
    task = context.suite.task(source.task)
    known = {slot.name: slot for slot in task.slots}
    slots = [known[segment.id] for segment in source.segments]
    config = context.config
    return [
        _built(task, each)
        if isinstance(each, Withheld)
        else _refusal(task.id, each.severity, [slot.name for slot in each.slots], each.reason)
        for each in withheld(
            task, slots, context.now(task), severity=config.strategies, max_segments=config.max_segments
        )
    ]


def _built(task: Task, made: Withheld) -> Candidate:
    lost = {slot.name: slot.text for slot in made.left.withheld}
    gone = tuple(segment_of(task, slot, lost[slot.name]) for slot in made.slots)
    return Candidate(
        task_id=opaque(task.id, made.severity, [slot.name for slot in made.slots]),
        original_task=task.id,
        agent_prompt=made.left.request,
        removed_segments=gone,
        criteria=Criteria(severity=made.severity),
        expected_questions=tuple(
            {slot.name: (question(SlotView(slot.name, slot.kind, slot.role)),)} for slot in made.slots
        ),
        expected_failure_mode=failure(task, gone),
        gap=made.left.gap,
        designed_class=designed_class(made.slots),
    )


def _refusal(task: str, strategy: Severity, names: Sequence[str], reason: str) -> Refusal:
    return Refusal(phase="candidates", task=task, reason=reason, strategy=strategy, segments=tuple(names))


# By a model.


def _jobs(context: Context, source: Source, work: Work) -> list[Callable[[], Awaitable[Candidate | Refusal]]]:
    return [
        partial(_written, context, source, gone, how, work)
        for count in range(1, context.config.max_segments + 1)
        for gone in combinations(source.segments, count)
        for how in context.config.strategies
    ]


async def _written(
    context: Context, source: Source, gone: tuple[Segment, ...], how: Severity, work: Work
) -> Candidate | Refusal:
    task = context.suite.task(source.task)
    names = [segment.id for segment in gone]
    slots = [as_slot(segment) for segment in gone]
    stay = [segment for segment in source.segments if segment.id not in names]
    request = task.sessions[0].requests[FULL]
    asked = prompt("candidate", request=request, gone=gone, stay=stay, strategy=how)
    of = {"task": task.id, "strategy": how, "segments": names}
    check = partial(_sound, context, task, request, slots, stay)
    try:
        reply = await work.item("candidates", of, asked, _Reply, check=check)
    except Dropped as error:
        return _refusal(task.id, how, names, error.problem)
    questions = {each.segment_id: each.questions for each in reply.expected_questions}
    return Candidate(
        task_id=opaque(task.id, how, [f"{segment.id} {segment.value}" for segment in gone]),
        original_task=task.id,
        agent_prompt=reply.underspecified_prompt,
        removed_segments=gone,
        criteria=Criteria(severity=how),
        expected_questions=tuple({name: questions[name]} for name in names),
        expected_failure_mode=reply.failure_mode,
        gap=reply.gap,
        designed_class=designed_class(slots),
    )


def _sound(
    context: Context, task: Task, request: str, gone: Sequence[Slot], stay: Sequence[Segment], reply: _Reply
) -> None:
    """Raises ValueError saying what does not hold, and where."""
    left = reply.underspecified_prompt
    now = context.now(task)
    if plain(left) == plain(request):
        raise ValueError("underspecified_prompt: it says what the request says; take the value out")
    if len(left) < _SHORTEST * len(request):
        raise ValueError("underspecified_prompt: it lacks far more than the segments; keep all else")
    for slot in gone:
        if leak := leak_in(left, slot, now):
            raise ValueError(f"underspecified_prompt: leaks the value of {slot.name}: {leak}")
    for segment in stay:
        if segment.value not in left:
            raise ValueError(f"underspecified_prompt: {segment.value!r} ({segment.id}) is to stay, and is gone")
    told = sorted(each.segment_id for each in reply.expected_questions)
    if told != sorted(slot.name for slot in gone):
        raise ValueError(f"expected_questions: one entry for each of {', '.join(slot.name for slot in gone)}")
