"""Texts that are too long to be told whole."""

from __future__ import annotations

__all__ = ("cut",)


def cut(text: str, most: int, mark: str = "...") -> str:
    """A text of at most so many characters; the last of them are the mark, where there were more."""
    return text if len(text) <= most else text[: most - len(mark)] + mark
