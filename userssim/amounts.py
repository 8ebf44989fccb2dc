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
    "converted",
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
    "percent": f"{MEASURES['percent']}|(?:in|out of) (?:a|one) hundred",
    "fortnight": "fortnights?",
    "pound": "pounds?|lbs?|gbp|£",
    "per mille": "per ?mill?e|‰",
    "basis point": "basis points?|bps",
    "fahrenheit": "degrees? f(?:ahrenheit)?|° ?f|fahrenheit",
    "degree": "degrees?(?: c(?:elsius)?(?!\\w))?|° ?c(?!\\w)|°|celsius|c",
    "cent": "cents?|cts?|¢",
    "penny": "pence|penn(?:y|ies)",
    "millimetre": "mm|millimet(?:re|er)s?",
    "centimetre": "cm|centimet(?:re|er)s?",
    "kilometre": "km|kilomet(?:re|er)s?",
    "metre": "met(?:re|er)s?",
    "mile": "miles?",
    "foot": "feet|foot|ft",
    "inch": "inch(?:es)?",
    "milligram": "mg|milligram(?:me)?s?",
    "kilogram": "kgs?|kilo(?:gram(?:me)?)?s?",
    "gram": "gram(?:me)?s?|gr?",
    "tonne": "tonnes?|tons?",
    "ounce": "ounces?|oz",
    "millilitre": "ml|millilit(?:re|er)s?",
    "centilitre": "cl|centilit(?:re|er)s?",
    "litre": "lit(?:re|er)s?|ltrs?|l",
    "kilobyte": "kb|kilobytes?",
    "megabyte": "mb|megabytes?",
    "gigabyte": "gb|gigabytes?",
    "terabyte": "tb|terabytes?",
}
"""With those that a user does not say in a way of its own. A bare "m" behind a number may be metres or minutes."""

CURRENCIES: Final = {"euro": "€|eur", "dollar": r"(?:us)?\$|usd", "pound": "£|gbp"}
"""Signs and codes that may stand before an amount."""

NUMBER: Final = re.compile(
    rf"(\d+(?:\.\d+)?|{'|'.join(_DIGITS + _TENS[2:])})(?:[ -]?({'|'.join(MEASURES.values())}))?", re.IGNORECASE
)

_WORD: Final = "|".join(sorted({*_DIGITS, *_TENS[2:]}, key=len, reverse=True))
_FIGURES: Final = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?"
_SAID: Final = (
    rf"(?:(?:{_FIGURES})(?: ?k(?!\w)| (?:hundred|thousand|grand|million|dozen)(?!\w))?"
    rf"|(?:{_WORD}|an?(?= (?:hundred|thousand|million|dozen)(?!\w)))"
    rf"(?:(?:[ -]| and )(?:{_WORD}|hundred|thousand|million|dozen)){{0,6}}"
    rf"(?: and a half(?: (?:hundred|thousand|million|dozen)(?!\w))?| point (?:{_WORD}))?"
    r"|half a dozen)"
)
_SIGN: Final = r"(?:minus |negative |[-\N{MINUS SIGN}] ?)"
_TIMES: Final = {"k": 1e3, "hundred": 100, "thousand": 1e3, "grand": 1e3, "million": 1e6, "dozen": 12}
_MONEY: Final = "|".join(CURRENCIES.values())
_UNIT: Final = "|".join(UNITS.values())
_VALUE: Final = re.compile(
    rf"(?P<sign>{_SIGN})?(?:(?P<money>{_MONEY}) ?)?(?:(?P<number>{_SAID})|an?(?= (?:{_UNIT})\Z))"
    rf"(?:[ -]?(?P<unit>{_UNIT})|[ -](?P<noun>[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*){{0,2}}))?",
    re.IGNORECASE,
)
_IN_TEXT: Final = re.compile(
    rf"(?<![\w:./-])(?<!\d,){NO_DATE}(?P<sign>{_SIGN})?(?:(?P<money>{_MONEY}) ?)?"
    rf"(?:(?P<number>{_SAID})|(?P<single>an?)(?= (?:{_UNIT})(?!\w)))"
    rf"(?:[ -]?(?P<unit>{_UNIT})(?!\w)|(?![\w:/]|[.,]\d|-\d| ?(?:am|pm|a\.m|p\.m)\b| o'clock"
    rf"| (?:of )?(?:{'|'.join(f'{month}|{month[:3]}' for month in MONTHS)})(?!\w)))",
    re.IGNORECASE,
)
_FRACTION: Final = re.compile(
    r"(?<!\w)(?<!and )(?<!and a )"
    r"(?:(?:(?P<many>one|two|three|2|3|an?)[ -])?(?P<part>half|quarters?|thirds?)[ -](?:of )?(?:an? |one )?"
    rf"(?P<unit>{_UNIT})|an? (?P<whole>{_UNIT}) and an? (?P<more>half|quarter)"
    rf"|(?:the|this|that|an?|one) (?:full|whole|past|entire) (?P<one>{_UNIT}))(?!\w)",
    re.IGNORECASE,
)
_PARTS: Final = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4}
_UNCLEAR: Final = re.compile(r"[1-9]\d{0,2}\.\d{3}")
"""Figures of which nobody can say whether they are thousands."""

