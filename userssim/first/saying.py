"""What a request says of a person, for questions that ask after them by it: "Noor is on leave", "who is on leave?"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from userssim.first.parse import Clause, cues, normalise
from userssim.wish import Known

__all__ = ("said_of",)


def said_of(clause: Clause, person: Known, request: str) -> bool:
    """Whether the clause asks for whoever the request says this of.

    "Who helps?" asks for the one before the verb there, "whom do we relieve?" for the one after it.
    """
    asked = re.match(rf"(and |but |so )*(?:{cues()['who']}) (.*)", clause.text)
    if not asked:
        return False
    words = _words(asked.groups()[-1])
    idle, _ = _small()
    plain = [(place, word) for place, word in enumerate(words) if word not in idle]
    if not plain:
        return False
    place, word = plain[0]
    acted_on = any(pronoun in words[:place] for pronoun in ("i", "we", "you"))
    before, after = _neighbours(person.value, request)
    return _stem(word) == (before if acted_on else after)


@lru_cache(maxsize=4096)
def _neighbours(value: str, request: str) -> tuple[str, str]:
    """Stems of the nearest telling words before and after the value, in its own clause; "" for none."""
    before, found, after = request.partition(value)
    if not found:
        return "", ""
    last = re.split(r"[.,;:?!]", before)[-1]
    first = re.split(r"[.,;:?!]", after)[0]
    return _nearest(reversed(_words(normalise(last)))), _nearest(_words(normalise(first)))


def _nearest(words: Iterable[str]) -> str:
    idle, barriers = _small()
    for word in words:
        if word in barriers:
            return ""
        if word not in idle:
            return _stem(word)
    return ""


def _words(text: str) -> list[str]:
    """Words, without those that only lead up to a verb."""
    return re.sub(r"\b(needs?|wants?|likes?) to\b", " ", text).split()


@cache
def _small() -> tuple[frozenset[str], frozenset[str]]:
    """Words that say nothing of a person, and words behind which something else is spoken of."""
    words = cues()["small_words"]
    return frozenset(words["idle"].split()), frozenset(words["barriers"].split())


def _stem(word: str) -> str:
    return re.sub(r"(ing|ed|es|s|e)$", "", word)
