"""Scores together, by hand."""

from __future__ import annotations

import pytest

from benchmarks.probe.scoring.answers import Answer
from benchmarks.probe.scoring.scored import questions, score
from tests.probe.scoring.toys import PARAMETERS, PROSE, RIGHT, answer, sample


def test_a_right_answer_is_one_in_everything() -> None:
    found = score(sample(), RIGHT, {}, agent="oracle")

    assert (found.overall, found.strict, found.wrong_reason) == (1, True, False)
    assert (found.agent, found.sample, found.persona, found.difficulty) == ("oracle", "S1", "P1", "easy")
    assert questions(sample(), RIGHT) == []


def test_overall_is_the_mean_of_three() -> None:
    given = answer(retrieved=("D1", "D4"), details={"where_system": ""}, parameters={"by": None})
    found = score(sample(), given, {})

    assert found.search is not None
    assert found.search.f1 == 0.5
    assert (found.identification.score, found.execution.score) == (0.5, 0.5)
    assert (found.overall, found.strict, found.wrong_reason) == (0.5, False, False)


def test_the_right_thing_done_without_the_bottleneck_is_right_for_the_wrong_reason() -> None:
    found = score(sample(), answer(details={"who_blocked": "Ada Berg"}), {})

    assert (found.execution.score, found.identification.score, found.wrong_reason) == (1, 0, True)
    assert found.overall == pytest.approx(2 / 3)


@pytest.mark.parametrize("given", [None, Answer()])
def test_no_answer_is_zero_in_everything(given: Answer | None) -> None:
    found = score(sample(), given, {})

    assert found.search is not None
    assert found.search.f1 == 0
    assert (found.identification.score, found.execution.score, found.overall, found.strict) == (0, 0, 0, False)


def test_reading_everything_has_all_recall_and_little_precision() -> None:
    found = score(sample(), answer(retrieved=("D1", "D2", "D3", "D4", "D5")), {}).search

    assert found is not None
    assert (found.recall, found.precision, found.precision_without_neutral) == (1, 2 / 5, 2 / 4)


def test_what_is_open_leaves_all_that_depends_on_it_unscored() -> None:
    found = score(sample(), answer(bottleneck=PROSE), {})

    assert found.search is not None
    assert found.search.f1 == 1
    assert found.execution.score == 1
    assert (found.identification.score, found.overall, found.strict, found.wrong_reason) == (None, None, None, None)
    assert len(questions(sample(), answer(bottleneck=PROSE))) == 6


@pytest.mark.parametrize("given", [RIGHT, answer(action="wait", details={"who_blocked": ""}), None])
def test_all_that_rests_on_an_ungrounded_key_is_unscored_whatever_was_answered(given: Answer | None) -> None:
    found = score(sample(parameters={**PARAMETERS, "reference": "ZZ-9"}), given, {})

    assert found.search is not None
    assert found.identification.score is not None
    assert (found.execution.score, found.overall, found.strict, found.wrong_reason) == (None, None, None, None)


def test_what_was_opened_is_scored_beside_what_is_declared() -> None:
    found = score(sample(), RIGHT, {}, touched=["D1", "D1", "D4", "D5", "D3"]).touched

    assert found is not None
    assert (found.precision, found.recall) == (1 / 4, 1 / 2)
    assert score(sample(), RIGHT, {}).touched is None


def test_the_same_input_gives_the_same_bytes() -> None:
    assert score(sample(), RIGHT, {}).model_dump_json() == score(sample(), RIGHT, {}).model_dump_json()
