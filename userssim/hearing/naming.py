"""Whether a question names anything at all: the encoder always hears something, in "x" and in "I am unsure." too."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final

__all__ = ("LITTLE", "names_something")

_WORD: Final = re.compile(
    r"(?<!['\N{RIGHT SINGLE QUOTATION MARK}])\b[^\W\d_]{2,}\b(?!['\N{RIGHT SINGLE QUOTATION MARK}]t)"
)
"""No ending behind an apostrophe, and no "don't"."""
_KIND: Final = frozenset(("who", "whom", "whose", "when", "where", "many", "much", "long", "often", "why"))
"""Words that ask for one kind of thing, and so name it."""

LITTLE: Final = frozenset((
    "about", "actually", "after", "again", "all", "also", "am", "an", "and", "another", "answer", "answers", "any",
    "anybody", "anyone", "anything", "are", "as", "ask", "asking", "at", "be", "been", "before", "both", "but",
    "by", "can", "clarify", "confirm", "continue", "correct", "could", "detail", "details", "did", "different",
    "do", "does", "doing", "done", "doubt", "each", "either", "else", "exactly", "first", "following", "for",
    "from", "further", "get", "give", "go", "good", "got", "had", "has", "have", "he", "hello", "help", "her",
    "here", "hey", "hi", "him", "his", "how", "idea", "if", "in", "info", "information", "into", "is", "it", "its",
    "just", "know", "last", "let", "look", "made", "make", "may", "maybe", "me", "mean", "means", "meant",
    "message", "might", "mine", "missing", "moment", "more", "most", "my", "need", "needed", "needs", "neither",
    "next", "no", "nobody", "none", "nor", "not", "note", "nothing", "now", "of", "off", "ok", "okay", "on", "one",
    "ones", "only", "option", "options", "or", "other", "others", "our", "out", "over", "perhaps", "please",
    "possible", "proceed", "question", "questions", "quick", "ready", "really", "request", "right", "said", "same",
    "say", "second", "see", "she", "should", "show", "so", "some", "somebody", "someone", "something", "sorry",
    "specific", "specify", "still", "such", "sure", "take", "tell", "test", "text", "than", "thank", "thanks",
    "that", "the", "their", "them", "then", "there", "these", "they", "thing", "things", "think", "third", "this",
    "those", "three", "to", "together", "too", "two", "unclear", "under", "understand", "unsure", "until", "up",
    "us", "value", "values", "very", "wait", "want", "wanted", "was", "we", "well", "were", "what", "whatever",
    "whether", "which", "will", "with", "without", "wonder", "would", "wrong", "yes", "yet", "you", "your",
))  # fmt: skip
"""Words that stand in every question and in none in particular."""


def names_something(question: str, before: str, known: Container[str], request: str) -> bool:
    """Whether a word of a question, or of the one `before`, which it may go on from, can say what it is about.

    Small words cannot, nor single letters and whatever is no word: one of the language, as far as the encoder has it
    (`known`), or of the request. Of 27,284 questions about a withheld item, among those to train on
    (docs/clarification.md), 20 have no such word.
    """
    theirs = set(_WORD.findall(request.casefold()))
    return any(
        word in _KIND or (word not in LITTLE and (word in known or word in theirs))
        for text in (question, before)
        for word in _WORD.findall(text.casefold())
    )
