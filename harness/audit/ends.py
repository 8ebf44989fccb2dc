"""When two ends are the same: a reading of state changes that shares no code with scoring.

An inserted row has no identity but its content, and where other values name its id they name that
content. Contents are told apart by colour refinement: each round paints a new row by what it holds,
ids in it replaced by the colours of the round before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from harness.core.task import Compare
from servers.kernel import Change, canonical

__all__ = ("Left", "Normal", "normal")

Normal: TypeAlias = tuple[bytes, ...]
"""A set of changes in a form that is equal for equal ends."""

_ROUNDS = 4


class Left:
    """The state that some work leaves: what differs from the start, and its digest."""

    def __init__(self, changes: Sequence[Change], digest: str) -> None:
        self.changes, self.digest = list(changes), digest

    @cached_property
    def normal(self) -> Normal:
        """The same, whatever ids new rows have."""
        return normal(self.changes)


def normal(changes: Sequence[Change], compare: Compare | None = None) -> Normal:
    """Changes without ids of new rows. With `compare`, also without what a task's comparison cannot see."""
    new = [change for change in changes if change.before is None]
    colours: dict[str, str] = {change.id: "" for change in new}
    for _ in range(_ROUNDS if _linked(new, colours) else 0):
        colours = {change.id: hashlib.sha256(_shape(change, compare, colours)).hexdigest() for change in new}
    shapes = (_shape(change, compare, colours) for change in changes)
    return tuple(sorted(shape for shape in shapes if shape))


def _linked(new: Sequence[Change], ids: Mapping[str, str]) -> bool:
    return any(value in ids for change in new for value in (change.after or {}).values() if isinstance(value, str))


def _shape(change: Change, compare: Compare | None, colours: Mapping[str, str]) -> bytes:
    """One change; empty for an update of nothing that is compared."""
    before, after = change.before or {}, change.after or {}
    told = {
        name: _told(after.get(name), name, change, compare, colours)
        for name in sorted(after)
        if not (compare and _field(change, name) in compare.free)
    }
    if change.op == "update":
        told = {n: v for n, v in told.items() if v != _told(before.get(n), n, change, compare, colours)}
        if not told:
            return b""
    id = "" if change.op == "insert" else change.id
    return canonical([change.op, change.app, change.table, id, told])


def _told(value: Any, name: str, change: Change, compare: Compare | None, colours: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        if value in colours:
            return {"new": colours[value]}
        return " ".join(value.casefold().split()) if compare and _field(change, name) in compare.text else value
    if isinstance(value, list):
        return [_told(item, name, change, compare, colours) for item in value]
    if isinstance(value, dict):
        return {key: _told(item, name, change, compare, colours) for key, item in value.items()}
    return value


def _field(change: Change, name: str) -> str:
    return f"{change.app}.{change.table}.{name}"
