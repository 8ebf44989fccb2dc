"""Commands that are printed to be copied."""

from __future__ import annotations

import shlex

__all__ = ("typed",)


def typed(*words: object) -> str:
    """`harness` with these words, as a shell takes them: a folder's name may hold spaces."""
    return shlex.join(["harness", *map(str, words)])
