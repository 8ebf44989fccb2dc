"""What a question asks, clause by clause, told by word order alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from servers.kernel import own_yaml

__all__ = ("Clause", "clauses", "cues", "normalise")


@cache
def cues() -> Mapping[str, Any]:
    """The wordings in `cues.yaml`."""
    text = (Path(__file__).parent / "cues.yaml").read_text(encoding="utf-8")
    loaded: Mapping[str, Any] = own_yaml(text)
    return loaded


class Clause(NamedTuple):
    """A part of a question that asks for something.

    `text` is the whole clause, `focus` those noun phrases in it that are asked for rather than mentioned;
    `guesses` tells a yes/no question or a fragment, which may hold a guessed value.
    """

    text: str
    focus: str
    guesses: bool


_WINDOW = 1_000
"""Characters that are read together: far more than a question has. Many cues look ahead for words as far as they can,
so that without an end the work would grow with the square of the text."""

_CONTRACTIONS = (
    (r"\b(what|who|when|where|how|that|it|there|here)'s\b", r"\1 is"),
    (r"\bcan't\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"n't\b", " not"),
    (r"'(re|ll|ve|d|m)\b", lambda m: {"re": " are", "ll": " will", "ve": " have", "d": " would", "m": " am"}[m[1]]),
    (r"'s\b", " 's"),
    (r"s'(?=\s)", "s 's"),
)  # fmt: skip

_QUOTED = re.compile(r"\"[^\"]*\"|(?<!\w)'[^']+'(?!\w)")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+")
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][a-z]+(?: [A-Z][a-z]+)*")
_BREAK = re.compile(r"(?<=[?!])\s+|(?<=\D)\.\s+|\n+(?=\S)")
_SPLIT = re.compile(
    r"\s*[,;()]\s*|\s*:(?!\d)\s*|\s+[-/\u2013\u2014]\s+|\s*/\s*(?=[a-z])|\s+(?:and|or|as well as|plus|but|so|&)\s+"
)
_MODIFIER = re.compile(
    r"\b(of|for|in|on|with|without|about|from|at|to|into|by|after|before|as|that|until|if|so|because|when)\b"
    r"(?! (which|what|who|whom|whose|when|where|how)\b).*"
)
_PUNCTUATION = re.compile(r"[^\w\s@%:'.-]|(?<!\d)[.:](?!\d)|\.(?!\d)")


def normalise(text: str) -> str:
    """Lower case with contractions written out; quotations, names and addresses as @quoted and @name."""
    return " ".join(map(_normalised, _windows(text)))


def _windows(text: str) -> Iterator[str]:
    """The text in pieces that are read by themselves: nearly always itself, else cut behind sentences, or words."""
    start = 0
    while len(text) - start > _WINDOW:
        end = start + _WINDOW
        ends = (text.rfind(mark, start + _WINDOW // 2, end) + 1 for mark in ("\n", "? ", ". ", "! "))
        cut = max(ends) or text.rfind(" ", start + _WINDOW // 2, end) + 1 or end
        yield text[start:cut]
        start = cut
    yield text[start:]


def _normalised(text: str) -> str:
    text = text.replace("\u2019", "'").replace("\u201c", '"').replace("\u201d", '"')
    text = _MAIL.sub("@name", _QUOTED.sub("@quoted", text))
    text = _vocabulary().sub(lambda match: match[0].lower(), text)
    text = _NAME.sub(lambda match: "I" if match[0] == "I" else "@name", text).lower()
    for pattern, plain in _CONTRACTIONS:
        text = re.sub(pattern, plain, text)
    return re.sub(r"\s+", " ", text).strip()


@cache
def _vocabulary() -> re.Pattern[str]:
    """Capitalised words that are values of some kind rather than names of people."""
    known = [pattern for kind in cues()["kinds"].values() for pattern in kind.get("values", ()) if "@" not in pattern]
    return re.compile(r"\b(?:" + "|".join(f"(?:{pattern})" for pattern in known) + r")\b", re.IGNORECASE)


@cache
def _starter(name: str, *, anywhere: bool = False) -> re.Pattern[str]:
    pattern = cues()["starters"][name]
    return re.compile(pattern if anywhere or pattern.startswith("^") else rf"^(and |but |so |or |then )*({pattern})\b")


def clauses(question: str) -> list[Clause]:
    """The asking clauses of a question, in order."""
    found = []
    for sentence in (sentence for window in _windows(question) for sentence in _BREAK.split(window)):
        asked = sentence.rstrip().endswith("?")
        mood, text = ("fragment" if asked else "told"), normalise(sentence)
        text = re.sub(cues()["exclusions"], " ", text)
        # Commas and conjunctions part clauses only where the rest can stand alone; else what follows inherits the mood.
        for part in _parts(text):
            plain = re.sub(r"\s+", " ", _PUNCTUATION.sub(" ", part)).strip()
            if not plain:
                continue
            mood = _mood(plain) or mood
            if mood != "told":
                found.append(Clause(plain, _focus(plain, mood), mood in ("aux", "fragment")))
    return found


def _parts(text: str) -> list[str]:
    parts: list[str] = []
    end = 0
    for match in _SPLIT.finditer(text):
        before, after = text[end : match.start()], text[match.end() :]
        # "up or down" is one thing asked, and "from Monday to Friday or later" has no verb to split on.
        if match[0].strip() == "or" and not _mood(after):
            continue
        parts.append(before)
        end = match.end()
    return [*parts, text[end:]]


def _mood(text: str) -> str:
    if _starter("settled", anywhere=True).search(text):
        return "told"
    if re.search(rf"^([a-z]+ )?([a-z]+ )?{cues()['starters']['wh']}\b", text) and not text.startswith("i "):
        return "wh"
    if re.search(rf"(?<!@)\b{cues()['starters']['request']}\b", text):
        return "request"
    if re.search(rf"\b{cues()['starters']['missing']}\b", text):
        return "missing"
    if _starter("aux").search(text):
        return "aux"
    if re.match(r"(then )?(i|we|the|my|there|it) .*\b(is|are|was|will|would|have|has|can|do)\b", text):
        return "told"
    return ""


def _focus(text: str, mood: str) -> str:
    """The noun phrases that are asked for."""
    wh = re.search(rf"\b{cues()['starters']['wh']}\b", text)
    if mood == "missing":
        return text
    if wh and (mood == "wh" or mood == "request"):
        return _wh_focus(wh[1], text[wh.end() :].strip())
    if mood == "request":
        request = re.search(rf"(?<!@)\b{cues()['starters']['request']}\b( me| us| know| about| with)*", text)
        rest = text[request.end() :] if request else text
        rest = re.sub(r"^.*?\b(details|information|info|specifics|idea)\b (about|on|for|of|regarding) ", "", rest)
        return _MODIFIER.sub("", rest)
    if mood == "aux":
        return _yes_no_focus(re.sub(r"^(and |but |so |or )+", "", text))
    return _MODIFIER.sub("", text)


_AUX = r"(is|are|was|does|do|did|has|should|shall|would|could|can|will) "
_CHOICE = "use|set|choose|pick|take|make"
_IDLE = rf"(have|want|mean|need|prefer|{_CHOICE}|be|still|also|really) "


def _yes_no_focus(text: str) -> str:
    """What "is the ... X" is about; nothing where the agent asks leave to do something else."""
    if re.match(rf"(should|shall|would|could|can|will) (i|we) (?!{_CHOICE})", text):
        return ""
    asked = re.match(rf"{_AUX}((it|you|there|i|we) )?({_IDLE})*((it|them) )?(?P<rest>.*)", text)
    if not asked:
        return ""
    if re.match(r"(does|do|did|should|would|can) (the|this|that|my) ", text):
        owner = r"((the|this|that|my) [\w ]+?) (be|read|say|just|contain|mean|change|start|include)\b"
        named = re.match(owner, asked["rest"])
        return named[1] if named else ""
    return _MODIFIER.sub("", asked["rest"])


def _wh_focus(word: str, rest: str) -> str:
    copula = re.match(r"(is|are|was|were|should|would|will|shall|must|can|do|does|did)\b( (it|i|you|we)\b)?", rest)
    if word in ("which", "what", "whose") and not copula:
        # A determiner: "which board should ..." asks for the board, whatever else is mentioned.
        return re.split(
            r"\b(is|are|was|were|should|would|will|shall|must|can|do|does|did|has|have|to|i|you|we)\b", rest
        )[0]
    if copula and (
        word in ("what", "which") or (word == "who" and copula[1] in ("is", "are", "was") and not copula[2])
    ):
        return _MODIFIER.sub("", re.sub(r"^ (going|supposed|meant) to be ", " ", rest[copula.end() :]))
    return ""
