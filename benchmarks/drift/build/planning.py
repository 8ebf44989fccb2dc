"""Phase 2: how a request is to be made faulty, at most once in each category.

From slots the strategy comes by hash, and one whose words do not hold makes room for the next. A model chooses among
the strategies whose preconditions hold; what each costs is worked out all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from typing import Final

from pydantic import BaseModel, ConfigDict

from benchmarks.drift.build.context import Context, Phase, prompt, refusal
from benchmarks.drift.build.hand import by_hand
from benchmarks.drift.build.records import Place, Plan, Refusal
from benchmarks.drift.drawn import Drawn
from benchmarks.drift.faults import Made, made
from benchmarks.drift.faults.catalogue import ABOUT, NAMES, category
from benchmarks.drift.faults.making import Way, sample, strategy_of, ways
from benchmarks.drift.frames import Frame, Variant
from benchmarks.drift.need import Cost, Refused, cost_of
from benchmarks.drift.template import CATEGORIES, Category, Fault
from benchmarks.probe.pipeline.work import Dropped, Work

__all__ = ("strategies",)

OFFERED: Final = 3
"""Strategies of one fault that a model is offered for a task."""


class _Chosen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int
    reason: str


class _Reply(BaseModel):
    """Which strategies a model chooses."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    chosen: tuple[_Chosen, ...]


def strategies(context: Context) -> Phase:
    """A plan for each task and category, where one holds."""
    hand = by_hand(context)
    free = {id: [kind for kind in CATEGORIES if (id, kind) not in hand] for id in context.tasks}
    if context.config.route == "slots":
        found = list(_hashed(context, {each.text for each in hand.values()}, free))
    else:
        framed = {each.task: each for each in context.read("frames", Frame)}
        jobs = [(context.tasks[id], framed[id], kinds) for id, kinds in free.items() if id in framed and kinds]
        told = context.ask(lambda work: [_job(*each, work) for each in jobs])
        found = [each for several in told for each in several]
    kept = {(each.task, each.category): each for each in found if isinstance(each, Plan)}
    kept |= {place: _plan(each) for place, each in hand.items()}
    order: list[Place] = [(id, kind) for id in context.tasks for kind in CATEGORIES]
    refused = [each for each in found if isinstance(each, Refusal)]
    plans = [kept[place] for place in order if place in kept]
    return Phase(plans, refused, said=f"{len(plans)} strategies, {len(refused)} refused")


def _plan(variant: Variant) -> Plan:
    return Plan(
        task=variant.task,
        category=variant.category,
        strategy=variant.strategy,
        words=variant.added or variant.mention,
        k=variant.k,
        luck=variant.luck,
        need=variant.need,
        route=variant.route,
    )


# From slots.


def _hashed(context: Context, taken: set[str], free: dict[str, list[Category]]) -> Iterator[Plan | Refusal]:
    for id, task in context.tasks.items():
        for each in made(task, taken=taken, kinds=free[id]):
            if isinstance(each, Made):
                taken.add(each.variant.text)
                yield _plan(each.variant)
            else:
                yield refusal("strategies", id, each)


# By a model.


def _job(
    task: Drawn, framed: Frame, kinds: Sequence[Category], work: Work
) -> Callable[[], Awaitable[list[Plan | Refusal]]]:
    return partial(_chosen, task, framed, kinds, work)


async def _chosen(task: Drawn, framed: Frame, kinds: Sequence[Category], work: Work) -> list[Plan | Refusal]:
    offered, refused = _offered(task, kinds)
    shown = [
        {"fault": f"{NAMES[way.mention.fault]} ({category(way.mention.fault)})",
         "about": ABOUT[way.mention.fault], "slot": way.slot.id if way.slot else "",
         "such": sample(task, *way), "need": spent.need, "k": spent.k}
        for way, spent in offered
    ]  # fmt: skip
    asked = prompt("strategies", request=task.text, frame=framed, offered=shown)
    check = partial(_sound, [category(way.mention.fault) for way, _ in offered])
    try:
        reply = await work.item("strategies", {"task": task.id}, asked, _Reply, check=check)
    except Dropped as error:
        return [*refused, Refusal(phase="strategies", task=task.id, reason=error.problem)]
    return [*refused, *(_of(task, *offered[each.number - 1], each.reason) for each in reply.chosen)]


def _offered(task: Drawn, kinds: Sequence[Category]) -> tuple[list[tuple[Way, Cost]], list[Plan | Refusal]]:
    """Strategies whose preconditions hold, a few of each fault, and those that were refused on the way."""
    found: list[tuple[Way, Cost]] = []
    refused: list[Plan | Refusal] = []
    counted: Counter[Fault] = Counter()
    for way in (each for kind in kinds for each in ways(task, kind)):
        fault = way.mention.fault
        if counted[fault] == OFFERED:
            continue
        try:
            spent = cost_of(task.template, task.rows, task.values, *way)
        except Refused as problem:
            refused.append(refusal("strategies", task.id, problem))
            continue
        counted[fault] += 1
        found.append((way, spent))
    return found, refused


def _of(task: Drawn, way: Way, spent: Cost, reason: str) -> Plan:
    return Plan(
        task=task.id,
        category=category(way.mention.fault),
        strategy=strategy_of(task, way.slot, way.mention),
        words=way.mention.text,
        k=spent.k,
        luck=spent.luck,
        need=spent.need,
        route="model",
        reason=reason,
    )


def _sound(kinds: Sequence[Category], reply: _Reply) -> None:
    """Raises ValueError saying what does not fit."""
    if not reply.chosen:
        raise ValueError("chosen: choose one strategy at least")
    if strange := next((each.number for each in reply.chosen if not 1 <= each.number <= len(kinds)), None):
        raise ValueError(f"chosen: there is no strategy {strange}; there are 1 to {len(kinds)}")
    counted = Counter(kinds[each.number - 1] for each in reply.chosen)
    for kind, count in counted.items():
        if count > 1:
            raise ValueError(f"chosen: {count} strategies are of the kind {kind}; choose one of each at most")
