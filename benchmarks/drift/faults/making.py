"""The faulty requests of a task: at most one of each category, from its slots, without a model (route `slots`).

Texts that a model or a person wrote are put together with the same strategies (`of_text`), so that what they cost is
worked out from the world and never taken from whoever wrote them.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Final, NamedTuple

from benchmarks.drift.drawn import Drawn, opaque
from benchmarks.drift.faults.catalogue import category, chosen, placed
from benchmarks.drift.faults.validators import VALIDATORS, Fails, validate
from benchmarks.drift.frames import Frame, FrameSlot, Hidden, Prerequisite, Reveal, Route, Strategy, Variant
from benchmarks.drift.need import ADDED, Cost, Refused, cost_of, severity
from benchmarks.drift.template import CATEGORIES, FAULTS, Category, Draw, Fault, Mention, Slot

__all__ = (
    "Made", "Way", "frame", "made", "of_text", "of_way", "phrased", "sample", "strategy_of", "way", "ways",
)  # fmt: skip

SECOND: Final = "the second mention"
"""What is decided by hash where two mentions disagree: whether the second is the one that is meant."""


class Made(NamedTuple):
    """A variant, with the readings that its text allows."""

    variant: Variant
    cost: Cost


class Way(NamedTuple):
    """A strategy as a template has it: a mention, and the slot in whose place it stands, None where words are added."""

    slot: Slot | None
    mention: Mention


def made(
    task: Drawn,
    faults: frozenset[Fault] = frozenset(FAULTS),
    *,
    taken: Container[str] = (),
    kinds: Sequence[Category] = CATEGORIES,
) -> Iterator[Made | Refused | Fails]:
    """The task's faulty requests in the order of the categories, and what was refused on the way and why.

    In each category the fault comes by hash, and so does its wording; one that is refused makes room for the next.
    `taken` are faulty requests of other tasks: two that say the same would differ in nothing that an agent sees.
    `kinds` are the categories that are made.
    """
    for kind in kinds:
        yield from _one(task, kind, faults, taken)


def _one(
    task: Drawn, kind: Category, faults: frozenset[Fault], taken: Container[str]
) -> Iterator[Made | Refused | Fails]:
    for slot, mention in ways(task, kind, faults):
        try:
            one = of_way(task, slot, mention)
            if one.variant.text in taken:
                raise Fails("unique", mention.fault, task.id, "another task has the same faulty request")
            validate(task, one.variant, mention, slot)
        except (Refused, Fails) as refusal:
            yield refusal
            continue
        yield one
        return


def ways(task: Drawn, kind: Category, faults: frozenset[Fault] = frozenset(FAULTS)) -> Sequence[Way]:
    """The strategies of a category that a task's template has, in the order in which they are tried, by hash."""
    found: dict[Fault, list[Way]] = {}
    for slot, mention in task.mentions:
        if category(mention.fault) == kind and mention.fault in faults:
            found.setdefault(mention.fault, []).append(Way(slot, mention))
    for fault in sorted(ADDED & faults):
        if category(fault) == kind:
            found[fault] = [Way(None, Mention(fault, chosen(task.place.name, fault, task.id)))]
    choice = Draw(task.id, kind)
    second = bool(choice.number(SECOND, 2))

    def order(way: Way) -> tuple[bool, int]:
        slot, mention = way
        return mention.second != second, choice.number(f"{slot and slot.id} {mention.text} {mention.request}", 1 << 30)

    return [
        each
        for fault in sorted(found, key=lambda fault: choice.number(fault, 1 << 30))
        for each in sorted(found[fault], key=order)
    ]


def way(task: Drawn, strategy: Strategy, added: str = "") -> Way:
    """The mention that a strategy stands for; of a fault that only adds words, one of `added`.

    Raises KeyError where the template has none such, naming those of the fault that it has.
    """
    if strategy.id in ADDED:
        return Way(None, Mention(strategy.id, added))
    known = []
    for slot, mention in task.mentions:
        if mention.fault == strategy.id:
            known.append(_licence(slot, mention))
            if (slot.id,) == strategy.slots and known[-1] == strategy.licence_query:
                return Way(slot, mention)
    there = "; ".join(known) or "none"
    raise KeyError(f"{task.template.id} has no {strategy.id} with {strategy.licence_query!r}; it has {there}")


def of_way(task: Drawn, slot: Slot | None, mention: Mention) -> Made:
    """The request with a mention in a slot's place, or with a sentence more. Raises `Refused`."""
    spent = cost_of(task.template, task.rows, task.values, slot, mention)
    return Made(of_text(task, slot, mention, phrased(task, slot, mention), mention.text, spent), spent)


def phrased(task: Drawn, slot: Slot | None, mention: Mention) -> str:
    """The faulty request as the template's own words have it."""
    if slot is None:
        return placed(mention.fault, task.text, mention.text)
    return task.template.request(task.values, mention.request or task.wording, {slot.id: mention.text})


def sample(task: Drawn, slot: Slot | None, mention: Mention) -> str:
    """The template's words for it: those in the slot's place, or the whole request where it is worded anew."""
    told = phrased(task, slot, mention) if slot and mention.request and not mention.text else mention.text
    return told.strip()


def strategy_of(task: Drawn, slot: Slot | None, mention: Mention) -> Strategy:
    """The mention as a strategy: what it touches, how to find what it fits, and what the user can say of it."""
    if slot is None:
        return Strategy(id=mention.fault)
    return Strategy(
        id=mention.fault,
        slots=(slot.id,),
        licence_query=_licence(slot, mention),
        reveals=(Reveal(slot=slot.id, claim=mention.claim, truth=task.values[slot.id].text),),
    )


def of_text(
    task: Drawn, slot: Slot | None, mention: Mention, text: str, words: str, spent: Cost, route: Route = "slots"
) -> Variant:
    """The variant of a text, whoever wrote it; `words` of it were added, or took the slot's place."""
    hidden: tuple[Hidden, ...] = ()
    if slot is not None and spent.need != "robust":
        value = task.values[slot.id]
        hidden = (Hidden(slot=slot.id, text=value.text, value=value.value),)
    kind = category(mention.fault)
    return Variant(
        id=opaque(task.template.id, task.number, kind),
        task=task.id,
        strategy=strategy_of(task, slot, mention),
        category=kind,
        text=text,
        hidden=hidden,
        k=spent.k,
        luck=spent.luck,
        need=spent.need,
        severity=severity(spent),
        route=route,
        checks=tuple(VALIDATORS),
        added=words if slot is None else "",
        mention=words if slot is not None else "",
    )


def _licence(slot: Slot, mention: Mention) -> str:
    """How to find what fits. It tells a template's mentions of one fault apart."""
    return f"values of {slot.id} that fit {mention.text or mention.request!r}"


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
