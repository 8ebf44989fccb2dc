from __future__ import annotations

import random
from itertools import combinations
from math import comb, sqrt
from statistics import NormalDist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, t

from harness.scoring.stats import (
    Interval,
    clusters,
    flips,
    number_of,
    paired,
    pass_at_k,
    pass_hat_k,
    rate,
    ratio,
    stratified,
)


@pytest.mark.parametrize(
    ("n", "c", "k"), [(n, c, k) for n in range(1, 7) for c in range(n + 1) for k in range(1, n + 1)]
)
def test_pass_at_k_and_pass_hat_k_are_averages_over_all_ways_to_pick_k_trials(n: int, c: int, k: int) -> None:
    picks = list(combinations([True] * c + [False] * (n - c), k))
    assert pass_at_k(n, c, k) == pytest.approx(sum(map(any, picks)) / len(picks))
    assert pass_hat_k(n, c, k) == pytest.approx(sum(map(all, picks)) / len(picks))


def test_fewer_trials_than_k_leave_a_task_incomplete() -> None:
    assert pass_at_k(2, 2, 3) is None
    assert pass_hat_k(2, 2, 3) is None
    assert pass_at_k(0, 0, 1) is None


@pytest.mark.parametrize(("n", "c", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0)])
def test_impossible_counts_are_refused(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match="makes no sense"):
        pass_at_k(n, c, k)


def test_values_cluster_at_the_highest_declared_level() -> None:
    assert clusters([("a", "1", 1), ("a", "2", 0), ("", "3", 1)]) == (
        {"template a": [1, 0], "task 3": [1]},
        "template",
    )
    assert clusters([("", "1", 1), ("", "1", 0), ("", "2", 1)]) == ({"task 1": [1, 0], "task 2": [1]}, "task")
    assert clusters([("", "", 1), ("", "", 0)]) == ({"trial 0": [1], "trial 1": [0]}, "trial")


def test_single_values_per_cluster_give_the_textbook_wilson_interval_with_the_t_quantile() -> None:
    found = rate({str(n): [float(n < 30)] for n in range(40)}, "task")
    assert (found.value, found.n, found.clusters, found.level, found.note) == (0.75, 40, 40, "task", "")
    for end in (found.low, found.high):
        assert end is not None
        # Wilson's definition, with n - 1 = 39 since the variance of the mean is p(1-p) / (n - 1).
        assert abs(end - 0.75) == pytest.approx(t.ppf(0.975, 39) * (end * (1 - end) / 39) ** 0.5)


def test_an_unbounded_mean_gets_a_t_interval_on_cluster_means_when_clusters_are_even() -> None:
    found = rate({"a": [1, 3], "b": [4, 6], "c": [8, 8]}, "task", bounded=False)
    # Cluster means 2, 5, 8: standard error 3 / sqrt(3), t(2) = 4.30265.
    assert found.value == 5
    assert found.low == pytest.approx(5 - 4.30265 * 3**0.5, abs=1e-4)
    assert found.high == pytest.approx(5 + 4.30265 * 3**0.5, abs=1e-4)


def test_an_unbounded_mean_of_values_that_are_all_alike_has_no_interval() -> None:
    found = rate({"a": [2, 2], "b": [2]}, "template", bounded=False)

    assert found == Interval(2, None, None, 3, 2, "template", "every template is alike: no interval")


def test_one_cluster_gives_no_interval_and_says_so() -> None:
    found = rate({"a": [1, 0, 1, 1]}, "template")
    assert (found.value, found.low, found.high) == (0.75, None, None)
    assert found.note == "one template only: no interval"
    assert paired({"a": [1, 0]}, "template").note == "one template only: no interval"


