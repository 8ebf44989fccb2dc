"""The first of many texts, and how many more there are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ("few", "few_of")


def few(texts: Sequence[str], most: int) -> list[str]:
    """The first of them, and behind these "and 3 more" where there are more."""
    more = len(texts) - most
    return [*texts[:most], f"and {more} more"] if more > 0 else [*texts]


def few_of(texts: Iterable[str], most: int) -> str:
    """As `few`, in one text: "Ada, Bo and 3 more"."""
    every = [*texts]
    more = len(every) - most
    return ", ".join(every[:most]) + (f" and {more} more" if more > 0 else "")
