"""Controls: samples in which nothing is held up, because one document says something against the live chain.

A control is a sample with one sentence changed, as long in words as the one in its place. Whatever tools show is the
same in both, byte for byte, until a query matches what differs.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from benchmarks.probe.grammar.documents import TEXT
from benchmarks.probe.grammar.facts import AGAINST, KEYS, NOTED, Fact, live
from benchmarks.probe.grammar.proofs import facts_of, remit_of
from benchmarks.probe.grammar.reading import located
from benchmarks.probe.grammar.saying import Statement, said
from benchmarks.probe.records import Details, Document, Gold, Sample

__all__ = ("control",)

_WORDINGS = 200
"""Ways to say it that are tried in one place, for one of the right length."""
_WORD = re.compile(r"\w+")


_Stated = Mapping[str, Sequence[tuple[str, Fact]]]
"""What each document states, with the sentence that does."""


class _Place(NamedTuple):
    """A note's sentence, which may be replaced."""

    document: Document
    sentence: str
    note: Fact


_Keys = Sequence[tuple[str, str]]
"""(type, value) of each key of a chain."""


def control(sample: Sample, name: str) -> Sample:
    """The sample's control, called so: one note of it replaced by one against the live chain, on any of its keys.

    The note stands in no true positive and, where that can be, in a document of a later day than these. What it said
    before was said of something in that chain, where that can be.

    Raises:
        ValueError: the sample has no live chain, or there is no such place.
    """
    texts = {each.id: _text(each) for each in sample.documents}
    stated = located(texts, date.fromisoformat(sample.now))
    found = live([fact for facts in facts_of(sample).values() for fact in facts], remit_of(sample))
    if len(found) != 1:
        raise ValueError(f"{sample.id} has {len(found)} live chains, so it has no control")
    keys = tuple(zip(KEYS, (fact[key] for key, fact in zip(KEYS, found[0], strict=False)), strict=True))
    draw = random.Random(f"probe control {sample.id}")
    for place in _places(draw, sample, stated, keys):
        sentence = next(_sentences(draw, sample, keys, place), None)
        if sentence is None:
            continue
        changed = _changed(sample, place, sentence)
        if _is_off(changed):  # else what stood there spoke against another chain
            return changed.model_copy(update={"id": name, "gold": _gold(sample)})
    raise ValueError(f"{sample.id}: no note can be replaced by one against its live chain")


def _places(draw: random.Random, sample: Sample, stated: _Stated, keys: _Keys) -> list[_Place]:
    """Where a note may be replaced, the best first."""
    documents = {each.id: each for each in sample.documents}
    after = max(_day(documents[id]) for id in sample.gold.true_positives)
    found = [
        _Place(documents[id], sentence, fact)
        for id, facts in stated.items()
        if id not in sample.gold.true_positives
        for sentence, fact in facts
        if fact.kind in NOTED and _text(documents[id]).count(sentence) == 1
    ]
    draw.shuffle(found)
    return sorted(found, key=lambda place: (_day(place.document) <= after, _key(place.note) not in keys))


def _key(note: Fact) -> tuple[str, str]:
    return NOTED[note.kind], note.values[0]


def _text(document: Document) -> str:
    return str(document.payload[TEXT[document.type]])


def _day(document: Document) -> str:
    """The ISO day of a document."""
    return str(document.payload["start" if document.type == "event" else "date"])[:10]


def _sentences(draw: random.Random, sample: Sample, keys: _Keys, place: _Place) -> Iterator[str]:
    """Ways to speak against the chain, as many words long as what they replace."""
    now, words = date.fromisoformat(sample.now), len(_WORD.findall(place.sentence))
    for _ in range(_WORDINGS):
        key, value = draw.choice(keys)
        note = Statement(Fact(draw.choice(AGAINST[key]), (value,)))
        sentence = said(draw, note, {}, now)
        if len(_WORD.findall(sentence)) == words:
            yield sentence


def _changed(sample: Sample, place: _Place, sentence: str) -> Sample:
    field, text = TEXT[place.document.type], _text(place.document).replace(place.sentence, sentence)
    other = place.document.model_copy(update={"payload": {**place.document.payload, field: text}})
    documents = tuple(other if each.id == other.id else each for each in sample.documents)
    return sample.model_copy(update={"documents": documents})


def _is_off(sample: Sample) -> bool:
    """Whether its texts hold no live chain."""
    return not live([fact for facts in facts_of(sample).values() for fact in facts], remit_of(sample))


def _gold(sample: Sample) -> Gold:
    """The answer key: there is nothing to find, and nothing to do. Documents of the chain are neutral now."""
    nothing = dict.fromkeys(Details.model_fields, None)
    known = {*sample.gold.true_positives, *sample.gold.neutral}
    return Gold(
        description="Nothing is blocked.",
        details=Details(**nothing),
        action=None,
        neutral=tuple(each.id for each in sample.documents if each.id in known),
    )
