"""Workflows: long office work over many apps, from which requests that lack something are made."""

from __future__ import annotations

from harness.suite import Suite, SuiteEntry

__all__ = ("suites",)


def _suite() -> Suite:
    from benchmarks.workflows.suite import load

    return load()


suites: tuple[SuiteEntry, ...] = (
    SuiteEntry("workflows", "Long office work: two dozen calls and more over several apps, rules to be found", _suite),
)
