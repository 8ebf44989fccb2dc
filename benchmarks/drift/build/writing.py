"""Phase 3: the faulty requests, worded by the template, by a model or by hand; each passes the validators."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from benchmarks.drift.build.context import Context, Phase, prompt
from benchmarks.drift.build.hand import by_hand
from benchmarks.drift.build.records import Plan, Refusal
from benchmarks.drift.drawn import Drawn
from benchmarks.drift.faults import NAMES, Fails, validate
from benchmarks.drift.faults.catalogue import ABOUT
from benchmarks.drift.faults.making import Way, of_text, phrased, sample, way
from benchmarks.drift.frames import Frame, Variant
from benchmarks.drift.need import ADDED, Cost
from benchmarks.drift.template import Fault
from benchmarks.probe.pipeline.work import Dropped, Work

__all__ = ("texts",)

SHOWN: Final = 8
"""Values that a writer is shown of those that the words have to fit."""

BEHIND: Final[frozenset[Fault]] = frozenset({"I3"})


class _Reply(BaseModel):
    """A faulty request as a model replies it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Annotated[str, Field(min_length=1)]
    words: str


def texts(context: Context) -> Phase:
    """A variant of every plan whose text holds."""
    plans = list(context.read("strategies", Plan))
    hand = by_hand(context)
    found: dict[int, Variant | Refusal] = {}
    for number, plan in enumerate(plans):
        if plan.route == "hand":
            found[number] = hand[plan.task, plan.category]
        elif plan.route == "slots":
            found[number] = _from_slots(context.tasks[plan.task], plan)
    asked = [number for number in range(len(plans)) if number not in found]
    if asked:
        framed = {each.task: each for each in context.read("frames", Frame)}
        told = context.ask(lambda work: [_job(context, plans[number], framed, work) for number in asked])
        found.update(zip(asked, told, strict=True))
    kept = [found[n] for n in range(len(plans)) if isinstance(found[n], Variant)]
    refused = [each for n in range(len(plans)) if isinstance(each := found[n], Refusal)]
    return Phase(kept, refused, said=f"{len(kept)} faulty requests, {len(refused)} refused")


def _from_slots(task: Drawn, plan: Plan) -> Variant:
    slot, mention = way(task, plan.strategy, plan.words)
    return of_text(task, slot, mention, phrased(task, slot, mention), mention.text, _spent(plan))


def _spent(plan: Plan) -> Cost:
    """What the plan says that it costs: validators work it out again."""
    return Cost((), plan.k, plan.luck, plan.need)


def _job(
    context: Context, plan: Plan, framed: dict[str, Frame], work: Work
) -> Callable[[], Awaitable[Variant | Refusal]]:
    return partial(_written, context.tasks[plan.task], plan, framed[plan.task], work)


async def _written(task: Drawn, plan: Plan, framed: Frame, work: Work) -> Variant | Refusal:
    fault = plan.strategy.id
    asked = prompt("texts", request=task.text, frame=framed, **_told(task, plan))
    of = {"task": task.id, "fault": fault, "licence": plan.strategy.licence_query}
    try:
        reply = await work.item("texts", of, asked, _Reply, check=partial(_sound, task, plan))
    except Dropped as error:
        return Refusal(phase="texts", task=task.id, fault=fault, reason=error.problem)
    return _made(task, plan, reply)


def _told(task: Drawn, plan: Plan) -> dict[str, object]:
    """What a writer is told of a strategy."""
    fault = plan.strategy.id
    slot, mention = way(task, plan.strategy, plan.words)
    return {
        "name": NAMES[fault],
        "about": ABOUT[fault],
        "adds": fault in ADDED,
        "behind": fault in BEHIND,
        "slot": slot,
        "value": task.values[slot.id].text.strip() if slot else "",
        "fits": [value.text.strip() for value in mention.fits][:SHOWN],
        "more": max(len(mention.fits) - SHOWN, 0),
        "claim": mention.claim,
        "such": sample(task, slot, mention),
        "hides": plan.need != "robust",
        "stay": [
            task.values[each.id].text.strip()
            for each in task.template.slots
            if each is not slot and task.values[each.id].text.strip() in task.text
        ],
    }


def _made(task: Drawn, plan: Plan, reply: _Reply) -> Variant:
    slot, mention = _way(task, plan, reply)
    return of_text(task, slot, mention, reply.text, reply.words, _spent(plan), "model")


def _way(task: Drawn, plan: Plan, reply: _Reply) -> Way:
    return way(task, plan.strategy, reply.words)


def _sound(task: Drawn, plan: Plan, reply: _Reply) -> None:
    """Raises ValueError with the validator's words."""
    slot, mention = _way(task, plan, reply)
    if slot is None and not reply.words.strip():
        raise ValueError("words: nothing was added; copy the sentence that you added")
    try:
        validate(task, _made(task, plan, reply), mention, slot)
    except Fails as problem:
        raise ValueError(f"{problem.validator}: {problem.reason}") from None