_NO_NUMBER: Final = re.compile(
    r"\b(?:the|this|that|which|what|any|each|every|another|other|no|right|wrong|same|new|old|first|last) one\b"
    r"|\bone(?= (?:of|that|who|which|with|from|for|is|was|more|by|at|on|in|to|and(?! a half)|or)\b|\W*$|[.,;:?!])"
    r"|\bone(?= (?:half|third|quarter|fifth|tenth)\b)|(?<=in )a hundred\b|(?<=out of )(?:a|one) hundred\b",
    re.IGNORECASE,
)
"""Where "one" counts nothing, or a share."""

SECONDS: Final[dict[str, tuple[float, float]]] = {
    "second": (1, 1), "minute": (60, 60), "hour": (3600, 3600), "day": (86_400, 86_400), "week": (604_800, 604_800),
    "fortnight": (1_209_600, 1_209_600), "month": (28 * 86_400, 31 * 86_400), "year": (360 * 86_400, 366 * 86_400),
}  # fmt: skip
"""How many seconds the measures of time have, at least and at most; 52 weeks or 360 days are meant as a year, too."""

_SCALES: Final[tuple[dict[str, tuple[float, float]], ...]] = (
    SECONDS,
    {
        "millimetre": (1, 1), "centimetre": (10, 10), "metre": (1000, 1000), "kilometre": (1e6, 1e6),
        "inch": (25, 26), "foot": (300, 305), "mile": (1.6e6, 1.61e6),
    },
    {
        "milligram": (1, 1), "gram": (1000, 1000), "kilogram": (1e6, 1e6), "tonne": (1e9, 1e9),
        "ounce": (28_000, 30_000), "pound": (450_000, 500_000),
    },
    {"millilitre": (1, 1), "centilitre": (10, 10), "litre": (1000, 1000)},
    {
        "kilobyte": (1, 1), "megabyte": (1000, 1024), "gigabyte": (1e6, 1024**2), "terabyte": (1e9, 1024**3),
    },
    {"cent": (1, 1), "euro": (100, 100)},
    {"cent": (1, 1), "dollar": (100, 100)},
    {"penny": (1, 1), "pound": (100, 100)},
)  # fmt: skip
"""Measures of one thing, and how many of its smallest each has, at least and at most."""


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
    """What a value as a whole counts: "30-minute", "minus 12 degrees", "€48,000", "a litre", "four boxes".

    None of other words.
    """
    if part := _FRACTION.fullmatch(value.strip()):
        return _part(part)
    found = _VALUE.fullmatch(value.strip())
    number = (_number(found["number"]) if found["number"] else 1.0) if found else None
    if found is None or number is None:
        return None
    noun = found["noun"] or ""
    measure = "metre" if noun == "m" else _measured(found)
    return Amount(-number if found["sign"] else number, measure, "" if measure else noun)


