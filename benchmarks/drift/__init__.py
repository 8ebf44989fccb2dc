"""Drift-Bench: faults in what people ask, over SQL, a shell and services, and a user with a persona."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from harness.suite import SuiteEntry

if TYPE_CHECKING:
    from harness.suite import Suite

__all__ = ("suites",)


def _workplace() -> Suite:
    from benchmarks.drift.suite import load

    return load()


_THERE = any(find_spec(f"benchmarks.drift.{name}") is not None for name in ("sql", "terminal", "apis"))

suites: tuple[SuiteEntry, ...] = (
    (
        SuiteEntry(
            "drift-workplace",
            "Requests with a fault in them, over SQL, a shell and services, and a user who can be asked",
            _workplace,
        ),
    )
    if _THERE
    else ()
)
"""None while no environment is there."""
