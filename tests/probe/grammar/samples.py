"""Samples for tests, and ways to break one by hand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import date
from functools import cache

from benchmarks.probe.grammar.documents import TEXT
from benchmarks.probe.grammar.facts import Chain, Fact
from benchmarks.probe.grammar.generate import generate
from benchmarks.probe.grammar.proofs import facts_of, prove
from benchmarks.probe.grammar.reading import located
from benchmarks.probe.grammar.reckoning import Almanac
from benchmarks.probe.records import Difficulty, Sample
from tests.probe.grammar.stand_in import stand_in

__all__ = (
    "LEVELS", "chain", "changed", "place_of", "sample", "sentence_of", "sentences_of", "stated", "texts",
)  # fmt: skip

LEVELS: tuple[Difficulty, ...] = ("easy", "medium", "hard")


@cache
def sample(number: int, difficulty: Difficulty) -> Sample:
    return generate(7, number, difficulty=difficulty, filler=stand_in)


@cache
def stated(number: int, difficulty: Difficulty) -> dict[str, tuple[Fact, ...]]:
    """What each document of the sample states."""
    return facts_of(sample(number, difficulty))


@cache
def chain(number: int, difficulty: Difficulty) -> Chain:
    """The sample's live chain."""
    return prove(sample(number, difficulty))


def texts(sample: Sample) -> dict[str, str]:
    return {each.id: str(each.payload[TEXT[each.type]]) for each in sample.documents}


def place_of(sample: Sample, stated: Mapping[str, Collection[Fact]], fact: Fact) -> tuple[str, str]:
    """(id, day) of the document that states a fact."""
    home = next(each for each in sample.documents if fact in stated[each.id])
    return home.id, str(home.payload.get("date") or home.payload["start"])[:10]


def changed(sample: Sample, change: Callable[[str, str], str]) -> Sample:
    """The sample with another text for each document, from its id and text."""
    documents = tuple(
        each.model_copy(
            update={"payload": {**each.payload, TEXT[each.type]: change(each.id, str(each.payload[TEXT[each.type]]))}}
        )
        for each in sample.documents
    )
    return sample.model_copy(update={"documents": documents})


@cache
def _sentences(texts: tuple[tuple[str, str], ...], now: str) -> tuple[tuple[str, Fact], ...]:
    return tuple(pair for each in located(dict(texts), date.fromisoformat(now)).values() for pair in each)


def sentences_of(sample: Sample, facts: Collection[Fact]) -> list[str]:
    """The sentences that state these facts, as they are told or reckoned, in the order in which they stand."""
    found = _sentences(tuple(texts(sample).items()), sample.now)
    almanac = Almanac([fact for _, fact in found], date.fromisoformat(sample.now))
    return [sentence for sentence, fact in found if fact in facts or almanac.plain(fact) in facts]


def sentence_of(sample: Sample, fact: Fact) -> str:
    """The sentence that states a fact."""
    return sentences_of(sample, [fact])[0]
