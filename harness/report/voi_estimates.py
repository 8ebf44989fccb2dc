"""What one question, and one task's asking, were worth: estimates from played branches (docs/voi.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Literal, NamedTuple

from harness.core.config import INSTRUMENTS
from harness.play.branching.plan import CONTINUATIONS, Branch, Case, Inquiry, deferred_already
from harness.play.branching.terms import Kind
from harness.record.store import TrialRecord
from harness.record.verdicts import primary, verdict_of

__all__ = ("Outcome", "Records", "Regret", "Valued", "crossfitted", "difference", "outcome_of", "regretted", "valued")

Outcome = Literal["success", "ckpt"]
"""What a trial is taken to be worth: 1 where it is correct, else 0; or the share of its expected changes."""


def outcome_of(record: TrialRecord, outcome: Outcome) -> float | None:
    """What a trial came to; None where it is void, unscored or has nothing to count."""
    verdict = verdict_of(record.trajectory, record.scores)
    if verdict in ("void", "unscored"):
        return None
    if outcome == "success":
        return float(verdict == "correct")
    score = primary(record.scores)
    share = score.detail.get("ckpt") if score else None
    return None if share is None else float(share)


class Valued(NamedTuple):
    """One question: outcomes of its branches, and what they come to, None where it is not complete.

    `lacking` says why it is not. `low` and `high` are a 95% interval for `value`, None where none may be given;
    `exact` is of a deterministic agent, which does the same each time, and where the user left it to the agent.
    """

    inquiry: Inquiry
    outcomes: Mapping[Kind, Sequence[float]]
    lacking: str
    value: float | None = None
    asking: float | None = None
    low: float | None = None
    high: float | None = None
    exact: bool = False


class Regret(NamedTuple):
    """One task of one agent under one condition; docs/voi.md says what each is.

    `outcome` and `questions` are means of the agent's own trials, `told` is the outcome with the best answers given at
    the start, less their price, and `best` are the two subsets that were chosen, one on each half.
    """

    case: Case
    lacking: str
    outcome: float | None = None
    questions: float | None = None
    told: float | None = None
    best: tuple[tuple[str, ...], ...] = ()
    regret: float | None = None
    over: float | None = None
    under: float | None = None


def difference(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    """A 95% interval for the difference of two means of values from 0 to 1.

    Each sample gets a 0 and a 1 besides (Agresti and Caffo 2000, for proportions): without them the interval of 8
    values that are all alike would have no length.
    """
    means, variances = [], []
    for sample in (first, second):
        values = [*sample, 0.0, 1.0]
        mean = sum(values) / len(values)
        means.append(mean)
        variances.append(sum((value - mean) ** 2 for value in values) / len(values) ** 2)
    middle, half = means[0] - means[1], 1.959964 * sqrt(sum(variances))
    return max(middle - half, -1.0), min(middle + half, 1.0)


class _Best(NamedTuple):
    subset: tuple[str, ...]
    value: float


def crossfitted(told: Mapping[tuple[str, ...], Sequence[float]], cost: float) -> list[_Best]:
    """The best subset by every second continuation, with its outcome less its price in the others, both ways round.

    So the choice does not profit from the luck that it was made by. Of equal subsets the first of the smallest is
    taken. Raises ValueError for fewer than two continuations.
    """
    if any(len(values) < 2 for values in told.values()):
        raise ValueError("a subset is chosen on half of its continuations: play at least 2")

    def worth(subset: tuple[str, ...], half: int) -> float:
        values = told[subset][half::2]
        return sum(values) / len(values) - cost * len(subset)

    found = []
    for half in (0, 1):
        best = min(told, key=lambda subset: (-round(worth(subset, half), 12), len(subset)))
        found.append(_Best(best, worth(best, 1 - half)))
    return found


_OF_A_QUESTION: tuple[Kind, ...] = ("answered", "deferred", "not asked")

Records = Mapping[tuple[str, str, str, int], TrialRecord]
"""Agent, condition, task and trial -> the scored record of a branch."""


def _read(branches: Sequence[Branch], there: Records, outcome: Outcome) -> tuple[list[float], str]:
    """Outcomes of branches, or what keeps them from being complete."""
    found = []
    for branch in branches:
        if (record := there.get(branch.key)) is None:
            return [], "not all branches are played"
        value = outcome_of(record, outcome)
        if value is None:
            void = record.trajectory.status == "void"
            return [], "a continuation is void" if void else "a continuation has no such outcome"
        found.append(value)
    return found, ""


def valued(inquiry: Inquiry, there: Records, outcome: Outcome) -> Valued:
    """A question by the branches that start from it; `lacking` where they do not tell."""
    outcomes: dict[Kind, Sequence[float]] = {}
    for kind in _OF_A_QUESTION:
        own = [branch for branch in inquiry.branches if branch.kind == kind]
        values, lacking = _read(own, there, outcome)
        if lacking:
            return Valued(inquiry, {}, lacking)
        outcomes[kind] = values
    same = deferred_already(inquiry.asked)
    if same:
        outcomes["deferred"] = outcomes["answered"]
    answered, deferred, unasked = (sum(found) / len(found) for found in (outcomes[kind] for kind in _OF_A_QUESTION))
    exact = inquiry.agent.kind in INSTRUMENTS or same
    low = high = None
    if not exact and len(outcomes["answered"]) >= CONTINUATIONS:
        low, high = difference(outcomes["answered"], outcomes["deferred"])
    return Valued(inquiry, outcomes, "", answered - deferred, answered - unasked, low, high, exact)


def regretted(case: Case, there: Records, parents: Mapping[str, TrialRecord], outcome: Outcome, cost: float) -> Regret:
    """A task by its branches and by the agent's own trials, `parents` by name; `lacking` where they do not tell."""
    told: dict[tuple[str, ...], list[float]] = {}
    for subset in case.subsets:
        own = [branch for branch in case.branches if branch.told == frozenset(subset)]
        told[subset], lacking = _read(own, there, outcome)
        if lacking:
            return Regret(case, lacking)
    trials = [(outcome_of(parents[name], outcome), parents[name].trajectory) for name in case.trials]
    scored = [(value, then) for value, then in trials if value is not None]
    if not scored:
        return Regret(case, "no trial of the agent has such an outcome")
    n, best = len(scored), crossfitted(told, cost)
    mean = sum(value for value, _ in scored) / n
    questions = sum(len(then.questions) for _, then in scored) / n
    needed = 0.0
    for _, then in scored:
        revealed = {segment for asked in then.questions for segment in asked.revealed}
        needed += sum(len(revealed & {*each.subset}) for each in best) / len(best) / n
    reached = sum(each.value for each in best) / len(best)
    regret, over = reached - (mean - cost * questions), cost * (questions - needed)
    # Sums of costs end in rounding errors, which a table would show as tiny numbers.
    told_best, regret, over, under = (round(each, 9) + 0.0 for each in (reached, regret, over, regret - over))
    return Regret(case, "", mean, questions, told_best, tuple(each.subset for each in best), regret, over, under)
