"""From judges' verdicts to criteria, and from criteria to a score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from statistics import fmean, median_low

from harness.core.judgement import Answer, Query, Verdict, Verdicts
from harness.core.scores import Criterion, Opinion, Score

__all__ = ("graded", "settled")


def settled(query: Query, verdicts: Verdicts, *, weight: float = 1.0, rule: float | None = None) -> Criterion:
    """What judges say of a query, as a criterion.

    Each judge has one say, whatever the number of its votes: what most of them answer, of a scale their lower median.
    The criterion has what most judges say, of a scale the mean. Votes that could not be read or say nothing do not
    count; where none is left, or two answers lead, it is unscored. `rule` is what a rule says of it (`Criterion`), and
    does not count here.
    It has nothing to do with `Suite.settled`, which says what `outcome` compares.
    """
    given = verdicts.get(query.id, ())
    opinions = tuple(
        _opinion(query, judge, list(votes)) for judge, votes in groupby(given, key=lambda verdict: verdict.judge)
    )
    said = [opinion for opinion in opinions if opinion.answer is not None]
    value: float | None = None
    if query.kind == "scale" and said:
        value = fmean(query.worth(opinion.answer) for opinion in said if opinion.answer is not None)
    elif (answer := _most([opinion.answer for opinion in said])) is not None:
        value = query.worth(answer)
    return Criterion(
        name=query.name,
        value=value,
        weight=weight,
        evidence=query.evidence if given else "",
        reason=_reason(opinions, given, value),
        opinions=opinions,
        about=query.key if given else "",
        rule=rule,
    )


def graded(criteria: Iterable[Criterion], *, correct_at: float = 1.0) -> Score:
    """A score made of criteria: `value` is their weighted mean, and correct where it is `correct_at` or more.

    Unscored where a criterion that has weight is: a mean over what happens to be scored is another mean. The caller
    sees to void trials, and to those that hit a limit. Raises ValueError where no criterion has weight.
    """
    found = tuple(criteria)
    weight = sum(criterion.weight for criterion in found)
    if not weight:
        raise ValueError("a score takes a criterion that has weight")
    counted = [criterion for criterion in found if criterion.weight]
    if missing := [criterion.name for criterion in counted if criterion.value is None]:
        reason = f"{len(missing)} of {len(counted)} criteria are unscored: {', '.join(missing)}."
        return Score(value=None, label="unscored", reason=reason, criteria=found)
    value = sum(criterion.weight * (criterion.value or 0.0) for criterion in counted) / weight
    value = round(value, 12)  # so that criteria that are all met make 1, whatever their weights
    right = value >= correct_at
    short = [criterion.name for criterion in counted if criterion.value != 1.0]
    reason = f"Not fully met: {', '.join(short)}." if short else "All criteria are met."
    return Score(value=value, label="correct" if right else "wrong", reason=reason, correct=right, criteria=found)


def _opinion(query: Query, judge: str, verdicts: Sequence[Verdict]) -> Opinion:
    votes = tuple(verdict.answer for verdict in verdicts)
    said = [vote for vote in votes if vote is not None]
    answer: Answer | None = _most(said)
    if query.kind == "scale" and said:
        answer = median_low(int(vote) for vote in said)
    value = None if answer is None else query.worth(answer)
    return Opinion(judge=judge, votes=votes, answer=answer, value=value)


def _most(answers: Sequence[Answer | None]) -> Answer | None:
    """The answer given most often; None where there is none, or two lead."""
    ranked = Counter(answers).most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def _reason(opinions: Sequence[Opinion], given: Sequence[Verdict], value: float | None) -> str:
    if not given:
        return "No judge was asked."
    answers = ", ".join(f"{each.judge}: {'nothing' if each.answer is None else each.answer}" for each in opinions)
    why = next((verdict.reason for verdict in given if verdict.reason), "")
    return f"{'Not settled: ' if value is None else ''}{answers}. {why}".strip()
