"""Can who wrote a text be told from how it is written? Naive Bayes on character n-grams, each text by the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log

__all__ = ("recognised",)

_SIZES = (1, 2, 3, 4)


def recognised(texts: Mapping[str, Sequence[str]]) -> float:
    """The share of texts whose author is told right, each left out of what is learned; authors count alike."""
    counts = {who: [Counter(_grams(text)) for text in some] for who, some in texts.items()}
    whole = {who: sum(some, Counter[str]()) for who, some in counts.items()}
    kinds = len({gram for some in whole.values() for gram in some})
    right = []
    for who, some in counts.items():
        for left_out in some:
            scores = {
                other: _likelihood(left_out, whole[other], left_out if other == who else Counter(), kinds)
                for other in whole
            }
            right.append(max(scores, key=lambda other: (scores[other], other)) == who)
    return sum(right) / len(right)


def _likelihood(text: Counter[str], known: Counter[str], without: Counter[str], kinds: int) -> float:
    total = known.total() - without.total() + 0.1 * kinds
    return sum(n * log((known[gram] - without[gram] + 0.1) / total) for gram, n in text.items())


def _grams(text: str) -> Iterator[str]:
    for size in _SIZES:
        for start in range(len(text) - size + 1):
            yield text[start : start + size]
