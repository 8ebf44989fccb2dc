"""Drift-Bench: faults in what people ask, over SQL, a shell and services, and a user with a persona.

Nothing is played yet: there are no suites before there are tasks.
"""

from __future__ import annotations

from harness.suite import SuiteEntry

__all__ = ("suites",)

suites: tuple[SuiteEntry, ...] = ()
