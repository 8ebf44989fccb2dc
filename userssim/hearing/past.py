"""Whether a question asks what was so on an occasion of the past, which is no part of a wish."""

from __future__ import annotations

import re
from typing import Final

from userssim.wish import Wish
from userssim.wording import APOSTROPHE, asks_for_fact

__all__ = ("ASKING", "asks_for_past")

_OF_THE_WISH: Final = (
    r"(?:days?|names?|points?|items?|things?|possible|acceptable|e-?mail|mail|message|answer|line|sentence|words?"
    r"|request|text|note)\b"
)
"""What may be last and is of the wish or its words: the last day of a span, the last message of this conversation."""
_COUNTED: Final = r"(?:is|are|was|were|of|few|couple|two|three|four|five|six|seven|eight|nine|ten|twelve)\b"
"""Behind a "last" that is a count of days, or stands for one of them."""
_OCCASION: Final = re.compile(
    rf"(?:\b(?:the|your|our|my|his|her|its|their)|\w{APOSTROPHE}s) (?:very )?(?:last|previous|former|prior|latest)"
    rf" (?!{_OF_THE_WISH}|{_COUNTED})[a-z]\w+"
    r"|\blast (?:time|year|month|week|quarter|spring|summer|autumn|fall|winter)\b|\bpreviously\b"
    r"|\b(?:did|was|were|have|has|had) (?:[\w'-]+ ){1,3}(?<!the )last\b",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(
    r"\b(?:last|latest|previous(?:ly)?|former|prior|recent|earlier|before|old|re-?assign\w*|renam\w*|replac\w*|instead"
    r"|mov(?:e|ed|ing)|re-?schedul\w*|transfer\w*|switch\w*|swap\w*|chang\w*)\b",
    re.IGNORECASE,
)
"""What has a wish speak of what was before: by the word, or as something is to become otherwise."""
_SENTENCE: Final = re.compile(r"(?<=[.?!;:])\s+")
ASKING: Final = re.compile(r"\b(?:what|who|whom|whose|which|when|where|how|or)\b", re.IGNORECASE)
"""What asks for one of several, or for more than a yes."""
_AGAIN: Final = re.compile(
    r"\bagain\b|\bin mind\b|\bonce more\b"
    r"|\b(?:you|I) (?:\w+ )?(?:say|said|meant?|writ\w+|wrote|t[eo]ll?d?|mention\w*|named?|call|g[ia]ve|ask\w*)\b",
    re.IGNORECASE,
)
"""That what was said is asked for once more."""


def asks_for_past(question: str, wish: Wish) -> bool:
    """Whether it asks for one thing, which was so on an occasion ("How long was your last meeting?").

    Not where the wish itself speaks of what was before or changes it, nor for what was said ("What did you say last
    time?"). It takes at most 28 of the questions to train on for such ones, none of which asks for a withheld value.
    """
    asking = [part for part in _SENTENCE.split(question) if ASKING.search(part)]
    return (
        len(asking) == 1
        and len(ASKING.findall(asking[0])) == 1
        and bool(_OCCASION.search(asking[0]))
        and not _AGAIN.search(question)
        and not _BEFORE.search(" ".join((wish.full, wish.sent, *(item.role for item in wish.withheld))))
        and asks_for_fact(question)
    )
