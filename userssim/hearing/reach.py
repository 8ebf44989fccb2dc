"""Whether a question that has the value of an item wants to know what that includes, or how far it reaches."""

from __future__ import annotations

import re
from typing import Final

from userssim.apart import another, blanked, compared
from userssim.values import meant
from userssim.wish import Known, Wish

__all__ = ("asks_for_reach",)

_REACH: Final = re.compile(
    r"\b(?:exactly|precisely|inclu\w+|counts?|each|per|together|altogether|in all|without|or more|and (?:up|more)"
    r"|itself|on the (?:dot|nose)|flat|sharp)\b",
    re.IGNORECASE,
)
_OR: Final = re.compile(r"\bor\b(?! \|)", re.IGNORECASE)


def asks_for_reach(question: str, item: Known, wish: Wish, *, told: bool) -> bool:
    """Whether it has the item's value and no other of its kind, and words for what a value includes.

    Of a value `told` before, an "or" that is not next to it is enough ("Six weeks, and is that from now or from
    Monday?"). Only of values that can be compared: which other words might stand in its place nobody knows. Of the
    players' questions to train on that ask for a value that they have, and that was told, it takes 144 for such ones,
    of which 127 are labelled as details or as following up.
    """
    if not compared(item, wish.full) or another(question, item, wish):
        return False
    beside = blanked(question, meant(question, item, wish.full))
    return bool(_REACH.search(beside) or (told and _OR.search(beside.replace("| or", "|"))))
