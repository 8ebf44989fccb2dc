"""Whether a question that has the value of an item asks if that has to be so, or if it could be otherwise."""

from __future__ import annotations

import re
from typing import Final, Literal

from userssim.apart import blanked
from userssim.values import meant
from userssim.wish import Known, Wish

__all__ = ("Firmness", "firmness")

Firmness = Literal["", "holds", "bends"]
"""What a question wants to know of a value: nothing of the sort, whether it is fixed, or whether it is open."""

_VALUE: Final = r"[\"']?\|(?:[| ]*\|)?[\"']?"
_MAY: Final = r"\b(?:can|could|may|might|would)"
_BEFORE: Final = r"(?:the |an? |that |this )*"
_HOW: Final = r"(?:\w+ly |still |quite |at all |a |all that |that |already )*"
_FIRM: Final = (
    r"(?:fixed|firm|final|definite|binding|mandatory|compulsory|obligatory|essential|required|set(?: in stone)?|strict"
    r"|(?:carved|cast|written) in stone|non-?negotiable|not negotiable|a must|a given|hard \w+)"
)
_OPEN: Final = (
    r"(?:negotiable|flexible|movable|moveable|adjustable|changeable|optional"
    r"|(?:open|up) (?:to|for) (?:change|changes|discussion|negotiation|debate|suggestions))"
)
_ROOM: Final = r"(?:flexibility|leeway|latitude|wiggle room|room (?:to|for) (?:move|manoeuvre|negotiate|negotiation))"
_OTHER: Final = r"(?:any|some)(?:thing|one|body|where|time) (?:else|other)"
_END: Final = r"(?= *(?:\Z|[?.,;:)]|or\b(?! (?:more|less|fewer|later|earlier)\b)|and\b|then\b|for\b|here\b|by\b))"
_ASKS: Final[dict[Firmness, re.Pattern[str]]] = {
    "bends": re.compile(
        rf"\b(?:is|are|would|was) {_BEFORE}{_VALUE} (?!not )(?:\w+ )?{_HOW}(?:be )?{_OPEN}{_END}"
        rf"|\b{_ROOM} (?:on|in|about|with|regarding|around|for|over|there (?:on|in|with)) {_BEFORE}{_VALUE}"
        rf"|{_MAY} {_BEFORE}{_VALUE} (?:\w+ )?be (?:changed|altered|adjusted|different|otherwise){_END}"
        rf"|{_MAY} (?:(?:it|that|this) (?:also |just as well )?be )?{_OTHER} (?:than|but) {_VALUE}"
        rf"|\bhow (?:flexible|negotiable) (?:is|are) {_BEFORE}{_VALUE}",
        re.IGNORECASE,
    ),
    "holds": re.compile(
        rf"\b(?:is|are) {_BEFORE}{_VALUE} (?:\w+ )?{_HOW}{_FIRM}{_END}"
        rf"|\b(?:does|do|must|need) (?:it|that|this) (?:\w+ly )?(?:(?:have|need) to )?be {_BEFORE}{_VALUE}{_END}",
        re.IGNORECASE,
    ),
}


def firmness(question: str, item: Known, wish: Wish) -> Firmness:
    """What it wants to know of the item's value, where that stands right beside the words for it.

    "Is the Friday fixed?", "Does it have to be Friday?" and "Is Friday flexible?", not "Is Friday the day?".
    """
    if item.kind == "comparison":  # "does it have to be up?"
        return ""
    beside = blanked(question, meant(question, item, wish.full))
    return next((what for what, words in _ASKS.items() if words.search(beside)), "")
