"""What a tool shows of much: pages, and parts of long texts, that say what was left out and how to go on."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, Field

from servers.kernel.errors import Rejected

__all__ = ("PAGE", "RESULT", "Page", "Skip", "fitting", "paged", "part", "snippet")

T = TypeVar("T", bound=BaseModel)
K = TypeVar("K")

PAGE = 20
"""Items of a page."""

RESULT = 24_000
"""Characters of a result, which models read as 8,000 tokens at the most."""

Skip = Annotated[int, Field(ge=0, le=1_000_000, description="How many to skip, as given by `next` in a result.")]


class Page(BaseModel, Generic[T]):
    """Some of what was found. `shown` says which of how many, `next` how to see more; None where there is no more."""

    shown: str
    items: list[T]
    next: str | None = None


def paged(found: Sequence[K], skip: int, show: Callable[[K], T], *, size: int = PAGE) -> Page[T]:
    """The page of `found` that begins behind the first `skip`: what `show` makes of each, as much as a result may hold.

    Only what is on the page is shown, so `found` may be ids alone.
    """
    items: list[T] = []
    left = RESULT
    for each in found[skip : skip + size]:
        item = show(each)
        left -= len(json.dumps(item.model_dump(mode="json", exclude_none=True), ensure_ascii=False))
        if left < 0 and items:
            break
        items.append(item)
    until = skip + len(items)
    shown = f"{skip + 1} to {until} of {len(found)}" if items else f"none of {len(found)}" if found else "nothing found"
    return Page[T](shown=shown, items=items, next=f"skip={until}" if until < len(found) else None)


def part(text: str, skip: int, *, most: int = RESULT - 2_000) -> tuple[str, str | None]:
    """The text from a character on, and how to read on; None where nothing is left.

    It is at most so many characters as JSON, where a line break has two of them and some others six. Raises `Rejected`
    for a `skip` that leaves nothing of a text.
    """
    if skip and skip >= len(text):
        raise Rejected(f"skip is {skip:,}, and the text has {len(text):,} characters.")
    end = skip + max(1, len(fitting(text[skip : skip + most], most)))
    if len(text) <= end:
        return text[skip:], None
    return text[skip:end], f"{len(text) - end:,} of {len(text):,} characters are left: skip={end}"


def fitting(text: str, most: int) -> str:
    """As much from the beginning of a text as has at most so many characters within JSON."""

    def written(count: int) -> int:
        return len(json.dumps(text[:count], ensure_ascii=False)) - 2

    return text[: bisect_right(range(1, min(len(text), max(most, 0)) + 1), most, key=written)]


def snippet(text: str, most: int = 120) -> str:
    """The beginning of a text in one line."""
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most and len(text) <= 4 * most else f"{line[:most].rstrip()} ..."
