"""Suites, as benchmarks write them."""

from harness.core.suite import Check, Program, Questions, Scored, Suite, SuiteEntry, SuiteError, Table

__all__ = (
    "Check",
    "Program",
    "Questions",
    "Scored",
    "Suite",
    "SuiteEntry",
    "SuiteError",
    "Table",
)
