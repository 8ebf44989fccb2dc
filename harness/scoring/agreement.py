"""How far two judges agree, beyond what chance would have them agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple

__all__ = ("Agreement", "agreement")


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
