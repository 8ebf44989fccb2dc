"""Tasks as the harness plays them: a variant has the whole request, the faulty one, and the faulty one set right.

Prompts of a variant: `original`, `faulty`, and `informed`, which is the faulty request with a second paragraph in which
the user says at once what asking would have brought to light. So the arm without a tool needs no user and no setting of
the harness: what a request says is data of the task.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from benchmarks.drift.drawn import ORIGINAL, Drawn, clean, others, pool, segment
from benchmarks.drift.environments import Place, environments
from benchmarks.drift.faults import Fails, Made, made
from benchmarks.drift.faults.making import way
from benchmarks.drift.frames import Variant
from benchmarks.drift.need import Reading, Refused, cost
from harness.task import Brief, Segment, Task
from harness.task import Slot as TaskSlot

__all__ = ("COUNTS", "FAULTY", "INFORMED", "Built", "Faulty", "built", "faulty", "readings")

FAULTY: Final = "faulty"
INFORMED: Final = "informed"

COUNTS: Final[Mapping[str, int]] = {"sql": 100, "terminal": 100, "apis": 150}
"""Clean tasks of each environment."""


class Faulty(NamedTuple):
    """A variant, and the task as which it is played."""

    task: Task
    variant: Variant


class Built(NamedTuple):
    """What there is to play: clean tasks, variants, and what was refused on the way."""

    clean: tuple[Task, ...]
    faulty: tuple[Faulty, ...]
    refused: tuple[Refused | Fails, ...]


def built(places: Sequence[Place], counts: Mapping[str, int] = COUNTS) -> Built:
    """All tasks of these environments, by environment, template and number."""
    whole: list[Task] = []
    found: list[Faulty] = []
    refused: list[Refused | Fails] = []
    taken: set[str] = set()
    for place in places:
        for each in pool(place, counts[place.name]).released:
            whole.append(clean(each))
            for one in made(each, taken=taken):
                if isinstance(one, Made):
                    taken.add(one.variant.text)
                    found.append(faulty(whole[-1], one.variant, place))
                else:
                    refused.append(one)
    return Built(tuple(whole), tuple(found), tuple(refused))


def readings(task: Drawn, variant: Variant) -> tuple[Reading, ...]:
    """What a reader may take for what the variant leaves open. Raises KeyError where its strategy is none any more."""
    slot, mention = way(task, variant.strategy, variant.added)
    return () if slot is None else cost(task.template, task.rows, task.values, slot, mention).readings


def faulty(whole: Task, variant: Variant, place: Place | None = None) -> Faulty:
    """A variant of a clean task, of a place that is found by its name where none is given."""
    place = place or next((each for each in environments() if each.name == whole.facts["environment"]), None)
    session = whole.sessions[0]
    full = session.requests[ORIGINAL]
    gone = {each.slot for each in variant.hidden}
    claims = {each.slot: each.claim for each in variant.strategy.reveals}
    withheld = tuple(
        segment(_rivalled(whole, slot, variant, place), claims.get(slot.name, ""))
        for slot in whole.slots
        if slot.name in gone
    )
    stated = tuple(segment(slot) for slot in whole.slots if slot.name not in gone)
    if variant.added:
        stated = (*stated, _noise(variant.added))
    requests = {
        ORIGINAL: full,
        FAULTY: variant.text,
        INFORMED: f"{variant.text}\n\n{_truth(withheld, full)}",
    }
    briefs = {**session.briefs, FAULTY: Brief(intent=full, sent=variant.text, withheld=withheld, stated=stated)}
    facts = {
        "fault": variant.strategy.id,
        "category": variant.category,
        "need": variant.need,
        "k": variant.k,
        "luck": variant.luck,
        "hidden": sorted(gone),
        "severity": variant.severity,
        "strategy": ":".join((variant.strategy.id, *variant.strategy.slots)),
    }
    task = whole.model_copy(
        update={
            "id": variant.id,
            "sessions": (session.model_copy(update={"requests": requests, "briefs": briefs}),),
            "withheld": {FAULTY: tuple(sorted(gone))},
            "facts": {**whole.facts, **facts},
        }
    )
    return Faulty(task, variant)


_REACHES: Final = (
    "both", "only", "belong", "either", "each", "apply", "applies", "as well", "any time", "whatever", "regardless",
)  # fmt: skip
"""What whoever asks how far a condition reaches says (E2)."""


def _rivalled(whole: Task, slot: TaskSlot, variant: Variant, place: Place | None) -> TaskSlot:
    """A slot with what it might be taken for or asked for by, and with what a false request has in its place."""
    rivals = others(place, whole, slot) if place else ()
    asks = (*slot.asks, *_REACHES) if variant.strategy.id == "E2" else slot.asks
    false = (variant.mention.strip(),) if variant.category == "premise" and variant.mention.strip() else ()
    return slot.model_copy(update={"others": tuple(dict.fromkeys((*rivals, *false))), "asks": asks})


NOISE: Final = "noise"
"""The kind of a segment that belongs to nothing: the user says so when asked about it."""


def _noise(added: str) -> Segment:
    slot = TaskSlot(name=NOISE, kind=NOISE, text=added, role="remark")
    return Segment(id=NOISE, slot=slot)


def _truth(withheld: Sequence[Segment], full: str) -> str:
    """What the user says in a second paragraph, without being asked."""
    if not withheld:
        return "That is all; just do what I asked for."
    said = [
        each.slot.says.replace("{value}", each.value) or f"the {each.slot.role or each.id} I mean is {each.value}"
        for each in withheld
    ]
    return f"To be exact: {'; '.join(said)}. In full: {full}"
