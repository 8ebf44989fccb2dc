"""Somebody who looks for patterns that give evidence away, and gets only views from which nobody could reason it out.

metadata: what stands in headers, and lengths; one document: each by itself; world model and actions: no document at
all; masked: all texts without names, numbers and days. How well it ranks true positives before distractors (or the
right action before others) is measured; whatever patterns it names are kept for whoever measures those.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict

from benchmarks.probe.grammar.documents import TEXT
from benchmarks.probe.pipeline.replies import Artifact, Ranking, Suspicion
from benchmarks.probe.pipeline.work import Dropped, PipelineError, Work, prompt
from benchmarks.probe.records import Document, Sample

__all__ = ("BOUNDS", "VIEWS", "Round", "View", "attack", "auc", "masked")

VIEWS = ("metadata", "one_document", "world_and_actions", "masked")
BOUNDS = (0.43, 0.57)
"""Where the area under the curve of a pattern that tells nothing may lie, as for the gates' single features."""
_SURE = 2.0
"""Standard errors from a half that a finding must lie away as well: a round has few samples."""


class View(BaseModel):
    """What one view gave away: areas under the curve by sample, their mean, standard errors from a half, patterns."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    by_sample: dict[str, float]
    mean: float
    errors: float
    found: bool
    rankings: dict[str, tuple[str, ...]]
    artifacts: tuple[Artifact, ...] = ()


class Round(BaseModel):
    """One round over a few samples. It is clean if no view found anything, and there was a sample to look at."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    samples: tuple[str, ...]
    dropped: tuple[str, ...] = ()
    views: tuple[View, ...]

    @property
    def clean(self) -> bool:
        return bool(self.samples) and not any(each.found for each in self.views)

    @property
    def artifacts(self) -> tuple[str, ...]:
        """The patterns named by views that found something, as notes for those who write."""
        named = (f"{each.name}: {each.pattern}" for view in self.views if view.found for each in view.artifacts)
        return tuple(dict.fromkeys(named))


async def attack(samples: Sequence[Sample], work: Work, dropped: Sequence[str] = ()) -> Round:
    """A round over these samples; `dropped` were to be in it. Raises `PipelineError` where a reply is unreadable."""
    asks = {
        "metadata": partial(_ranked, "metadata", work, _metadata),
        "one_document": partial(_suspected, work),
        "world_and_actions": partial(_ranked, "world_and_actions", work, _actions),
        "masked": partial(_ranked, "masked", work, masked),
    }
    views: list[View] = []
    for name in VIEWS:
        try:
            told = await work.all([partial(asks[name], each) for each in samples])
        except Dropped as error:
            raise PipelineError(f"the adversary's view {name} could not be had: {error}") from None
        views.append(_measured(name, samples, told))
    return Round(samples=tuple(each.id for each in samples), dropped=tuple(dropped), views=tuple(views))


def auc(places: Mapping[str, float], right: Sequence[str], of: Sequence[str]) -> float:
    """How often one of the right ids stands before another one; ties count half, what has no place is last."""
    wrong = [each for each in of if each not in set(right)]
    pairs = [(places.get(one, math.inf), places.get(other, math.inf)) for one in right for other in wrong]
    return sum(1.0 if one < other else 0.5 if one == other else 0.0 for one, other in pairs) / len(pairs)


def masked(sample: Sample) -> list[dict[str, Any]]:
    """All texts without what tells cases apart: persons, capitalised words within sentences, whatever has a digit."""
    names = {part for each in _names(sample.world_model) for part in each.split()}
    return [
        {"id": each.id, "type": each.type, "text": _masked(str(each.payload[TEXT[each.type]]), names)}
        for each in sample.documents
    ]


