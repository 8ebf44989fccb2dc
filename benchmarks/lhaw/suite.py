"""The suite `lhaw-workplace`: tasks of `workbench-synth` with one or two values withheld."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import yaml

from benchmarks.lhaw.tables import report
from benchmarks.lhaw.variants import Made, make
from benchmarks.workbench.synth.suite import load as load_sources
from harness.suite import Suite
from harness.task import Task

__all__ = ("load", "made", "sources")


def load() -> Suite:
    """The sources' world, programs, toolsets and checks, with the variants for tasks."""
    base = load_sources()
    return Suite(
        name="lhaw-workplace",
        version="1",
        description="Office requests with one or two values withheld (LHAW), over six apps",
        tasks=made().tasks,
        world=base.world,
        checks=base.checks,
        programs=base.programs,
        report=report,
        system=base.system,
        toolsets=base.toolsets,
    )


@cache
def made() -> Made:
    """The variants, and what was refused on the way to them."""
    base = load_sources()
    return make(sources(base.tasks), now=lambda task: base.world(task.world).now)


def sources(tasks: Sequence[Task]) -> list[Task]:
    """The tasks, their slots marked where `complete.yaml` judges that deletion leaves a whole request."""
    judged = _judged()
    return [
        task.model_copy(
            update={
                "slots": tuple(
                    slot.model_copy(update={"complete_without": True})
                    if slot.name in judged.get(task.template, ())
                    else slot
                    for slot in task.slots
                )
            }
        )
        for task in tasks
    ]


def _judged() -> Mapping[str, Sequence[str]]:
    text = (Path(__file__).parent / "complete.yaml").read_text(encoding="utf-8")
    loaded: Mapping[str, Sequence[str]] = yaml.safe_load(text)
    return loaded
