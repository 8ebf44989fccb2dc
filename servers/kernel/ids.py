"""Ids that an agent wrote, several at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from servers.kernel.bounds import quoted
from servers.kernel.errors import NotFound, Rejected

__all__ = ("each_of",)

T = TypeVar("T")


def each_of(ids: Iterable[str], get: Callable[[str], T], noun: str, argument: str) -> list[T]:
    """What `get` gives for each id, once and in order.

    Raises `NotFound` where one alone is not there, `Rejected` naming all where several are not.
    """
    found, missing = [], []
    for id in dict.fromkeys(ids):
        try:
            found.append(get(id))
        except NotFound:
            missing.append(id)
    if len(missing) == 1:
        raise NotFound(noun, missing[0])
    if missing:
        raise Rejected(f"{argument}: no {noun} has the id {quoted(*missing)}. Nothing was changed.")
    return found
