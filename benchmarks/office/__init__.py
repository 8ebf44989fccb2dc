"""A lifelike office: a ledger of what happens in half a year, and the rows of eight apps that tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.suite import Suite, SuiteEntry

if TYPE_CHECKING:
    from servers.kernel import World

__all__ = ("suites",)


def _suite() -> Suite:
    from benchmarks.office.suite import load

    return load()


def _world() -> World:
    from benchmarks.office.world import world

    return world()


suites: tuple[SuiteEntry, ...] = (
    SuiteEntry("office", "A lifelike office to serve and to look at; it has no tasks yet", _suite, world=_world),
)
