"""Does asking help where the state can be looked at, and hurt where there are only services? And which part of it does?

The paper's abstract reports both. Three more differences tell what a loss would come from: `information` is what the
truth is worth without a tool (informed less faulty), `channel` what asking does when nothing is learned (placebo less
faulty), `dialogue` what it does beside the truth (clarify less informed).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.drift.metrics import difference
from benchmarks.drift.trials import Arm
from harness.scoring.stats import Interval

__all__ = ("Decomposed", "Paradox", "decomposed", "paradox")


class Paradox(NamedTuple):
    """Gain in a state-oriented environment and in the service-oriented one; each a difference of shares."""

    state: Interval
    service: Interval

    @property
    def observed(self) -> bool | None:
        """Whether the first interval lies above 0 and the second below; None where either has none."""
        if self.state.low is None or self.service.high is None:
            return None
        return self.state.low > 0 > self.service.high


class Decomposed(NamedTuple):
    """What a gain is made of; each a difference of shares, paired by variant."""

    information: Interval
    channel: Interval
    dialogue: Interval


def paradox(state: Sequence[Arm], service: Sequence[Arm]) -> Paradox:
    """Of the arms `faulty` and `clarify` of one environment of each kind; environments are never pooled."""
    return Paradox(difference(*state), difference(*service))


def decomposed(faulty: Arm, clarify: Arm, placebo: Arm, informed: Arm) -> Decomposed:
    """Of one environment; a part is empty where its arm was not played."""
    return Decomposed(difference(faulty, informed), difference(faulty, placebo), difference(informed, clarify))
