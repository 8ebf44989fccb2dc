"""Amounts: numbers with what they count, read from a value, found in a text, and told apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

__all__ = (
    "CURRENCIES",
    "MEASURES",
    "MONTHS",
    "NO_DATE",
    "NUMBER",
    "SECONDS",
    "UNITS",
    "Amount",
    "amount",
    "amounts",
    "differ",
    "measure_of",
    "words",
)

_DIGITS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")

MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
NO_DATE: Final = "".join(f"(?<!{month} )(?<!{month[:3]} )" for month in MONTHS)
"""Before a number that is no day of a month."""

MEASURES: Final = {
    "minute": r"min(?:ute)?s?",
    "hour": r"h(?:ou)?rs?|h",
    "day": "days?",
    "week": "weeks?|wks?",
    "month": "months?",
    "year": "years?",
    "percent": r"percent|per cent|pct|%",
    "second": "sec(?:ond)?s?",
    "point": "(?:percentage )?points?",
    "euro": "euros?|eur|€",
    "dollar": r"dollars?|usd|\$",
}
UNITS: Final = {
    **MEASURES,
    "fortnight": "fortnights?",
    "pound": "pounds?|gbp|£",
    "per mille": "per ?mill?e|‰",
    "basis point": "basis points?|bps",
    "fahrenheit": "degrees? f(?:ahrenheit)?|° ?f|fahrenheit",
    "degree": "degrees?(?: c(?:elsius)?(?!\\w))?|° ?c(?!\\w)|°|celsius|c",
}
"""With those that a user does not say in a way of its own."""

CURRENCIES: Final = {"euro": "€|eur", "dollar": r"(?:us)?\$|usd", "pound": "£|gbp"}
"""Signs and codes that may stand before an amount."""

NUMBER: Final = re.compile(
    rf"(\d+(?:\.\d+)?|{'|'.join(_DIGITS + _TENS[2:])})(?:[ -]?({'|'.join(MEASURES.values())}))?", re.IGNORECASE
)

_WORD: Final = "|".join(sorted({*_DIGITS, *_TENS[2:]}, key=len, reverse=True))
_FIGURES: Final = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?"
_SAID: Final = (
    rf"(?:(?:{_FIGURES})(?: ?k(?!\w)| (?:thousand|grand|million)(?!\w))?"
    rf"|(?:{_WORD})(?:(?:[ -]| and )(?:{_WORD}|hundred|thousand|million)){{0,6}}(?: and a half| point (?:{_WORD}))?)"
)
_SIGN: Final = r"(?:minus |negative |[-\N{MINUS SIGN}] ?)"
_MONEY: Final = "|".join(CURRENCIES.values())
_VALUE: Final = re.compile(
    rf"(?P<sign>{_SIGN})?(?:(?P<money>{_MONEY}) ?)?(?P<number>{_SAID})"
    rf"(?:[ -]?(?P<unit>{'|'.join(UNITS.values())})|[ -](?P<noun>[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*){{0,2}}))?",
    re.IGNORECASE,
)
_UNIT: Final = "|".join(UNITS.values())
_IN_TEXT: Final = re.compile(
    rf"(?<![\w:./-])(?<!\d,){NO_DATE}(?P<sign>{_SIGN})?(?:(?P<money>{_MONEY}) ?)?"
    rf"(?:(?P<number>{_SAID})|(?P<single>an?)(?= (?:{_UNIT})(?!\w)))"
    r"(?![\w:/]|[.,]\d|-\d| ?(?:am|pm|a\.m|p\.m)\b| o'clock"
    rf"| (?:of )?(?:{'|'.join(f'{month}|{month[:3]}' for month in MONTHS)})(?!\w))"
    rf"(?:[ -]?(?P<unit>{_UNIT})(?!\w))?",
    re.IGNORECASE,
)
_FRACTION: Final = re.compile(
    r"(?<!\w)(?:(?P<much>an?|three|3)[ -])?(?P<part>half|quarters?)(?: (?:of )?an? (?P<unit>hour|day|week|year))(?!\w)"
    r"|(?<!\w)an? (?P<whole>hour|day|week|year) and an? (?P<more>half|quarter)(?!\w)",
    re.IGNORECASE,
)
_UNCLEAR: Final = re.compile(r"[1-9]\d{0,2}\.\d{3}")
"""Figures of which nobody can say whether they are thousands."""

_NO_NUMBER: Final = re.compile(
    r"\b(?:the|this|that|which|what|any|each|every|another|other|no|right|wrong|same|new|old|first|last) one\b"
    r"|\bone(?= (?:of|that|who|which|with|from|for|is|was|more|by|at|on|in|to|and|or)\b|\W*$|[.,;:?!])"
    r"|\bone(?= (?:half|third|quarter|fifth|tenth)\b)",
    re.IGNORECASE,
)
"""Where "one" counts nothing, or a share."""

SECONDS: Final = {
    "second": (1, 1), "minute": (60, 60), "hour": (3600, 3600), "day": (86_400, 86_400), "week": (604_800, 604_800),
    "fortnight": (1_209_600, 1_209_600), "month": (28 * 86_400, 31 * 86_400), "year": (365 * 86_400, 366 * 86_400),
}  # fmt: skip
"""How many seconds the measures of time have, at least and at most."""


class Amount(NamedTuple):
    """A number, and the measure (a key of `UNITS`) or the noun that it counts, if any."""

    number: float
    measure: str = ""
    noun: str = ""


def words(number: int) -> str:
    """A whole number up to 9,999 in words; larger ones stay digits."""
    if not 0 <= number < 10_000:
        return str(number)
    if number >= 1000:
        return f"{words(number // 1000)} thousand {words(number % 1000) if number % 1000 else ''}".strip()
    if number >= 100:
        return f"{words(number // 100)} hundred {words(number % 100) if number % 100 else ''}".strip()
    if number >= 20:
        return f"{_TENS[number // 10]} {_DIGITS[number % 10] if number % 10 else ''}".strip()
    return _DIGITS[number]


def measure_of(unit: str | None) -> str:
    """The measure that a unit is written for, "" where there is none."""
    return next((name for name, form in UNITS.items() if unit and re.fullmatch(form, unit, re.IGNORECASE)), "")


def amount(value: str) -> Amount | None:
    """What a value as a whole counts: "30-minute", "minus 12 degrees", "€48,000", "four boxes"; None of other words."""
    found = _VALUE.fullmatch(value.strip())
    number = _number(found["number"]) if found else None
    if found is None or number is None:
        return None
    return Amount(-number if found["sign"] else number, _measured(found), found["noun"] or "")


def amounts(text: str) -> Iterator[tuple[tuple[int, int], Amount]]:
    """Where a text has amounts, and which: no part of a day, a time of day or a name with a figure in it."""
    taken = [found.span() for found in _NO_NUMBER.finditer(text)]
    for found in _FRACTION.finditer(text):
        taken.append(found.span())
        whole = 0.5 if (found["part"] or found["more"]).casefold() == "half" else 0.25
        if found["whole"]:
            yield found.span(), Amount(1 + whole, found["whole"].casefold())
        else:
            yield found.span(), Amount(whole * (3 if found["much"] in ("three", "3") else 1), found["unit"].casefold())
    taken.sort()
    at = 0
    for found in _IN_TEXT.finditer(text):
        while at < len(taken) and taken[at][1] <= found.start():
            at += 1
        number = 1.0 if found["single"] else _number(found["number"])
        if found["number"] and _UNCLEAR.fullmatch(found["number"]):
            number = None
        if number is not None and not (at < len(taken) and taken[at][0] < found.end()):
            below = re.compile(r" below\b", re.IGNORECASE).match(text, found.end())
            yield found.span(), Amount(-number if found["sign"] or below else number, _measured(found))


def differ(one: Amount, other: Amount) -> bool:
    """Whether two amounts are certainly not the same: 60 days may be two months, and 63 degrees of Fahrenheit 17."""
    if {one.measure, other.measure} == {"degree", "fahrenheit"}:
        return False
    if not (one.measure and other.measure):
        return one.number != other.number
    if one.measure in SECONDS and other.measure in SECONDS:
        (low, high), (least, most) = (
            sorted(each.number * much for much in SECONDS[each.measure]) for each in (one, other)
        )
        return low > most + 1e-6 or least > high + 1e-6
    return one.measure != other.measure or one.number != other.number


def _measured(found: re.Match[str]) -> str:
    sign = found["money"]
    before = next((name for name, form in CURRENCIES.items() if sign and re.fullmatch(form, sign, re.IGNORECASE)), "")
    return before or measure_of(found["unit"])


def _number(text: str) -> float | None:
    """The number of "1,250", "7,5", "48k" or "three hundred and twenty"; None of words that are none together."""
    plain = text.casefold().replace("-", " ")
    if plain[0].isdigit():
        figures: str = re.findall(_FIGURES, plain)[0]
        grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", figures)
        number = float(figures.replace(",", "") if grouped else figures.replace(",", "."))
        return number * {"k": 1e3, "thousand": 1e3, "grand": 1e3, "million": 1e6}.get(plain[len(figures) :].strip(), 1)
    plain, half, _ = plain.partition(" and a half")
    plain, point, behind = plain.partition(" point ")
    whole = _counted(plain.replace(" and ", " ").split())
    if whole is None:
        return None
    return whole + (0.5 if half else 0) + (_DIGITS.index(behind) / 10 if point and behind in _DIGITS[:10] else 0)


def _counted(parts: list[str]) -> int | None:
    """The number that words say one after the other, of which each has to be less than the one before."""
    total, group, room = 0, 0, 1000
    for part in parts:
        if part in ("thousand", "million"):
            total, group, room = total + (group or 1) * (1000 if part == "thousand" else 1_000_000), 0, 1000
        elif part == "hundred":
            if not 0 < group < 10:
                return None
            group, room = 100 * group, 100
        else:
            number = _DIGITS.index(part) if part in _DIGITS else 10 * _TENS.index(part)
            if number >= room:
                return None
            group, room = group + number, 10 if number >= 20 else 0
    return total + group
