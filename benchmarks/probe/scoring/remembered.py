"""What depends on a sample alone, found once: several checks ask it of every trial, and it takes all documents."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from benchmarks.probe.records import Sample

__all__ = ("remembered",)

_T = TypeVar("_T")


def remembered(find: Callable[[Sample], _T]) -> Callable[[Sample], _T]:
    """`find`, asked once of each sample; the answer is let go with the sample, which it does not keep alive."""
    known: dict[int, _T] = {}  # by identity: a sample has dicts and so no hash

    @wraps(find)
    def found(sample: Sample) -> _T:
        if id(sample) not in known:
            known[id(sample)] = find(sample)
            weakref.finalize(sample, known.pop, id(sample), None)
        return known[id(sample)]

    return found
