"""Values as people say them: whether a text says one, in whatever form, and how a user says it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from userssim.amounts import MEASURES, NUMBER, measure_of, words
from userssim.forms import loosely, minutes, pattern
from userssim.spans import rhythm, rhythms, span, spans
from userssim.times import half_of, lasting
from userssim.wish import Known, holds

__all__ = ("KINDS", "begun", "copied", "is_name", "meant", "of_somebody", "said", "says", "spoken", "verbatim", "words")

_PEOPLE: Final = frozenset({"person", "customer", "contact", "colleague", "client", "employee", "name"})
_JOINING: Final = ("the", "of", "a", "de", "van", "von", "mr", "mrs", "ms", "miss", "mx", "dr", "prof", "sir", "madam")
"""Parts of names that name nobody by themselves."""
_NO_FIRST_NAMES: Final = frozenset((
    "mr", "mrs", "ms", "miss", "mx", "dr", "doctor", "mister", "prof", "sir", "madam", "customer", "client", "contact",
    "lead", "colleague", "a", "about", "after", "all", "also", "am", "an", "and", "are", "as", "ask", "at", "before",
    "both", "but", "by", "can", "could", "did", "do", "does", "for", "from", "give", "had", "hand", "has", "have",
    "her", "his", "how", "if", "in", "invite", "is", "it", "let", "make", "may", "move", "my", "no", "not", "of",
    "on", "only", "or", "our", "put", "send", "shall", "should", "so", "still", "tell", "that", "the", "then",
    "their", "this", "to", "was", "were", "what", "when", "which", "who", "whose", "whom", "why", "will", "with",
    "would", "yes", "your",
))  # fmt: skip
_QUOTED: Final = re.compile(
    r"\"[^\"]+\"|\u201c[^\u201d]+\u201d|\u00ab[^\u00bb]+\u00bb|(?<!\w)['\u2018][^'\u2019]+['\u2019](?!\w)"
)
_BEHIND: Final = re.compile(r" (?:(?:de|da|di|van|von|der|den) ){0,2}([\w'-]+)(\.(?= [^\W\d_]))?")
_INITIAL: Final = re.compile(r"(?<!\w)([^\W\d_])\. \Z")
_WORDED: Final = frozenset({"subject", "body", "title", "event_name", "task_name", "message", "text", "name"})


KINDS: Final = _PEOPLE | _WORDED | {"duration", "comparison", "plot_type", "metric", "traffic_source"}
"""Kinds that have forms of their own; of all others the value alone says in which forms it is heard."""

_SIZE: Final = re.compile(r"\bsize\b", re.IGNORECASE)
_CALLED: Final = re.compile(
    r"\b(?:file|folder|path|directory|channel|address|e-?mail|url|link|id|identifier|key|code|command|branch|repository"
    r"|repo|user ?name|file ?name|login|account|handle|tag|label|server|host|domain|table|column|field|variable"
    r"|function|package|app)\b",
    re.IGNORECASE,
)
"""What things are called by a machine, as kinds and roles say it."""

_THINGS: Final = re.compile(
    r"\b(?:task|event|meeting|appointment|board|list|project|product|document|report|sheet|subject|title|heading|form"
    r"|article|book|page|place|room|company|firm|shop|brand|version|template|calendar|campaign|course)\b",
    re.IGNORECASE,
)
"""What else has a name."""
_WHO: Final = re.compile(r"\b(?:who|whom|whose)\b", re.IGNORECASE)


def said(text: str, item: Known, request: str = "") -> list[tuple[int, int]]:
    """Where a text says the item's value, in whatever form: half an hour for 30-minute, Ms Stanhope, the 11th of March.

    Spans of characters, in order. A first name before another surname, or a surname behind another first name, is
    somebody else, a number with another unit another amount, a longer quotation another text. The `request` tells
    whether half past seven is in the evening.
    """
    if is_name(item):
        return _people(text, item.value)
    value = _unquoted(item.value)
    form = pattern(value, item.day, half_of(request), copied=copied(item))
    found = [match.span() for match in form.finditer(text)]
    if own := span(value, request):
        found = sorted({*found, *(place for place, other in spans(text) if own.fits(other))})
    if often := rhythm(value, f"{item.kind} {item.role}"):
        found = sorted({*found, *(place for place, other in rhythms(text) if other == often)})
    if item.kind == "duration" and (long := minutes(value)):
        found = sorted({*found, *(place for place, between in lasting(text) if between == long)})
    return _as_quoted(text, found, value) if copied(item) else found


def says(text: str, item: Known) -> bool:
    """Whether a text has the item's value in it."""
    return bool(said(text, item)) or holds(text, item.value)


