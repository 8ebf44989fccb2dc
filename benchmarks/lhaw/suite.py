"""The suite `lhaw-workplace`: tasks of `workbench-synth` with one or two values withheld."""

from __future__ import annotations

from functools import cache

from benchmarks.lhaw.dimensions import check
from benchmarks.lhaw.headline import headline
from benchmarks.lhaw.tables import report
from benchmarks.lhaw.variants import Made, make
from benchmarks.workbench.synth.suite import load as load_sources
from harness.suite import Suite

__all__ = ("load", "made")


def load() -> Suite:
    """The sources' world, programs, toolsets and checks, with the variants for tasks."""
    base = load_sources()
    return Suite(
        name="lhaw-workplace",
        version="1",
        description="Office requests with one or two values withheld (LHAW), over six apps",
        tasks=made().tasks,
        world=base.world,
        worlds=base.worlds,
        checks=base.checks,
        programs=base.programs,
        report=report,
        headline=headline,
        system=base.system,
        toolsets=base.toolsets,
        solved=base.solved,
        required=base.required,
        unchecked=base.unchecked,
    )


@cache
def made() -> Made:
    """The variants, and what was refused on the way to them."""
    base = load_sources()
    check(base.tasks)
    return make(base.tasks, now=lambda task: base.load_world(task.world).now, per_template=1)
