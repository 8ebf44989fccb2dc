"""Suites, as benchmarks write them."""

from harness.core.suite import Check, Program, Questions, Scored, Suite, SuiteEntry, SuiteError, Table, Whole

__all__ = (
    "Check",
    "Program",
    "Questions",
    "Scored",
    "Suite",
    "SuiteEntry",
    "SuiteError",
    "Table",
    "Whole",
)
