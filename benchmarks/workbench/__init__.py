"""WorkBench: a suite of our own in its manner, and the published releases where they have been imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.suite import Suite, SuiteEntry

if TYPE_CHECKING:
    from servers.kernel import World

__all__ = ("suites",)


def _synth(scale: int = 1) -> Suite:
    from benchmarks.workbench.synth.suite import load

    return load(scale)


def _synth_world() -> World:
    from benchmarks.workbench.synth.world import world

    return world()


def _official(version: str) -> Suite:
    from benchmarks.workbench.official import load

    return load(version)


_COMMANDS = {
    "import": "benchmarks.workbench.official.commands:read",
    "rescore": "benchmarks.workbench.official.commands:rescore",
}

suites: tuple[SuiteEntry, ...] = (
    SuiteEntry(
        "workbench-synth",
        "Office work over six apps: 69 templates of our own, 690 tasks",
        _synth,
        scales=True,
        world=_synth_world,
    ),
    SuiteEntry(
        "workbench-official@v1",
        "The published WorkBench of 2024, once imported",
        lambda: _official("v1"),
        commands=_COMMANDS,
    ),
    SuiteEntry(
        "workbench-official@v2",
        "The published WorkBench of 2026, once imported",
        lambda: _official("v2"),
        commands=_COMMANDS,
    ),
)
