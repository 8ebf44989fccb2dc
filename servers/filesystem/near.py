"""The name or line that may have been meant."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable

__all__ = ("nearest",)

_EFFORT = 2_000_000
"""Pairs of equal characters looked at: 0.3 s. Ordinary lines have hundreds, two long ones of one character 40,000."""


def nearest(sought: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like a text, None if none is like it. What comes after too much to compare is left out."""
    weights, room, likely = Counter(sought), _EFFORT, []
    for candidate in candidates:
        room -= sum(map(weights.__getitem__, candidate))
        if room < 0:
            break
        likely.append(candidate)
    return next(iter(difflib.get_close_matches(sought, likely, n=1)), None)
