"""Values that are known beforehand, from played branches."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.report.voi import Valuation
from harness.report.voi_estimates import crossfitted, difference
from tests.harness import toy
from tests.voi.coverage import holding, means, played
from tests.voi.scene import ASKS, BOTH, EITHER, IGNORED, Asker, lucky, suite, task, valuation


def values(found: Valuation) -> list[float | None]:
    return [each.value for each in found.questions]


def test_two_answers_that_are_needed_together_are_worth_1_each(tmp_path: Path) -> None:
    found = valuation(lambda: Asker(BOTH), tmp_path)

    assert values(found) == [1, 1, 1, 1]
    assert [each.asking for each in found.questions] == [1, 1, 1, 1]


def test_two_answers_of_which_either_will_do_are_worth_nothing_each(tmp_path: Path) -> None:
    found = valuation(lambda: Asker(EITHER), tmp_path)

    assert values(found) == [0, 0, 0, 0]


def test_not_asking_takes_the_questions_behind_it_too(tmp_path: Path) -> None:
    found = valuation(lambda: Asker(EITHER), tmp_path, suite(1))

    assert [each.asking for each in found.questions] == [1, 0]


def test_an_agent_that_ignores_answers_regrets_the_cost_of_each_question(tmp_path: Path) -> None:
    found = valuation(lambda: Asker(IGNORED), tmp_path, cost=0.05)

    assert values(found) == [0, 0, 0, 0]
    assert [each.regret for each in found.regrets] == pytest.approx([0.1, 0.1])
    assert [each.over for each in found.regrets] == pytest.approx([0.1, 0.1])
    assert [each.under for each in found.regrets] == pytest.approx([0, 0])
    assert {each.best for each in found.regrets} == {((), ())}


def test_an_agent_at_chance_whatever_it_hears_has_a_mean_value_within_its_interval_of_0(tmp_path: Path) -> None:
    (row,) = valuation(lucky(5, 0.5, 0.5), tmp_path, suite(10), model=True, continuations=4).as_json()["agents"]
    found = row["value_of_answer"]

    assert found["low"] < 0 < found["high"]
    assert found["low"] < found["value"] < found["high"]


def test_an_agent_that_asks_for_what_it_needs_regrets_nothing(tmp_path: Path) -> None:
    found = valuation(lambda: Asker(BOTH), tmp_path, suite(1))
    (regret,) = found.regrets

    assert (regret.outcome, regret.questions, regret.best) == (1, 2, (("list", "owner"),) * 2)
    assert [regret.regret, regret.over, regret.under] == pytest.approx([0, 0, 0])


def test_an_agent_that_asks_for_half_of_what_it_needs_regrets_the_other_half(tmp_path: Path) -> None:
    (regret,) = valuation(lambda: Asker(BOTH, ASKS[:1]), tmp_path, suite(1)).regrets

    assert regret.regret == pytest.approx((1 - 2 * 0.05) - (0 - 0.05))
    assert [regret.over, regret.under] == pytest.approx([0, regret.regret])


def test_of_redundant_answers_one_would_have_done(tmp_path: Path) -> None:
    (regret,) = valuation(lambda: Asker(EITHER), tmp_path, suite(1)).regrets

    assert regret.best == (("list",), ("list",))
    assert [regret.over, regret.under] == pytest.approx([0.05, 0])


def test_asking_that_did_better_than_being_told_shows_as_negative_regret(tmp_path: Path) -> None:
    asked: list[int] = []

    def make() -> Asker:
        asked.append(1)
        return Asker(BOTH if len(asked) == 1 else IGNORED)

    (regret,) = valuation(make, tmp_path, suite(1)).regrets

    assert regret.regret == pytest.approx(0 - (1 - 0.1))


def test_a_question_that_the_user_left_to_the_agent_is_worth_exactly_nothing(tmp_path: Path) -> None:
    found = valuation(lucky(1, 0.5, 0.5), tmp_path / "a", suite(1), model=True)
    left = valuation(lambda: Asker(EITHER, ["What is the subject?"]), tmp_path / "b", suite(1), model=True)

    assert {branch.kind for branch in found.planned.questions[0].branches} == {"answered", "deferred", "not asked"}
    assert {branch.kind for branch in left.planned.questions[0].branches} == {"answered", "not asked"}
    assert values(left) == [0]
    assert left.questions[0].exact
    assert (left.tables(full=True)[2].rows[0]["worth"], left.tables(full=True)[2].rows[0]["asking"]) == (0, None)


def test_a_model_whose_user_left_a_question_to_it_is_not_called_an_instrument(tmp_path: Path) -> None:
    left = valuation(lambda: Asker(EITHER, ["What is the subject?"]), tmp_path, suite(1), model=True)
    notes = " ".join(left.tables()[0].notes)

    assert "2 continuations a branch." in notes
    assert "An instrument does the same" not in notes


def test_the_share_of_expected_changes_can_be_the_outcome(tmp_path: Path) -> None:
    found = valuation(lambda: Asker(BOTH), tmp_path, suite(1), outcome="ckpt")

    assert values(found) == [1, 1]


def test_of_a_single_question_nothing_is_claimed_below_8_continuations(tmp_path: Path) -> None:
    few = valuation(lucky(2, 1, 0), tmp_path / "few", suite(1), model=True, continuations=7)
    many = valuation(lucky(2, 1, 0), tmp_path / "many", suite(1), model=True, continuations=8)

    (of_few,) = few.tables(full=True)[2].rows
    (of_many,) = many.tables(full=True)[2].rows
    assert (of_few["worth"], of_few["interval"], of_few["asking"]) == (None, None, None)
    assert (of_many["worth"], of_many["asking"]) == (1, 1)
    assert of_many["interval"]
    assert "No claim about a single question is made with fewer than 8" in " ".join(few.tables()[0].notes)
    assert "No claim" not in " ".join(many.tables()[0].notes)


def test_intervals_are_of_templates_where_there_are_several_and_else_of_tasks(tmp_path: Path) -> None:
    tasks = [task(n, template=f"template {n // 2}") for n in range(4)]
    own = valuation(lambda: Asker(BOTH), tmp_path / "own", toy.suite(tasks))
    one = valuation(lambda: Asker(BOTH), tmp_path / "one", suite(3, "same"))
    alone = valuation(lambda: Asker(BOTH), tmp_path / "alone", suite(1))

    assert own.tables()[0].rows[0]["clusters"] == "2 (template)"
    assert one.tables()[0].rows[0]["clusters"] == "3 (task)"
    assert alone.tables()[0].rows[0]["value of an answer"] == "+1.00"


def test_the_best_subset_is_chosen_on_one_half_and_judged_on_the_other() -> None:
    told = {(): [0.0, 1.0, 0.0, 1.0], ("a",): [1.0, 0.0, 1.0, 0.0]}

    found = crossfitted(told, cost=0.1)

    assert [tuple(each) for each in found] == [(("a",), -0.1), ((), 0.0)]


def test_one_continuation_is_too_few_to_choose_a_subset_by() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        crossfitted({(): [1.0]}, cost=0)


@pytest.mark.parametrize(("p", "q"), [(0.75, 0.25), (0.5, 0.5), (0.9, 0.4)])
def test_the_interval_of_one_question_covers_its_value(p: float, q: float) -> None:
    from math import comb

    n = 8
    covered = 0.0
    for a in range(n + 1):
        for b in range(n + 1):
            low, high = difference([1.0] * a + [0.0] * (n - a), [1.0] * b + [0.0] * (n - b))
            chance = comb(n, a) * p**a * (1 - p) ** (n - a) * comb(n, b) * q**b * (1 - q) ** (n - b)
            covered += chance * (low <= p - q <= high)

    assert 0.92 <= covered <= 0.98


def test_intervals_of_the_mean_hold_a_value_of_a_half_as_often_as_they_say() -> None:
    assert 0.92 <= holding(means(60, 8, 200)) <= 0.98


def test_a_played_question_of_known_value_is_estimated_without_bias(tmp_path: Path) -> None:
    (row,) = played(16, 8, tmp_path, seed=3).as_json()["agents"]

    assert row["value_of_answer"]["low"] < 0.5 < row["value_of_answer"]["high"]
