"""Which documents a query is about: BM25 over title, body and event description, and excerpts of what was found.

Scores are Robertson and Zaragoza's (2009, "The Probabilistic Relevance Framework", equation 3.15), with the idf of
Lucene, which is never negative.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import log
from typing import NamedTuple

from servers.datastore.contents import Item, items
from servers.kernel import State

__all__ = ("EXCERPT", "Index", "excerpt", "index", "words")

EXCERPT = 300
"""Characters of an excerpt."""

_K1, _B = 1.5, 0.75
_WORD = re.compile(r"\w+")


class Index(NamedTuple):
    """Items, and for each word the weight that it has in those that have it."""

    items: Sequence[Item]
    weights: dict[str, list[tuple[int, float]]]

    def ranked(self, query: str) -> list[int]:
        """Numbers of the items that have a word of the query, best first; of equal ones the first in the datastore."""
        scores: dict[int, float] = {}
        for word in words(query):
            for number, weight in self.weights.get(word, ()):
                scores[number] = scores.get(number, 0.0) + weight
        return sorted(scores, key=lambda number: (-scores[number], number))


def index(state: State) -> Index:
    """The index of everything in the datastore."""
    there = items(state)
    counts = [Counter(_split(f"{item.title()}\n{item.text()}")) for item in there]
    lengths = [count.total() for count in counts]
    usual = sum(lengths) / len(lengths) if any(lengths) else 1
    having = Counter(word for count in counts for word in count)
    weights: dict[str, list[tuple[int, float]]] = {word: [] for word in having}
    for number, (count, length) in enumerate(zip(counts, lengths, strict=True)):
        damp = _K1 * (1 - _B + _B * length / usual)
        for word, times in count.items():
            rare = log(1 + (len(there) - having[word] + 0.5) / (having[word] + 0.5))
            weights[word].append((number, rare * times * (_K1 + 1) / (times + damp)))
    return Index(there, weights)


def words(query: str) -> list[str]:
    """The different words of a query, in order."""
    return list(dict.fromkeys(_split(query)))


def excerpt(text: str, wanted: Sequence[str]) -> str:
    """`EXCERPT` characters at most, from where most of the words stand together: the beginning where none does."""
    if len(text) <= EXCERPT:
        return text
    places = [found.span() for found in re.finditer(rf"\b(?:{'|'.join(map(re.escape, wanted))})\b", text, re.I)]
    best, most = 0, 0
    for number, (start, _) in enumerate(places):
        near = {text[a:b].casefold() for a, b in places[number : number + EXCERPT] if b <= start + EXCERPT - 50}
        if len(near) > most:
            best, most = start, len(near)
    start = 0 if best < EXCERPT // 2 else min(text.rfind(" ", 0, best - 25) + 1, len(text) - EXCERPT)
    return text[start : start + EXCERPT]


def _split(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
