"""From verdicts to criteria, from criteria to a score, and how far judges agree."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from harness.score import Criterion, Query, Score, Verdict, graded, settled
from harness.scoring.agreement import agreement

POLITE = Query(id="polite", text="Is it polite?", evidence="Dear Ada")
CLEAR = Query(id="clear", text="How clear is it?", kind="scale", low=1, high=5)
TONE = Query(id="tone", text="Which tone?", kind="label", labels={"warm": 1.0, "cool": 0.5, "rude": 0.0})


def said(query: Query, **judges: list[Any]) -> Criterion:
    """The criterion that comes of each judge's votes."""
    verdicts = [Verdict(judge=judge, vote=n, answer=vote) for judge in judges for n, vote in enumerate(judges[judge])]
    return settled(query, {query.id: verdicts} if verdicts else {})


def test_a_criterion_that_nobody_judged_is_unscored() -> None:
    found = said(POLITE)

    assert (found.name, found.value, found.opinions, found.reason) == ("polite", None, (), "No judge was asked.")


@pytest.mark.parametrize(
    ("query", "votes", "value"),
    [
        (POLITE, ["yes"], 1.0),
        (POLITE, ["no"], 0.0),
        (POLITE, ["yes", "no", "yes"], 1.0),
        (POLITE, ["yes", "no"], None),
        (POLITE, [None], None),
        (POLITE, [None, None, "yes"], 1.0),
        (CLEAR, [5], 1.0),
        (CLEAR, [1], 0.0),
        (CLEAR, [2, 4, 3], 0.5),
        (CLEAR, [None, 2], 0.25),
        (TONE, ["cool", "cool", "rude"], 0.5),
        (TONE, ["cool", "rude"], None),
    ],
)
def test_a_judge_says_what_most_of_its_votes_do(query: Query, votes: list[Any], value: float | None) -> None:
    assert said(query, ada=votes).value == value


def test_each_judge_has_one_say_whatever_the_number_of_its_votes() -> None:
    assert said(POLITE, ada=["no", "no", "no"], ben=["yes"], eve=["yes"]).value == 1.0


def test_judges_who_contradict_each_other_leave_it_unscored() -> None:
    found = said(POLITE, ada=["no"], ben=["yes"])

    assert (found.value, found.reason) == (None, "Not settled: ada: no, ben: yes.")


def test_on_a_scale_judges_are_averaged() -> None:
    assert said(CLEAR, ada=[5], ben=[2]).value == pytest.approx((1.0 + 0.25) / 2)


def test_a_score_is_the_weighted_mean_and_correct_from_a_threshold_on() -> None:
    criteria = [Criterion(name="a", value=1.0, weight=3), Criterion(name="b", value=0.5)]

    assert (graded(criteria).value, graded(criteria).right) == (0.875, False)
    assert graded(criteria, correct_at=0.8).right
    assert graded(criteria).reason == "Not fully met: b."


@pytest.mark.parametrize("weights", [(1, 1, 1), (0.1, 0.2, 0.7), (3, 0.3, 0.03)])
def test_criteria_that_are_all_met_make_one_whatever_their_weights(weights: tuple[float, ...]) -> None:
    score = graded(Criterion(name=str(n), value=1.0, weight=weight) for n, weight in enumerate(weights))

    assert (score.value, score.right) == (1.0, True)


def test_one_unscored_criterion_leaves_the_score_unscored() -> None:
    score = graded([Criterion(name="a", value=1.0), Criterion(name="b", value=None)])

    assert (score.value, score.right, score.reason) == (None, None, "1 of 2 criteria are unscored: b.")


def test_a_criterion_without_weight_counts_for_nothing() -> None:
    assert graded([Criterion(name="a", value=1.0), Criterion(name="b", value=None, weight=0)]).value == 1.0


def test_a_score_takes_a_criterion_that_has_weight() -> None:
    with pytest.raises(ValueError, match="a criterion that has weight"):
        graded([Criterion(name="a", value=1.0, weight=0)])


@pytest.mark.parametrize(
    ("score", "right"),
    [
        (Score(value=1.0), True),
        (Score(value=0.9), False),
        (Score(value=0.9, correct=True), True),
        (Score(value=None, correct=True), None),
        (Score(value=1.0, detail={"correct": False}), False),
    ],
)
def test_what_feeds_rates_is_correct_else_a_value_of_one(score: Score, right: bool | None) -> None:
    assert score.right is right


def test_a_plain_score_is_written_as_it_always_was() -> None:
    assert Score(value=1.0).model_dump() == {"value": 1.0, "label": "", "reason": "", "detail": {}}


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "scale", "low": 5, "high": 5},
        {"kind": "scale", "low": 0, "high": 1000},
        {"kind": "label", "labels": {"one": 1.0}},
        {"kind": "label", "labels": {"one": 1.0, "two": 2.0}},
    ],
)
def test_a_query_that_nobody_could_answer_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="query 'odd'"):
        Query.model_validate({"id": "odd", "text": "Which?", **fields})


def test_queries_with_one_key_are_those_that_read_the_same() -> None:
    same = POLITE.model_copy(update={"id": "other", "criterion": "manners"})

    assert same.key == POLITE.key
    assert Query(id="polite", text="Is it polite?", evidence="Dear Ben").key != POLITE.key


def test_kappa_is_what_agreement_is_beyond_chance() -> None:
    pairs = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15

    found = agreement(pairs)

    assert (found.n, found.share) == (50, 0.7)
    assert found.kappa == pytest.approx(0.4)  # (0.7 - 0.5) / (1 - 0.5)


@pytest.mark.parametrize(
    ("pairs", "found"),
    [
        ([], (0, None, None)),
        ([(1, 1), (1, 1)], (2, 1.0, None)),
        ([(1, 2), (2, 1)], (2, 0.0, -1.0)),
        ([(1, 1), (2, 2)], (2, 1.0, 1.0)),
        ([(1, 1), (1, 2)], (2, 0.5, 0.0)),
    ],
)
def test_kappa_at_its_ends(pairs: list[tuple[int, int]], found: tuple[Any, ...]) -> None:
    assert agreement(pairs) == found
