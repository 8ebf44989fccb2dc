"""A named, versioned set of tasks with its worlds, checks and tables."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.task import Task
from harness.trajectory import Trajectory
from servers.kernel import World, canonical

if TYPE_CHECKING:
    from harness.agents.reference import Worker
    from harness.score import Score

__all__ = ("Check", "Program", "Scored", "Suite", "SuiteEntry", "SuiteError", "Table")

Check = Callable[[Task, Trajectory], "Score"]
"""A pure function of what is on disk."""

Program = Callable[["Worker"], Awaitable[None]]
"""How the reference agent does a template's tasks: through tools alone, from slot values."""


class SuiteError(Exception):
    """A suite that cannot be loaded or found; the text names it and the remedy."""


class Scored(NamedTuple):
    """One trial with its scores by check name, as reports read them from disk."""

    trajectory: Trajectory
    scores: Mapping[str, Score]


class Table(NamedTuple):
    """One table of a report. Cells are str, int, float or None; no wall-clock figures."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Mapping[str, Any]]
    notes: Sequence[str] = ()


Report = Callable[["Suite", Mapping[str, Mapping[str, Any]], Sequence[Scored]], Sequence[Table]]
"""(suite, agent name -> its config with dials, scored trials) -> tables."""


@dataclass(frozen=True)
class Suite:
    """A suite. `world(name)` makes or reads a starting world; `programs` serve the reference agent.

    `report` adds the suite's own tables to the general ones.
    """

    name: str
    version: str
    description: str
    tasks: Sequence[Task]
    world: Callable[[str], World]
    checks: Mapping[str, Check]
    programs: Mapping[str, Program] = field(default_factory=dict)
    report: Report | None = None
    system: str = ""
    toolsets: Mapping[str, str] = field(default_factory=dict)
    """App name -> toolset that tasks are played through unless a condition says otherwise."""
    required: Callable[[Task], Sequence[str]] | None = None
    """Which apps a task needs, for conditions that offer no others; None where the suite does not say."""
    files: Path | None = None
    """The folder whose task files (`harness.task_files`) are among the tasks; `harness capture` adds to it."""
    unchecked: Mapping[str, str] = field(default_factory=dict)
    """"app.table.field", or "app.table" for its rows and all their fields -> why the checks let it be anything."""

    @cached_property
    def digest(self) -> str:
        """SHA-256 over name, version and every task's hash."""
        body = [self.name, self.version, [task.hash for task in self.tasks]]
        return hashlib.sha256(canonical(body)).hexdigest()

    def task(self, id: str) -> Task:
        """The task of that id. Raises `SuiteError`."""
        for task in self.tasks:
            if task.id == id:
                return task
        raise SuiteError(f"suite {self.name} has no task {id!r}; see `harness list tasks {self.name}`")


class SuiteEntry(NamedTuple):
    """How a benchmark folder offers a suite: its name, one line about it, and how to load it.

    `benchmarks/<name>/__init__.py` exposes `suites`, a tuple of these; `load` raises `SuiteError`
    when something the suite needs (imported data, say) is missing. Where `scales` is set, `load(scale=N)` gives
    tasks built in the same way from worlds with N times the rows. `world` gives the world that an app is served with,
    for suites whose tasks take a while to build.
    """

    name: str
    description: str
    load: Callable[..., Suite]
    scales: bool = False
    world: Callable[[], World] | None = None
