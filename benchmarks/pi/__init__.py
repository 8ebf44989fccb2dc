"""pi-Bench: an assistant that works with one person over sessions, and infers what the person did not say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.suite import SuiteEntry

if TYPE_CHECKING:
    from harness.suite import Suite
    from servers.kernel import World

__all__ = ("suites",)


def _episodes() -> Suite:
    from benchmarks.pi.suite import load_episodes

    return load_episodes()


def _units() -> Suite:
    from benchmarks.pi.suite import load

    return load()


def _world() -> World:
    from benchmarks.pi.personas.financier.world import world

    return world()


_WHAT = "One person over sessions, what is inferred, asked or told; four sessions so far"

suites: tuple[SuiteEntry, ...] = (
    SuiteEntry("pi-synth", _WHAT, _episodes, world=_world, commands={"new session": "benchmarks.pi.new:session"}),
    SuiteEntry("pi-units", "The same, each group of sessions in a sandbox of its own", _units, world=_world),
)
