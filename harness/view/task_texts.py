"""What is found of a trial in its task, which its record does not hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from harness.core.task import Expected, Task
from harness.view.search import Beside
from harness.view.trials import prompts, withheld

__all__ = ("TaskTexts",)

Beginning = Callable[[Task, str, str, str], Mapping[str, Any] | None]
"""Task, app, table and id -> the row as the task starts with it, without its id; None where nobody knows."""


class TaskTexts:
    """Texts of tasks, kept: trials of a task share them."""

    def __init__(self, tasks: Mapping[str, Task], beginning: Beginning) -> None:
        self._tasks, self._beginning = tasks, beginning
        self._kept: dict[tuple[str, str], Beside] = {}

    def of(self, id: str, prompt: str) -> Beside:
        """Of the task of that id, as that prompt asks for it; nothing of one that there is not."""
        if (id, prompt) not in self._kept:
            told = {}
            if task := self._tasks.get(id):
                told = {
                    "id": task.id, "template": task.template, "prompts": prompts(task), "facts": task.facts,
                    "withheld": withheld(task, prompt),
                    "expected": [[self._wish(task, each) for each in end.changes] for end in task.ends],
                }  # fmt: skip
            self._kept[id, prompt] = Beside.of({"task": told})
        return self._kept[id, prompt]

    def _wish(self, task: Task, wish: Expected) -> dict[str, Any]:
        """An expected change as it is searched: which row, what it was to say, and what one that was to go says.

        Such a row is in no record if nobody touched it, and the page shows it nevertheless. Of others what they said
        before is left out: the worlds of all tasks would have to be loaded for a search.
        """
        began = self._beginning(task, wish.app, wish.table, wish.id) if wish.op == "delete" else None
        return {
            "row": f"{wish.app}.{wish.table}", "id": wish.id, "name": wish.name, "values": dict(wish.values),
            "before": began or {},
        }  # fmt: skip
