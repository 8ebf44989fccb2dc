"""Spans between two times of day ("from 2 to 4 pm", "14:00-16:00"), and how often something is ("twice a year")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from userssim.amounts import SECONDS, UNITS, amount, measure_of
from userssim.times import HOURS, half_of

__all__ = ("Rhythm", "Span", "rhythm", "rhythms", "span", "spans")

_HOURS: Final = {**HOURS, "noon": 12, "midnight": 24}
_TIME: Final = rf"(\d{{1,2}}|{'|'.join(_HOURS)})(?:[:.](\d\d))?(?: ?([ap])\.?m\.?(?!\w)| o'clock)?"
_SPAN: Final = re.compile(
    rf"(?<![\w:./,-])(?:(from |between )?{_TIME})(?: ?[-\N{{EN DASH}}] ?| (?:to|till?|until|(and)) ){_TIME}"
    r"(?: (?:in the|this) (morning|afternoon|evening))?(?![\w:/%]|[.,-]\d)",
    re.IGNORECASE,
)
_NOTHING_COUNTED: Final = re.compile(
    r"\W*\Z|[.,;:?!)]| (?:to(?:day|morrow)|and|or|at|on|is|as|for|then|instead|with|it|in|that|this|every|each|sharp"
    r"|right|correct|ok|okay|please|works?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b",
    re.IGNORECASE,
)
"""Behind two bare numbers, where they are no two to four people."""
_AT_NIGHT: Final = re.compile(r"\b(?:night|overnight|early|maintenance|servers?|backups?|deploy\w*)\b", re.IGNORECASE)


class Span(NamedTuple):
    """From when to when, in minutes of the day; where that may be in either half, they are below 720."""

    start: int
    end: int
    sure: bool

    def fits(self, other: Span) -> bool:
        """Whether who says the other certainly means this one: 2 to 4 may stand for 14:00-16:00, not 2-4 pm for 2-4."""
        return not self.is_not(other) and (self.sure or not other.sure)

    def is_not(self, other: Span) -> bool:
        """Whether the two are certainly not the same."""
        day = 1440 if self.sure and other.sure else 720
        return (self.start - other.start) % day != 0 or (self.end - other.end) % day != 0


def span(value: str, request: str = "") -> Span | None:
    """The span that a value as a whole is.

    Where it says no half of the day, one that begins between noon and seven is in the afternoon, unless the request is
    about the morning or the night.
    """
    found = _SPAN.fullmatch(value.strip())
    read = _read(found) if found else None
    early = half_of(request) == "am" or _AT_NIGHT.search(request)
    if read and not read.sure and not early and read.start < 420:
        return Span(read.start + 720, (read.end - read.start) % 720 + read.start + 720, True)
    return read


def spans(text: str) -> Iterator[tuple[tuple[int, int], Span]]:
    """Where a text has spans of two times of day, and which."""
    for found in _SPAN.finditer(text):
        read = _read(found)
        if read and (not _bare(found) or _NOTHING_COUNTED.match(text, found.end())):
            yield found.span(), read


def _bare(found: re.Match[str]) -> bool:
    """Whether it is two numbers that may count anything: "2 to 4", not "2 to 4 pm", "2:00-4:00" or "nine to noon"."""
    return re.search(r"[:.]\d\d|[ap]\.?m|o'clock|noon|night|morning|evening", found[0], re.IGNORECASE) is None


def _read(found: re.Match[str]) -> Span | None:
    between, hour, minute, half, both, to_hour, to_minute, to_half, part = found.groups()
    hours = [_HOURS.get(each.casefold()) or int(each) for each in (hour, to_hour)]
    minutes = [int(each or 0) for each in (minute, to_minute)]
    if max(hours) > 24 or max(minutes) > 59 or (both and not between):  # 3 and 4 are no span
        return None
    start, end = (60 * each + more for each, more in zip(hours, minutes, strict=True))
    late = to_half or (("a" if part.casefold() == "morning" else "p") if part else "")
    if not (half or late or max(hours) > 12 or "0" in (hour[0], to_hour[0])):
        return Span(start % 720, end % 720, False)
    if half or late:
        start, end = start % 720, end % 720
        after = half.casefold() == "p" if half else late.casefold() == "p" and start < end  # 11-1 pm begins before noon
        start += 720 * after
    if late:
        return Span(start, end + 720 * (late.casefold() == "p"), True)
    return Span(start, end + 720 if end < start < end + 720 else end, True)


class Rhythm(NamedTuple):
    """How long it is from one time to the next, in months or in days."""

    months: float
    days: float

    def is_not(self, other: Rhythm) -> bool:
        """Whether the two are certainly not the same: a month is four weeks or somewhat more."""
        if bool(self.months) == bool(other.months):
            return self != other
        months, days = max(self.months, other.months), max(self.days, other.days)
        return not 28 * months <= days <= 31 * months


_NAMED: Final = {
    "hourly": (1, "hour"), "daily": (1, "day"), "weekly": (1, "week"), "fortnightly": (2, "week"),
    "monthly": (1, "month"), "quarterly": (3, "month"), "half-yearly": (6, "month"), "semiannually": (6, "month"),
    "yearly": (1, "year"), "annually": (1, "year"), "every quarter": (3, "month"), "once a quarter": (3, "month"),
}  # fmt: skip
_UNIT: Final = "|".join(UNITS[each] for each in SECONDS if each not in ("second", "minute"))
_TIMES: Final = {"once": 1, "twice": 2, "thrice": 3}
_COUNT: Final = {"other": 2, "second": 2, "third": 3, "fourth": 4, "half": 0.5}
_OFTEN: Final = re.compile(
    rf"(?<![\w-])(?:(?:(?P<times>once|twice|thrice|(?P<number>\d{{1,2}}|{'|'.join(_HOURS)})(?: times|x))"
    rf" (?:(?:an?|per|each|every|in an?) (?P<in>{_UNIT})|(?P<within>hourly|daily|weekly|monthly|yearly|annually)))"
    rf"|(?P<named>{'|'.join(_NAMED)})"
    rf"|every (?:(?P<nth>{'|'.join(_COUNT)}) |(?P<each>\d{{1,2}}|{'|'.join(_HOURS)})[ -])?(?P<unit>{_UNIT}))(?!\w)",
    re.IGNORECASE,
)
_INTERVAL: Final = re.compile(r"interval|frequency|how often|rhythm|period between", re.IGNORECASE)


def rhythm(value: str, called: str = "") -> Rhythm | None:
    """How often a value as a whole says that something is: "every six months"; "six months" if `called` an interval."""
    found = _OFTEN.fullmatch(value.strip())
    if found:
        return _every(found)
    counted = amount(value) if _INTERVAL.search(called) else None
    return _lasting(counted.number, counted.measure) if counted else None


def rhythms(text: str) -> Iterator[tuple[tuple[int, int], Rhythm]]:
    """Where a text says how often something is, and how often."""
    for found in _OFTEN.finditer(text):
        if often := _every(found):
            yield found.span(), often


def _every(found: re.Match[str]) -> Rhythm | None:
    if found["named"]:
        return _lasting(*_NAMED[found["named"].casefold()])
    if found["times"]:
        number = _figure(found["number"]) if found["number"] else _TIMES[found["times"].casefold()]
        many, measure = _NAMED[found["within"].casefold()] if found["within"] else (1, measure_of(found["in"]))
        return _lasting(many / number, measure) if number else None
    each = _COUNT[found["nth"].casefold()] if found["nth"] else _figure(found["each"]) if found["each"] else 1
    return _lasting(each, measure_of(found["unit"]))


def _figure(text: str) -> int:
    return _HOURS.get(text.casefold()) or int(text)


def _lasting(number: float, measure: str) -> Rhythm | None:
    if measure in ("month", "year"):
        return Rhythm(number * (12 if measure == "year" else 1), 0)
    return Rhythm(0, number * SECONDS[measure][0] / SECONDS["day"][0]) if measure in SECONDS else None
