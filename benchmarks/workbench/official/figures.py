"""Tables of a re-scored run, in the release's own terms."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from benchmarks.workbench.official.names import DOMAINS
from benchmarks.workbench.official.profiles import FLAGS, PROFILES
from benchmarks.workbench.official.rescore import Rescored
from harness.record.store import TrialRecord
from harness.report import verdict
from harness.score import Score
from harness.scoring.stats import clusters, rate
from harness.suite import Scored, Table
from harness.task import Task

__all__ = ("calls_of", "items_csv", "tables")

_Item = tuple[Task, Score, str]
"""A task, its score and its verdict (`harness.report.TrialVerdict`)."""


def tables(found: Rescored) -> list[Table]:
    """Per domain; by kind of error; by number of actions; with and without the rule on failing calls; calls.

    Accuracy is over trials that are not void, with a 95% interval that clusters by template.
    """
    (condition,) = found.run.head.config.conditions
    items = list(_items(found))
    made = [_domains(items), _errors(items), _actions(items)]
    if PROFILES[condition.rpartition("/")[2]].failing_is_wrong:
        made.append(_failing_rule(items))
    return [*made, _calls(found)]


def calls_of(found: Rescored, kind: str) -> dict[str, int]:
    """Task id -> its number of `unparsed`, `failing` or `refused` calls, where there are any."""
    counts = {record.trajectory.task: int(_detail(record).get(kind, 0)) for record in found.records}
    return {task: n for task, n in counts.items() if n}


def items_csv(found: Rescored) -> str:
    """One row per task as CSV. The cells of a void trial that say what became of it are empty."""
    columns = (
        "task", "domain", "template", "actions", "verdict", "correct", "side_effects", "exact", *FLAGS,
        "unparsed", "failing", "refused", "status", "reason",
    )  # fmt: skip
    out = io.StringIO()
    writer = csv.DictWriter(out, columns)
    writer.writeheader()
    for record, (task, score, what) in zip(found.records, _items(found), strict=True):
        detail = score.detail
        row: dict[str, Any] = {
            "task": task.id,
            "domain": task.facts["domain"],
            "template": task.template,
            "actions": task.facts["actions"],
            "verdict": what,
            "status": record.trajectory.status,
            "reason": record.trajectory.reason or score.reason,
        }
        if detail:
            row |= {name: int(detail[name]) for name in ("correct", "side_effects", "exact")}
            row |= {flag: int(flag in detail["flags"]) for flag in FLAGS}
            row |= {name: detail[name] for name in ("unparsed", "failing", "refused")}
        writer.writerow(row)
    return out.getvalue()


def _detail(record: TrialRecord) -> dict[str, Any]:
    return record.scores["outcome"].detail


def _items(found: Rescored) -> Iterator[_Item]:
    for record in found.records:
        task = found.suite.task(record.trajectory.task)
        yield task, record.scores["outcome"], verdict(Scored(record.trajectory, record.scores))


def _rates(items: Sequence[_Item]) -> dict[str, Any]:
    """Correct trials, their share with its interval, and trials with side effects."""
    sound = [(task, score) for task, score, what in items if what != "void"]
    interval = rate(*clusters((task.template, task.id, float(score.detail["correct"])) for task, score in sound))
    harmed = sum(score.detail["side_effects"] for _, score in sound)
    return {
        "tasks": len(items),
        "void": len(items) - len(sound),
        "correct": sum(score.detail["correct"] for _, score in sound),
        "accuracy": interval.value,
        "low": interval.low,
        "high": interval.high,
        "side effects": harmed,
        "side effect rate": harmed / len(sound) if sound else None,
        "exact": sum(score.detail["exact"] for _, score in sound),
    }


def _table(title: str, rows: Sequence[dict[str, Any]], *notes: str) -> Table:
    return Table(title, list(rows[0]), rows, notes)


def _domains(items: Sequence[_Item]) -> Table:
    rows = [
        {"domain": domain, **_rates([item for item in items if item[0].facts["domain"] == domain])}
        for domain in DOMAINS
    ]
    rows.append({"domain": "total", **_rates(items)})
    return _table(
        "Re-scored: domains",
        rows,
        "low and high: 95% interval of accuracy, clustered by template",
        "exact: the writing calls are word for word those of the reference",
    )


def _errors(items: Sequence[_Item]) -> Table:
    rows = []
    sound = [score.detail for _, score, what in items if what != "void"]
    for flag, meaning in FLAGS.items():
        flagged = [detail for detail in sound if flag in detail["flags"]]
        wrong = [detail for detail in flagged if not detail["correct"]]
        harmed = sum(detail["side_effects"] for detail in wrong)
        rows.append(
            {
                "flag": flag,
                "tasks": len(flagged),
                "not correct": len(wrong),
                "with side effects": harmed,
                "without": len(wrong) - harmed,
                "meaning": meaning,
            }
        )
    return _table("Re-scored: errors by the release's flags", rows, "a task may have several; no_actions may be right")


def _actions(items: Sequence[_Item]) -> Table:
    kinds: dict[str, Callable[[int], bool]] = {"0": lambda n: n == 0, ">=1": lambda n: n > 0, ">=2": lambda n: n > 1}
    rows = [
        {"actions needed": name, **_rates([item for item in items if holds(item[0].facts["actions"])])}
        for name, holds in kinds.items()
    ]
    return _table("Re-scored: by number of actions", rows)


def _failing_rule(items: Sequence[_Item]) -> Table:
    sound = [score.detail for _, score, what in items if what != "void"]
    cases = {
        "comparison alone": [detail["without_failing_rule"] for detail in sound],
        "a failing call is wrong": sound,
    }
    rows = [
        {"rule": name} | {what.replace("_", " "): sum(d[what] for d in details) for what in ("correct", "side_effects")}
        for name, details in cases.items()
    ]
    return _table("Re-scored: the rule on failing calls", rows)


def _calls(found: Rescored) -> Table:
    meanings = {
        "unparsed": "does not parse; does nothing",
        "failing": "no such tool or argument, or a bound that is no date: an exception there; does nothing",
        "refused": "the tool said no; does nothing",
    }
    rows = []
    notes = []
    for kind, meaning in meanings.items():
        counts = calls_of(found, kind)
        rows.append({"calls": kind, "number": sum(counts.values()), "tasks": len(counts), "meaning": meaning})
        if kind == "unparsed" and counts:
            notes.append("unparsed: " + ", ".join(f"{task} ({n})" for task, n in counts.items()))
    statuses = Counter(record.trajectory.reason for record in found.records if record.trajectory.status != "finished")
    notes += [f"runs that ended in {reason!r:.100}: {n}" for reason, n in statuses.most_common(5)]
    return _table("Re-scored: calls that did nothing", rows, *notes)
