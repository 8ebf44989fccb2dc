"""Failure modes of asking: the paper's 21 flags in seven categories (LHAW section 4.4 and appendix J).

A suite has `checks={..., CHECK: check}`, `questions=questions` and `compared=compared`; its report has
`tables(suite, agents, scored)` too.
"""

from benchmarks.lhaw.flags.computed import COMPUTED, Finding, Measures, computed, measures
from benchmarks.lhaw.flags.judged import CHECK, categories, check, compared, findings, questions
from benchmarks.lhaw.flags.tables import tables
from benchmarks.lhaw.flags.taxonomy import CATEGORIES, FLAGS

__all__ = (
    "CATEGORIES", "CHECK", "COMPUTED", "FLAGS", "Finding", "Measures", "categories", "check", "compared", "computed",
    "findings", "measures", "questions", "tables",
)  # fmt: skip