def test_no_data_gives_nothing() -> None:
    assert rate({}, "task")[:4] == (None, None, None, 0)
    assert rate({"a": []}, "task").clusters == 0
    assert paired({}, "task").note == "no data"


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_at_the_ends_each_cluster_counts_once_however_many_trials_it_has(value: float) -> None:
    few = rate({str(g): [value] for g in range(20)}, "template")
    many = rate({str(g): [value] * 50 for g in range(20)}, "template")
    assert (few.low, few.high) == (many.low, many.high)
    assert few.low is not None
    assert few.high is not None
    assert (few.low, few.high)[int(value)] == value
    assert few.high - few.low == pytest.approx(0.1797, abs=1e-3)  # t(19)^2 / (20 + t(19)^2)
    assert many.note == "all alike: each template counts once"


def test_values_outside_zero_and_one_are_no_rates() -> None:
    with pytest.raises(ValueError, match="are not rates"):
        rate({"a": [0, 2], "b": [1]}, "task")


groups = st.dictionaries(st.text(max_size=3), st.lists(st.sampled_from([0.0, 0.5, 1.0, 1 / 3]), max_size=5), max_size=6)


@settings(deadline=None)
@given(groups, st.randoms(use_true_random=False))
def test_intervals_hold_their_value_stay_in_bounds_and_ignore_order(
    values: dict[str, list[float]], order: random.Random
) -> None:
    found, gain = rate(values, "task"), paired(values, "task", resamples=50)
    if found.low is not None and found.high is not None and found.value is not None:
        assert 0 <= found.low <= found.value + 1e-12
        assert found.value - 1e-12 <= found.high <= 1
    shuffled = {name: order.sample(values[name], len(values[name])) for name in order.sample(list(values), len(values))}
    assert rate(shuffled, "task") == found
    assert paired(shuffled, "task", resamples=50) == gain


def beta_binomial(draw: random.Random, p: float, rho: float, clusters: int, size: int) -> dict[str, list[float]]:
    """0/1 values with mean p and intra-class correlation rho: each cluster draws its own rate from a beta."""
    scale = (1 - rho) / rho
    chances = [draw.betavariate(p * scale, (1 - p) * scale) for _ in range(clusters)]
    return {str(g): [float(draw.random() < chance) for _ in range(size)] for g, chance in enumerate(chances)}


def width(values: dict[str, list[float]]) -> float:
    found = rate(values, "template")
    assert found.low is not None
    assert found.high is not None
    return found.high - found.low


def test_a_third_of_intraclass_correlation_doubles_the_interval_of_ten_tasks_a_template() -> None:
    """Design effect 1 + (10 - 1) / 3 = 4: the shape of the published GPT-4 answers, 690 tasks of 69 templates."""
    draw, ratios = random.Random(690), []
    for _ in range(40):
        values = beta_binomial(draw, 0.43, 1 / 3, 69, 10)
        alone = {str(n): [v] for n, v in enumerate(v for group in values.values() for v in group)}
        ratios.append(width(values) / width(alone))
    assert sum(ratios) / len(ratios) == pytest.approx(2, abs=0.06)


@pytest.mark.parametrize(
    ("p", "rho", "groups", "size"), [(0.43, 1 / 3, 69, 10), (0.9, 0.3, 10, 5), (0.97, 0.2, 30, 3), (0.5, 0.05, 8, 10)]
)
def test_intervals_cover_the_true_rate_about_95_times_in_100(p: float, rho: float, groups: int, size: int) -> None:
    draw, covered = random.Random(f"{p} {rho} {groups}"), 0
    for _ in range(300):
        found = rate(beta_binomial(draw, p, rho, groups, size), "template")
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= p <= found.high
    assert covered / 300 >= 0.92


def test_the_paired_interval_covers_the_true_gain_about_95_times_in_100() -> None:
    draw, covered = random.Random(7), 0
    for trial in range(200):
        gains = {}
        for g in range(30):
            shared = draw.gauss(0.1, 0.2)
            gains[str(g)] = [draw.gauss(shared, 0.3) for _ in range(6)]
        found = paired(gains, "template", seed=trial, resamples=400)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.1 <= found.high
    assert 0.9 <= covered / 200 <= 0.98