def _measured(name: str, samples: Sequence[Sample], told: Sequence[_Told]) -> View:
    areas: dict[str, float] = {}
    variance = 0.0
    for sample, each in zip(samples, told, strict=True):
        right = [str(sample.gold.action)] if name == "world_and_actions" else [*sample.gold.true_positives]
        of = [it.id for it in (sample.actions if name == "world_and_actions" else sample.documents)]
        areas[sample.id] = auc(each.places, right, of)
        hits, rest = len(right), len(of) - len(right)
        variance += (hits + rest + 1) / (12 * hits * rest)
    count = len(samples)
    mean = sum(areas.values()) / count if count else 0.5
    errors = (mean - 0.5) / (math.sqrt(variance) / count) if count else 0.0
    found = not BOUNDS[0] <= mean <= BOUNDS[1] and abs(errors) >= _SURE
    return View(
        name=name, by_sample=areas, mean=round(mean, 4), errors=round(errors, 2), found=found,
        rankings={
            sample.id: tuple(sorted(each.places, key=each.places.__getitem__))
            for sample, each in zip(samples, told, strict=True)
        },
        artifacts=tuple(dict.fromkeys(it for each in told for it in each.artifacts)),
    )  # fmt: skip


class _Told(NamedTuple):
    """Where a view puts each id, the likeliest first, and the patterns that it names."""

    places: Mapping[str, float]
    artifacts: tuple[Artifact, ...]


async def _ranked(view: str, work: Work, shown: Any, sample: Sample) -> _Told:
    told = json.dumps(shown(sample), indent=1, ensure_ascii=False)
    ids = [each.id for each in (sample.actions if view == "world_and_actions" else sample.documents)]
    asked = prompt("adversary_ranking", view=view, shown=told, what="actions" if view == VIEWS[2] else "documents")
    of = {"sample": sample.id, "view": view}
    reply = await work.item("adversary", of, asked, Ranking, check=partial(_known, ids), reads=True)
    return _Told({id: float(place) for place, id in enumerate(reply.ranking)}, reply.artifacts)


async def _suspected(work: Work, sample: Sample) -> _Told:
    """Each document by itself, placed by how likely it was called."""
    told = await work.all([partial(_suspicion, work, sample.id, each) for each in sample.documents])
    places = {each.id: -float(it.likelihood) for each, it in zip(sample.documents, told, strict=True)}
    return _Told(places, tuple(dict.fromkeys(it for each in told for it in each.artifacts)))


async def _suspicion(work: Work, sample: str, document: Document) -> Suspicion:
    shown = json.dumps({"type": document.type, "payload": document.payload}, indent=1, ensure_ascii=False)
    of = {"sample": sample, "view": "one_document", "document": document.id}
    return await work.item("adversary", of, prompt("adversary_document", shown=shown), Suspicion, reads=True)


def _metadata(sample: Sample) -> list[dict[str, Any]]:
    found = []
    for each in sample.documents:
        text = str(each.payload[TEXT[each.type]])
        head = {name: value for name, value in each.payload.items() if name != TEXT[each.type]}
        sizes = {"words": len(text.split()), "lines": len(text.splitlines()), "characters": len(text)}
        found.append({"id": each.id, "type": each.type, **head, **sizes})
    return found


def _actions(sample: Sample) -> dict[str, Any]:
    return {
        "world_model": sample.world_model,
        "actions": [
            {"id": each.id, "type": each.type, "description": each.description, "constraints": [*each.constraints],
             "parameters": [*each.params_schema.properties]}
            for each in sample.actions
        ],
    }  # fmt: skip


_SENTENCE = re.compile(r"(?<=[.!?:])\s+|\n")


def _masked(text: str, names: Collection[str]) -> str:
    parts = []
    for sentence in _SENTENCE.split(text):
        words = [word if _plain(word, names, first=not place) else "_" for place, word in enumerate(sentence.split())]
        parts.append(" ".join(words))
    return "\n".join(part for part in parts if part)


def _plain(word: str, names: Collection[str], *, first: bool) -> bool:
    """Whether a word may be seen: no name, no number."""
    if any(sign.isdigit() for sign in word) or any(part in names for part in re.findall(r"\w+", word)):
        return False
    return first or not word[:1].isupper() or word in ("I", "I'm", "I've")


def _names(world: Mapping[str, Any]) -> list[str]:
    """Everybody whom the world model knows."""
    people = [world["persona"], *world["relationships"]]
    return [str(each["name"]) for each in people]


def _known(ids: Sequence[str], reply: Ranking) -> None:
    if strange := [each for each in reply.ranking if each not in ids]:
        raise ValueError(f"there is no {strange[0]!r} to rank")
    if len(set(reply.ranking)) < len(reply.ranking):
        raise ValueError("each is to be ranked once")
