from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks.lhaw import metrics
from benchmarks.lhaw.metrics import Arm
from harness.suite import Scored
from harness.task import Task
from tests.lhaw.scenes import trial, variant

WITH = "underspecified+ask"


def arm(tasks: Sequence[Task], trials: Sequence[Scored], condition: str = WITH) -> Arm:
    return metrics.arms(tasks, trials).get("reference", {}).get(condition, {})


def runs(task: str, condition: str, *right: bool, **record: Any) -> list[Scored]:
    return [trial(task, condition, n, value, **record) for n, value in enumerate(right)]


def test_pass_at_3_is_the_mean_over_variants_of_any_of_three() -> None:
    tasks = [variant("a"), variant("b", template="u")]
    found = arm(tasks, [*runs("a", WITH, True, False, False), *runs("b", WITH, False, False, False)])

    assert metrics.pass_rate(found).value == 0.5


def test_a_variant_short_of_three_valid_trials_is_incomplete_and_counts_nowhere() -> None:
    tasks = [variant("a"), variant("b", template="u")]
    trials = [*runs("a", WITH, True, True, True), *runs("b", WITH, False, False), trial("b", WITH, 2, False, void=True)]
    found = arm(tasks, trials)

    assert metrics.complete_variants(found) == {"a"}
    assert metrics.pass_rate(found).value == 1.0


def test_a_gain_is_paired_over_variants_complete_in_both_arms() -> None:
    tasks = [variant("a"), variant("b", template="u"), variant("c", template="v")]
    without = arm(tasks, [s for t in "abc" for s in runs(t, "underspecified", False, False, False)], "underspecified")
    with_user = arm(tasks, [*runs("a", WITH, True, False, False), *runs("b", WITH, False, False, False)])

    gain = metrics.gain(without, with_user)

    assert (gain.value, gain.clusters, gain.level) == (0.5, 2, "template")


def test_bounds_score_void_trials_against_the_user_and_for_them() -> None:
    tasks = [variant("a")]
    before = [*runs("a", "underspecified", False, False), trial("a", "underspecified", 2, False, void=True)]
    without = arm(tasks, before, "underspecified")
    with_user = arm(tasks, [*runs("a", WITH, False, False), trial("a", WITH, 2, False, void=True)])

    assert metrics.bounds(without, with_user) == (-1.0, 1.0)


def test_ask_rate_counts_trials_and_its_variant_counts_variants() -> None:
    tasks = [variant("a"), variant("b", template="u")]
    trials = [trial("a", WITH, 0, True, questions=[["recipient"]]), *(trial("a", WITH, n, False) for n in (1, 2))]
    found = arm(tasks, [*trials, *runs("b", WITH, False, False, False)])

    assert metrics.ask_rate(found).value == pytest.approx(1 / 6)
    assert metrics.ask_rate_variant(found) == 0.5


def test_questions_per_trajectory_divide_by_the_trials_that_asked() -> None:
    trials = [trial("a", WITH, 0, True, questions=[["x"], ["y"], []]), trial("a", WITH, 1, True)]
    found = arm([variant("a")], trials)

    assert metrics.questions_per_asking_trial(found) == 3.0
    assert metrics.questions_per_trial(found) == 1.5


def test_a_compound_question_is_one_call_and_several_items() -> None:
    found = arm([variant("a")], [trial("a", WITH, 0, True, questions=[["x", "y"]])])

    assert (metrics.calls(found), metrics.items(found)) == (1, 2)


@pytest.mark.parametrize(
    ("gain", "asking", "each", "printed"),
    [
        (31.0, 63, 1.10, 0.15),
        (26.0, 51, 1.06, 0.16),
        (32.0, 93, 1.73, 0.07),
        (32.0, 56, 1.11, 0.17),
        (21.0, 44, 1.05, 0.15),
        (23.1, 63, 1.10, 0.11),
        (21.0, 51, 1.06, 0.13),
        (22.8, 93, 1.73, 0.05),
        (23.3, 56, 1.11, 0.13),
        (17.1, 44, 1.05, 0.12),
    ],
)
def test_gain_per_question_reproduces_the_published_mcp_atlas_values(
    gain: float, asking: int, each: float, printed: float
) -> None:
    """Table 3, with the shares of 300 trials that asked from table 4, which fit where those of table 3 do not."""
    asked = round(3 * asking * each)
    found = arm([variant("a")], [trial("a", WITH, 0, True, questions=[["x"]] * asked)])

    assert metrics.gain_per_question(gain / 100, found) == pytest.approx(printed, abs=0.0051)


def test_gain_per_question_is_undefined_without_questions() -> None:
    assert metrics.gain_per_question(0.3, {}) is None


