"""Drift-Bench: faults in what people ask, over SQL, a shell and services, and a user with a persona."""

from __future__ import annotations

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


suites = (
    SuiteEntry(
        "drift-workplace",
        "Requests with a fault in them, over SQL, a shell and services, and a user who can be asked",
        _workplace,
        commands={"build": "benchmarks.drift.build.building:build"},
        opens=_opened,
    ),
)
