"""What users without a model share: wordings that give nothing away, and how the ends of turns are read."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Final, Literal

from userssim.values import verbatim
from userssim.wish import Known

__all__ = (
    "APOSTROPHE", "GO", "LEFT", "Deferral", "Policy", "Probe", "asks_for_fact", "awaits", "explained", "followed",
    "listed", "pick", "told",
)  # fmt: skip

Policy = Literal["segments", "original_prompt"]
Deferral = Literal["best_judgment", "dont_know"]
Probe = Literal["strict", "lenient"]

APOSTROPHE: Final = "['\N{RIGHT SINGLE QUOTATION MARK}]"
"""Either way to write one, as a pattern."""

GO: Final = "Yes, please go ahead."
LEFT: Final = {
    "best_judgment": (
        "I leave that to you; use your best judgment.",
        "No preference there; do what you think is best.",
        "Please decide that yourself, using your best judgment.",
    ),
    "dont_know": ("I don't know.", "I couldn't tell you.", "Sorry, I'm not sure about that."),
}
"""What is left to the agent, in a few wordings."""

_SENTENCE: Final = re.compile(r"\b(?:is|are|was|were|has|have|I|mean|means)\b")
_CLAUSE: Final = re.compile(r"(?:is|are|was|were|has|have|how|what|which|who|where|when)\b", re.IGNORECASE)

_OFFER: Final = re.compile(r"\b(any ?thing|something|what) else\b|\bany(thing)? (other|more|further)\b", re.IGNORECASE)

_ASKED: Final = r"(?:who|whom|whose|what|which|where|how (?:many|much|long|often|old|far|late))"
_BEGINS: Final = r"(?:\A|[,;:-] |\b(?:and|so|but|then|please) )(?:(?:of|in|on|at|by|to|for|with|from|until) )?"
_FACT: Final = re.compile(
    rf"{_BEGINS}(?:(?:{_ASKED}(?: (?!may\b|can\b|will\b)[\w'-]+){{0,3}}?|when) (?:did|was|were|had|has|have)\b(?! to\b)"
    r"|why\b"
    r"|who (?:\w{3,}ed|wrote|gave|set|took|said|sent|made|paid|came|went|got|put|told|chose)\b)"
    r"|\bsince when\b|\b(?:do|did) you (?:happen to )?(?:know|remember|recall)\b",
    re.IGNORECASE,
)
"""What was or has been, why, since when, and whether somebody knows."""
_CHOICE: Final = re.compile(
    r"\b(?:should|shall|might|must|(?:am|do|may|can|could) I|want|prefer(?:red|ence)?|would|wish|need|if|in case"
    rf"|unless|means?|meant|you{APOSTROPHE}d|(?:what|which|who|whom|where|when) to"
    r"|(?:did|had|have) you (?:[\w'-]+ ){0,4}in mind"
    r"|(?:did|had|were) you (?:plan|intend|hop|expect|think)\w*)\b",
    re.IGNORECASE,
)


def asks_for_fact(question: str) -> bool:
    """Whether a question asks what is or was so ("Who attended the review?"), and for nothing that can be chosen.

    Of the 11,619 questions to tune on that ask for nothing but what is no part of the wish it takes 1,007 for such
    ones; of 100 of these, read by eye, 98 are.
    """
    sentences = re.split(r"(?<=[.?!;])\s+", question.strip())
    asking = [sentence for sentence in sentences if sentence.endswith("?")] or sentences
    return any(map(_FACT.search, asking)) and not any(map(_CHOICE.search, asking))


def awaits(text: str) -> bool:
    """Whether what was said at the end of a turn awaits an answer: its last sentence asks, and offers no more help."""
    last = re.split(r"(?<=[.!?])\s+", text.strip(" \t\n*_\"')"))[-1]
    return last.endswith("?") and not _OFFER.search(last)


def followed(text: str, first: re.Pattern[str], then: re.Pattern[str], ends: str) -> bool:
    """Whether one expression stands in a text and the other somewhere behind it, with none of the `ends` between.

    What follows the first of several in a piece of the text follows the others, too, so each piece is read once.
    """
    parts = re.split(f"[{ends}]", text)
    return any(found and then.search(part, found.end()) for part in parts for found in [first.search(part)])


def listed(candidates: Sequence[str]) -> str:
    """Candidates as if they were said with the question ("A or B?")."""
    return f" {' or '.join(candidates)}?" if candidates else ""


def told(item: Known, gives: str) -> str:
    """A value in a whole sentence: as its slot says it, or in words like "I mean {value}."."""
    value = _phrase(item)
    if item.says in ("", "{value}"):
        return gives.replace("{value}", value)
    said = item.says.replace("{value}", item.value.strip())
    if not _SENTENCE.search(item.says) and item.dimension != "action":
        said = f"I mean {said[:1].lower() + said[1:]}"
    return f"{said[:1].upper()}{said[1:]}{'' if said.endswith(('.', '!', '?')) else '.'}"


def explained(item: Known) -> str:
    """What a value means, by somebody who cannot say it otherwise: just what it says."""
    return f"I mean just that: {_phrase(item)}."


def _phrase(item: Known) -> str:
    """A value as it stands in a sentence: in quotes where it is no name of a thing ("is trained now")."""
    value = verbatim(item).strip()
    return f'"{value}"' if value[:1] != '"' and (item.dimension == "action" or _CLAUSE.match(value)) else value


def pick(question: str, number: int) -> int:
    """One of a few wordings, by the question alone, so that it gives nothing away."""
    return hashlib.sha256(question.encode("utf-8", "surrogatepass")).digest()[0] % number
