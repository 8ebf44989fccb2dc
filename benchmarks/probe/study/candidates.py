"""Answers that people may be given to judge, by the score that they have now."""

from __future__ import annotations

from collections.abc import Iterable

from harness.judging.study.pairs import Pair
from harness.record.store import Run, TrialRecord
from harness.suite import Suite

__all__ = ("candidates",)


def candidates(run: Run, suite: Suite, records: Iterable[TrialRecord]) -> list[Pair]:
    """All answers of a run of which judges are asked anything, by the score that they have now for identification."""
    found = []
    for record in records:
        t = record.trajectory
        if queries := tuple(suite.queries(suite.task(t.task), t)):
            value = record.scores["identification"].value if "identification" in record.scores else None
            score = "unscored" if value is None else f"{value:g}"
            found.append(
                Pair(
                    run=str(run.folder), agent=t.agent, condition=t.condition, task=t.task, trial=t.trial, score=score,
                    queries=queries,
                )
            )  # fmt: skip
    return found