def test_draws_depend_on_the_seed_and_on_nothing_else() -> None:
    gains = {str(g): [g / 7, 1.0] for g in range(9)}
    found = paired(gains, "task", seed=1)
    assert found.value == pytest.approx(sum(g / 7 + 1 for g in range(9)) / 18)
    assert found[1:3] == pytest.approx((0.6349206349, 0.9329967179))
    assert paired(gains, "task", seed=2)[1:3] != found[1:3]


def test_a_ratio_divides_sums_and_leaves_out_draws_that_cannot_be_divided() -> None:
    # 20 of 24 clusters have nothing to divide: (20/24)^24 of all draws hold nothing else, 1 in 79. Besides, 1 in 9 hold
    # a or b and neither c nor d, (22/24)^24 - (20/24)^24: more than the 2% that lie outside either limit.
    four = {"a": [(1.0, 2.0)], "b": [(1.0, 2.0)], "c": [(2.0, 2.0)], "d": [(2.0, 2.0)]}
    found = ratio({**four, **{f"none{n}": [(0.0, 0.0)] for n in range(20)}}, "task")
    assert found.value == 0.75
    assert (found.low, found.high) == (0.5, 1.0)
    assert "resamples left out" in found.note
    assert ratio({"a": [(1.0, 0.0)], "b": [(2.0, 0.0)]}, "task").value is None


@pytest.mark.parametrize("clusters", [2, 3])
def test_two_or_three_clusters_have_no_bootstrap_interval_and_say_so(clusters: int) -> None:
    gains = {str(n): [n / 7, 1.0] for n in range(clusters)}
    note = f"{clusters} templates only: no interval"
    found = paired(gains, "template", within=(-1, 1))

    assert (found.low, found.high, found.clusters, found.note) == (None, None, clusters, note)
    assert found.value == pytest.approx(sum(map(sum, gains.values())) / (2 * clusters))


def test_four_clusters_have_a_bootstrap_interval() -> None:
    found = paired({str(n): [n / 7] for n in range(4)}, "template")

    assert found.low is not None
    assert found.high is not None
    assert found.note == ""


def test_clusters_with_nothing_to_divide_do_not_make_few_many() -> None:
    pairs = {"a": [(1.0, 2.0)], "b": [(2.0, 2.0)], "c": [(0.0, 1.0)], "d": [(0.0, 0.0)], "e": [(0.0, 0.0)]}
    found = ratio(pairs, "template")

    assert found == Interval(0.6, None, None, 5, 3, "template", "3 templates only: no interval")


def test_shares_that_are_alike_wherever_there_is_any_have_exact_bounds_by_those_clusters() -> None:
    found = ratio({"a": [(0.0, 2.0)], "b": [(0.0, 5.0)], "c": [(0.0, 0.0)]}, "template", within=(0, 1))

    assert found[:3] == pytest.approx((0.0, 0.0, 1 - 0.025 ** (1 / 2)))
    assert found.note == "every template is alike: exact bounds"


def test_alike_values_without_ends_have_no_interval() -> None:
    found = ratio({f"c{n}": [(3.0, 2.0)] for n in range(12)}, "trajectory")

    assert found == Interval(1.5, None, None, 12, 12, "trajectory", "every trajectory is alike: no interval")
    assert number_of(12, found.level) == "12 trajectories"


def test_clusters_of_one_mean_are_alike_whatever_their_values() -> None:
    found = paired({f"c{n}": [1.0, 0.0] for n in range(12)}, "template", within=(-1, 1))

    assert found.note == "every template is alike: exact bounds"
    assert found.low is not None
    assert found.low < 0.5


@pytest.mark.parametrize("value", [1.0, 0.0, -0.5])
def test_differences_that_are_all_alike_have_the_exact_bounds_of_shares(value: float) -> None:
    found = paired({f"c{n}": [value] for n in range(12)}, "template", within=(-1, 1))
    others = binomtest(0, 12).proportion_ci(method="exact").high

    assert found.value == value
    assert found[1:3] == pytest.approx((value - others * (value + 1), value + others * (1 - value)))
    assert found.note == "every template is alike: exact bounds"


