"""What dials are expected to give: in closed form where there is one, and as drawing at random comes out."""

from __future__ import annotations

from math import sqrt
from random import Random

import pytest

from benchmarks.probe.scoring.dials import Dials, Outcome, expected, outcomes
from benchmarks.probe.scoring.scored import score
from tests.probe.scoring.toys import RIGHT, answer, sample


def mean(dials: Dials, name: str, true_positives: int = 3, documents: int = 20) -> float:
    return expected(outcomes(dials, true_positives, documents), lambda way: float(getattr(way, name))).mean


@pytest.mark.parametrize("dials", [Dials(), Dials(recall=0.7, noise=0.1, confusion=0.2, parameter_error=0.3)])
def test_chances_add_up_to_one(dials: Dials) -> None:
    assert sum(way.chance for way in outcomes(dials, 4, 30)) == pytest.approx(1)


def test_without_errors_all_is_one() -> None:
    assert list(outcomes(Dials(), 3, 79)) == [Outcome(1, 1, 1, 1, 1, 1)]


def test_every_set_of_true_positives_is_taken() -> None:
    assert len(list(outcomes(Dials(recall=0.5), 4, 4))) == 16


@pytest.mark.parametrize(
    ("dials", "name", "value"),
    [
        (Dials(recall=0.6), "recall", 0.6),
        (Dials(recall=0.6), "precision", 1 - 0.4**3),  # 1 where anything is declared
        (Dials(recall=0.6), "identification", 0.6**3),
        (Dials(recall=0.6), "execution", 0.6**3),
        (Dials(confusion=0.3), "identification", 0.7),
        (Dials(confusion=0.3), "execution", 1),
        (Dials(confusion=0.3), "f1", 1),
        (Dials(confusion=0.3), "wrong_reason", 0.3),
        (Dials(confusion=0.3), "overall", 2.7 / 3),
        (Dials(parameter_error=0.25), "execution", 0.75),
        (Dials(confusion=0.3, parameter_error=0.25), "strict", 0.7 * 0.75),
        (Dials(confusion=0.3, parameter_error=0.25), "wrong_reason", 0.3 * 0.75),
        (Dials(recall=0, noise=0), "f1", 0),
        (Dials(recall=0.9, noise=0.05, confusion=0.1), "strict", 0.9**3 * 0.95**17 * 0.9),
        (Dials(noise=0.05), "recall", 1),
    ],
)
def test_a_mean_is_the_closed_form(dials: Dials, name: str, value: float) -> None:
    assert mean(dials, name) == pytest.approx(value)


def test_noise_takes_precision_by_hand() -> None:
    # One true positive, two others, each declared half of the time: precision 1, 1/2 (twice), 1/3.
    assert mean(Dials(noise=0.5), "precision", 1, 3) == pytest.approx((1 + 2 / 2 + 1 / 3) / 4)
    assert mean(Dials(noise=0.5), "f1", 1, 3) == pytest.approx((1 + 2 * 2 / 3 + 1 / 2) / 4)


def test_the_deviation_of_a_coin_is_that_of_a_coin() -> None:
    found = expected(outcomes(Dials(confusion=0.3), 2, 10), lambda way: way.identification)

    assert found.mean == pytest.approx(0.7)
    assert found.sd == pytest.approx(sqrt(0.21))


def test_an_error_may_cost_half() -> None:
    ways = outcomes(Dials(parameter_error=0.4), 2, 10, after_error=0.5)

    assert expected(ways, lambda way: way.execution).mean == pytest.approx(0.6 + 0.4 * 0.5)


@pytest.mark.parametrize(("true_positives", "documents"), [(0, 5), (3, 2)])
def test_what_makes_no_sample_is_refused(true_positives: int, documents: int) -> None:
    with pytest.raises(ValueError, match="make no sample"):
        list(outcomes(Dials(), true_positives, documents))


def test_answers_drawn_with_these_dials_score_as_expected() -> None:
    dials, count, draw = Dials(recall=0.8, noise=0.2, confusion=0.3, parameter_error=0.25), 600, Random(7)
    scores: dict[str, list[float]] = {name: [] for name in ("f1", "identification", "execution", "overall")}
    for _ in range(count):
        found = [each for each in ("D1", "D2") if draw.random() < dials.recall]
        noise = [each for each in ("D3", "D4", "D5") if draw.random() < dials.noise]
        if len(found) == 2:
            details = {"who_blocked": "Ada Berg"} if draw.random() < dials.confusion else {}
            parameters = {"decider": "Eva Løvås"} if draw.random() < dials.parameter_error else {}
            given = answer(retrieved=(*found, *noise), details=details, parameters=parameters)
        else:
            given = RIGHT.model_copy(
                update={"retrieved": (*found, *noise), "bottleneck": "", "action": None, "parameters": {}}
            )
        one = score(sample(), given, {})
        assert one.search is not None
        assert one.identification.score is not None
        assert one.execution.score is not None
        assert one.overall is not None
        for name, value in (
            ("f1", one.search.f1),
            ("identification", one.identification.score),
            ("execution", one.execution.score),
            ("overall", one.overall),
        ):
            scores[name].append(value)

    for name, values in scores.items():
        truth = expected(outcomes(dials, 2, 5), lambda way, name=name: float(getattr(way, name)))  # type: ignore[misc]
        assert abs(sum(values) / count - truth.mean) < 3 * truth.sd / sqrt(count), name
