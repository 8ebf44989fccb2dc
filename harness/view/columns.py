"""The columns of a run's list: those of every run, and the groups that its suite's tasks fall into."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from harness.core.task import Task

__all__ = ("COLUMNS", "FILTERS", "group", "groups")

COLUMNS: Final = (
    "key", "agent", "condition", "task", "template", "trial", "prompt", "status", "verdict", "score", "ckpt",
    "side_effects", "unexpected", "missing", "questions", "calls", "failed_calls", "turns", "sessions",
    "prompt_tokens", "completion_tokens", "cost", "seconds", "reason", "mistake", "last_words", "label", "flags",
    "tools", "tables", "notes", "tags", "human", "parent",
)  # fmt: skip
"""Of an index; behind them come the run's groups."""

FILTERS: Final = ("agent", "condition", "task", "template", "trial", "prompt")
"""Columns that rows of tables have too."""

_MOST_GROUPS = 12
_LONGEST_GROUP = 60
_MOST_IN_GROUP = 100


def groups(tasks: Iterable[Task]) -> tuple[str, ...]:
    """Facts of tasks that are short texts or numbers, and of which there are several."""
    found: dict[str, set[Any]] = {}
    for task in tasks:
        for name, value in task.facts.items():
            found.setdefault(name, set()).add(group(value))
    several = [name for name, values in found.items() if 1 < len(values - {None}) <= _MOST_IN_GROUP]
    return tuple(name for name in several if name not in COLUMNS)[:_MOST_GROUPS]


def group(value: Any) -> str | int | float | None:
    """A fact as a column has it: a short text or a number, of a list of short texts all of them; else None."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple) and value and all(isinstance(each, str) for each in value):
        value = " + ".join(value)
    if isinstance(value, str):
        return value if len(value) <= _LONGEST_GROUP else None
    return value if isinstance(value, int | float) else None
