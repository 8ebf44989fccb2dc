"""Faults of Drift-Bench over the slots of other suites: any suite with slots, any of its faults, any persona."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.suite import SuiteEntry

if TYPE_CHECKING:
    from pathlib import Path

    from harness.suite import Suite

__all__ = ("suites",)


def _short() -> Suite:
    from benchmarks.composed.suite import SHORT, load

    return load("workbench-synth", SHORT, "drift-short")


def _long() -> Suite:
    from benchmarks.composed.suite import LONG, load

    return load("workflows", LONG, "drift-long")


def _opened(folder: Path) -> Suite:
    from benchmarks.composed.build import opened

    return opened(folder)


suites: tuple[SuiteEntry, ...] = (
    SuiteEntry(
        "drift-short",
        "Short office requests with a fault in them, and a user who can be asked",
        _short,
        commands={"build": "benchmarks.composed.build:build"},
        opens=_opened,
    ),
    SuiteEntry("drift-long", "Long office work with a fault in the request, and a user who can be asked", _long),
)
