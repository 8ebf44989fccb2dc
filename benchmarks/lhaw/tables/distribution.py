"""What a suite's variants are: figure 3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from benchmarks.lhaw.conditions import LACKING
from benchmarks.lhaw.dimensions import DIMENSIONS
from benchmarks.lhaw.rewrite import SEVERITIES
from benchmarks.lhaw.tables.group import CLASSES
from benchmarks.lhaw.tables.splits import classes
from harness.report import Chart, Figure
from harness.suite import Scored, Suite, Table
from harness.task import Task

__all__ = ("distribution",)


def distribution(suite: Suite, scored: Sequence[Scored]) -> list[Table]:
    """How many variants of what, and from how many tasks; of dimensions, how many segments."""
    played = {one.trajectory.task for one in scored}
    ways: Sequence[tuple[str, Callable[[Task], Sequence[str]], Sequence[str]]] = (
        ("designed class", classes("designed"), CLASSES),
        ("empirical class", classes("empirical"), CLASSES),
        ("dimension of a segment", _dimensions, tuple(DIMENSIONS)),
        ("segments removed", lambda task: [str(task.facts.get("segments", "unknown"))], ()),
        ("removal strategy", lambda task: [str(task.facts.get("severity", "unknown"))], SEVERITIES),
    )
    rows = []
    for way, groups, order in ways:
        counts = Counter(name for task in suite.tasks for name in groups(task))
        known = {name: n for n, name in enumerate(order)}
        for name in sorted(counts, key=lambda name: (known.get(name, len(known)), name)):
            mine = [task for task in suite.tasks if name in groups(task)]
            rows.append(
                {
                    "of": way,
                    "which": name,
                    "count": counts[name],
                    "from tasks": len(_originals(mine)),
                    "variants": len(mine),
                    "played": sum(task.id in played for task in mine),
                }
            )
    if not rows:
        return []
    sets = {fact: {task.facts[fact] for task in suite.tasks if task.facts.get(fact) is not None}
            for fact in ("triple", "pair")}  # fmt: skip
    notes = [
        "As figure 3 of the paper.",
        f"{len(suite.tasks)} variants from {len(_originals(suite.tasks))} tasks. Of dimensions the count is of "
        "segments, of all else of variants; played: variants with a trial in this run.",
    ]
    if any(sets.values()):
        notes.append(
            f"Matched sets: {len(sets['triple'])} of the same segments under every removal strategy, "
            f"{len(sets['pair'])} of the same task with one and with two segments removed."
        )
    chart = Chart("bars", "which", ("count",), panels=("of",), unit="variants or segments")
    return [Figure.of("Suite: what its variants are", list(rows[0]), rows, notes, chart)]


def _originals(tasks: Iterable[Task]) -> set[str]:
    return {str(task.facts.get("original", task.id)) for task in tasks}


def _dimensions(task: Task) -> Sequence[str]:
    """Of each withheld segment; where a task does not hold its slots, of all of them together."""
    gone = task.withheld.get(LACKING, ())
    return [slot.dimension for slot in task.slots if slot.name in gone] or task.facts.get("dimensions", [])
