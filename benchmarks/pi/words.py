"""Texts made comparable: case, spaces, punctuation, numbers and dates in one form."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

__all__ = ("inside", "normal", "numbers")

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
            "september sep sept", "october oct", "november nov", "december dec",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY_FIRST: Final = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})\b\.?,?(?: (\d{{4}})\b)?")
_MONTH_FIRST: Final = re.compile(rf"\b({_MONTH})\b\.? (\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}})\b)?")
_NUMBER: Final = re.compile(r"(?<![\w.-])-?\d+(?:,\d{3})*(?:\.\d+)?(?!\w)(?!\.\d)")


@lru_cache(maxsize=8192)  # a criterion is held against every row, and the same rows come again in each trial
def normal(text: str) -> str:
    """Lower case, single spaces, no punctuation but in numbers; `14 April 2026` and `April 14th, 2026` are one.

    A date is `2026-04-14`, without a year `--04-14`; `1,200.50` is `1200.5`.
    """
    plain = " ".join(text.lower().split())
    plain = _DAY_FIRST.sub(lambda found: _date(found[3], found[2], found[1]), plain)
    plain = _MONTH_FIRST.sub(lambda found: _date(found[3], found[1], found[2]), plain)
    plain = _NUMBER.sub(lambda found: f"{_value(found[0]):.12g}", plain)
    kept = re.sub(r"(?<!\d)\.|\.(?!\d)|[^\w.%/@+-]", " ", plain)
    return " ".join(kept.split())


def inside(phrase: str, text: str) -> bool:
    """Whether a phrase stands in a text, in whole words and in whatever common form."""
    return f" {normal(phrase)} " in f" {normal(text)} "


def numbers(text: str) -> list[float]:
    """The numbers of a text in order, thousands separated by commas or not; parts of dates and words are none."""
    return [_value(found) for found in _NUMBER.findall(re.sub(r"\b\d{4}-\d\d-\d\d\S*", " ", text))]


def _value(text: str) -> float:
    return float(text.replace(",", ""))


def _date(year: str | None, month: str, day: str) -> str:
    return f"{year or '-'}-{_MONTHS[month]:02}-{int(day):02}"