def amounts(text: str) -> Iterator[tuple[tuple[int, int], Amount]]:
    """Where a text has amounts, and which: no part of a day, a time of day or a name with a figure in it."""
    taken = [found.span() for found in _NO_NUMBER.finditer(text)]
    for found in _FRACTION.finditer(text):
        taken.append(found.span())
        yield found.span(), _part(found)
    taken.sort()
    at = 0
    for found in _IN_TEXT.finditer(text):
        while at < len(taken) and taken[at][1] <= found.start():
            at += 1
        number = 1.0 if found["single"] else _number(found["number"])
        if found["number"] and _UNCLEAR.fullmatch(found["number"]):
            number = None
        ends = found.end("number") if found["number"] else found.end()
        if number is not None and not (at < len(taken) and taken[at][0] < ends):
            below = re.compile(r" below\b", re.IGNORECASE).match(text, found.end())
            yield found.span(), Amount(-number if found["sign"] or below else number, _measured(found))


def converted(counted: Amount) -> Iterator[Amount]:
    """The same in other measures of that thing, where one has so many of the other for certain."""
    for sizes in _SCALES:
        low, high = sizes.get(counted.measure, (0, 1))
        if low == high:
            others = ((name, size) for name, (size, most) in sizes.items() if size == most and name != counted.measure)
            yield from (Amount(counted.number * low / size, name) for name, size in others)


def differ(one: Amount, other: Amount) -> bool:
    """Whether two amounts are certainly not the same: 60 days may be two months, and 63 degrees of Fahrenheit 17."""
    if {one.measure, other.measure} == {"degree", "fahrenheit"}:
        return False
    if not (one.measure and other.measure) or one.measure == other.measure:
        return one.number != other.number
    sizes = next((each for each in _SCALES if one.measure in each and other.measure in each), None)
    if sizes:
        (low, high), (least, most) = (
            sorted(each.number * much for much in sizes[each.measure]) for each in (one, other)
        )
        return low > most + 1e-6 or least > high + 1e-6
    return True


def _part(found: re.Match[str]) -> Amount:
    """Half an hour, two thirds of a litre, a kilo and a quarter, the full hour."""
    if found["one"]:
        return Amount(1, measure_of(found["one"]))
    share = _PARTS[(found["part"] or found["more"]).casefold().removesuffix("s")]
    if found["whole"]:
        return Amount(1 + share, measure_of(found["whole"]))
    many = {"two": 2, "2": 2, "three": 3, "3": 3}.get((found["many"] or "").casefold(), 1)
    return Amount(many * share, measure_of(found["unit"]))


def _measured(found: re.Match[str]) -> str:
    sign = found["money"]
    before = next((name for name, form in CURRENCIES.items() if sign and re.fullmatch(form, sign, re.IGNORECASE)), "")
    return before or measure_of(found["unit"])


def _number(text: str) -> float | None:
    """The number of "1,250", "7,5", "48k" or "three hundred and twenty"; None of words that are none together."""
    plain = text.casefold().replace("-", " ")
    if plain == "half a dozen":
        return 6
    if plain[0].isdigit():
        figures: str = re.findall(_FIGURES, plain)[0]
        grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", figures)
        number = float(figures.replace(",", "") if grouped else figures.replace(",", "."))
        return number * _TIMES.get(plain[len(figures) :].strip(), 1)
    plain, half, times = plain.partition(" and a half")
    plain, point, behind = plain.partition(" point ")
    whole = _counted(plain.replace(" and ", " ").split())
    if whole is None:
        return None
    if half:
        return (whole + 0.5) * _TIMES.get(times.strip(), 1)
    return whole + (_DIGITS.index(behind) / 10 if point and behind in _DIGITS[:10] else 0)


def _counted(parts: list[str]) -> int | None:
    """The number that words say one after the other, of which each has to be less than the one before."""
    total, group, room = 0, 0, 1000
    for part in parts:
        if part in ("thousand", "million"):
            total, group, room = total + (group or 1) * (1000 if part == "thousand" else 1_000_000), 0, 1000
        elif part in ("hundred", "dozen"):  # of twelve hundred, too
            if not 0 < group < 100:
                return None
            group, room = (100 if part == "hundred" else 12) * group, 100 if part == "hundred" else 0
        else:
            number = 1 if part in ("a", "an") else _DIGITS.index(part) if part in _DIGITS else 10 * _TENS.index(part)
            if number >= room:
                return None
            group, room = group + number, 10 if number >= 20 else 0
    return total + group
