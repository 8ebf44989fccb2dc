"""What stands in a request where a value was: whoever asks "who is our team lead?" asks for that value."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from userssim.wish import Wish

__all__ = ("asked_for_by_phrase", "stand_ins", "stems")

_STEM: Final = 4
"""Letters by which words are told apart: "agreed" and "agree" are one."""

_LITTLE: Final = frozenset((
    "been", "does", "from", "have", "more", "much", "ours", "over", "same", "some", "something", "somewhere", "than",
    "that", "their", "them", "then", "there", "they", "this", "those", "time", "what", "when", "where", "which",
    "whom", "whose", "will", "with", "would", "your",
))  # fmt: skip
"""Words of more than three letters that tell nothing apart; shorter ones never do."""

_BARE: Final = frozenset((
    "who", "what", "whic", "whos", "when", "is", "are", "was", "were", "the", "our", "your", "a", "agai", "once",
    "more", "sorr", "plea", "so", "and", "then", "do", "did", "you", "mean", "by", "say", "tell", "me", "remi", "name",
    "it",
))  # fmt: skip
"""Beginnings of the words that stand beside it in a question for nothing else."""

_NOTHING: Final = frozenset({""})
_WORD: Final = re.compile(r"[^\W_]+")
_CLAUSE: Final = re.compile(r"[.;:?!]\s|\s-+\s|\n")
_ASKING: Final = re.compile(r"\b(what|who|whom|whose|which|when|where|how|mean|name)\b", re.IGNORECASE)


def asked_for_by_phrase(wish: Wish, question: str, mentioned: Set[str] = frozenset()) -> list[str]:
    """Withheld items whose stand-in the question asks about, in the order of the wish: in the clause that asks.

    Of those that it may only mention, the clause has to ask for nothing else ("Who is our team lead again?").
    """
    asking = [stems(part) for part in _CLAUSE.split(question) if _ASKING.search(part)]
    found = stand_ins(wish)

    def asks(id: str, clause: Set[str]) -> bool:
        telling = found.get(id, _NOTHING)
        return telling <= clause and (id not in mentioned or clause - telling <= _BARE)

    return [item.id for item in wish.withheld if any(asks(item.id, clause) for clause in asking)]


@lru_cache(maxsize=1024)
def stand_ins(wish: Wish) -> Mapping[str, Set[str]]:
    """Withheld item -> the stems of the words that stand in its place, of those that the request has nowhere else."""
    full, sent = _words(wish.full), _words(wish.sent)
    elsewhere = {_stem(word) for word in full}
    found: dict[str, Set[str]] = {}
    for op, start, end, first, last in SequenceMatcher(None, full, sent, autojunk=False).get_opcodes():
        if op != "replace":
            continue
        telling = {_stem(word) for word in sent[first:last] if len(word) >= _STEM and word not in _LITTLE} - elsewhere
        if not telling:
            continue
        for item in wish.withheld:
            value = _words(item.value)
            if value and any(full[at : at + len(value)] == value for at in range(start, end - len(value) + 1)):
                found[item.id] = frozenset(telling)
    return found


def stems(text: str) -> set[str]:
    """The words of a text, each by its beginning."""
    return {_stem(word) for word in _words(text)}


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.casefold()) if word != "s"]


def _stem(word: str) -> str:
    return word[:_STEM]
