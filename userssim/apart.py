"""Whether a question has another value for an item than the one that is meant, as far as its words say so for certain.

Amounts, times of day and days are read and compared with the item's. Of other words only that none of the value's own
is among them can be said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple

from userssim.amounts import SECONDS, UNITS, Amount, amount, amounts, differ
from userssim.spans import Rhythm, Span, rhythm, rhythms, span, spans
from userssim.times import Clock, clock, clocks, days, half_of, lasting, nth
from userssim.values import copied, is_name, meant
from userssim.wish import Known, Wish, holds

__all__ = ("Lone", "added", "another", "blanked", "compared", "lone", "measured")

_Day = tuple[int, int]
_Value = Amount | Clock | Span | Rhythm | _Day
"""What can be compared: an amount, a time of day, from when to when, how often, or month and day (0 if not said)."""

_SHARE: Final = re.compile(r"\b(half|third|quarter|fifth|tenth)\b", re.IGNORECASE)
_SHARES: Final = {"half": 50.0, "third": 100 / 3, "quarter": 25.0, "fifth": 20.0, "tenth": 10.0}
_HOUR: Final = re.compile(
    r"\b(?P<before>at|by|from|until|till|before|after) (?P<hour>\d{1,2}|one|two|three|four|five|six|seven|eight|nine"
    rf"|ten|eleven|twelve)(?![\w:/-]|[.,]\d| ?(?:{'|'.join(UNITS.values())})(?!\w)| (?:hundred|thousand))",
    re.IGNORECASE,
)
_BOUND: Final = re.compile(
    r"\A(?:(?:no )?(?:more|less|fewer) than|at (?:most|least)|up to|over|under|above|below|about|around|exactly) "
    r"|(?<=\w) or (?:more|less|fewer)\Z",
    re.IGNORECASE,
)
"""What may stand beside an amount that is a limit."""
_ALONE: Final = frozenset((
    "a", "about", "also", "am", "and", "anyhow", "anyway", "apiece", "are", "at", "be", "by", "can", "correct",
    "could", "do", "does", "each", "fine", "fit", "for", "from", "good", "i", "in", "instead", "is", "it", "just",
    "keep", "leave", "make", "may", "maybe", "mean", "might", "of", "ok", "okay", "on", "or", "perhaps", "please",
    "put", "remain", "remains", "right", "say", "shall", "should", "so", "stay", "stick", "still", "sure", "take",
    "that", "the", "then", "this", "to", "too", "until", "was", "we", "well", "will", "with", "work", "works",
    "would", "yes", "you",
))  # fmt: skip
"""Words that may stand beside a value in a question that is about nothing else."""
_DOWN: Final = re.compile(
    r"\bnot (?:\w+ )?\|+,? but\b|(?:,| and) not (?:\w+ )?\|+|\b(?:instead of|rather than) (?:\w+ )?\|+",
    re.IGNORECASE,
)
"""A value that is put down for another one: "not 5 but 6", "6, not 5", "6 rather than 5"."""

_LITTLE: Final = frozenset({"the", "and", "for", "with", "from", "more", "less", "than", "fewer", "not", "all", "any"})


def another(question: str, item: Known, wish: Wish) -> bool:
    """Whether a question that is taken to have a wrong value for an item has one that certainly is not the item's."""
    rest = blanked(question, meant(question, item, wish.full))
    own = _own(item, wish.full)
    if own is None:
        return is_name(item) or copied(item) or not _alike(rest, item, wish)
    if isinstance(own, Amount):
        if often := rhythm(item.value, f"{item.kind} {item.role}"):
            every = dict(rhythms(rest))
            if any(often.is_not(other) for other in every.values()):
                return True
            rest = blanked(rest, every)
        if own.measure in ("minute", "hour"):
            whole = own.number * (60 if own.measure == "hour" else 1)
            if any(between != whole for _, between in lasting(rest)):
                return True
        if own.measure == "percent" and any(
            abs(_SHARES[found[1].casefold()] - own.number) > 0.5 for found in _SHARE.finditer(rest)
        ):
            return True
    if isinstance(own, Clock) and any(_hour(found).is_not(own) for found in _HOUR.finditer(rest)):
        return True
    found = [value for _, value in _values(rest, [own])]
    if rest != question:  # beside the value itself, a month is that of something else
        found = [value for value in found if isinstance(value, (Amount, Clock, Span, Rhythm)) or value[1]]
    if isinstance(own, Amount) and own in found and _BOUND.search(item.value.strip()):
        return False  # "fewer than 6" may be "below 6"
    return any(_differ(own, value) for value in found)


def added(text: str, item: Known, wish: Wish) -> str:
    """A text without those values of the item's sort that the request has, too."""
    there = [place for place, _ in _values(text, [_own(item, wish.full)])]
    return blanked(text, [place for place in there if holds(wish.full, text[slice(*place)])])


def compared(item: Known, request: str) -> bool:
    """Whether an item has a value that others can be compared with, and not mere words."""
    return _own(item, request) is not None


class Lone(NamedTuple):
    """The withheld item that a question is about which has nothing but values, and how it is about it."""

    item: str
    how: Literal["asked", "right", "wrong"]


