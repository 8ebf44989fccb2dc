"""Which documents a query is about: BM25 over title, body and event description, and excerpts of what was found.

Scores are Robertson and Zaragoza's (2009, "The Probabilistic Relevance Framework", equation 3.15), with the idf of
Lucene, which is never negative.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log
from typing import NamedTuple

from servers.datastore.contents import Item, items
from servers.kernel import State

__all__ = ("EXCERPT", "Index", "excerpt", "index", "words")

EXCERPT = 300
"""Characters of an excerpt."""

_BEFORE = 50
"""Characters of an excerpt that may stand before what was looked for, and behind it."""

_K1, _B = 1.5, 0.75
_WORD = re.compile(r"\w+")


class Index(NamedTuple):
    """Items, for each word the weight that it has in those that have it, and how rare it is (`worth`)."""

    items: Sequence[Item]
    weights: Mapping[str, Sequence[tuple[int, float]]]
    worth: Mapping[str, float]

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
    worth = {word: log(1 + (len(there) - count + 0.5) / (count + 0.5)) for word, count in having.items()}
    weights: dict[str, list[tuple[int, float]]] = {word: [] for word in having}
    for number, (count, length) in enumerate(zip(counts, lengths, strict=True)):
        damp = _K1 * (1 - _B + _B * length / usual)
        for word, times in count.items():
            weights[word].append((number, worth[word] * times * (_K1 + 1) / (times + damp)))
    return Index(there, weights, worth)


def words(query: str) -> list[str]:
    """The different words of a query, in order."""
    return list(dict.fromkeys(_split(query)))


def excerpt(text: str, worth: Mapping[str, float]) -> str:
    """`EXCERPT` characters at most, from where the words stand together that are worth most: else the beginning."""
    if len(text) <= EXCERPT:
        return text
    places = _places(text, worth)
    inside: Counter[str] = Counter()
    best, most, end = 0, 0.0, 0
    for start, _, word in places:
        while end < len(places) and places[end][1] <= start + EXCERPT - _BEFORE:
            inside[places[end][2]] += 1
            end += 1
        value = sum(worth[each] for each, count in inside.items() if count > 0)
        if value > most + 1e-9:
            best, most = start, value
        inside[word] -= 1
    if best < EXCERPT - _BEFORE:
        return text[:EXCERPT]
    start = min(text.rfind(" ", 0, best - _BEFORE // 2) + 1, len(text) - EXCERPT)
    return text[start : start + EXCERPT]


def _places(text: str, worth: Mapping[str, float]) -> list[tuple[int, int, str]]:
    """Where these words stand: start, end and word. Most words of a text are others, so only these are looked for."""
    folded = text.casefold()
    if not worth or len(folded) != len(text):  # a letter that folds into two moves what follows
        return [(*found.span(), word) for found in _WORD.finditer(text) if (word := found[0].casefold()) in worth]
    return sorted(place for word in worth for place in _alone(folded, word))


def _alone(text: str, word: str) -> Iterator[tuple[int, int, str]]:
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if not (_WORD.match(text, start - 1, start) if start else None) and not _WORD.match(text, end, end + 1):
            yield start, end, word
        start = text.find(word, end)


def _split(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
