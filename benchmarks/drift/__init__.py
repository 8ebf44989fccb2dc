"""Drift-Bench: faults in what people ask, over SQL, a shell and services, and a user with a persona."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from harness.suite import SuiteEntry

if TYPE_CHECKING:
    from pathlib import Path

    from harness.suite import Suite

__all__ = ("suites",)


def _workplace() -> Suite:
    from benchmarks.drift.suite import load

    return load()


def _opened(folder: Path) -> Suite:
    from benchmarks.drift.build.building import opened

    return opened(folder)


_THERE = any(find_spec(f"benchmarks.drift.{name}") is not None for name in ("sql", "terminal", "apis"))

suites: tuple[SuiteEntry, ...] = (
    (
        SuiteEntry(
            "drift-workplace",
            "Requests with a fault in them, over SQL, a shell and services, and a user who can be asked",
            _workplace,
            commands={"build": "benchmarks.drift.build.building:build"},
            opens=_opened,
        ),
    )
    if _THERE
    else ()
)
"""None while no environment is there."""