def test_differences_that_are_not_all_alike_are_resampled_whatever_they_can_be() -> None:
    gains = {"a": [1.0, 0.0], "b": [0.0], "c": [-1.0], "d": [0.5]}
    assert paired(gains, "task", within=(-1, 1)) == paired(gains, "task")


def test_flips_name_the_tasks_that_gained_and_lost() -> None:
    found = flips({"a": 0, "b": 1, "c": 1, "d": 0.5, "x": 1}, {"a": 1, "b": 0, "c": 1, "d": 0.75, "y": 0})
    assert found[:4] == (("a", "d"), ("b",), 1, 2)


@pytest.mark.parametrize(("gained", "lost"), [(0, 0), (1, 0), (5, 5), (9, 1), (2, 17), (60, 41)])
def test_the_flip_test_is_the_exact_binomial_one(gained: int, lost: int) -> None:
    first = {f"g{n}": 0.0 for n in range(gained)} | {f"l{n}": 1.0 for n in range(lost)}
    second = {task: 1 - value for task, value in first.items()}
    want = binomtest(gained, gained + lost).pvalue if gained + lost else 1.0
    assert flips(first, second).p == pytest.approx(want)


def halves(clusters: int) -> dict[str, list[tuple[float, float]]]:
    """So many clusters of one value, half of them 1 and half 0."""
    return {f"{number:02d}": [(float(number % 2), 1.0)] for number in range(clusters)}


def test_the_limits_of_one_stratum_are_quantiles_of_a_binomial() -> None:
    # The mean of 8 draws from as many ones as zeros is that of Binomial(8, 1/2). Outside either limit lies
    # Phi(-sqrt(8/7) 2.365) = .0057: more than P(X = 0) = 1/256, less than P(X <= 1) = 9/256.
    found = stratified({"p": halves(8)}, "unit", within=(0, 1), resamples=20_000)

    assert found == Interval(0.5, 1 / 8, 7 / 8, 8, 8, "unit")


def test_strata_count_alike_whatever_their_sizes_and_are_drawn_each_by_itself() -> None:
    """Their sum is that of independent binomials, worked out by convolution."""
    sizes = (6, 10)
    found = stratified({str(size): halves(size) for size in sizes}, "unit", within=(0, 1), resamples=20_000)
    chances: dict[float, float] = {0.0: 1.0}
    for size in sizes:
        step = {hits / size / 2: comb(size, hits) / 2**size for hits in range(size + 1)}
        sums: dict[float, float] = {}
        for one, p in chances.items():
            for other, q in step.items():
                sums[round(one + other, 9)] = sums.get(round(one + other, 9), 0.0) + p * q
        chances = sums
    tail = NormalDist().cdf(-sqrt(6 / 5) * 2.1448)  # t with 5 + 9 degrees of freedom
    below, low = 0.0, 0.0
    for value in sorted(chances):
        below += chances[value]
        if below >= tail:
            low = value
            break

    assert found.value == 0.5
    assert [found.low, found.high] == pytest.approx([low, 1 - low], abs=0.03)


def test_values_of_a_stratum_are_weighed_and_its_runs_go_together() -> None:
    once = {name: [(value, 3.0)] for name, [(value, _)] in halves(8).items()}
    thrice = {name: [(value, 1.0)] * 3 for name, [(value, _)] in halves(8).items()}
    heavy = {**halves(8), "00": [(0.0, 4.0)]}

    assert stratified({"p": heavy}, "unit", within=(0, 1)).value == 4 / 11
    assert stratified({"p": thrice}, "unit", within=(0, 1)).n == 24
    assert stratified({"p": once}, "unit", within=(0, 1), resamples=20_000)[:3] == (0.5, 1 / 8, 7 / 8)
    assert stratified({"p": thrice}, "unit", within=(0, 1), resamples=20_000)[:3] == (0.5, 1 / 8, 7 / 8)


def test_strata_whose_clusters_are_alike_have_exact_bounds() -> None:
    strata = {"p": {"a": [(1.0, 2.0)], "b": [(1.0, 1.0)]}, "q": {"a": [(1.0, 1.0)], "b": [(1.0, 1.0)]}}
    found = stratified(strata, "unit", within=(0, 1))

    assert [found.low, found.high] == pytest.approx([0.025 ** (1 / 4), 1.0])
    assert found.note == "every unit is alike: exact bounds"


