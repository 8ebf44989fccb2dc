"""A sample for each way of acting, and trials of them whose changes are altered by hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from benchmarks.probe import pins
from benchmarks.probe.workplace.acts import FINDINGS, PLACES, WAYS, Place
from benchmarks.probe.workplace.suite import load
from harness.suite import Suite
from harness.task import Task
from harness.trajectory import Trajectory
from servers.kernel import Change

__all__ = ("act", "changed", "filled", "insert", "named", "suite", "task", "values", "with_changes")


@cache
def suite() -> Suite:
    return load()


@cache
def named(place: Place) -> str:
    """The first task of the set whose act is of that place."""
    return next(pin.name for pin in pins.read() if WAYS[pin.action.rpartition("_")[0]].place == place)


def task(place: Place) -> Task:
    return suite().task(named(place))


def with_changes(trial: Trajectory, *changes: Change) -> Trajectory:
    return trial.model_copy(update={"changes": list(changes)})


def act(trial: Trajectory) -> Change:
    """The change that is the act."""
    (found,) = (each for each in trial.changes if (each.app, each.table) in PLACES.values() and each.id != FINDINGS)
    return found


def changed(trial: Trajectory, **values: Any) -> Trajectory:
    """The trial whose act has other values."""
    mine = act(trial)
    other = mine.model_copy(update={"after": {**(mine.after or {}), **values}})
    return with_changes(trial, *(other if each is mine else each for each in trial.changes))


def filled(trial: Trajectory, text: str) -> Trajectory:
    """The trial that left another text in the form."""
    changes = [
        each.model_copy(update={"after": {**(each.after or {}), "text": text}}) if each.id == FINDINGS else each
        for each in trial.changes
    ]
    return with_changes(trial, *changes)


def insert(app: str, table: str, id: str, **values: Any) -> Change:
    return Change(app=app, table=table, id=id, before=None, after=values)


def values(scores: Mapping[str, Any]) -> dict[str, float | None]:
    return {name: score.value for name, score in scores.items()}
