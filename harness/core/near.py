"""What somebody may have meant who wrote a name that there is not."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ("near",)


def near(word: str, known: Iterable[str]) -> str:
    """` Did you mean ...?`, or an empty string when nothing known is close."""
    found = get_close_matches(word, list(known), n=3, cutoff=0.6)
    return f" Did you mean {' or '.join(repr(match) for match in found)}?" if found else ""
