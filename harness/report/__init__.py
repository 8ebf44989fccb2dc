"""Reports: tables, figures and comparisons of runs, folded from what is on disk."""

from __future__ import annotations

from harness.core.config import INSTRUMENTS
from harness.report.figures import Chart, Figure
from harness.report.headline import headline
from harness.report.order import digest, labelled, ordered, stale
from harness.report.summary import summary
from harness.report.tables import Agents, tables
from harness.report.verdicts import TrialVerdict, primary, verdict

__all__ = (
    "INSTRUMENTS", "Agents", "Chart", "Figure", "TrialVerdict", "digest", "headline", "labelled", "ordered", "primary",
    "stale", "summary", "tables", "verdict",
)  # fmt: skip
