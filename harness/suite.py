"""Suites, as benchmarks write them."""

from harness.core.suite import Check, Headline, Program, Questions, Scored, Suite, SuiteEntry, SuiteError, Table, Whole

__all__ = (
    "Check",
    "Headline",
    "Program",
    "Questions",
    "Scored",
    "Suite",
    "SuiteEntry",
    "SuiteError",
    "Table",
    "Whole",
)
