"""The environments that there are: folders of `benchmarks/drift` with templates and worlds.

Each is a package of its own (`sql`, `terminal`, `apis`) that exposes `TEMPLATES`, `WORLDS`, `world(name)` and
`rows(name)`. Nothing here knows what an environment is made of, and no figure is ever taken over two of
them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple, get_args

from benchmarks.drift.template import Environment, Rows, Template
from harness.task import Task
from servers.kernel import World

__all__ = ("NAMES", "SERVICE", "STATE", "Place", "environments", "named")

NAMES: Final[tuple[Environment, ...]] = get_args(Environment)
STATE: Final[frozenset[str]] = frozenset({"sql", "terminal"})
"""State-oriented in the paper's sense (section 3.1): what there is can be looked at."""
SERVICE: Final[frozenset[str]] = frozenset({"apis"})
"""Service-oriented: requests and responses are all there is."""


def named(tasks: Iterable[Task]) -> tuple[str, ...]:
    """The environments of a suite, in order: `NAMES`, or those that its tasks name where none is of these."""
    there = dict.fromkeys(str(task.facts["environment"]) for task in tasks if "environment" in task.facts)
    return tuple(there) if there and not there.keys() & set(NAMES) else NAMES


class Place(NamedTuple):
    """An environment: its templates, its worlds as the engine and as plain Python have them, the apps of its tasks."""

    name: Environment
    templates: Sequence[Template]
    worlds: Sequence[str]
    world: Callable[[str], World]
    rows: Callable[[str], Rows]
    apps: tuple[str, ...]


@cache
def environments() -> tuple[Place, ...]:
    """All of them, in the order of `NAMES`."""
    return tuple(map(_place, NAMES))


def _place(name: Environment) -> Place:
    package = importlib.import_module(f"benchmarks.drift.{name}")
    return Place(name, package.TEMPLATES, package.WORLDS, cache(package.world), cache(package.rows), (name, "answer"))
