"""Kinds of users that plugins bring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pydantic import BaseModel

    from servers.kernel import User

__all__ = ("GROUP", "BrokenUser", "UserEntry", "brought", "plugins")

GROUP = "workplace_harness.users"
"""Entry points of this group, each named as its kind, name a `UserEntry`."""


class BrokenUser(Exception):
    """A plugin's kind of user that cannot be had; the text says which and why."""


class UserEntry(NamedTuple):
    """A kind of user.

    `config` derives from `harness.core.config.UserSettings`, or from `ModelUserSettings` where a model speaks for the
    user. Its docstring tells what the kind is. `make(settings, brief)` makes one from what the first session's user
    knows (`harness.task.Brief`); with `ModelUserSettings` it is `make(settings, brief, model)`, where `model` is a
    `harness.models.llm.Completes` whose calls are recorded, paid for and fed again on replay.
    """

    config: type[BaseModel]
    make: Callable[..., User]


@cache
def plugins() -> Mapping[str, EntryPoint]:
    """What installed packages announce, by kind."""
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


@cache
def brought(kind: str) -> UserEntry:
    """The plugin's kind of that name, which is there. Raises `BrokenUser`."""
    point = plugins()[kind]
    try:
        entry: Any = point.load()
    except Exception as error:
        raise BrokenUser(
            f"plugins/{kind} ({point.value}) cannot be imported: {type(error).__name__}: {error}"
        ) from error
    if not isinstance(entry, UserEntry):
        raise BrokenUser(f"plugins/{kind} ({point.value}) is not a `UserEntry`")
    return entry
