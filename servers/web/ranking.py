"""Which pages a query is about: BM25 over title, address and text, and the part of a text where its words stand.

Scores are Robertson and Zaragoza's (2009, "The Probabilistic Relevance Framework", equation 3.15), with the idf of
Lucene, which is never negative. Singular and plural are one word, by the rules of Harman's S stemmer (1991,
"How effective is suffixing?") and one more, for losses and branches.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from math import log
from typing import NamedTuple

from servers.kernel import State
from servers.web.tables import WebPage

__all__ = ("SNIPPET", "Counted", "counted", "ranked", "snippet", "words", "worth")

SNIPPET = 240
"""Characters of a snippet, but for the dots that say that something was left out."""

_BEFORE = 40
"""Characters of a snippet that may stand before the first of the words."""

_TITLE = 2
"""How often a word in the title counts."""

_K1, _B = 1.2, 0.75
_WORD = re.compile(r"\w+")


class Counted(NamedTuple):
    """A page, and how often it has each word."""

    page: WebPage
    words: Counter[str]


def counted(state: State) -> tuple[Counted, ...]:
    """All pages, whatever the time, in row order."""
    found = []
    for page in state.find(WebPage):
        title = _split(page.title) * _TITLE
        found.append(Counted(page, Counter([*title, *_split(page.address), *_split(page.text)])))
    return tuple(found)


def words(query: str) -> list[str]:
    """The different words of a query, in order."""
    return list(dict.fromkeys(_split(query)))


def worth(pages: Sequence[Counted], query: str) -> dict[str, float]:
    """The words of a query that some page has, and how much each is worth: the fewer pages have it, the more."""
    having = {word: sum(word in each.words for each in pages) for word in words(query)}
    return {word: log(1 + (len(pages) - count + 0.5) / (count + 0.5)) for word, count in having.items() if count}


def ranked(pages: Sequence[Counted], query: str) -> list[WebPage]:
    """The pages that have a word of the query, best first; of equal ones the first in the sequence.

    Nothing but these pages counts, so those that are not given cannot be noticed.
    """
    values = worth(pages, query)
    lengths = [each.words.total() for each in pages]
    usual = sum(lengths) / len(lengths) if any(lengths) else 1
    scores: dict[int, float] = {}
    for place, (each, length) in enumerate(zip(pages, lengths, strict=True)):
        damp = _K1 * (1 - _B + _B * length / usual)
        score = sum(
            value * times * (_K1 + 1) / (times + damp) for word, value in values.items() if (times := each.words[word])
        )
        if score:
            scores[place] = score
    return [pages[place].page for place in sorted(scores, key=lambda place: (-scores[place], place))]


def snippet(text: str, values: Mapping[str, float]) -> str:
    """`SNIPPET` characters of a text in one line, where the words stand together that are worth most."""
    line = " ".join(text.split())
    places = [(*found.span(), _stem(found[0])) for found in _WORD.finditer(line) if _stem(found[0]) in values]
    ends = [end for _, end, _ in places]
    best, most = 0, 0.0
    for place, (start, _, _) in enumerate(places):
        until = bisect_right(ends, start + SNIPPET - _BEFORE)
        value = sum(values[word] for word in sorted({word for _, _, word in places[place:until]}))
        if value > most:
            best, most = start, value
    before = min(best - _BEFORE // 2, len(line) - SNIPPET)
    start = 0 if best < _BEFORE or before <= 0 else line.rfind(" ", 0, before) + 1
    end = start + SNIPPET
    shown = line[start:] if end >= len(line) else f"{line[start:end].rpartition(' ')[0] or line[start:end]} ..."
    return f"... {shown}" if start else shown


def _split(text: str) -> list[str]:
    return [_stem(word) for word in _WORD.findall(text)]


def _stem(word: str) -> str:
    """A word in lower case and in the singular, or what may be taken for it."""
    word = word.casefold()
    if len(word) < 4 or not word.endswith("s") or word.endswith(("us", "ss")):
        return word
    if word.endswith("ies"):
        return word if word.endswith(("eies", "aies")) else f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word if word.endswith(("aes", "ees", "oes")) else word[:-1]
