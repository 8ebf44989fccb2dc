"""Tasks as the harness plays them: a variant has the whole request, the faulty one, and the faulty one set right.

Prompts of a variant: `original`, `faulty`, and `informed`, which is the faulty request with a second paragraph in which
the user says at once what asking would have brought to light. So the arm without a tool needs no user and no setting of
the harness: what a request says is data of the task.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from benchmarks.drift.drawn import ORIGINAL, Drawn, clean, drawn, segment
from benchmarks.drift.environments import Place
from benchmarks.drift.faults import Fails, Made, made
from benchmarks.drift.frames import Variant
from benchmarks.drift.need import Reading, Refused
from harness.task import Brief, Segment, Task
from harness.task import Slot as TaskSlot

__all__ = ("COUNTS", "FAULTY", "INFORMED", "Built", "Faulty", "built", "faulty", "numbers")

FAULTY: Final = "faulty"
INFORMED: Final = "informed"

COUNTS: Final[Mapping[str, int]] = {"sql": 100, "terminal": 100, "apis": 150}
"""Clean tasks of each environment."""


class Faulty(NamedTuple):
    """A variant as it is played, with the readings of its text: `slot` is "" where words were only added."""

    task: Task
    variant: Variant
    slot: str
    readings: tuple[Reading, ...]


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
        for each in _of(place, counts[place.name]):
            whole.append(clean(each))
            for one in made(each, taken=taken):
                if isinstance(one, Made):
                    taken.add(one.variant.text)
                    found.append(faulty(each, one))
                else:
                    refused.append(one)
    return Built(tuple(whole), tuple(found), tuple(refused))


def numbers(templates: int, count: int) -> list[int]:
    """How many tasks each of so many templates has, as even as can be."""
    return [count // templates + (n < count % templates) for n in range(templates)] if templates else []


def _of(place: Place, count: int) -> Iterator[Drawn]:
    """The environment's tasks; what a template has no more of, others make up for where they can."""
    wanted = numbers(len(place.templates), count)
    pools = [list(drawn(place, each, n + n // 2 + 2)) for each, n in zip(place.templates, wanted, strict=True)]
    taken = [min(len(pool), n) for pool, n in zip(pools, wanted, strict=True)]
    while sum(taken) < count and any(len(pool) > n for pool, n in zip(pools, taken, strict=True)):
        for n, pool in enumerate(pools):
            if sum(taken) < count and taken[n] < len(pool):
                taken[n] += 1
    for pool, n in zip(pools, taken, strict=True):
        yield from pool[:n]


def faulty(of: Drawn, one: Made) -> Faulty:
    """The task of a variant."""
    base, variant = clean(of), one.variant
    session = base.sessions[0]
    gone = {each.slot for each in variant.hidden}
    claims = {each.slot: each.claim for each in variant.strategy.reveals}
    withheld = tuple(segment(of, slot, claims.get(slot.id, "")) for slot in of.template.slots if slot.id in gone)
    stated = tuple(segment(of, slot) for slot in of.template.slots if slot.id not in gone)
    if variant.added:
        stated = (*stated, _noise(variant.added))
    task = base.model_copy(
        update={
            "id": variant.id,
            "sessions": (
                session.model_copy(
                    update={
                        "requests": {
                            ORIGINAL: of.text,
                            FAULTY: variant.text,
                            INFORMED: f"{variant.text}\n\n{_truth(withheld, of)}",
                        },
                        "briefs": {
                            **session.briefs,
                            FAULTY: Brief(intent=of.text, sent=variant.text, withheld=withheld, stated=stated),
                        },
                    }
                ),
            ),
            "withheld": {FAULTY: tuple(sorted(gone))},
            "facts": {
                **base.facts,
                "fault": variant.strategy.id,
                "category": variant.category,
                "need": variant.need,
                "k": variant.k,
                "luck": variant.luck,
                "hidden": sorted(gone),
                "severity": variant.severity,
                "strategy": ":".join((variant.strategy.id, *variant.strategy.slots)),
            },
        }
    )
    return Faulty(task, variant, next(iter(variant.strategy.slots), ""), one.cost.readings)


NOISE: Final = "noise"
"""The kind of a segment that belongs to nothing: the user says so when asked about it."""


def _noise(added: str) -> Segment:
    slot = TaskSlot(name=NOISE, kind=NOISE, text=added, role="remark")
    return Segment(id=NOISE, slot=slot)


def _truth(withheld: Sequence[Segment], of: Drawn) -> str:
    """What the user says in a second message, without being asked."""
    if not withheld:
        return "That is all; just do what I asked for."
    said = [
        each.slot.says.replace("{value}", each.value) or f"the {each.slot.role} I mean is {each.value}"
        for each in withheld
    ]
    told = "; ".join(said)
    return f"To be exact: {told}. In full: {of.text}"


@cache
def released() -> Built:
    """The tasks of all environments that there are, made once per process."""
    from benchmarks.drift.environments import environments

    return built(environments())