def meant(text: str, item: Known, request: str = "") -> list[tuple[int, int]]:
    """The same for a question beside the wish, where "bars" can only mean a bar plot."""
    ways = loosely("size" if _SIZE.search(f"{item.kind} {item.role}") else item.kind, item.value)
    return said(text, item, request) or ([match.span() for match in ways.finditer(text)] if ways else [])


def _unquoted(value: str) -> str:
    """The words alone, where a request has them in double quotes and the quotes belong to its value."""
    return value[1:-1] if len(value) > 2 and value[0] == value[-1] == '"' else value


def copied(item: Known) -> bool:
    """Whether a value is words to be copied, which may not be said in others."""
    return item.kind in _WORDED and not of_somebody(item)


def of_somebody(item: Known) -> bool:
    """Whether an item of the kind `name`, which things have too, has somebody's: capitals, and no thing for a role."""
    if item.kind != "name" or not is_name(item):
        return False
    if not all(part[0].isupper() or part in _JOINING for part in item.value.split()):
        return False
    return bool(_WHO.search(item.role)) or not (_CALLED.search(item.role) or _THINGS.search(item.role))


def is_name(item: Known) -> bool:
    """Whether a value is the name of somebody, or several."""
    return item.kind in _PEOPLE and bool(re.fullmatch(r"[^\W\d_][\w'.-]*( [^\W\d_][\w'.-]*){0,3}", item.value))


def _people(text: str, value: str) -> list[tuple[int, int]]:
    """Of several people all have to be there: "Noor and Lisbet" is not Noor and Fabian."""
    each = [list(_names(text, name)) for name in value.split(" and ")]
    return sorted(place for places in each for place in places) if all(each) else []


def _names(text: str, value: str) -> Iterator[tuple[int, int]]:
    parts = value.split()
    telling = "|".join(
        re.escape(part) for part in parts if len(part) > 1 and part.casefold().rstrip(".") not in _JOINING
    )
    ends = 0
    for match in re.finditer(rf"(?<!\w)(?:{re.escape(value)}|{telling or '(?!)'})(?!\w)", text, re.IGNORECASE):
        if match.start() < ends or (len(parts) > 1 and _of_somebody_else(text, match, parts)):
            continue
        ends = match.end()
        yield match.span()


def _of_somebody_else(text: str, match: re.Match[str], parts: list[str]) -> bool:
    """Whether a part of a name stands in another one: "Orlando Underhill", "O. Stanhope", "orlando stanley"."""
    part = match[0].casefold()
    if part == parts[0].casefold():
        found, other = _BEHIND.match(text, match.end()), parts[1]
        beside = found[1] if found else ""
        if found and found[2] and len(beside) == 1:  # Odette S. Miller, whose initial is no name of its own
            own = re.compile(rf"(?: [^\W\d_]\.)* {re.escape(parts[-1])}(?!\w)", re.IGNORECASE)
            return not own.match(text, found.end())
    elif part == parts[-1].casefold():
        beside, other = _word_before(text, match.start()), parts[-2]
        if initial := _INITIAL.search(text, max(0, match.start() - 4), match.start()):
            return initial[1].casefold() not in {each[0].casefold() for each in parts}
    else:
        return False
    if not beside or beside.casefold() in {each.casefold() for each in parts}:
        return False
    alike = len(beside) > 3 and beside.casefold().startswith(other[:3].casefold())
    named = match[0][0].isupper() and beside[0].isupper() and len(beside) > 1 and not beside.startswith("I'")
    return alike or bool(named and beside.casefold() not in _NO_FIRST_NAMES)


