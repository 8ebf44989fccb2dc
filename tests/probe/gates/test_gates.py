"""What passes and what fails, on samples whose areas are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from benchmarks.probe.gates.features import FEATURES
from benchmarks.probe.gates.gates import Gate, gates
from benchmarks.probe.gates.learned import CHOICES, grams, judged
from benchmarks.probe.gates.looks import GatesError, Look
from tests.probe.gates.small import look

COUNT = 24


def only(found: list[Gate], name: str) -> Gate:
    (gate,) = (gate for gate in found if gate.name == name)
    return gate


def with_column(name: str, values: list[float], **told: Any) -> list[Look]:
    """Samples of noise, in all of which one feature has these values."""
    made = []
    for number in range(COUNT):
        plain = look(number, documents=len(values), **told)
        plain.features[:, FEATURES.index(name)] = values
        made.append(plain)
    return made


@pytest.mark.parametrize(
    ("values", "area", "passed"),
    [
        ([1.0, 0, 1, 0, 1, 0, 1, 0, 1, 0], 0.5, True),
        ([1.0, 1, 2, 0, 1, 0, 1, 0, 1, 0], 0.6875, False),  # above 4 of 8, tied with 3
        ([9.0, 8, 0, 1, 2, 3, 4, 5, 6, 7], 1.0, False),
        ([0.0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 0.0, False),
    ],
)
def test_a_feature_passes_within_its_limits(values: list[float], area: float, passed: bool) -> None:
    gate = only(gates(with_column("hour", values, evidence=2)), "hour")

    assert (gate.value, gate.low, gate.high) == pytest.approx((area, area, area))
    assert gate.passed is passed


def _shared(area_in_hundredths: int) -> list[float]:
    """One true positive and a hundred others, of which so many have less."""
    return [50.0, *([0.0] * area_in_hundredths), *([99.0] * (100 - area_in_hundredths))]


@pytest.mark.parametrize(
    ("difficulty", "feature", "hundredths", "passed"),
    [
        ("easy", "hour", 43, True), ("easy", "hour", 42, False),
        ("easy", "hour", 57, True), ("easy", "hour", 58, False),
        ("easy", "shared codes", 40, True), ("easy", "shared codes", 39, False), ("easy", "shared codes", 61, False),
        ("medium", "shared codes", 42, False),
    ],
)  # fmt: skip
def test_limits_are_those_of_the_specification(difficulty: Any, feature: str, hundredths: int, passed: bool) -> None:
    made = with_column(feature, _shared(hundredths), evidence=1, difficulty=difficulty)[:2]

    assert only(gates(made), feature).passed is passed


def test_a_learner_finds_what_no_single_feature_shows() -> None:
    # Evidence has both features in the middle or both at an end, the others one of each.
    made = []
    for number in range(COUNT):
        plain = look(number, documents=40, evidence=10)
        draw = np.random.default_rng(100 + number)
        first = draw.random(40)
        second = np.where(plain.marked, first, 1 - first)
        plain.features[:, FEATURES.index("hour")] = first
        plain.features[:, FEATURES.index("words")] = second
        made.append(plain)

    found = gates(made)

    assert only(found, "hour").passed
    assert only(found, "boosting").low > 0.6
    assert not only(found, "boosting").passed


@pytest.mark.parametrize(("field", "kind", "name"), [("words", "word", "words, pairs of them"),
                                                    ("characters", "char", "runs of characters")])  # fmt: skip
def test_a_learner_finds_a_word_that_evidence_has_more_often(field: str, kind: Any, name: str) -> None:
    made = []
    for number in range(COUNT):
        plain = look(number)
        draw = np.random.default_rng(number)
        texts = [f"word{draw.integers(30)} {'yellow' if mark else 'purple'}" for mark in plain.marked]
        made.append(look(number, **{field: grams(texts, kind)}))

    gate = only(gates(made), name)

    assert gate.value == 1.0
    assert not gate.passed


def test_an_action_that_always_stands_first_is_guessed() -> None:
    made = []
    for number in range(COUNT):
        plain = look(number, actions=25, right=0)
        plain.choices[:, CHOICES.index("place")] = np.arange(25)
        made.append(plain)

    gate = only(gates(made), "action by boosting")

    assert gate.value == 1.0
    assert gate.most == pytest.approx(1 / 25 + 0.03)
    assert not gate.passed


def test_noise_is_not_learned() -> None:
    found = gates([look(number, documents=60, evidence=20) for number in range(30)])

    assert [each.name for each in found if each.kind == "learned" and not each.passed] == []
    assert [each.name for each in found if each.kind == "single" and not each.passed] == []


def test_a_learner_has_seen_no_sample_of_the_persona_that_it_judges() -> None:
    # Each persona's evidence has a column of its own at 1. Who had seen the persona would part it perfectly.
    rows, marked, personas = [], [], []
    for number in range(20):
        for mark in (True, False) * 10:
            rows.append([float(mark and column == number) for column in range(20)])
            marked.append(mark)
            personas.append(f"P{number}")

    scores = judged("grams", np.array(rows), np.array(marked), personas)

    of = np.array(personas)
    assert [len(set(scores[of == persona].round(12))) for persona in dict.fromkeys(personas)] == [1] * 20


def test_difficulties_are_measured_apart() -> None:
    made = [look(number) for number in range(4)] + [look(number, difficulty="hard") for number in range(4, 10)]

    found = gates(made)

    assert {(each.difficulty, each.samples, each.personas) for each in found} == {("easy", 4, 4), ("hard", 6, 6)}
    assert [each.kind for each in found] == sorted(
        (each.kind for each in found), key=("single", "learned", "guess").index
    )


def test_samples_without_evidence_or_action_are_left_out_where_these_are_asked_for() -> None:
    made = [look(number) for number in range(4)]
    made += [look(4, right=None), look(5, marked=np.zeros(20, dtype=bool))]

    found = gates(made)

    assert {each.samples for each in found} == {5}
    assert {each.personas for each in found} == {5}


def test_several_processes_measure_the_same_as_one() -> None:
    made = [look(number) for number in range(6)]

    assert gates(made, workers=2) == gates(made)


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ([], "no sample"),
        ([look(1)], r"too few personas \(1\)"),
        ([look(1), look(2, persona="P1")], r"too few personas \(1\)"),
        ([look(1), look(2, right=None)], r"a right action are of too few personas \(1\)"),
    ],
)
def test_what_gates_cannot_be_held_against_is_said(made: list[Look], told: str) -> None:
    with pytest.raises(GatesError, match=told):
        gates(made)
