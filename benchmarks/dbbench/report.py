"""What a run of DBBench comes to. Questions and changes are never pooled: each is judged by rules of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from harness.core.config import RunConfig
from harness.report.cells import Cell
from harness.report.headline import framed, named, percent, scored_share, shown, span
from harness.report.texts import percent as tenths
from harness.scoring.stats import Interval, clusters, rate
from harness.suite import Headline, Scored, Suite, Table
from harness.task import Task

__all__ = ("headline", "report")


def headline(config: RunConfig, suite: Suite, trials: Sequence[Scored]) -> Headline | None:
    """How often questions and changes were right. None where nothing was scored."""
    found = shown(config, trials)
    questions = frozenset(task.id for task in suite.tasks if task.facts["kind"] == "read")
    parts = {"questions": questions, "changes": frozenset(task.id for task in suite.tasks) - questions}

    def share(cell: Cell, ids: Collection[str]) -> Interval:
        return scored_share(cell, suite, lambda each: _value(each, ids))

    told = []
    for part, ids in parts.items():
        means = [(named(cell, found), share(cell, ids).value) for cell in found]
        shares = [(name, value) for name, value in means if value is not None]
        if len(shares) == 1:
            told.append(f"of {part} {percent(shares[0][1])}")
        elif shares:
            told.append(f"of {part} {span(shares)}")
    table = framed(config, suite, found, lambda cell: {part: share(cell, ids) for part, ids in parts.items()})
    return Headline(table, f"Trials that were right: {'; '.join(told)}.") if told else None


def report(suite: Suite, agents: Mapping[str, Mapping[str, Any]], scored: Sequence[Scored]) -> Sequence[Table]:
    """How often each kind of task is done right. Changes whose description lacks a value stand apart."""
    tasks = {task.id: task for task in suite.tasks}
    rows = []
    whose = [each for each in scored if each.trajectory.task in tasks]
    for (agent, condition), group in groupby(whose, lambda each: (each.trajectory.agent, each.trajectory.condition)):
        trials = list(group)
        for kind, chosen in _kinds(tasks):
            values = [(each.trajectory.task, _value(each, chosen)) for each in trials]
            counted = [("", task, value) for task, value in values if value is not None]
            if not counted:
                continue
            found = rate(*clusters(counted))
            rows.append(
                {
                    "agent": agent,
                    "condition": condition,
                    "tasks": kind,
                    "number": len({task for _, task, _ in counted}),
                    "trials": len(counted),
                    "right %": tenths(found.value),
                    "low": tenths(found.low),
                    "high": tenths(found.high),
                }
            )
    notes = (
        "low and high: 95% interval over tasks. Answers are judged by AgentBench's rules, which take 17 and 17.005 for "
        "the same; changes by the rows that are left, not by the published hash.",
        "Levels are not AgentBench's: the dialect is DuckDB's, the prompt is ours, and only verified rows are played.",
    )
    return [Table("DBBench by kind of task", tuple(rows[0]), rows, notes)] if rows else []


def _value(trial: Scored, ids: Collection[str]) -> float | None:
    """What a trial of one of these tasks is worth, None where it is of another or cannot be said."""
    return trial.scores["outcome"].value if trial.trajectory.task in ids else None


def _kinds(tasks: Mapping[str, Task]) -> Iterator[tuple[str, frozenset[str]]]:
    """Kinds of tasks in words, and the ids of each."""
    words = {"read": "questions", "insert": "insertions", "update": "updates", "delete": "deletions"}
    for kind, word in words.items():
        mine = [task for task in tasks.values() if task.facts["kind"] == kind]
        yield word, frozenset(task.id for task in mine if not task.facts["lacks"])
        yield f"{word}, a value not said", frozenset(task.id for task in mine if task.facts["lacks"])
