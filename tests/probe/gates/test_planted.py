"""Artifacts planted in samples of the grammar are seen, and nothing but what they say is changed."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from benchmarks.probe.gates.features import FEATURES, features
from benchmarks.probe.gates.gates import SINGLE
from benchmarks.probe.gates.parts import taken_apart
from benchmarks.probe.gates.planted import PLANTS
from benchmarks.probe.gates.within import auc
from benchmarks.probe.naming import named
from benchmarks.probe.records import Sample
from benchmarks.probe.worlds import sample
from tests.probe.gates.small import mail
from tests.probe.gates.small import sample as small

NUMBERS = range(5)
"""Hard samples, of four to six true positives each: so many are enough for every artifact."""


@cache
def grammatical(number: int) -> Sample:
    return sample(named(7, number, "hard"))


@cache
def measured(plant: str | None) -> dict[str, float]:
    """The mean AUC of each feature over the samples."""
    found = []
    for number in NUMBERS:
        each = PLANTS[plant](grammatical(number)) if plant else grammatical(number)
        evidence = np.array([one.id in each.gold.true_positives for one in each.documents])
        found.append(auc(features(each), evidence))
    return dict(zip(FEATURES, np.mean(found, axis=0).tolist(), strict=True))


@pytest.mark.parametrize(
    ("plant", "feature", "least", "most"),
    [
        ("order", "place", 0.0, 0.0),
        ("dates", "day", 0.75, 0.9),  # 18 of 28 others lie before, and half of the other 10: 0.82
        ("typos", "near misses of words", 0.15, 0.35),  # below the half with typos, halfway among the others: 0.25
        ("length", "characters", 0.75, 0.97),  # over 24 samples 0.89, where one differs by 0.09
    ],
)
def test_what_is_planted_is_seen(plant: str, feature: str, least: float, most: float) -> None:
    assert least <= measured(plant)[feature] <= most
    assert not SINGLE[0] <= measured(plant)[feature] <= SINGLE[1]


@pytest.mark.parametrize("feature", ["place", "day", "near misses of words", "characters"])
def test_what_is_not_planted_is_not_seen(feature: str) -> None:
    assert 0.4 <= measured(None)[feature] <= 0.6


def test_a_longer_document_is_longer_by_about_fifteen_percent_and_begins_as_before() -> None:
    plain, planted = grammatical(0), PLANTS["length"](grammatical(0))
    pairs = [*zip(map(taken_apart, plain.documents), map(taken_apart, planted.documents), strict=True)]
    changed = {one.id for one, (before, after) in zip(plain.documents, pairs, strict=True) if before != after}

    assert changed == {*plain.gold.true_positives}
    assert all(after.text.startswith(before.text) for before, after in pairs)
    assert all(1.15 <= len(after.text) / len(before.text) < 1.2 for before, after in pairs if before != after)


def test_a_moved_event_still_lasts_as_long() -> None:
    end: dict[str, Any] = {"start": "2026-03-02T09:30", "end": "2026-03-02T10:15", "date": None}
    others = [mail(f"d{day}", date=f"2026-03-{day:02d}") for day in range(3, 31)]

    first, *rest = PLANTS["dates"](small(mail("d1", **end), *others, evidence=("d1",))).documents

    assert "2026-03-20" < str(first.payload["start"]) <= "2026-03-30T09:30"
    assert taken_apart(first).minutes == 45
    assert rest == others


def test_half_of_the_others_have_typos() -> None:
    plain, planted = grammatical(1), PLANTS["typos"](grammatical(1))
    changed = {one.id for one, other in zip(plain.documents, planted.documents, strict=True) if one != other}

    half = (len(plain.documents) - len(plain.gold.true_positives)) // 2
    assert 0.9 * half < len(changed) <= half  # in a short one no word may be drawn
    assert not changed & {*plain.gold.true_positives}


@pytest.mark.parametrize("plant", PLANTS)
def test_the_same_is_planted_every_time(plant: str) -> None:
    assert PLANTS[plant](grammatical(2)) == PLANTS[plant](grammatical(2))


@pytest.mark.parametrize("plant", PLANTS)
def test_planting_leaves_the_key_and_documents_without_text_or_day_as_they_are(plant: str) -> None:
    bare = small(*(each.model_copy(update={"payload": {"about": "x"}}) for each in (mail("d1"), mail("d2"))))

    assert PLANTS[plant](bare) == bare
    assert PLANTS[plant](grammatical(3)).gold == grammatical(3).gold
