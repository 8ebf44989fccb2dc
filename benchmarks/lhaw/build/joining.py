"""Rows of a released set, joined with the tasks that they were made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.lhaw import flags
from benchmarks.lhaw.build.records import Variant, read
from benchmarks.lhaw.build.segments import as_slot, segment_of
from benchmarks.lhaw.conditions import conditions_of, untold
from benchmarks.lhaw.dimensions import check
from benchmarks.lhaw.headline import headline
from benchmarks.lhaw.tables import report
from benchmarks.lhaw.variants import FULL, variant
from harness.suite import Suite, SuiteError
from harness.task import Slot, Task

__all__ = ("joined", "loaded", "named")


def loaded(path: Path, base: Suite, *, name: str, version: str, description: str) -> Suite:
    """The suite of a released file, over its source suite; all but tasks and tables is the source's.

    Raises `SuiteError` naming file, row and field where the source is no longer what the row was made of.
    """
    rows = read(path, Variant)
    return replace(
        base,
        name=name,
        version=version,
        description=description,
        tasks=joined(rows, base, str(path)),
        checks={**base.checks, flags.CHECK: flags.check},
        questions=flags.questions,
        compared=flags.compared,
        report=report,
        headline=headline,
        untold=lambda config: untold(conditions_of(config)),
        files=None,
        aside=frozenset(),
    )


def joined(rows: Iterable[Variant], base: Suite, where: str) -> tuple[Task, ...]:
    """The tasks of these rows, which are lines of `where`. Raises `SuiteError`."""
    known = {task.id: task for task in base.tasks}
    check(base.tasks)
    tasks = []
    for number, row in enumerate(rows, 1):
        place = f"{where}:{number} ({row.variant_id})"
        if row.source != named(base):
            raise SuiteError(
                f"{place}: source: it was made of {row.source}, and the suite is {named(base)}: {_REBUILD}"
            )
        if row.original_task not in known:
            raise SuiteError(f"{place}: original_task: {row.source} has no task {row.original_task!r}: {_REBUILD}")
        tasks.append(_task(row, known[row.original_task], place))
    ids = [task.id for task in tasks]
    if twice := next((id for id in ids if ids.count(id) > 1), ""):
        raise SuiteError(f"{where}: variant_id: two rows are called {twice!r}")
    return tuple(tasks)


def named(suite: Suite) -> str:
    """How a row names the suite that it was made of."""
    return f"{suite.name}@{suite.version}"


_REBUILD = "build the set anew (`harness build lhaw`)"


def _task(row: Variant, task: Task, place: str) -> Task:
    request = task.sessions[0].requests.get(FULL)
    if request != row.original_prompt:
        raise SuiteError(f"{place}: original_prompt: task {task.id} asks for something else by now: {_REBUILD}")
    if row.route == "model":
        task = task.model_copy(update={"slots": tuple(map(as_slot, row.removed_segments))})
    known = {slot.name: slot for slot in task.slots}
    gone = [_slot(row, number, known, task, place) for number in range(len(row.removed_segments))]
    return variant(task, row.variant_id, row.underspecified_prompt, gone, _facts(row))


def _slot(row: Variant, number: int, known: dict[str, Slot], task: Task, place: str) -> Slot:
    """The slot that a segment is, with the words that went with it."""
    segment, field = row.removed_segments[number], f"removed_segments[{number}]"
    if segment.value not in segment.text or segment.text not in row.original_prompt:
        raise SuiteError(f"{place}: {field}.text: it should hold `value` and stand in `original_prompt`")
    if segment.id not in known:
        there = ", ".join(known) or "none"
        raise SuiteError(f"{place}: {field}.id: task {task.id} has no slot {segment.id!r}; it has {there}: {_REBUILD}")
    if row.route == "model":
        return known[segment.id]
    now = segment_of(task, known[segment.id], segment.text)
    for name in type(segment).model_fields:
        ours, theirs = getattr(segment, name), getattr(now, name)
        if ours != theirs:
            raise SuiteError(f"{place}: {field}.{name}: {ours!r}, and slot {segment.id} has {theirs!r}: {_REBUILD}")
    return known[segment.id].model_copy(update={"text": segment.text})


def _facts(row: Variant) -> dict[str, Any]:
    gone = row.removed_segments
    facts: dict[str, Any] = {
        "original": row.original_task,
        "severity": row.strategy,
        "segments": len(gone),
        "dimensions": list(row.information_dimension),
        "subdimensions": _distinct([segment.subdimension for segment in gone]),
        "designed_class": row.designed_class,
        "gap": row.gap,
        "new_task": row.new_task,
    }
    if row.triple:
        facts["triple"] = row.triple
    if row.pair:
        facts["pair"] = row.pair
    if row.empirical_class and row.classified_by:
        facts["empirical_class"] = row.empirical_class
        facts["classified_by"] = row.classified_by.model_dump(mode="json")
    return facts


def _distinct(values: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(values))
