"""Tables of graded values, of criteria, and of judges: folds over scores, as all tables are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from harness.core.config import RunConfig
from harness.core.scores import Criterion, Score
from harness.core.suite import Scored, Suite, Table
from harness.report.cells import Cell
from harness.scoring.agreement import agreement
from harness.scoring.stats import clusters, rate

__all__ = ("grades", "judges")

RULE = "(rule)"
"""Takes the place of a judge where a rule says something of the same criterion."""


def grades(title: str, cells: Sequence[Cell], config: RunConfig, suite: Suite) -> list[Table]:
    """Means of graded values beside rates, and of each criterion; nothing where no score has criteria."""
    names = [name for name in suite.checks if any(score.criteria for cell in cells for score in _scores(cell, name))]
    if not names:
        return []
    values = [_value(cell, name, suite) for cell in cells for name in names]
    parts, without = [], False
    for cell in cells:
        for name in names:
            found = list(_parts(cell, name))
            without |= any(row["unscored"] + row["scored"] < len(_scores(cell, name)) for row in found)
            parts += found
    return [
        Table(f"{title}: graded", list(values[0]), values, [
            "mean, of the values of scored trials, with its 95% interval, clustered by level; rate, the share of "
            "those that count as correct; unscored: no judge was asked, or could say",
        ]),
        Table(f"{title}: criteria", list(parts[0]), parts, [
            "mean, of the trials in which the criterion is scored",
            *([_WITHOUT] if without else []),
        ]),
    ]  # fmt: skip


_WITHOUT: Final = (
    "trials whose score does not have a criterion are neither unscored nor scored there, as where no judge was asked, "
    "or the task has no such thing"
)


def judges(trials: Iterable[Scored]) -> list[Table]:
    """What judges said and how far they agree, with each other and with rules; nothing where none was asked.

    A question that several trials share counts once, as it was asked once.
    """
    found = [criterion for each in trials for score in each.scores.values() for criterion in score.criteria]
    asked = {criterion.about or n: criterion for n, criterion in enumerate(found) if criterion.opinions}.values()
    if not asked:
        return []
    tables = [Table("Judges", list(_JUDGE), list(_judges(asked)), [
        "questions: each once, however many trials share it; same votes: those to which all votes of a judge that "
        "voted more than once are equal",
    ])]  # fmt: skip
    pairs = list(_pairs(asked))
    if pairs:
        tables.append(Table("Agreement", list(pairs[0]), pairs, [
            "n: questions of which both say something, each once; kappa: Cohen's, unweighted, - where "
            "both always say one and the same",
        ]))  # fmt: skip
    return tables


def _sound(cell: Cell) -> list[Scored]:
    return [each for each in cell.trials if each.trajectory.status != "void"]


def _scores(cell: Cell, check: str) -> list[Score]:
    return [each.scores[check] for each in _sound(cell) if check in each.scores]


def _value(cell: Cell, check: str, suite: Suite) -> dict[str, Any]:
    templates = {task.id: task.template for task in suite.tasks}
    sound = [each for each in _sound(cell) if check in each.scores]
    known = [(each, each.scores[check]) for each in sound if each.scores[check].value is not None]
    tasks = [each.trajectory.task for each, _ in known]
    mean = rate(
        *clusters(
            (templates.get(task, ""), task, float(score.value or 0))
            for task, (_, score) in zip(tasks, known, strict=True)
        )
    )
    right = [bool(score.right) and each.trajectory.status == "finished" for each, score in known]
    return {
        "agent": cell.agent,
        "condition": cell.condition,
        "check": check,
        "trials": len(cell.trials),
        "void": len(cell.trials) - len(_sound(cell)),
        "unscored": len(sound) - len(known),
        "scored": len(known),
        "mean": mean.value,
        "low": mean.low,
        "high": mean.high,
        "level": None if mean.value is None else mean.level,
        "rate": sum(right) / len(right) if right else None,
    }


def _parts(cell: Cell, check: str) -> Iterator[dict[str, Any]]:
    by_name: dict[str, list[Criterion]] = {}
    for score in _scores(cell, check):
        for criterion in score.criteria:
            by_name.setdefault(criterion.name, []).append(criterion)
    for name, criteria in by_name.items():
        values = [criterion.value for criterion in criteria if criterion.value is not None]
        weights = {criterion.weight for criterion in criteria}
        yield {
            "agent": cell.agent,
            "condition": cell.condition,
            "check": check,
            "criterion": name,
            "weight": weights.pop() if len(weights) == 1 else None,
            "unscored": len(criteria) - len(values),
            "scored": len(values),
            "mean": sum(values) / len(values) if values else None,
        }


_JUDGE = ("judge", "questions", "votes", "said nothing", "unsettled", "same votes")


def _judges(asked: Iterable[Criterion]) -> Iterator[Mapping[str, Any]]:
    by_judge: defaultdict[str, list[Any]] = defaultdict(list)
    for criterion in asked:
        for opinion in criterion.opinions:
            by_judge[opinion.judge].append(opinion)
    for judge, opinions in sorted(by_judge.items()):
        several = [len(set(each.votes)) == 1 for each in opinions if len(each.votes) > 1]
        yield dict(zip(_JUDGE, (
            judge,
            len(opinions),
            sum(len(each.votes) for each in opinions),
            sum(vote is None for each in opinions for vote in each.votes),
            sum(each.answer is None for each in opinions),
            sum(several) / len(several) if several else None,
        ), strict=True))  # fmt: skip


def _pairs(asked: Iterable[Criterion]) -> Iterator[dict[str, Any]]:
    """A row for each two judges over all criteria, where there are several, and for each criterion."""
    found: defaultdict[tuple[str, str], defaultdict[str, list[tuple[Any, Any]]]]
    found = defaultdict(lambda: defaultdict(list))
    for criterion in asked:
        said = [each for each in criterion.opinions if each.answer is not None]
        for one, other in combinations(said, 2):
            found[one.judge, other.judge][criterion.name].append((one.answer, other.answer))
        if criterion.rule is not None:
            for each in said:
                found[each.judge, RULE][criterion.name].append((each.value, criterion.rule))
    for (one_judge, other_judge), by_name in sorted(found.items()):
        rows = dict(sorted(by_name.items()))
        if len(rows) > 1:
            rows = {"(all)": [pair for pairs in rows.values() for pair in pairs], **rows}
        for name, pairs in rows.items():
            n, share, kappa = agreement(pairs)
            yield {"judge": one_judge, "and": other_judge, "criterion": name, "n": n, "agree": share, "kappa": kappa}
