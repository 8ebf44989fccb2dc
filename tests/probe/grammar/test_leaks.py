"""A simple look for what gives true positives away, and that it sees what is planted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date

import pytest

from benchmarks.probe.grammar.entities import nouns
from benchmarks.probe.grammar.lines import entries
from benchmarks.probe.records import Difficulty, Sample
from tests.probe.grammar.samples import LEVELS, changed, sample, texts

NAME = re.compile(
    rf"\b(?:{'|'.join(entries('themes'))}) (?:{'|'.join(nouns())})\b|\b(?:{'|'.join(entries('areas'))}) [a-z]+ desk\b"
)
SAMPLES = 8


def auc(values: Mapping[str, float], positive: Sequence[str]) -> float:
    """How often a true positive has more of something than another document."""
    rest = [value for id, value in values.items() if id not in positive]
    pairs = [(values[id], other) for id in positive for other in rest]
    return sum((more > less) + 0.5 * (more == less) for more, less in pairs) / len(pairs)


def names(one: Sample) -> dict[str, float]:
    """How many of the things that a document names in full stand in others too."""
    found = {id: {*NAME.findall(text)} for id, text in texts(one).items()}
    homes = Counter(name for each in found.values() for name in each)
    return {id: sum(homes[name] > 1 for name in each) for id, each in found.items()}


def lengths(one: Sample) -> dict[str, float]:
    return {id: len(text) for id, text in texts(one).items()}


def places(one: Sample) -> dict[str, float]:
    return {each.id: place for place, each in enumerate(one.documents)}


def dates(one: Sample) -> dict[str, float]:
    days = {each.id: str(each.payload.get("date") or each.payload["start"])[:10] for each in one.documents}
    return {id: date.fromisoformat(day).toordinal() for id, day in days.items()}


FEATURES: Mapping[str, Callable[[Sample], Mapping[str, float]]] = {
    "dates": dates, "lengths": lengths, "names": names, "places": places,
}  # fmt: skip


def mean(feature: str, samples: Sequence[Sample]) -> float:
    return sum(auc(FEATURES[feature](one), one.gold.true_positives) for one in samples) / len(samples)


@pytest.mark.parametrize("feature", FEATURES)
@pytest.mark.parametrize("difficulty", LEVELS)
def test_true_positives_stand_out_in_nothing(difficulty: Difficulty, feature: str) -> None:
    found = mean(feature, [sample(number, difficulty) for number in range(SAMPLES)])

    assert 0.5 - spread(difficulty) < found < 0.5 + spread(difficulty)


def spread(difficulty: Difficulty) -> float:
    """Three and a half standard errors of the mean over so few samples, of 2, 3 or about 5 true positives."""
    return float(3.5 * (1 / (12 * {"easy": 2, "medium": 3, "hard": 4}[difficulty] * SAMPLES)) ** 0.5)


def longer(one: Sample) -> Sample:
    return changed(one, lambda id, text: text + "x" * (len(text) if id in one.gold.true_positives else 0))


def dropped(one: Sample) -> Sample:
    """True positives repeat all names of the first document."""
    first = " ".join(NAME.findall(texts(one)["d01"]))
    return changed(one, lambda id, text: f"{text} {first}" if id in one.gold.true_positives else text)


def first(one: Sample) -> Sample:
    positive = one.gold.true_positives
    return one.model_copy(update={"documents": tuple(sorted(one.documents, key=lambda each: each.id not in positive))})


@pytest.mark.parametrize(("feature", "plant"), [("lengths", longer), ("names", dropped), ("places", first)])
def test_a_planted_leak_is_seen(feature: str, plant: Callable[[Sample], Sample]) -> None:
    found = mean(feature, [plant(sample(number, "medium")) for number in range(SAMPLES)])

    assert abs(found - 0.5) > spread("medium")
