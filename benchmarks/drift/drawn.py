"""Clean tasks: values drawn for a template, the request that says them, and what right work comes to."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final, NamedTuple

from benchmarks.drift.environments import Place
from benchmarks.drift.template import Draw, Mention, Outcome, Rows, Slot, Template, Value, Values
from harness.task import Brief, End, Segment, Session, Task
from harness.task import Slot as TaskSlot
from servers.kernel import canonical

__all__ = (
    "ORIGINAL", "TRIES", "Drawn", "Pool", "clean", "draw", "drawn", "numbers", "opaque", "others", "pool", "segment",
    "slot_of",
)  # fmt: skip

ORIGINAL: Final = "original"
"""The prompt that says everything."""

TRIES: Final = 60
"""Draws for one task before there are held to be no more that differ."""

_KIND: Final = {"date": "date", "quantity": "number"}
"""What the simulated user calls a kind of slot, where its role does not say it."""


_BEFORE_IT: Final = r"(?:at|below|by|from|in|of|on|to) "
"""How the words before a value begin that are no name of it."""


@dataclass(frozen=True)
class Drawn:
    """A clean task: `values` by slot, `text` the request in one of the template's wordings, `outcome` its truth."""

    id: str
    place: Place
    template: Template
    number: int
    rows: Rows
    values: Values
    wording: str
    text: str
    outcome: Outcome

    @cached_property
    def mentions(self) -> tuple[tuple[Slot, Mention], ...]:
        """Every mention that can stand in a slot's place, with its slot. Kept: to find them is most of a build."""
        slots = self.template.slots
        return tuple((slot, mention) for slot in slots for mention in slot.mentions(self.rows, self.values))


class Pool(NamedTuple):
    """The tasks of an environment that are released, by template and number, and others that could have been."""

    released: tuple[Drawn, ...]
    rest: tuple[Drawn, ...]


