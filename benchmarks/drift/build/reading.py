"""The readings: what each faulty request lets its reader take.

Of requests worded from slots or by hand they are worked out from the world. A request that a model wrote has to mean
what its strategy says, which no rule can tell from the words: a second model, which is shown neither the fault nor the
original, lists the values that the words allow, and a request of which it lists others is dropped.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from pydantic import BaseModel, ConfigDict

from benchmarks.drift.build.context import Context, Phase, prompt
from benchmarks.drift.build.records import Listing, Refusal
from benchmarks.drift.drawn import Drawn
from benchmarks.drift.faults.making import way
from benchmarks.drift.frames import Variant
from benchmarks.drift.tasks import readings as computed
from benchmarks.drift.template import Draw, Mention, Rows, Slot, Value
from benchmarks.probe.pipeline.work import Dropped, Work

__all__ = ("DROPPED", "offered", "readings")

OFFERED: Final = 24
"""Values of a slot that a reader is shown, at least those that the words are meant to fit, and the slot's own."""

CELL: Final = 60
"""Characters of a cell that a reader sees."""

DROPPED: Final = "claim dropped"
"""Stands for no value: the request without its false claim."""


class _Read(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    slot: str
    values: tuple[int, ...]


class _Reply(BaseModel):
    """What a reader lists: slot by slot, numbers of values."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    readings: tuple[_Read, ...]


class _Offer(NamedTuple):
    """A value as a reader sees it: its number, how requests say it, and what there is about it."""

    number: int
    text: str
    facts: str


def readings(context: Context) -> Phase:
    """A listing of every variant, and those whose reader disagrees."""
    variants = list(context.read("texts", Variant))
    asked = [each for each in variants if each.route == "model"]
    told = context.ask(lambda work: [_job(context, each, work) for each in asked]) if asked else []
    by_model = dict(zip([each.id for each in asked], told, strict=True))
    listed: list[Listing] = []
    refused: list[Refusal] = []
    for each in variants:
        found = by_model.get(each.id) or _computed(context.tasks[each.task], each)
        if isinstance(found, Refusal):
            refused.append(found)
            continue
        listed.append(found)
        if found.expected:
            refused.append(_disagreement(each, found))
    return Phase(listed, refused, said=f"{len(listed)} listings, {len(refused)} refused")


def _computed(task: Drawn, variant: Variant) -> Listing:
    open_ = {
        id: tuple(DROPPED if each.value is None else each.value.text.strip() for each in computed(task, variant))
        for id in variant.strategy.slots
    }
    own = {each.id: (task.values[each.id].text.strip(),) for each in task.template.slots}
    return Listing(id=variant.id, by="computed", values={**own, **open_})


def _disagreement(variant: Variant, found: Listing) -> Refusal:
    slot = next(id for id in found.expected if found.values[id] != found.expected[id])
    listed, wanted = (", ".join(map(repr, side[slot])) or "nothing" for side in (found.values, found.expected))
    reason = f"the reader takes {listed} for {slot}, and the strategy allows {wanted}"
    return Refusal(
        phase="readings", task=variant.task, fault=variant.strategy.id, validator="readings", reason=reason
    )  # fmt: skip


# By a model.


def offered(task: Drawn, slot: Slot, mention: Mention | None) -> Sequence[Value]:
    """The values of a slot that a reader is shown, in an order by hash."""
    own = task.values[slot.id]
    first = [own, *(mention.fits if mention else ()), *(mention.repairs if mention else ())]
    choice = Draw(task.id, slot.id, "reader")

    def shuffled(values: Sequence[Value]) -> list[Value]:
        return sorted(values, key=lambda value: choice.number(value.text.strip(), 1 << 30))

    others = shuffled(slot.domain(task.rows, task.values))
    found: dict[str, Value] = {}
    for value in (own, *shuffled(first), *others):
        if len(found) < OFFERED:
            found.setdefault(value.text.strip(), value)
    return shuffled(list(found.values()))


def _job(context: Context, variant: Variant, work: Work) -> Callable[[], Awaitable[Listing | Refusal]]:
    return partial(_listed, context.tasks[variant.task], variant, work)


async def _listed(task: Drawn, variant: Variant, work: Work) -> Listing | Refusal:
    slot, mention = way(task, variant.strategy, variant.added)
    shown = {each: offered(task, each, mention if each is slot else None) for each in task.template.slots}
    asked = prompt(
        "readings",
        request=variant.text,
        slots=[{"id": each.id, "role": each.role or each.kind, "values": list(_offers(task.rows, each, values))}
               for each, values in shown.items()],
    )  # fmt: skip
    check = partial(_sound, {each.id: len(values) for each, values in shown.items()})
    of = {"task": task.id, "variant": variant.id}
    try:
        reply = await work.item("readings", of, asked, _Reply, check=check, reads=True)
    except Dropped as error:
        return Refusal(phase="readings", task=task.id, fault=variant.strategy.id, reason=error.problem)
    told = {each.slot: set(each.values) for each in reply.readings}
    values = {
        each.id: tuple(value.text.strip() for n, value in enumerate(values, 1) if n in told[each.id])
        for each, values in shown.items()
    }
    fits = {value.text.strip() for value in mention.fits}
    expected = {
        each.id: tuple(
            value.text.strip()
            for value in values
            if (value.text.strip() in fits if each is slot else value.value == task.values[each.id].value)
        )
        for each, values in shown.items()
    }
    return Listing(id=variant.id, by="model", values=values, expected={} if values == expected else expected)


def _offers(rows: Rows, slot: Slot, values: Sequence[Value]) -> Iterator[_Offer]:
    for number, value in enumerate(values, 1):
        yield _Offer(number, value.text.strip(), _facts(rows, value.value) if slot.kind == "entity" else "")


def _facts(rows: Rows, value: Any) -> str:
    """The first row with the value in a cell, of the first table that has one: what "the one from Lund" is about."""
    if not isinstance(value, str | int):
        return ""
    for table, lines in rows.items():
        for row in lines:
            if value in row.values():
                told = [f"{name} {_cell(rows, name, cell)}" for name, cell in row.items() if cell != value]
                return f"{table}: {', '.join(told)}"
    return ""


def _cell(rows: Rows, name: str, cell: Any) -> str:
    """A cell as a reader sees it; an id with the name of what it stands for."""
    text = " ".join(str(cell).split())
    shown = text if len(text) <= CELL else f"{text[:CELL]}..."
    if not name.endswith("_id"):
        return shown
    tables = [table for table in rows if table.startswith(name.removesuffix("_id"))]
    called = (row.get("name") for table in tables for row in rows[table] if row.get("id") == cell)
    known = next((each for each in called if each), "")
    return f"{shown} ({known})" if known else shown


def _sound(counts: Mapping[str, int], reply: _Reply) -> None:
    """Raises ValueError saying which slot or number there is not."""
    named = [each.slot for each in reply.readings]
    if sorted(named) != sorted(counts):
        raise ValueError(f"readings: one entry for each of {', '.join(counts)}, and not {', '.join(named) or 'none'}")
    for each in reply.readings:
        if strange := next((n for n in each.values if not 1 <= n <= counts[each.slot]), None):
            raise ValueError(f"readings, {each.slot}: there is no value {strange}; there are 1 to {counts[each.slot]}")
