"""How far two judges agree, beyond what chance would have them agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from harness.scoring.stats import FEWEST, Interval, limits, resampled, too_few

__all__ = ("Agreement", "agreement", "kappa")


class Agreement(NamedTuple):
    """Of `n` things that both judged: the share on which they agree, and Cohen's kappa; None where there is none."""

    n: int
    share: float | None
    kappa: float | None


def agreement(pairs: Sequence[tuple[Hashable, Hashable]]) -> Agreement:
    """Agreement of two judges over what each answered to the same.

    kappa = (p_o - p_e) / (1 - p_e), p_o the share of equal answers, p_e the one that two judges would have by chance
    who give each answer as often as these do (Cohen 1960, Educational and Psychological Measurement 20(1), p. 40).
    Unweighted: on a scale, a near miss is a miss. None where both gave one and the same answer throughout, of which
    chance explains everything.
    """
    n = len(pairs)
    if n == 0:
        return Agreement(0, None, None)
    same = sum(one == other for one, other in pairs)
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    chance = sum(times * second[answer] for answer, times in first.items())  # of n * n
    kappa = None if chance == n * n else (n * same - chance) / (n * n - chance)
    return Agreement(n, same / n, kappa)


def kappa(
    groups: Mapping[str, Sequence[tuple[Hashable, Hashable]]], level: str, *, seed: int = 0, resamples: int = 2000
) -> Interval:
    """Cohen's kappa over all pairs, with a bootstrap interval: whole groups are drawn, as answers in one go together.

    Limits as in `harness.scoring.stats.ratio`. Draws without a kappa are left out and counted in `note`. Fewer
    than `FEWEST` groups allow no interval, and neither does agreement throughout, of which all draws agree.
    """
    there = {name: group for name, group in sorted(groups.items()) if group}
    n, g = sum(map(len, there.values())), len(there)
    _, share, value = agreement([pair for group in there.values() for pair in group])
    found = Interval(value, None, None, n, g, level, "no data" if n == 0 else "")
    if value is None:
        return found
    if share == 1:
        return found._replace(note="they agree throughout: no interval")
    if g < FEWEST:
        return found._replace(note=too_few(g, level))
    answers = sorted({answer for group in there.values() for pair in group for answer in pair}, key=repr)
    columns = [
        [float(len(group)), float(sum(one == other for one, other in group))]
        + [float(sum(pair[side] == answer for pair in group)) for side in (0, 1) for answer in answers]
        for group in there.values()
    ]
    key = [seed, "kappa", [[name, len(group)] for name, group in there.items()]]
    of, same, *counts = resampled(columns, key, resamples)
    chance = sum(one * other for one, other in zip(counts[: len(answers)], counts[len(answers) :], strict=True))
    usable = chance != of * of
    estimates = (of * same - chance)[usable] / (of * of - chance)[usable]
    low, high = limits(estimates, g)
    left_out = resamples - int(usable.sum())
    note = f"{left_out} of {resamples} resamples left out: one and the same answer throughout" if left_out else ""
    return found._replace(low=low, high=high, note=note)
