"""PROBE: notice the bottleneck that nobody mentioned, name it, and do the one thing that resolves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.suite import SuiteEntry

if TYPE_CHECKING:
    from pathlib import Path

    from harness.suite import Suite

__all__ = ("suites",)


def _workplace() -> Suite:
    from benchmarks.probe.suite import load

    return load()


def _opened(folder: Path) -> Suite:
    from benchmarks.probe.imported import opened

    return opened(folder)


def _inbox() -> Suite:
    from benchmarks.probe.workplace.suite import load

    return load()


suites: tuple[SuiteEntry, ...] = (
    SuiteEntry(
        "probe-workplace",
        "Find the bottleneck that nobody mentioned, and the one act that ends it",
        _workplace,
        commands={"build": "benchmarks.probe.building:build", "import": "benchmarks.probe.importing:read"},
        opens=_opened,
    ),
    SuiteEntry("probe-inbox", "The same samples in mail, calendar and files", _inbox),
)
