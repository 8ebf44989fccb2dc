"""Which cases a test takes where there are more of them than it needs each time."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from typing import TypeVar

__all__ = ("FULL", "sampled")

T = TypeVar("T")

FULL = bool(os.environ.get("FULL"))
"""Whether all is wanted that there is, as `make full` does."""


def sampled(cases: Iterable[T], count: int) -> list[T]:
    """So many of the cases, in their order: by a hash of what each is, so that a case more moves no other.

    All of them where FULL is set. A test that samples says why as many are enough.
    """
    every = list(cases)
    if FULL:
        return every
    by_hash = sorted(range(len(every)), key=lambda at: hashlib.sha256(repr(every[at]).encode()).digest())
    return [every[at] for at in sorted(by_hash[:count])]