def test_the_size_free_gain_does_not_shrink_as_the_data_grows() -> None:
    def figure(count: int) -> tuple[float | None, float | None]:
        tasks = [variant(f"v{n}", template=f"t{n}") for n in range(count)]
        without = arm(tasks, [s for t in tasks for s in runs(t.id, "underspecified", False, False, False)],
                      "underspecified")  # fmt: skip
        asking = arm(tasks, [s for t in tasks for s in runs(t.id, WITH, True, True, True, questions=[["x"]])])
        gain = metrics.gain(without, asking)
        return metrics.gain_per_question(gain.value, asking), metrics.gain_per_mean_question(without, asking).value

    (small, steady), (large, same) = figure(2), figure(4)

    assert small is not None
    assert large == pytest.approx(small / 2)
    assert steady == same == pytest.approx(100.0)


def test_checkpoints_count_only_for_tasks_with_three_or_more() -> None:
    tasks = [variant("a", changes=2), variant("b", changes=3, template="u")]
    found = arm(tasks, [*runs("a", WITH, False, ckpt=1.0), *runs("b", WITH, False, ckpt=1 / 3, precision=0.5)])

    assert metrics.ckpt(found).value == pytest.approx(1 / 3)
    assert metrics.precision(found) == 0.5
    assert metrics.ckpt(metrics.only(found, ["a"])).value is None


def test_precision_is_the_mean_over_trials_that_changed_something() -> None:
    shares = (1.0, 0.25, None)
    trials = [trial("a", WITH, n, False, ckpt=1 / 3, precision=share) for n, share in enumerate(shares)]

    assert metrics.precision(arm([variant("a", changes=3)], trials)) == 0.625


def test_the_baseline_is_over_original_tasks_and_again_in_the_mix_of_variants() -> None:
    tasks = [variant("a1", original="a"), variant("a2", original="a"), variant("b1", original="b", template="u")]
    trials = [*runs("a1", "original", True, True, True), *runs("a2", "original", True, True, True),
              *runs("b1", "original", False, False, False)]  # fmt: skip

    by_task, mixed = metrics.baseline(arm(tasks, trials, "original"))

    assert by_task == 0.5
    assert mixed == pytest.approx(2 / 3)


def test_the_baseline_in_checkpoints_is_over_original_tasks_too() -> None:
    tasks = [variant(id, original=id[0], template=id[0], changes=3) for id in ("a1", "a2", "b1")]
    trials = [*runs("a1", "original", True, True), *runs("a2", "original", False, False),
              *runs("b1", "original", False)]  # fmt: skip

    by_task, mixed = metrics.ckpt_baseline(arm(tasks, trials, "original"))

    assert by_task == 0.25  # a 1/2, b 0
    assert mixed == pytest.approx(1 / 3)


def test_requests_with_too_few_trials_have_no_baseline_and_are_counted() -> None:
    tasks = [variant("a1", original="a"), variant("a2", original="a"), variant("b1", original="b", template="u")]
    trials = [
        *runs("a1", "original", True, True),
        *runs("a2", "original", False),
        *runs("b1", "original", False, False),
    ]
    found = arm(tasks, trials, "original")

    assert metrics.requests(found) == (1, 2)
    assert metrics.baseline(found) == (1.0, 1.0)


def test_recall_is_the_share_of_withheld_segments_asked_for() -> None:
    trials = [trial("a", WITH, 0, True, questions=[["recipient"], ["recipient"]]), trial("a", WITH, 1, True)]

    assert metrics.recall(arm([variant("a")], trials), "underspecified") == 0.5
    assert metrics.recall(arm([variant("a")], trials), "original") is None


def test_what_answers_told_is_shared_among_what_is_withheld_and_among_questions() -> None:
    trials = [trial("a", WITH, 0, True, questions=[["recipient"], ["recipient"], []]), trial("a", WITH, 1, True)]
    found = arm([variant("a")], trials)

    assert metrics.recovery(found, "underspecified") == 0.5  # of two trials one was told
    assert metrics.question_precision(found) == pytest.approx(1 / 3)  # the second asks again
    assert metrics.cost_efficiency(found) == pytest.approx(1 / 3)
    assert metrics.recovery(found, "original") is None


def test_nothing_is_none_rather_than_zero() -> None:
    assert metrics.question_precision({}) is None
    assert metrics.cost_efficiency({}) is None
    assert metrics.pass_rate({}).value is None
    assert metrics.ask_rate({}).value is None
    assert metrics.baseline({}) == (None, None)
    assert metrics.bounds({}, {}) == (None, None)
    assert metrics.questions_per_trial({}) is None
