"""What users without a model share: wordings that give nothing away, and how the ends of turns are read."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Final, Literal

__all__ = ("GO", "LEFT", "Deferral", "Policy", "Probe", "awaits", "listed", "pick")

Policy = Literal["segments", "original_prompt"]
Deferral = Literal["best_judgment", "dont_know"]
Probe = Literal["strict", "lenient"]

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

_OFFER: Final = re.compile(r"\b(any ?thing|something|what) else\b|\bany(thing)? (other|more|further)\b", re.IGNORECASE)


def awaits(text: str) -> bool:
    """Whether what was said at the end of a turn awaits an answer: its last sentence asks, and offers no more help."""
    last = re.split(r"(?<=[.!?])\s+", text.strip(" \t\n*_\"')"))[-1]
    return last.endswith("?") and not _OFFER.search(last)


def listed(candidates: Sequence[str]) -> str:
    """Candidates as if they were said with the question ("A or B?")."""
    return f" {' or '.join(candidates)}?" if candidates else ""


def pick(question: str, number: int) -> int:
    """One of a few wordings, by the question alone, so that it gives nothing away."""
    return hashlib.sha256(question.encode("utf-8", "surrogatepass")).digest()[0] % number
