"""Suites, as benchmarks write them."""

from harness.core.suite import (
    Check,
    Headline,
    Program,
    Questions,
    Scored,
    Settled,
    Suite,
    SuiteEntry,
    SuiteError,
    Table,
    Told,
    Whole,
)

__all__ = (
    "Check",
    "Headline",
    "Program",
    "Questions",
    "Scored",
    "Settled",
    "Suite",
    "SuiteEntry",
    "SuiteError",
    "Table",
    "Told",
    "Whole",
)
