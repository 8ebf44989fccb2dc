"""A sample as the gates see it, with the little that is kept of it; made side by side, in several processes."""

from __future__ import annotations

import importlib.util
import multiprocessing
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.probe import naming, worlds
from benchmarks.probe.gates.features import features
from benchmarks.probe.gates.learned import choices, grams
from benchmarks.probe.gates.parts import taken_apart
from benchmarks.probe.gates.planted import PLANTS
from benchmarks.probe.published import imported, pairs, read
from benchmarks.probe.records import Difficulty, Sample

if TYPE_CHECKING:
    from numpy import ndarray
    from scipy.sparse import csr_matrix

__all__ = ("GatesError", "Look", "Source", "generated", "look", "looks", "published", "side_by_side")

Source = Callable[[], Sample]
"""Where a sample comes from; other processes have to be able to load it."""

_OTHERS = 24
"""Of so many documents that are no true positives, drawn, texts are kept for learners: enough to be told apart from."""


class GatesError(Exception):
    """Gates that cannot be held against anything; the text says what is missing."""


@dataclass(frozen=True)
class Look:
    """What gates know of a sample.

    `marked` (bool) are the true positives among its documents, `features` a row for each document; `drawn` are the
    places of documents whose `words` and `characters` are counted. `right` is the place of the right action, None for
    a control, `choices` and `told` its actions' features and words.
    """

    id: str
    persona: str
    difficulty: Difficulty
    marked: ndarray
    features: ndarray
    drawn: ndarray
    words: csr_matrix
    characters: csr_matrix
    right: int | None
    choices: ndarray
    told: csr_matrix


def look(sample: Sample) -> Look:
    """What gates see of a sample. Raises `GatesError` where scikit-learn is not installed."""
    if importlib.util.find_spec("sklearn") is None:
        raise GatesError("the gates need scikit-learn: pip install 'workplace-harness[gates]'")
    import numpy as np

    evidence = set(sample.gold.true_positives)
    marked = np.array([each.id in evidence for each in sample.documents])
    draw = random.Random(f"probe gates drawn {sample.id}")
    others = [place for place, here in enumerate(marked) if not here]
    drawn = sorted([*np.flatnonzero(marked).tolist(), *draw.sample(others, min(_OTHERS, len(others)))])
    parts = [taken_apart(sample.documents[place]) for place in drawn]
    texts = [f"{each.title}\n{each.text}" for each in parts]
    told = [" ".join((each.type, each.description, *each.constraints)) for each in sample.actions]
    ids = [each.id for each in sample.actions]
    return Look(
        id=sample.id,
        persona=sample.persona_id,
        difficulty=sample.difficulty,
        marked=marked,
        features=features(sample),
        drawn=np.array(drawn),
        words=grams(texts, "word"),
        characters=grams(texts, "char"),
        right=ids.index(sample.gold.action) if sample.gold.action in ids else None,
        choices=choices(sample),
        told=grams(told, "word"),
    )


def generated(seed: int, count: int, difficulties: Sequence[Difficulty]) -> list[Source]:
    """The first samples of the grammar, so many of each difficulty."""
    return [
        partial(worlds.sample, naming.named(seed, number, each)) for each in difficulties for number in range(count)
    ]


def published(folder: Path, seed: int) -> list[Source]:
    """All samples below a folder in the published layout. Raises `PublishedError`."""
    return [partial(_imported, given, key, seed) for _, given, key in pairs(folder)]


def _imported(given: Path, key: Path, seed: int) -> Sample:
    return imported(read(given, key), seed).sample


def looks(sources: Sequence[Source], plant: str | None = None, workers: int = 1) -> list[Look]:
    """What gates see of samples, in their order, with an artifact put into each first if one is named."""
    return list(side_by_side(partial(_looked, plant), sources, workers))


def side_by_side(work: Callable[[Any], Any], things: Sequence[Any], workers: int) -> Iterator[Any]:
    """What work makes of each thing, in order, in this process or in several."""
    if workers < 2 or len(things) < 2:
        yield from map(work, things)
        return
    with multiprocessing.get_context("spawn").Pool(min(workers, len(things))) as pool:
        yield from pool.imap(work, things)


def _looked(plant: str | None, source: Source) -> Look:
    sample = source()
    return look(PLANTS[plant](sample) if plant else sample)
