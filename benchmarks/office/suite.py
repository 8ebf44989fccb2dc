"""The suite `office`: a world, and no tasks so far."""

from __future__ import annotations

from benchmarks.office.world import world
from harness.score import outcome
from harness.suite import Suite, SuiteError
from servers.kernel import World

__all__ = ("load",)


def load() -> Suite:
    """The suite, made from code and seed."""
    return Suite(
        name="office",
        version="v0",
        description="A lifelike office to serve and to look at; it has no tasks yet",
        tasks=(),
        world=_named,
        checks={"outcome": outcome},
    )


def _named(name: str) -> World:
    office = world()
    if name != office.name:
        raise SuiteError(f"suite office has one world, {office.name!r}, and none called {name!r}")
    return office
