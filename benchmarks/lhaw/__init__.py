"""LHAW: requests with information withheld, and what asking for it is worth."""

from __future__ import annotations

from harness.suite import Suite, SuiteEntry

__all__ = ("suites",)


def _workplace() -> Suite:
    from benchmarks.lhaw.suite import load

    return load()


suites: tuple[SuiteEntry, ...] = (
    SuiteEntry(
        "lhaw-workplace",
        "Office requests with one or two values withheld, over six apps",
        _workplace,
        commands={"import": "benchmarks.lhaw.published.importing:read"},
    ),
)
