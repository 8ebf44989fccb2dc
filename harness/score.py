"""Scores, what judges are asked and say, the check that compares states, and what makes a score of verdicts."""

from harness.core.judgement import NO_VERDICTS, Query, Verdict, Verdicts
from harness.core.scores import Criterion, Opinion, Score
from harness.scoring.judged import graded, settled
from harness.scoring.outcome import outcome

__all__ = (
    "NO_VERDICTS",
    "Criterion",
    "Opinion",
    "Query",
    "Score",
    "Verdict",
    "Verdicts",
    "graded",
    "outcome",
    "settled",
)