def lone(question: str, wish: Wish) -> Lone | None:
    """The withheld item whose value all values of a question may be, where it has few words besides.

    A single value is right or wrong, and among several the right one is asked for; one that is put down for another
    ("not 5 but 6") does not count. Where several items could have such values it is the one that has one of them, also
    one that is put down, and where a stated one has, none.
    """
    own = {item.id: _own(item, wish.full) for item in (*wish.withheld, *wish.stated)}
    found = [*_values(question, own.values())]
    rest = blanked(question, [place for place, _ in found])
    down = [match.span() for match in _DOWN.finditer(rest)]
    proposed = question
    if kept := [each for each in found if not any(start <= each[0][0] < end for start, end in down)]:
        proposed, rest, found = blanked(question, down), blanked(rest, down), kept
    if not found or "?" not in question or not _ALONE.issuperset(re.findall(r"[\w']+", rest.casefold())):
        return None
    values = [value for _, value in found]
    fitting = [item for item in wish.withheld if all(_of_its_sort(own[item.id], value) for value in values)]
    named = [item for item in fitting if meant(question, item, wish.full)]
    if any(_of_its_sort(own[item.id], values[0]) and meant(question, item, wish.full) for item in wish.stated):
        return None
    chosen = named or fitting
    if len(chosen) != 1:
        return None
    item = chosen[0]
    if len(values) > 1:
        return Lone(item.id, "asked")
    if meant(proposed, item, wish.full):
        return Lone(item.id, "right")
    return Lone(item.id, "wrong" if another(proposed, item, wish) else "asked")


def measured(text: str) -> bool:
    """Whether a text has anything that can be compared, and no mere number: "€80", "14:30", "the 5th"."""
    return any(not isinstance(value, Amount) or value.measure for _, value in _values(text, ()))


def _own(item: Known, request: str) -> _Value | None:
    """An item's value to compare others with, None where it has none but words."""
    value = item.value.strip()
    date = next((each for each in (nth(item.day), nth(value)) if each[1]), None)
    return (
        date or rhythm(value) or span(value, request) or clock(value, half_of(request)) or amount(_BOUND.sub("", value))
    )


def _values(text: str, own: Iterable[_Value | None]) -> Iterator[tuple[tuple[int, int], _Value]]:
    """What can be compared in a text, and where: no amount is part of a time of day or of a day.

    "2 to 4" or "twice a year" are what they are where one of the `own` is such a thing, and amounts otherwise.
    """
    own = [*own]
    sorts = set(map(type, own))
    longer: list[tuple[tuple[int, int], _Value]] = [
        *(spans(text) if Span in sorts else ()),
        *(rhythms(text) if Rhythm in sorts else ()),
    ]
    yield from longer
    text = blanked(text, (place for place, _ in longer))
    timed = not own or any(not isinstance(each, Amount) or each.measure in SECONDS for each in own)
    # else "at 5" is an amount
    hours = ((found.span("hour"), _hour(found)) for found in _HOUR.finditer(text) if found["before"].casefold() == "at")
    found: list[tuple[tuple[int, int], _Value]] = [*clocks(text), *days(text), *(hours if timed else ())]
    yield from found
    yield from amounts(blanked(text, (span for span, _ in found)))


def _hour(found: re.Match[str]) -> Clock:
    counted = amount(found["hour"])
    return Clock(int(counted.number) % 12 if counted else 0, 0, False)


def _differ(own: _Value, value: _Value) -> bool:
    if isinstance(own, Amount):
        return isinstance(value, Amount) and differ(own, value)
    if isinstance(own, Clock):
        return isinstance(value, Clock) and own.is_not(value)
    if isinstance(own, Span):
        if isinstance(value, Clock):  # neither of its ends
            return all((60 * value.hour + value.minute - end) % 720 for end in own[:2])
        return isinstance(value, Span) and own.is_not(value)
    if isinstance(own, Rhythm):
        return isinstance(value, Rhythm) and own.is_not(value)
    if isinstance(value, (Amount, Clock, Span, Rhythm)):
        return False
    return any(one != other and one and other for one, other in zip(own, value, strict=True))


def _of_its_sort(own: _Value | None, value: _Value) -> bool:
    """Whether a value could be that of an item: a bare number of anything that is counted."""
    if isinstance(own, Amount) and isinstance(value, Amount):
        times = own.measure in SECONDS and value.measure in SECONDS
        return not value.measure or times or value.measure == own.measure
    return own is not None and type(own) is type(value)


def _alike(text: str, item: Known, wish: Wish) -> bool:
    """Whether a text has words that tell a value, and no figure that the value has not.

    The last one of several only says what sort of thing it is: "Back end" has nothing of "Front end".
    """
    figures, others = (set(re.findall(r"\d+", each)) for each in (item.value, text))
    if figures and others - figures:
        return False
    telling = item.value.rpartition(" ")[0] or item.value
    known = _words(f"{wish.sent} {item.role} {item.kind}".replace("_", " "))
    return bool((_words(telling) - known) & _words(text))


def _words(text: str) -> set[str]:
    found = re.findall(r"[^\W_]+", text.casefold())
    return {word.removesuffix("s") for word in found if len(word) > 2 and not word.isdigit()} - _LITTLE


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """A text with bars in place of these spans, and all else where it was."""
    signs = list(text)
    for start, end in spans:
        signs[start:end] = "|" * (end - start)
    return "".join(signs)
