"""What a value of a request is for: LHAW's taxonomy, appendix E."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from harness.suite import SuiteError
from harness.task import Task

__all__ = ("DIMENSIONS", "check")

DIMENSIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "goal": ("target", "format", "content", "acceptance"),
    "constraint": ("numeric_bound", "precision", "temporal", "selection", "method"),
    "input": ("source", "location", "identifier", "version"),
    "context": ("terminology", "business_logic", "conventions", "tool_knowledge"),
}


def check(tasks: Iterable[Task]) -> None:
    """Refuse slots that have no place in the taxonomy. Raises `SuiteError` naming the first."""
    for task in tasks:
        for slot in task.slots:
            if slot.dimension not in DIMENSIONS:
                known = ", ".join(DIMENSIONS)
                raise SuiteError(
                    f"task {task.id}: slot {slot.name} has dimension {slot.dimension!r}, not one of {known}"
                )
            if slot.subdimension not in DIMENSIONS[slot.dimension]:
                known = ", ".join(DIMENSIONS[slot.dimension])
                raise SuiteError(
                    f"task {task.id}: slot {slot.name} has subdimension {slot.subdimension!r}; of {slot.dimension} "
                    f"there are {known}"
                )
