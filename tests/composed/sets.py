"""The two sets as they are released, made once per process."""

from __future__ import annotations

from functools import cache

from benchmarks.composed.suite import LONG, SHORT, Found, found
from benchmarks.composed.world import Source, Spot
from harness.suite import Suite
from harness.wiring import suite

__all__ = ("NUMBERS", "of", "source", "spot", "spots_of")

NUMBERS = {"workbench-synth": SHORT, "workflows": LONG}


@cache
def source(name: str) -> Suite:
    return suite(name)


@cache
def spots_of(name: str) -> Source:
    return Source(source(name))


@cache
def of(name: str) -> Found:
    return found(source(name), number=NUMBERS[name])


def spot(template: str, slot: str, name: str = "workbench-synth", number: int = 0) -> Spot:
    """A slot of one of the template's tasks."""
    known = spots_of(name)
    task = [task for task in known.tasks if task.template == template][number]
    return next(each for each in known.spots(task) if each.slot.name == slot)
