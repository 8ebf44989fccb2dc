"""DBBench: questions and changes over one table each, which AgentBench published and nobody here wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.suite import SuiteEntry

if TYPE_CHECKING:
    from harness.suite import Suite

__all__ = ("suites",)


def _imported() -> Suite:
    from benchmarks.dbbench.suite import load

    return load()


suites: tuple[SuiteEntry, ...] = (
    SuiteEntry(
        "dbbench",
        "AgentBench's DBBench of 2023, once imported: questions and changes over a table",
        _imported,
        commands={"import": "benchmarks.dbbench.importing:read"},
    ),
)
