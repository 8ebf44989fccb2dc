"""LHAW: requests with information withheld, and what asking for it is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.suite import SuiteEntry

if TYPE_CHECKING:
    from pathlib import Path

    from harness.suite import Suite

__all__ = ("suites",)


def _workplace() -> Suite:
    from benchmarks.lhaw.suite import workplace

    return workplace()


def _short() -> Suite:
    from benchmarks.lhaw.suite import short

    return short()


def _opened(folder: Path) -> Suite:
    from benchmarks.lhaw.build.building import opened

    return opened(folder)


suites: tuple[SuiteEntry, ...] = (
    SuiteEntry(
        "lhaw-workplace",
        "Long office work with one or two values withheld, over several apps",
        _workplace,
        commands={
            "build": "benchmarks.lhaw.build.building:build",
            "import": "benchmarks.lhaw.published.importing:read",
        },
        opens=_opened,
    ),
    SuiteEntry("lhaw-short", "Short office requests with one or two values withheld, over six apps", _short),
)
