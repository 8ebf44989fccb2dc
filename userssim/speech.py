"""What a model may not say where it speaks for a user: nothing at all, its own thoughts, or the assistant's part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from userssim.values import said
from userssim.wish import Known

__all__ = ("check_bearing", "check_refusal", "check_secrets", "check_verdict", "check_within", "without")

_MARKS: Final = r"[ \t*_#>(\[\])-]{0,9}"
"""What may stand around a label at the start of a line."""

_ALOUD: Final = re.compile(
    r"</?(?:think|thinking|thoughts?|reasoning|analysis|scratchpad|reflection)\b[^<>]*>"
    r"|<\|\w+\|>"
    rf"|^{_MARKS}(?:thoughts?|thinking|reasoning|analysis|chain of thought){_MARKS}:"
    r"|\b(?:the|this) (?:assistant|user|question) (?:asks|is asking|wants|asked)\b"
    r"|\bthe notes? (?:say|says|tell|tells|ask|asks|want|wants)\b"
    r"|\b(?:I|we) (?:should|must|need to|have to) (?:answer|reply|respond)\b"
    r"|\b(?:let me|let us|let's) think\b",
    re.IGNORECASE | re.MULTILINE,
)
_DONE: Final = (
    "sent|scheduled|booked|created|moved|updated|assigned|reassigned|deleted|cancelled|canceled|added|drafted|completed"
)
_ASSISTANT: Final = re.compile(
    rf"^{_MARKS}(?:assistant|agent|system|user|person|human){_MARKS}:"
    r"|\bhow (?:can|may|could) I (?:help|assist)\b"
    r"|\banything else (?:that )?I can (?:do|help)\b"
    r"|\b(?:I can|I will|I'll|(?:I am|I'm) (?:here|happy|glad) to|I'd be (?:happy|glad) to) (?:help|assist)\b"
    r"|\bwould you like me to\b|\bdo you want me to\b|\b(?:shall|should) I (?:go ahead|proceed|send|schedule|book)\b"
    r"|\bas an AI\b|\bI(?: am|'m) (?:an? )?(?:AI|language model|(?:virtual |your )?assistant)\b"
    rf"|\bI(?: have|'ve)(?: just| now| already| successfully)* (?:{_DONE})\b"
    rf"|\bI(?: just| successfully)+ (?:{_DONE})\b",
    re.IGNORECASE | re.MULTILINE,
)
_DECIDE: Final = re.compile(
    r"\b(?:best|own|your) judge?ment\b|\bup to you\b|\byour call\b"
    r"|\b(?:you|please|just) decide\b|\bdecide (?:\w+ )?yourself"
    r"|\bno (?:strong )?preference\b|\bleave (?:it|that|this|the rest) to you\b"
    r"|\bwhat(?:ever)? you (?:think|prefer|like)\b",
    re.IGNORECASE,
)
_UNKNOWING: Final = re.compile(
    r"\bI (?:don't|do not|can't|cannot|couldn't) (?:know|remember|recall|say|tell)\b|\bI(?:'m| am) not sure\b",
    re.IGNORECASE,
)
_YES: Final = re.compile(r"\W*(?:yes|yep|yeah|right|correct|exactly|sure)\b", re.IGNORECASE)
_NO: Final = re.compile(r"\W*(?:no|nope|wrong|incorrect)\b(?! (?:problem|worries))", re.IGNORECASE)


_NO_NAMES: Final = frozenset({"i", "ok", "okay", "asap", "btw", "tbh"})
"""Words that people write in capitals and that name nothing."""


def without(text: str, forms: Iterable[str]) -> str:
    """The text with dots in place of these pieces, of which the longest go first, in any letter case."""
    for form in sorted(forms, key=len, reverse=True):
        text = re.sub(re.escape(form), "...", text, flags=re.IGNORECASE)
    return text


def check_bearing(text: str, forms: Iterable[str] = ()) -> None:
    """Raises `ValueError` for an answer that no user would write; `forms` are values, which may say anything."""
    rest = without(text, forms)
    if not text.strip():
        raise ValueError("empty: the answer has no words")
    if aloud := _ALOUD.search(rest):
        raise ValueError(f"reasoning aloud: it has {aloud[0].strip()!r}, and only the answer itself is wanted")
    if assistant := _ASSISTANT.search(rest):
        raise ValueError(
            f"speaking as the assistant: it has {assistant[0].strip()!r}, and you are who the assistant works for"
        )


def check_secrets(text: str, forms: Iterable[str], secret: Sequence[Known]) -> None:
    """Raises `ValueError` where an answer, `forms` aside, says a value that is to stay `secret`, in whatever way."""
    rest = without(text, forms)
    for item in secret:
        if spans := said(rest, item):
            start, end = spans[0]
            raise ValueError(f"not asked for: it has {rest[start:end]!r}, which is not in the notes")


def check_within(text: str, known: str) -> None:
    """Raises `ValueError` where an answer has a number or a name that `known` does not have.

    A number is whatever has a digit in it, a name a word with a capital letter inside a sentence.
    """
    there = {_bare(word) for word in re.findall(r"\w+", known.casefold())}
    before = ""
    for token in text.split():
        inside, before = bool(re.fullmatch(r"[a-z,;]", before[-1:])), token
        words = re.findall(r"\w+", token)
        figures = [word for word in words if any(letter.isdigit() for letter in word)]
        names = [word for word in words[:1] if inside and word[0].isupper()]
        for word in (*figures, *names):
            if _bare(word.casefold()) not in there | _NO_NAMES:
                raise ValueError(f"outside the intent: it has {word!r}, of which the person knows nothing")


def _bare(word: str) -> str:
    """A number without the ending of an ordinal."""
    return re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", word)


def check_refusal(text: str, forms: Iterable[str], *, told: bool) -> None:
    """Raises `ValueError` for an answer that leaves something to the assistant, or, with `told`, knows nothing."""
    rest = without(text, forms)
    if refusal := _DECIDE.search(rest) or (_UNKNOWING.search(rest) if told else None):
        raise ValueError(f"contradiction: it has {refusal[0]!r}, and the notes leave nothing to the assistant")


def check_verdict(text: str, *, wrong: bool) -> None:
    """Raises `ValueError` for a yes to what is `wrong`, and for a no to what is right."""
    if verdict := (_YES if wrong else _NO).match(text):
        fact = "wrong" if wrong else "right"
        raise ValueError(f"contradiction: it begins with {verdict[0].strip()!r}, and the assistant has it {fact}")
