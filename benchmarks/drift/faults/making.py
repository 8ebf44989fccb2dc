"""The faulty requests of a task: at most one of each category, from its slots, without a model (route `slots`)."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final, NamedTuple

from benchmarks.drift.drawn import Drawn, opaque
from benchmarks.drift.faults.catalogue import category, chosen, placed
from benchmarks.drift.faults.validators import VALIDATORS, Fails, validate
from benchmarks.drift.frames import Frame, FrameSlot, Hidden, Prerequisite, Reveal, Strategy, Variant
from benchmarks.drift.need import ADDED, Cost, Refused, cost, severity
from benchmarks.drift.need import added as added_to
from benchmarks.drift.template import FAULTS, Category, Draw, Fault, Mention, Slot

__all__ = ("Made", "frame", "made", "of_addition", "of_mention", "variants")

CATEGORIES: Final[tuple[Category, ...]] = ("intention", "premise", "parameter", "expression")


class Made(NamedTuple):
    """A variant, with the readings that its text allows."""

    variant: Variant
    cost: Cost


def variants(task: Drawn) -> tuple[Variant, ...]:
    """The task's faulty requests, in the order of the categories."""
    return tuple(each.variant for each in made(task) if isinstance(each, Made))


def made(
    task: Drawn, faults: frozenset[Fault] = frozenset(FAULTS), *, taken: Container[str] = ()
) -> Iterator[Made | Refused | Fails]:
    """The same, with what was refused on the way and why.

    In each category the fault comes by hash, and so does its wording; one that is refused makes room for the next.
    `taken` are faulty requests of other tasks: two that say the same would differ in nothing that an agent sees.
    """
    for kind in CATEGORIES:
        yield from _one(task, kind, faults, taken)


def _one(
    task: Drawn, kind: Category, faults: frozenset[Fault], taken: Container[str]
) -> Iterator[Made | Refused | Fails]:
    found: dict[Fault, list[tuple[Slot | None, Mention]]] = {}
    for each in task.template.slots:
        for mention in each.mentions(task.rows, task.values):
            if category(mention.fault) == kind and mention.fault in faults:
                found.setdefault(mention.fault, []).append((each, mention))
    for fault in sorted(ADDED & faults):
        if category(fault) == kind:
            found[fault] = [(None, Mention(fault, chosen(task.place.name, fault, task.id)))]
    choice = Draw(task.id, kind)
    for fault in sorted(found, key=lambda fault: choice.number(fault, 1 << 30)):
        ways = sorted(found[fault], key=lambda way: choice.number(f"{fault} {way[0] and way[0].id} {way[1]}", 1 << 30))
        for slot, mention in ways:
            try:
                one = of_addition(task, mention) if slot is None else of_mention(task, slot, mention)
                if one.variant.text in taken:
                    raise Fails("unique", mention.fault, task.id, "another task has the same faulty request")
                validate(task, one.variant, mention, slot)
            except (Refused, Fails) as refusal:
                yield refusal
                continue
            yield one
            return


def of_addition(task: Drawn, mention: Mention) -> Made:
    """The request with a sentence more. Raises `Refused`."""
    spent = added_to(mention.fault, task.template, task.rows, task.values)
    text = placed(mention.fault, task.text, mention.text)
    return Made(_variant(task, mention.fault, text, spent, Strategy(id=mention.fault), (), added=mention.text), spent)


def of_mention(task: Drawn, slot: Slot, mention: Mention) -> Made:
    """The request with a mention in a slot's place. Raises `Refused`."""
    spent = cost(task.template, task.rows, task.values, slot, mention)
    if mention.request:
        text = task.template.request(task.values, mention.request, {slot.id: mention.text})
    else:
        text = task.template.request(task.values, task.wording, {slot.id: mention.text})
    value = task.values[slot.id]
    strategy = Strategy(
        id=mention.fault,
        slots=(slot.id,),
        licence_query=f"values of {slot.id} that fit {mention.text or mention.request!r}",
        reveals=(Reveal(slot=slot.id, claim=mention.claim, truth=value.text),),
    )
    hidden = () if spent.need == "robust" else (Hidden(slot=slot.id, text=value.text, value=value.value),)
    return Made(_variant(task, mention.fault, text, spent, strategy, hidden, mention=mention.text), spent)


def _variant(
    task: Drawn,
    fault: Fault,
    text: str,
    spent: Cost,
    strategy: Strategy,
    hidden: tuple[Hidden, ...],
    *,
    added: str = "",
    mention: str = "",
) -> Variant:
    return Variant(
        id=opaque(task.template.id, task.number, category(fault)),
        task=task.id,
        strategy=strategy,
        category=category(fault),
        text=text,
        hidden=hidden,
        k=spent.k,
        luck=spent.luck,
        need=spent.need,
        severity=severity(spent),
        checks=tuple(VALIDATORS),
        added=added,
        mention=mention,
    )


def frame(task: Drawn) -> Frame:
    """What the request is made of (phase 1), from its slots."""
    action = next((task.values[slot.id].text for slot in task.template.slots if slot.kind == "action"), "")
    return Frame(
        task=task.id,
        action=action or task.template.kind,
        prerequisites=tuple(
            Prerequisite(
                claim=f"There is a {slot.role or slot.kind} {task.values[slot.id].text!r}.",
                query=f"domain of {slot.id}",
                holds=task.values[slot.id].value in [value.value for value in slot.domain(task.rows, task.values)],
            )
            for slot in task.template.slots
            if slot.kind == "entity"
        ),
        slots=tuple(
            FrameSlot(
                id=slot.id,
                kind=slot.kind,
                value=task.values[slot.id].value,
                span=slot.span.replace("{value}", task.values[slot.id].text),
                domain_query=f"domain of {slot.id}",
            )
            for slot in task.template.slots
        ),
        expected_output="an answer" if task.outcome.answers is not None else "changed rows",
    )
