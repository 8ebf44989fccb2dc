"""Whether what a question proposes is the value that is meant, in whatever words it does so.

A value is told from its `others` by *marks*: the figures and words that it has and they have not. What has such marks
of the right one, and none of another, is right; what has those of another alone is wrong; and of the rest nobody could
say, so the user says that, too. Days, times and amounts are right in their own forms alone: a figure of theirs may mean
anything. Without others there are no marks, and whatever is not said in a form of the value is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from userssim.amounts import MEASURES
from userssim.forms import pattern, typed
from userssim.values import said
from userssim.wish import Known, holds

__all__ = ("Judged", "keyed", "own", "proposed", "reported", "told")

Judged = Literal["right", "wrong", "unsure"]
"""What a proposal is: the value, another one, or words of which the user cannot tell."""

_LITTLE: Final = frozenset((
    "about", "after", "all", "also", "and", "any", "are", "back", "been", "before", "being", "both", "but", "can",
    "case", "could", "did", "does", "down", "each", "either", "else", "every", "for", "from", "had", "has", "have",
    "her", "here", "his", "how", "into", "its", "just", "last", "less", "like", "may", "mean", "might", "more",
    "most", "new", "not", "now", "off", "one", "only", "other", "our", "out", "over", "please", "same", "shall",
    "should", "some", "still", "such", "take", "than", "that", "the", "their", "them", "then", "there", "these",
    "they", "this", "those", "together", "too", "under", "until", "was", "were", "what", "whatever", "when", "where",
    "whether", "which", "who", "whom", "whose", "why", "will", "with", "would", "yes", "you", "your",
))  # fmt: skip
"""Words of more than two letters that tell nothing apart; shorter ones never do, but with a figure in them."""

_KEYED: Final = re.compile(r"(.*) \(([\w.-]+)\)", re.DOTALL)
_NONE: Final = re.compile(r"(?:none|nothing|nobody|neither|(?:any|some)(?:thing|body|one)|an?other|others?)\b", re.I)
"""How a candidate begins that stands for no value: "none of these", "something else"."""
_POINTED: Final = re.compile(
    r"\b(?:which|what|the|this|that|each|every|any|another|other|right|wrong|no) ones?\b|\bone of\b", re.IGNORECASE
)
"""Where "one" is no number."""
_CHOICE: Final = re.compile(r"\b(?:one|any|either|which) of (?:the|these|those|them)\b", re.IGNORECASE)
_SERIES: Final = re.compile(
    r"(?<![\w'-])[\w'-]+(?: [\w'-]+){0,3}(?:, [\w'-]+(?: [\w'-]+){0,3}){0,40},? (?:and|or) [\w'-]+(?: [\w'-]+){0,3}"
)
_PARTED: Final = re.compile(r",? (?:and|or) |, ")
_ARTICLE: Final = re.compile(r"^(?:\w+ )??(?:the|an?|that|this) ", re.IGNORECASE)
_UNITS: Final = "|".join(MEASURES.values())
_COUNTED: Final = rf"(?: ?(?:{_UNITS}|kilos?|kg|km|pieces|nights?|am|pm)(?!\w))"
_MONTHS: Final = r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_FIGURE: Final = re.compile(
    rf"(?<![\w.-])\d{{1,2}} (?:{_MONTHS})[a-z]*|(?<![\w.:-])\d+(?:\.\d+)?(?:[ -]?(?:{_UNITS}))?(?![\w:-])",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"\w+(?:-\w+)*")


class _Marks(NamedTuple):
    """What there is to know a value by."""

    words: frozenset[str]
    figures: frozenset[str]
    key: str


def proposed(text: str, candidates: Sequence[str], item: Known, sent: str = "", aside: Sequence[Known] = ()) -> Judged:
    """What a question with these candidates proposes for an item of a request that was `sent`.

    Each candidate is judged by itself, and so is each side of an "or", and each of a series to choose from ("one of the
    oak, pine and elm chairs"); that one is right is enough. `aside` are items that the request states: where a question
    says one of those, it speaks of that one.
    """
    choice = bool(_CHOICE.search(text))
    called = item.role or item.kind
    if candidates and " " in called:  # "as to the move or copy" proposes nothing beside them
        text = _without(text, [called])
    text = _POINTED.sub("...", text)
    offered = [_POINTED.sub("...", each) for each in candidates if not _NONE.match(each.strip())]
    found = [_judged(each, item, sent, aside) for each in offered]
    if "right" not in found:
        found.append(_judged(text, item, sent, aside))
        if item.others and found[-1] != "right":
            sides = parts if len(parts := re.split(r"\bor\b", text)) > 1 else []
            series = _SERIES.findall(text) if choice else []
            sides += [side for each in series for side in _PARTED.split(each)]
            if any(_judged(side, item, sent, aside) == "right" for side in sides):
                found.append("right")
    if "right" in found:
        return "right"
    return "wrong" if {*(found[: len(offered)] or found)} == {"wrong"} else "unsure"


def keyed(text: str, key: str, called: str = "") -> bool:
    """Whether a text has the id, as a whole: no part of a number, no amount or day, and no year.

    One of less than four characters, or that could be a year, has to be introduced: "pupil 18", where that is what such
    a thing is `called`, "no. 18", "id 18".
    """
    free = not key.isdigit() or (len(key) > 3 and not re.fullmatch(r"(?:19|20)\d\d", key))
    names = ("id", "no", "nr", "number", "mode", "chmod", *map(re.escape, re.findall(r"\w+", called)[-1:]))
    before = "" if free else rf"(?:(?<![^\W_])(?:{'|'.join(names)})\b[\W_]{{0,3}}|#)"
    form = rf"{before}(?<![\w.:/$€£-])(?<!\d,){re.escape(key)}(?![\w:/]|[.,-]\d|{_COUNTED}| (?:{_MONTHS}))"
    return bool(re.search(form, text, re.IGNORECASE))


def reported(text: str, item: Known, sent: str, full: str) -> bool:
    """Whether a text has a word of what a false request has in the item's place, and the request as meant nowhere."""
    there, meant = (_stemmed(words) for words in (text, full))
    return any(_stemmed(other) & there - meant for other in _held(sent, item.others))


def own(text: str, item: Known) -> bool:
    """Whether a text has the value itself, in one of its forms or by its key, and not as a part of another's words."""
    value = _bare(item.value)
    longer = [other for other in _held(text, item.others) if len(other) > len(value) and holds(other, value)]
    text = _without(text, longer)
    if re.search(r"\d", item.key) and keyed(text, item.key, item.role or item.kind):
        return True
    return holds(text, value) or (bool(said(text, item)) and not (item.others and _named(item)))


def told(text: str, value: str) -> bool:
    """Whether a text has all the words and figures that a value can be told by, in any order; False where it has none.

    Small words tell nothing: "pears and plums, both of them sold for juice" has those of "plums sold for juice".
    """
    marks = _marks(_bare(value), "")
    return bool(_all(marks)) and _found(text, (marks,), "") == _all(marks)


def _judged(text: str, item: Known, sent: str, aside: Sequence[Known]) -> Judged:
    if own(text, item):
        return "right"
    if not item.others:
        return "wrong"
    rest = _without(text, [_ARTICLE.sub("", other, count=1) for other in _held(sent, item.others)])
    judged = _by_marks(_without(rest, [each.value for each in aside if not _shared(each, item)]), item, sent)
    return "wrong" if judged == "unsure" and rest != text else judged


def _by_marks(text: str, item: Known, sent: str) -> Judged:
    """By what tells the value and its others apart.

    What the request as sent has of the value counts as said, too: of "the Lund order" it may be "the tool crate one".
    """
    own = _marks(item.value, item.key)
    others = _rivals(item)
    called = item.role or item.kind
    has, had = (_found(words, (own, *others), called) - _words(_plain(called)) for words in (text, sent))
    foreign = frozenset[str]().union(*map(_all, others)) - _all(own)
    if not _held(sent, item.others):  # else what it has is false, and no words for what is meant
        foreign -= had
    strange = bool(has & foreign or _held(text, item.others))
    if typed(item.value) or item.day:
        return "wrong" if strange else "unsure"
    another = strange and any(has <= _all(other) for other in others)
    known = frozenset[str]() if another or had & foreign else had & _all(own)
    here = has & _all(own)
    apart = bool(here - known) and all(not here | known <= _all(other) for other in others)
    if apart == strange:
        return "unsure"
    return "right" if apart else "wrong"


def _held(text: str, others: Iterable[str]) -> list[str]:
    """Those of the other values that a text has word for word."""
    plain = text.casefold()
    return [other for other in map(_bare, others) if other.casefold() in plain and holds(text, other)]


@lru_cache(maxsize=512)
def _rivals(item: Known) -> tuple[_Marks, ...]:
    return tuple(_marks(*_parts(other)) for other in item.others if _bare(other) != _bare(item.value))


def _found(text: str, marks: Iterable[_Marks], called: str) -> frozenset[str]:
    """Those of the marks that a text has."""
    plain = _plain(text)
    words = _words(plain)
    found: set[str] = set()
    for each in marks:
        found |= each.words & words
        found |= {figure for figure in each.figures - found if pattern(figure).search(plain)}
        if each.key and each.key.casefold() in plain and keyed(plain, each.key, called):
            found.add(each.key)
    return frozenset(found)


@lru_cache(maxsize=8192)
def _marks(value: str, key: str) -> _Marks:
    plain = _plain(value)
    figures = frozenset(_FIGURE.findall(plain))
    named = "" if re.search(r"\d", key) else key.casefold()
    return _Marks(_words(f"{_FIGURE.sub(' ', plain)} {named}"), figures, "" if named else key)


def _all(marks: _Marks) -> frozenset[str]:
    return marks.words | marks.figures | ({marks.key} if marks.key else frozenset())


def _words(text: str) -> frozenset[str]:
    """The words that can tell something apart, in the singular; of compounds their parts, too."""
    whole = {word for word in _WORD.findall(text) if not word.isdigit()}
    parts = {part for word in whole for part in word.split("-")}
    return frozenset(_single(word) for word in whole | parts if len(word) > 2 or not word.isalpha()) - _LITTLE


def _stemmed(text: str) -> set[str]:
    """Its words, and four letters of each, so that "recall" and "recalled" have something in common."""
    return {each for word in _words(_plain(text)) for each in (word, word[:4])}


def _plain(text: str) -> str:
    """In small letters, without endings of possession and commas inside of numbers."""
    return re.sub(r"(?<=\d),(?=\d{3}(?!\d))|['\N{RIGHT SINGLE QUOTATION MARK}]s?(?!\w)", "", text.casefold())


def _single(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if re.search(r"(?:s|x|ch|sh)es$", word):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def _parts(other: str) -> tuple[str, str]:
    """Another value's words and its key."""
    found = _KEYED.fullmatch(other)
    return (found[1], found[2]) if found else (other, "")


@lru_cache(maxsize=8192)
def _bare(other: str) -> str:
    """A value's words alone, without the quotes around a title."""
    return _parts(other)[0].strip().strip('"')


def _named(item: Known) -> bool:
    """Whether `said` takes a part of the value, a first name or a surname, for the whole."""
    return " " in item.value.strip() and bool(said(item.value.split()[0], item))


def _shared(stated: Known, item: Known) -> bool:
    """Whether words of another item of the request tell values of this one apart."""
    words = _words(_plain(stated.value))
    return bool(words) and any(words <= _marks(*_parts(other)).words for other in (item.value, *item.others))


def _without(text: str, words: Iterable[str]) -> str:
    for each in sorted(words, key=len, reverse=True):
        if each.strip():
            text = re.sub(rf"(?<!\w){re.escape(each.strip())}(?!\w)", " ... ", text, flags=re.IGNORECASE)
    return text
