"""Samples of level `model`, made whole by a model in the paper's way: no proofs, but gates, and an adversary before.

persona, organisation, context, relationships, bottlenecks (`world.py`); actions, checklist, sources, plan (`scene.py`);
evidence, distractors, enhancement, review (`papers.py`); adversary (`adversary.py`); freeze (here).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from benchmarks.probe.pipeline.grounds import stands
from benchmarks.probe.pipeline.papers import Placed, payload, slots, written_out
from benchmarks.probe.pipeline.replies import DETAILS
from benchmarks.probe.pipeline.scene import Scene, said, scene
from benchmarks.probe.pipeline.work import Dropped, Work
from benchmarks.probe.pipeline.world import cast, difficulty_of
from benchmarks.probe.records import Document, Gold, Sample

__all__ = ("ROUND", "Making", "named", "sample")

ROUND = 5
"""Samples that an adversary looks at in a round."""


class Making(BaseModel):
    """How samples are made: `personas` people, each with a batch of bottlenecks, one for each of their samples.

    `documents` and `words` are bounds of how many documents a sample has, where not the paper's, and of their length.
    Adversaries get up to `rounds` of five samples, 0 for none; they are of no set.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    personas: int = Field(default=235, ge=1)
    per_persona: int = Field(default=5, ge=2)
    documents: int | None = Field(default=None, ge=10)
    words: tuple[int, int] = (480, 900)
    rounds: int = Field(default=4, ge=0)

    @property
    def total(self) -> int:
        """How many samples there are, with those that adversaries get."""
        return self.personas * self.per_persona

    @property
    def room(self) -> int:
        """How many a set may have."""
        return self.total - ROUND * self.rounds


def named(seed: int, number: int, making: Making) -> str:
    """What the sample of this number is called: neighbours are of different personas."""
    who, place = number % making.personas, number // making.personas
    return f"model-{seed}-{who:03d}-{place}-{difficulty_of(who)}"


async def sample(seed: int, number: int, work: Work, making: Making, notes: Sequence[str] = ()) -> Sample:
    """The sample of this number; `notes` are patterns that gave others away.

    Raises:
        Dropped: some phase failed as often as it may, or there are no more bottlenecks.
    """
    who, place = number % making.personas, number // making.personas
    if place >= making.per_persona:
        raise Dropped("bottlenecks", f"a persona has {making.per_persona}, for as many samples")
    people = await cast(seed, who, making.per_persona, work)
    draw = random.Random(f"probe model {seed} {number}")
    staged = await scene(people, place, work, draw)
    count = making.documents or (81 if draw.random() < 0.8 else draw.randint(70, 74))
    empty = slots(draw, staged, count, making.words)
    of: dict[str, Any] = {"persona": who, "sample": place}
    placed = await written_out(staged, empty, work, of, notes)
    return _frozen(named(seed, number, making), staged, placed)


def _frozen(name: str, scene: Scene, placed: Sequence[Placed]) -> Sample:
    """The sample, once everything in its answer key stands in its documents. Raises `Dropped`."""
    ids = {each.slot.place: f"d{place:02d}" for place, each in enumerate(placed, 1)}
    documents = tuple(
        Document(id=ids[each.slot.place], type=each.slot.kind, payload=payload(scene, each)) for each in placed
    )
    evidence = [each for each in placed if each.slot.planned is not None]
    stated = {
        detail: tuple(ids[each.slot.place] for each in evidence if detail in each.slot.planned.states)  # type: ignore[union-attr]
        for detail in DETAILS
    }
    text = "\n".join(each.text for each in evidence)
    for parameter, value in scene.critical.items():
        for each in value if isinstance(value, list) else [value]:
            if not said(str(each), text):
                raise Dropped("freeze", f"the parameter {parameter} ({each}) stands in no evidence")
    task = scene.checklist.task
    return Sample(
        id=name,
        persona_id=f"m{scene.cast.number:03d}",
        difficulty=scene.cast.difficulty,
        level="model",
        template=scene.bottleneck.why_root_cause.type,
        now=scene.cast.now.isoformat(),
        world_model=scene.cast.world(),
        documents=documents,
        actions=scene.actions,
        gold=Gold(
            description=scene.bottleneck.description,
            details=scene.bottleneck.details(stated),
            action=scene.action.id,
            parameters=task.parameters,
            mentions=task.mentions,
            true_positives=tuple(ids[each.slot.place] for each in evidence),
            neutral=tuple(ids[each.slot.place] for each in placed if each not in evidence and _touches(scene, each)),
        ),
    )


def _touches(scene: Scene, placed: Placed) -> bool:
    """Whether a document names the work, or what is wrong, of the bottleneck, about which it says nothing."""
    names = (*scene.bottleneck.ways("what_task"), *scene.bottleneck.ways("why_root_cause"))
    return any(stands(each, placed.text) for each in names)