def pool(place: Place, count: int, more: float = 1.0) -> Pool:
    """`count` tasks as even over templates as can be, and `more` times as many in all.

    What a template has no more of, others make up for; both parts are smaller where all have run out. The released
    ones do not depend on `more`.
    """
    wanted = numbers(len(place.templates), count)
    whole = round(count * more)
    first = [list(drawn(place, each, n + n // 2 + 2)) for each, n in zip(place.templates, wanted, strict=True)]
    taken = _filled(wanted, first, count)
    if whole <= count:
        return Pool(_first(first, taken), ())
    larger = numbers(len(place.templates), whole)
    pools = [list(drawn(place, each, n + n // 2 + 2)) for each, n in zip(place.templates, larger, strict=True)]
    held = _filled([max(pair) for pair in zip(larger, taken, strict=True)], pools, whole)
    rest = tuple(each for tasks, start, end in zip(pools, taken, held, strict=True) for each in tasks[start:end])
    return Pool(_first(first, taken), rest)


def numbers(templates: int, count: int) -> list[int]:
    """How many tasks each of so many templates has, as even as can be."""
    return [count // templates + (n < count % templates) for n in range(templates)] if templates else []


def _filled(wanted: Sequence[int], pools: Sequence[Sequence[Drawn]], count: int) -> list[int]:
    """How many of each are taken, so that they are `count` where there are as many."""
    taken = [min(len(tasks), n) for tasks, n in zip(pools, wanted, strict=True)]
    while sum(taken) < count and any(len(tasks) > n for tasks, n in zip(pools, taken, strict=True)):
        for n, tasks in enumerate(pools):
            if sum(taken) < count and taken[n] < len(tasks):
                taken[n] += 1
    return taken


def _first(pools: Sequence[Sequence[Drawn]], taken: Sequence[int]) -> tuple[Drawn, ...]:
    return tuple(each for tasks, n in zip(pools, taken, strict=True) for each in tasks[:n])


def drawn(place: Place, template: Template, count: int) -> Iterator[Drawn]:
    """Up to `count` tasks of a template, all with different values and different requests."""
    rows = place.rows(template.world)
    seen: set[bytes] = set()
    texts: set[str] = set()
    for number in range(count):
        for attempt in range(TRIES):
            found = draw(place, template, rows, number, attempt)
            if found is None:
                continue
            key = canonical({name: value.value for name, value in found.values.items()})
            if key not in seen and found.text not in texts:
                seen.add(key)
                texts.add(found.text)
                yield found
                break


def draw(place: Place, template: Template, rows: Rows, number: int, attempt: int = 0) -> Drawn | None:
    """The task of that number, None where the draw makes none."""
    choice = Draw(template.id, number, attempt)
    values = template.draw(rows, choice)
    if values is None:
        return None
    outcome = template.truth(rows, {name: value.value for name, value in values.items()})
    if outcome is None:
        return None
    wording = choice.one("wording", template.wordings)
    text = template.request(values, wording)
    return Drawn(opaque(template.id, number), place, template, number, rows, values, wording, text, outcome)


def opaque(*key: Any) -> str:
    """An id that tells nothing: agents may see it in a path."""
    return f"task-{hashlib.sha256(canonical(['drift', *key])).hexdigest()[:12]}"


def clean(task: Drawn) -> Task:
    """The task as the harness plays it, its request whole."""
    segments = tuple(segment(slot_of(task, slot)) for slot in task.template.slots)
    brief = Brief(intent=task.text, sent=task.text, stated=segments)
    return Task(
        id=task.id,
        world=task.template.world,
        apps=task.place.apps,
        sessions=(Session(requests={ORIGINAL: task.text}, briefs={ORIGINAL: brief}),),
        ends=(End(changes=task.outcome.changes),),
        solution=tuple(task.template.solve(task.rows, {name: value.value for name, value in task.values.items()})),
        template=task.template.id,
        slots=tuple(each.slot for each in segments),
        facts={
            "environment": task.place.name,
            "kind": task.template.kind,
            "risky": task.template.risky,
            "original": task.id,
            **_answers(task.outcome),
        },
    )


def _answers(outcome: Outcome) -> dict[str, Any]:
    if outcome.answers is None:
        return {}
    return {"answers": list(outcome.answers), "answer_kind": outcome.kind, "ranked": outcome.ranked}


def segment(slot: TaskSlot, claim: str = "") -> Segment:
    """A slot as a brief lists it. With a `claim`, what is wrong with the request is said before its value."""
    says = slot.says
    if claim:
        told = slot.says or "{value}"
        told = told if told.startswith("I ") else told[:1].lower() + told[1:]
        if not re.search(r"\b(?:is|are|I)\b", told):
            told = f"{'I mean' if re.match(_BEFORE_IT, told) else 'what I mean is'} {told}"
        says = f"{claim.strip().rstrip('.')}; {told}"
    return Segment(id=slot.name, slot=slot.model_copy(update={"says": says}))


def others(place: Place, task: Task, slot: TaskSlot) -> tuple[str, ...]:
    """The other values that a slot could have in its world, as a request would say them, and how tools call them.

    None where the environment has no such template any more: a set may be older than the templates.
    """
    template = next((each for each in place.templates if each.id == task.template), None)
    own = next((each for each in template.slots if each.id == slot.name), None) if template else None
    if template is None or own is None:
        return ()
    values = {each.name: Value(each.text, each.value) for each in task.slots}
    found = (each for each in own.domain(_rows(place, template.world), values) if each.value != slot.value)
    return tuple(dict.fromkeys(_called(each) for each in found))


@cache
def _rows(place: Place, world: str) -> Rows:
    """The rows of a world, which are drawn anew each time that a place is asked for them."""
    return place.rows(world)


def _called(value: Value) -> str:
    text = value.text.strip()
    known = isinstance(value.value, list) or str(value.value).casefold() == text.casefold()
    return text if known or " " in str(value.value) else f"{text} ({value.value})"


def slot_of(task: Drawn, slot: Slot) -> TaskSlot:
    """A slot as a task lists it."""
    value = task.values[slot.id]
    return TaskSlot(
        name=slot.id,
        kind=_KIND.get(slot.kind, slot.role or slot.kind),
        text=value.text,
        value=value.value,
        role=slot.role,
        dimension=slot.kind,
        asks=slot.asks,
        says=slot.says,
    )