def _word_before(text: str, at: int) -> str:
    """The word that a space parts from a place, or a space at the end of a line; "" where there is none."""
    at -= text[at - 1 : at] == "\n"
    if text[at - 1 : at] != " ":
        return ""
    start = end = at - 1
    while start and (text[start - 1].isalnum() or text[start - 1] in "_'-"):
        start -= 1
    return text[start:end]


def _as_quoted(text: str, spans: list[tuple[int, int]], value: str) -> list[tuple[int, int]]:
    """Those where a text to be copied is there as it is: if in quotes, with every letter and nothing beside it."""
    quoted = [found.span() for found in _QUOTED.finditer(text)] if spans else []
    starts, kept = [start for start, _ in quoted], []
    for place in spans:
        begins, ends = quoted[before - 1] if (before := bisect_left(starts, place[0])) else (0, 0)
        if ends <= place[1] or _plain(text[begins + 1 : ends - 1]) == _plain(value):
            kept.append(place)
    return kept


def _plain(text: str) -> str:
    return re.sub(r"[\s_-]+", " ", text).casefold().strip(" .,!?")


def spoken(item: Known, request: str = "") -> str:
    """The value as a person says it: half an hour, five percent; in double quotes where it is words to be copied.

    A unit that the request has right behind the value is said with it.
    """
    value = _unquoted(item.value)
    if copied(item):
        return f'"{value}"'
    number = NUMBER.fullmatch(value.strip())
    if not number:
        return value
    measure = measure_of(number[2]) or _unit_behind(value, request)
    digits = number[1].casefold()
    if not digits[0].isdigit():
        return f"{digits} {_plural(measure, 2 if digits != 'one' else 1)}".strip()
    amount = float(digits)
    way = {(30, "minute"): "half an hour", (60, "minute"): "an hour", (90, "minute"): "an hour and a half"}
    if (amount, measure) in way:
        return way[int(amount), measure]
    shown = words(int(amount)) if amount == int(amount) and amount <= 12 and measure else number[1]
    return f"{shown} {_plural(measure, amount)}".strip()


def begun(item: Known, text: str) -> str:
    """A text that begins with an item's value as a sentence: with a capital, where the value is words.

    Not where it is what something is called by a machine, in which a capital would be another name.
    """
    word = re.match(r"[^\W\d_]+(?:['-][^\W\d_]+)*(?=[\s,.]|$)", text)
    if not word or not word[0].islower():
        return text
    called = _CALLED.search(f"{item.kind} {item.role}".replace("_", " "))
    hyphened = "-" in word[0] and not NUMBER.match(word[0])  # house-news, but Twenty-five percent
    signs = re.search(r"[^\W\d_][_./@#:\\][^\W_]", item.value)
    if text.startswith(item.value) and word[0] not in ("the", "a", "an") and (called or hyphened or signs):
        return text
    return f"{text[0].upper()}{text[1:]}"


def verbatim(item: Known) -> str:
    """The value as the request has it; in double quotes where it is words to be copied."""
    return f'"{_unquoted(item.value)}"' if copied(item) else item.value


def _unit_behind(value: str, request: str) -> str:
    behind = re.search(rf"(?<!\w){re.escape(value)}[ -]?({'|'.join(MEASURES.values())})(?!\w)", request, re.IGNORECASE)
    return measure_of(behind[1]) if behind else ""


def _plural(measure: str, amount: float) -> str:
    return measure if not measure or measure == "percent" or amount == 1 else f"{measure}s"
