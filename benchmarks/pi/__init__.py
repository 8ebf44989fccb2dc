"""pi-Bench: an assistant that works with one person over sessions. The apps and their contents so far; no suite yet."""

from __future__ import annotations

from harness.suite import SuiteEntry

__all__ = ("suites",)

suites: tuple[SuiteEntry, ...] = ()
