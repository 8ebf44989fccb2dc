"""Samples for tests, and ways to break one by hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import cache

from benchmarks.probe.grammar.documents import TEXT
from benchmarks.probe.grammar.facts import Fact
from benchmarks.probe.grammar.generate import generate
from benchmarks.probe.grammar.reading import located
from benchmarks.probe.records import Difficulty, Sample
from tests.probe.grammar.stand_in import stand_in

__all__ = ("LEVELS", "changed", "sample", "sentence_of", "texts")

LEVELS: tuple[Difficulty, ...] = ("easy", "medium", "hard")


@cache
def sample(number: int, difficulty: Difficulty) -> Sample:
    return generate(7, number, difficulty=difficulty, filler=stand_in)


def texts(sample: Sample) -> dict[str, str]:
    return {each.id: str(each.payload[TEXT[each.type]]) for each in sample.documents}


def changed(sample: Sample, change: Callable[[str, str], str]) -> Sample:
    """The sample with another text for each document, from its id and text."""
    documents = tuple(
        each.model_copy(
            update={"payload": {**each.payload, TEXT[each.type]: change(each.id, str(each.payload[TEXT[each.type]]))}}
        )
        for each in sample.documents
    )
    return sample.model_copy(update={"documents": documents})


def sentence_of(sample: Sample, fact: Fact) -> str:
    """The sentence that states a fact."""
    found = located(texts(sample), date.fromisoformat(sample.now))
    return next(sentence for each in found.values() for sentence, stated in each if stated == fact)
