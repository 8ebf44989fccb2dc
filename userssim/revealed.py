"""Which withheld values a text reveals that a model wrote as it liked."""

from __future__ import annotations

import re
from typing import Final

from userssim.amounts import amount, measure_of
from userssim.values import said
from userssim.wish import Known, Wish, holds

__all__ = ("reveals",)

_Span = tuple[int, int]
_WORD_BEHIND: Final = re.compile(r" ([^\W\d_]+)")


def reveals(text: str, wish: Wish) -> tuple[str, ...]:
    """The withheld items whose values a text has in it, in whatever form, in the order of the wish.

    What is another item's does not count: a part of its value ("John" in John Smith), or a form that is spelled as its
    value is; nor does a number that counts something else ("thirty tasks" are not 30 minutes).
    """
    places = {item.id: _places(text, item, wish.full) for item in (*wish.withheld, *wish.stated)}

    def has(item: Known) -> bool:
        own = places[item.id]
        others = [each for id, found in places.items() if id != item.id for each in found.items()]
        if not own:
            return holds(text, item.value)
        return any(not any(_goes_before(other, each) for other in others) for each in own.items())

    return tuple(item.id for item in wish.withheld if has(item))


def _places(text: str, item: Known, request: str) -> dict[_Span, bool]:
    """Where a text has an item's value, and whether it is spelled there as the item is."""
    ways = {span: False for span in said(text, item, request) if not _counts(text, span, item, request)}
    spelled = re.finditer(rf"(?<!\w){re.escape(item.value)}(?!\w)", text, re.IGNORECASE)
    return ways | {found.span(): True for found in spelled}


def _goes_before(other: tuple[_Span, bool], one: tuple[_Span, bool]) -> bool:
    """Whether a place of another item's is that item's alone: it is longer, or the same and only it is spelled so."""
    ((start, end), spelled), ((first, last), own) = other, one
    if (start, end) == (first, last):
        return spelled and not own
    return start <= first and last <= end


def _counts(text: str, span: _Span, item: Known, request: str) -> bool:
    """Whether a number alone, in place of an amount, has behind it what the request does not count so."""
    counted, there = amount(item.value), amount(text[slice(*span)])
    behind = _WORD_BEHIND.match(text, span[1])
    if not (behind and counted and not counted.noun and there and not there.measure):
        return False
    return not (measure_of(behind[1]) or holds(request, f"{item.value} {behind[1]}"))
