from __future__ import annotations

from typing import Any, Literal

import pytest

from harness.score import Score, outcome
from harness.suite import SuiteError
from harness.task import Compare, End, Task
from harness.trajectory import Trajectory
from servers.kernel import Change
from tests.scoring.scenes import added, changed, dropped, end, removed, want_change, want_new

MILK = {"title": "milk", "price": "2"}
WISH = end(want_change("items", "1", price="3"), want_new("items", title="tea", price="1"))
PRICED = changed("items", "1", MILK, price="3")
TEA = added("items", "5", title="tea", price="1")
STRAY = removed("items", "2", **MILK)


def scored(
    *changes: Change,
    ends: tuple[End, ...] = (WISH,),
    compare: Compare = Compare(),
    status: Literal["finished", "limit", "crashed", "void"] = "finished",
    reason: str = "",
) -> Score:
    task = Task(id="t", world="w", apps=("shop",), sessions=(), ends=ends, compare=compare)
    return outcome(
        task,
        Trajectory(
            suite="s", task="t", task_hash=task.hash, agent="a", condition="c", trial=0, seed=0, prompt="original",
            status=status, reason=reason, changes=list(changes),
        ),
    )  # fmt: skip


def test_a_right_end_is_correct_with_full_credit() -> None:
    assert scored(PRICED, TEA) == Score(
        value=1.0,
        label="correct",
        reason="All 2 expected changes were made, and nothing else changed.",
        detail={
            "correct": True, "side_effects": False, "matched": 2, "expected": 2, "unexpected": 0, "ckpt": 1.0,
            "precision": 1.0, "checkpoints": [True, True], "missing": [], "extra": [], "end": 0,
        },
    )  # fmt: skip


def test_a_wrong_end_says_what_is_missing_and_what_is_extra() -> None:
    score = scored(TEA, STRAY, changed("items", "1", MILK, price="4"))
    assert (score.value, score.label) == (0.0, "wrong")
    assert score.reason == "1 of 2 expected changes was made, and 2 unexpected changes."
    assert score.detail == {
        "correct": False, "side_effects": True, "matched": 1, "expected": 2, "unexpected": 2, "ckpt": 0.5,
        "precision": 1 / 3, "checkpoints": [False, True], "missing": ['update shop.items 1: price="3"'],
        "extra": ["delete shop.items 2", 'update shop.items 1: price="4"'],
        "otherwise": ["price 4 instead of 3"], "end": 0,
    }  # fmt: skip


def test_doing_nothing_where_something_was_expected_is_its_own_label_without_side_effects() -> None:
    score = scored()
    assert (score.value, score.label) == (0.0, "nothing_done")
    assert (score.detail["ckpt"], score.detail["precision"], score.detail["side_effects"]) == (0.0, None, False)
    assert score.reason == "All 2 expected changes are missing, and nothing else changed."


def test_doing_nothing_where_nothing_was_expected_is_correct_and_has_no_partial_credit() -> None:
    score = scored(ends=(End(),))
    assert (score.value, score.label, score.detail["ckpt"], score.detail["precision"]) == (1.0, "correct", None, None)
    assert score.reason == "Nothing was to change, and nothing did."


def test_any_change_where_nothing_was_expected_is_a_side_effect() -> None:
    score = scored(STRAY, ends=(End(),))
    assert (score.value, score.label, score.detail["side_effects"], score.detail["ckpt"]) == (0.0, "wrong", True, None)
    assert score.reason == "Nothing was to change, but one change was made."


def test_half_the_work_and_nothing_else_is_still_a_side_effect() -> None:
    score = scored(PRICED)
    assert (score.detail["side_effects"], score.detail["precision"], score.detail["ckpt"]) == (True, 1.0, 0.5)


@pytest.mark.parametrize(("status", "cut"), [("limit", "hit a limit"), ("crashed", "crashed")])
def test_a_trial_cut_short_has_failed_and_still_reports_its_state(
    status: Literal["limit", "crashed"], cut: str
) -> None:
    score = scored(PRICED, TEA, status=status, reason="30 turns.")
    assert (score.value, score.label, score.detail["correct"]) == (0.0, status, False)
    assert (score.detail["ckpt"], score.detail["side_effects"]) == (1.0, False)
    assert score.reason == f"The agent {cut}: 30 turns; all 2 expected changes were made, and nothing else changed."
    assert scored(STRAY, status=status).detail["side_effects"]


def test_a_void_trial_is_unscored() -> None:
    score = scored(PRICED, TEA, status="void", reason="the provider answered 503")
    assert score == Score(value=None, label="void", reason="The trial is void: the provider answered 503.")


def test_any_accepted_end_is_good_and_the_nearest_explains_a_wrong_one() -> None:
    either = (WISH, end(dropped("items", "2")))
    assert scored(STRAY, ends=either).detail["end"] == 1
    assert scored(STRAY, ends=either).value == 1.0
    assert scored(TEA, ends=either).detail["missing"] == ['update shop.items 1: price="3"']


def test_a_change_that_the_comparison_cannot_see_is_no_change() -> None:
    blind = Compare(free=frozenset({"shop.items.price"}))
    score = scored(changed("items", "7", MILK, price="9"), ends=(end(dropped("items", "2")),), compare=blind)
    assert (score.label, score.detail["side_effects"], score.detail["precision"]) == ("nothing_done", False, None)


def test_a_task_that_accepts_no_end_is_a_mistake() -> None:
    with pytest.raises(SuiteError, match="task t cannot be scored: no accepted end"):
        scored(ends=())


def test_long_values_and_long_lists_are_cut_but_counted() -> None:
    many: list[Any] = [added("items", str(n), title="x" * 500, note=None) for n in range(50)]
    score = scored(*many, ends=(End(),))
    assert score.detail["unexpected"] == 50
    assert score.detail["extra"] == ['insert shop.items: title="' + "x" * 56 + "..."] * 20


def test_a_score_survives_json() -> None:
    score = scored(TEA, STRAY)
    assert Score.model_validate_json(score.model_dump_json()) == score