@pytest.mark.parametrize(
    ("values", "sizes", "high"),
    [
        ((0.0, 0.0), (4, 100), (1 - 0.025 ** (1 / 4)) / 2),  # the small one alone: much may be unseen there
        ((1.0, 0.0), (6, 6), (1 + 1 - 0.025 ** (1 / 6)) / 2),  # the first is at the end already
        ((0.0, 0.0), (8, 10), 1 - (0.025 / (8**8 * 10**10)) ** (1 / 18) * 9),
    ],
)
def test_exact_bounds_of_strata_are_the_worst_that_these_may_come_to(
    values: tuple[float, float], sizes: tuple[int, int], high: float
) -> None:
    strata = {
        str(n): {str(unit): [(value, 1.0)] for unit in range(size)}
        for n, (value, size) in enumerate(zip(values, sizes, strict=True))
    }
    found = stratified(strata, "unit", within=(-1, 1))
    most = 1 - 0.025 ** (1 / sizes[0])
    worst = max(
        (values[0] + p * (1 - values[0]) + values[1] + q * (1 - values[1])) / 2
        for p in (most * number / 2000 for number in range(2001))
        for q in [1 - min(1.0, (0.025 / (1 - p) ** sizes[0]) ** (1 / sizes[1]))]
    )

    assert found.high == pytest.approx(high)
    assert found.high == pytest.approx(worst, abs=0.001)


def test_a_stratum_of_few_clusters_allows_no_interval() -> None:
    found = stratified({"p": halves(8), "q": {"a": [(1.0, 1.0)]}, "r": {}}, "unit", within=(0, 1))

    assert found == Interval(0.75, None, None, 9, 9, "unit", "one unit only of q: no interval")
    few = stratified({"p": halves(8), "q": halves(3)}, "unit", within=(0, 1))
    assert (few.low, few.note) == (None, "3 units only of q: no interval")
    assert stratified({"p": {}}, "unit", within=(0, 1)) == Interval(None, None, None, 0, 0, "unit", "no data")


def test_the_stratified_interval_depends_on_its_seed_and_not_on_the_order() -> None:
    draw = random.Random(3)
    strata = {p: {u: [(draw.random(), draw.randint(1, 3))] for u in "abcdefg"} for p in "pqr"}
    other = {p: dict(reversed(strata[p].items())) for p in reversed(strata)}

    assert stratified(strata, "unit", within=(0, 1)) == stratified(other, "unit", within=(0, 1))
    assert stratified(strata, "unit", within=(0, 1)) != stratified(strata, "unit", within=(0, 1), seed=1)


@pytest.mark.parametrize(("strata", "clusters", "points"), [(5, 11, 9), (1, 11, 20)])
def test_the_stratified_interval_covers_the_true_mean_about_95_times_in_100(
    strata: int, clusters: int, points: int
) -> None:
    """Units of one to three sessions whose true shares scatter by .3 about their persona's, in three runs each."""
    draw, covered, widths = random.Random(strata), 0, []
    true = [0.4 + 0.05 * number for number in range(strata)]
    for trial in range(200):
        played = {}
        for number, mean in enumerate(true):
            units = {}
            for unit in range(clusters):
                share = mean + draw.choice([-0.3, 0.3])  # stays within 0 and 1, with standard deviation .3
                runs = [min(1.0, max(0.0, share + draw.choice([-0.05, 0.05]))) for _ in range(3)]
                units[str(unit)] = [(run, float(1 + unit % 3)) for run in runs]
            played[str(number)] = units
        found = stratified(played, "unit", within=(0, 1), seed=trial, resamples=400)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= sum(true) / strata <= found.high
        widths.append(100 * (found.high - found.low) / 2)

    assert 0.92 <= covered / 200 <= 0.98
    assert sum(widths) / 200 == pytest.approx(points, rel=0.15)  # as the specification expects
