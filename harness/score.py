"""Scores, what judges and self-scores are asked, the check that compares states, what makes a score of verdicts."""

from harness.core.agent_config import Aspect
from harness.core.judgement import NO_VERDICTS, Query, Verdict, Verdicts
from harness.core.scores import Criterion, Opinion, Score
from harness.scoring.judged import graded, settled
from harness.scoring.outcome import outcome

__all__ = (
    "NO_VERDICTS",
    "Aspect",
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
