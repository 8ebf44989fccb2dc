"""Forms of a value: regular expressions of the ways in which people say amounts, days, times of day and texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from servers.kernel import ordinal
from userssim.amounts import CURRENCIES, MEASURES, MONTHS, NO_DATE, UNITS, Amount, amount, converted, words
from userssim.times import ORDINALS, Half, clock, clock_forms, day, day_forms, no_other_weekday, nth

__all__ = ("loosely", "minutes", "pattern", "typed")

_OTHER_WAYS: Final[dict[tuple[float, str], tuple[str, ...]]] = {
    (15, "minute"): ("a quarter of an hour", "quarter of an hour", "quarter hour", "quarter-hour"),
    (30, "minute"): ("half an hour", "half hour", "half-hour"),
    (45, "minute"): ("three quarters of an hour", "three-quarters of an hour"),
    (60, "minute"): ("an hour", "one hour", "1 hour", "1h", "1 h", "full hour"),
    (90, "minute"): ("an hour and a half", "one and a half hours", "1.5 hours", "hour and a half"),
    (120, "minute"): ("two hours", "2 hours", "2h", "2 h"),
    (60, "second"): ("a minute", "one minute", "1 minute"),
    (90, "second"): ("a minute and a half", "one and a half minutes", "1.5 minutes"),
    (120, "second"): ("two minutes", "2 minutes"),
    (1, "hour"): ("an hour", "full hour", "60 minutes", "sixty minutes", "60 min"),
    (2, "hour"): ("120 minutes", "120 min"),
    (7, "day"): ("a week", "one week", "1 week"),
    (14, "day"): ("two weeks", "2 weeks", "a fortnight"),
    (21, "day"): ("three weeks", "3 weeks"),
    (28, "day"): ("four weeks", "4 weeks"),
    (30, "day"): ("a month", "one month"),
    (1, "week"): ("a week", "seven days", "7 days"),
    (2, "week"): ("a fortnight", "fourteen days", "14 days"),
    (1, "day"): ("a day",),
    (1, "month"): ("a month",),
    (10, "percent"): ("a tenth", "one tenth"),
    (20, "percent"): ("a fifth", "one fifth"),
    (25, "percent"): ("a quarter", "one quarter"),
    (40, "percent"): ("two fifths",),
    (60, "percent"): ("three fifths",),
    (75, "percent"): ("three quarters",),
    (80, "percent"): ("four fifths",),
    (6, ""): ("half a dozen",),
    (12, ""): ("a dozen", "one dozen"),
    (24, ""): ("two dozen",),
    (12, "month"): ("a year", "one year", "1 year"),
    (1, "year"): ("a year", "twelve months", "12 months"),
    (6, "month"): ("half a year",),
}
_WHOLE: Final = (
    r"(?<!half )(?<!half a )(?<!half of )(?<!quarter of )(?<!quarters of )(?<!third of )(?<!thirds of )"
    r"(?<!once )(?<!twice )(?<!times )"
)
"""Before "an hour": the end of half an hour is no hour, nor that of twice an hour."""
_LEAD: Final = r"(?<![\w:./-])"
_AS_CLOCK: Final = rf"(?! (?:to|past) (?:\d|(?:{'|'.join(words(hour) for hour in range(1, 13))})\b))"
"""Behind "a quarter": of a quarter to nine it is no fourth part."""
_OF_PERCENT: Final = r"(?! (?:of (?:an?|one) )?(?:percent|per cent|%|point|per mille?\b))"
"""And of a quarter of a percent no 25."""
_POSITIVE: Final = r"(?<!minus )(?<!negative )(?<!\N{MINUS SIGN})(?<!\d,)(?!(?<=\d )\d{3}(?!\d))"
"""Before a number that is not below zero, nor the end of a longer one."""

_MORE: Final = (
    "".join(f"(?<!{words(10 * ten)} )" for ten in range(2, 10)) + "(?<!hundred )(?<!hundred and )(?<!thousand )"
)
_LESS: Final = rf"(?![ -](?:{'|'.join(words(number) for number in range(1, 10))})\b)"
_LESS_HUNDRED: Final = (
    rf"(?!(?:[ -]and)?[ -](?:{'|'.join(words(number) for number in (*range(1, 20), *range(20, 100, 10)))})\b)"
)
"""Where a number in words is the end of another one ("twenty two"), and where it is the beginning."""

_SHARES: Final = {
    1 / 4: r"(?:an? |one )?quarter", 1 / 3: "(?:a|one) third", 1 / 2: "half", 2 / 3: r"two[ -]thirds",
    3 / 4: r"three[ -]quarters",
}  # fmt: skip
"""Parts of one as words say them."""
_SHORT: Final = {"metre": "m", "minute": r"m|'|\N{PRIME}", "cent": "c"}
"""Signs that stand for other measures, too."""

_FIGURES: Final = {
    **{ORDINALS[number]: ordinal(number) for number in range(1, 13)},
    **{words(number): str(number) for number in range(2, 21)},
}
_DAYS: Final = {
    "monday": "mon", "tuesday": "tues?", "wednesday": "(?-i:Weds?)", "thursday": "thu(?:rs?)?", "friday": "fri",
    "saturday": "(?-i:Sat)", "sunday": "(?-i:Sun)",
}  # fmt: skip
_SHORTER: Final = {
    "saint": "st", "mount": "mt", "doctor": "dr", "limited": "ltd", "department": "dept", "and": "&", "versus": "vs?",
    "street": "str?", "road": "rd", "avenue": "ave?", "square": "sq",
}  # fmt: skip
"""Words of names as they are shortened, with or without a full stop."""
_SIZES: Final = {
    "xs": "extra[ -]small|x-small", "s": "small", "m": "medium|med", "l": "large", "xl": "extra[ -]large|x-large",
    "xxl": "(?:double|extra)[ -]extra[ -]large|2 ?xl",
}  # fmt: skip
_ARTICLE: Final = re.compile(r"(?:the|an?)[ ](?=.{5})", re.IGNORECASE)


@lru_cache(maxsize=4096)
def pattern(value: str, day_meant: str = "", half: Half = "", *, copied: bool = False) -> re.Pattern[str]:
    """What finds a value in a text, in whatever form; of words that are to be `copied`, none but their own.

    `half` is the half of the day that is meant, where the value has none.
    """
    meant = day(day_meant)
    forms = (*_forms(value, half, copied), *(day_forms(*meant, day_meant[:4]) if meant else ()))
    return re.compile("|".join(forms), re.IGNORECASE)


def typed(value: str) -> bool:
    """Whether a value is an amount, a day or a time of day, which have forms of their own."""
    plain = value.strip()
    counted = _amount(plain)
    return bool((counted and not counted.noun) or day(plain) or clock(plain))


def _forms(value: str, half: Half, copied: bool) -> Iterator[str]:
    """Regular expressions of the ways to say a value, longer ones first where one begins with another."""
    month, number = (0, 0) if copied else nth(value)
    dated = (month, number) if number else None
    time = clock(value, half)
    counted = None if dated or time else _amount(value)
    if counted:
        yield from _amounts(counted)
        if counted.noun:
            yield from (rf"{_LEAD}{_POSITIVE}{_WHOLE}{_MORE}{form}" for form in _texts(value, copied))
    elif dated:
        year = re.match(r"\d{4}(?=-)", value.strip())
        yield from (rf"{no_other_weekday(value)}(?:{form})" for form in day_forms(*dated, *([year[0]] if year else ())))
        yield from _texts(value, copied)
    elif time:
        yield from clock_forms(time)
    else:
        yield from _texts(value, copied)


def _amount(value: str) -> Amount | None:
    """What a value counts, of "30-minute", "two weeks", "an hour", "four boxes"."""
    plain = value.strip().casefold()
    counted = amount(plain)
    if counted and counted.number % 1 == 0:
        return counted
    ways = (Amount(much, measure) for (much, measure), others in _OTHER_WAYS.items() if plain in others)
    return next(ways, counted)


def _amounts(counted: Amount) -> Iterator[str]:
    for other in _OTHER_WAYS.get((counted.number, counted.measure), ()):
        ends = rf"(?!\w)(?! and an? (?:half|quarter)| of an hour){_AS_CLOCK}{_OF_PERCENT}"
        yield rf"{_LEAD}{_WHOLE}{re.escape(other)}{ends}"
    yield from _converted(counted)
    if counted.measure:
        if counted.number == 1 and counted.measure not in ("second", "point"):  # a second one is no time
            yield _single(_unit(counted.measure))
        yield from _shared(counted.number, _unit(counted.measure))
        yield _number(counted, rf"(?:[ -]?(?:{_unit(counted.measure)})(?!\w))?(?! times (?:an?|per|each|every) )")
    else:
        yield _number(counted, rf"[ -]{_plural(counted.noun)}" if counted.noun else "")


def _unit(measure: str) -> str:
    return "|".join(filter(None, (MEASURES.get(measure) or UNITS[measure], _SHORT.get(measure))))


def _number(counted: Amount, behind: str) -> str:
    """An amount, with its unit `behind` it: no part of a date, a time of day, an ordinal, or an amount of another unit.

    What counts nothing may have any unit. A number below zero is said with its sign, and no other is.
    """
    ways = "|".join(_numbers(abs(counted.number)))
    named = counted.measure or counted.noun
    others = [unit for name, unit in UNITS.items() if name != counted.measure]
    if counted.measure not in ("metre", "minute"):
        others.append("m")
    barred = "|".join(others) if named else "(?!)"
    ends = (
        rf"(?![\w:/]|[.,]\d|-\d|[ -]?(?:{barred})(?!\w)| (?:am|pm|o'clock|(?:of )?(?:{'|'.join(MONTHS)}))(?!\w)"
        r"|[ -](?:hundred|thousand|grand|million|dozen|and a half|point \w)| k(?!\w)| below (?:zero|freezing))"
    )
    if counted.number < 0:
        degrees = rf"(?:[ -]?(?:{UNITS['degree']}))?"
        below = rf"{_LEAD}(?:{ways}){degrees} below(?: zero| freezing)?(?!\w)"
        return rf"{_LEAD}(?:minus |negative |[-\N{{MINUS SIGN}}] ?)(?:{ways}){behind}{ends}|{below}"
    other = r"(?<![€$£])(?<![€$£] )" if named else ""
    own = CURRENCIES.get(counted.measure)
    before = rf"(?:(?:{own}) ?|{other})" if own else other
    return rf"{_LEAD}{_POSITIVE}{NO_DATE}{before}(?:{ways}){behind}{ends}"


def _numbers(number: float) -> Iterator[str]:
    """A number in figures and words: 1250, 1,250.00, 1.25k, one thousand two hundred and fifty; 7.5, 7,50."""
    whole = int(number) if number < 1e12 else 0
    if number != whole:
        yield f"{number:.10g}".replace(".", r"(?:\.|,(?!\d{3}(?!\d)))") + "0*"  # 2,500 is not two and a half
        if number - whole == 0.5:
            yield from (rf"{each}[ -]and[ -]a[ -]half" for each in (str(whole), f"{_MORE}{_worded(whole)}"))
        if (tenth := round(number * 10)) == number * 10:
            yield rf"{_MORE}{_worded(whole)} point {words(tenth % 10)}"
        return
    for thousand, names in ((1000, "k|thousand|grand"), (1_000_000, "m|mio|million")):
        if whole >= thousand and whole * 100 % thousand == 0:
            yield rf"{whole / thousand:.10g} ?(?:{names})".replace(".", r"\.")
        if whole >= thousand and whole % thousand == 0 and whole < 1000 * thousand:
            yield rf"{_MORE}{_worded(whole // thousand)}[ -](?:{names}){_LESS_HUNDRED}"
    yield rf"(?:{'|'.join(dict.fromkeys((str(whole), f'{whole:,}', f'{whole:,}'.replace(',', ' '))))})(?:[.,]00?)?"
    if 1000 < whole < 10_000 and whole % 1000 >= 100:
        hundreds, rest = divmod(whole, 100)
        yield rf"{_MORE}{_worded(hundreds)}[ -]hundred{rf'(?: and)?[ -]{_worded(rest)}' if rest else _LESS_HUNDRED}"
    less = _LESS_HUNDRED if whole and whole % 100 == 0 else _LESS if whole % 100 >= 20 and whole % 10 == 0 else ""
    yield rf"{_MORE}{_worded(whole)}{less}"


def _worded(whole: int) -> str:
    found = words(whole).replace("hundred ", "hundred(?: and)? ").replace("thousand ", "thousand(?: and)? ")
    return re.sub(r"^one (?=hundred|thousand)", "(?:one|a) ", found).replace(" ", "[ -]")


def _plural(noun: str) -> str:
    """A noun in the singular or plural."""
    single = re.sub(r"(?<=[xhs])es$|s$", "", noun)
    return rf"{re.escape(single)}(?:e?s)?(?!\w)"


def _converted(counted: Amount) -> Iterator[str]:
    """An amount in other measures: 42 days for six weeks, half a litre for 500 ml, 1 h 15 for 75 minutes."""
    for number, measure, _ in converted(counted):
        unit = _unit(measure)
        yield from _shared(number, unit)
        if number == 1:
            yield _single(unit)
        if 0.01 <= number <= 100_000 and number == round(number, 3):
            ways = "|".join(_numbers(number))
            yield rf"{_LEAD}{_POSITIVE}{_WHOLE}(?:{ways})[ -]?(?:{unit})(?!\w)(?! and an? (?:half|quarter))"
            if sign := CURRENCIES.get(measure):
                yield rf"(?<!\w)(?:{sign}) ?(?:{ways})(?![\w:/]|[.,]\d)"
    if counted.measure == "minute" and 60 < counted.number < 600 and counted.number == int(counted.number):
        hours, rest = divmod(int(counted.number), 60)
        if rest:
            yield rf"{_LEAD}{hours}:{rest:02d} ?h(?:ou)?r?s?(?!\w)"
            yield rf"{_LEAD}{hours} ?h(?:(?:ou)?rs?)? ?(?:and )?{rest}(?: ?min(?:ute)?s?)?(?!\w)"
            yield rf"{_LEAD}(?:{_worded(hours)}|an) hours?(?: and)? {_worded(rest)}(?: minutes)?(?!\w)"
        if rest == 15:
            yield rf"{_LEAD}(?:an hour|{_worded(hours)} hours?) and a quarter(?!\w)"


def _single(unit: str) -> str:
    """A litre, an hour; "a m" or "an l" is nothing."""
    return rf"{_LEAD}{_WHOLE}an? (?=\w{{3}})(?:{unit})(?!\w)(?! and an? (?:half|quarter))"


def _shared(number: float, unit: str) -> Iterator[str]:
    """Half a litre, two thirds of an hour, a kilo and a half."""
    part = next((words for share, words in _SHARES.items() if abs(share - number) < 1e-9), "")
    more = {1.25: "quarter", 1.5: "half"}.get(number)
    if part:
        ends = r"(?!\w)(?! and an? (?:half|quarter)| of an hour)"
        yield rf"{_LEAD}(?<!and )(?<!and a ){part}[ -](?:of )?(?:an? |one )?(?:{unit}){ends}"
    if more:
        yield rf"{_LEAD}(?:an?|one) (?:{unit}) and an? {more}(?!\w)"


def minutes(value: str) -> int | None:
    """How many minutes a duration is: 30 of "half an hour", 120 of "2 hours"; None of what is no duration."""
    counted = _amount(value)
    each = {"minute": 1, "hour": 60}.get(counted.measure) if counted else None
    return int(counted.number * each) if counted and each else None


def _texts(value: str, copied: bool) -> Iterator[str]:
    """The text, whatever its letter case, white space and end mark, in the singular or plural.

    Of one that is not to be `copied` with or without an article, with ordinals in figures or words, and in one word or
    two.
    """
    plain = value.strip().rstrip(".!?").removesuffix("s")
    article = None if copied else _ARTICLE.match(plain)
    if article:
        plain = plain[article.end() :]
    said = re.split(r"[\s_-]+", plain)
    parts = [re.escape(each) if copied else _word(each, n, len(said)) for n, each in enumerate(said, 1)]
    either = not copied and len(parts) == 2 and all(re.fullmatch(r"[^\W\d_]{3,}", part) for part in parts)
    flexible = rf"[\s_-]{'*' if either else '+'}".join(parts)
    if not copied and len(parts) == 1 and re.fullmatch(r"[^\W\d_]{7,100}", plain):
        flexible = "|".join((flexible, *(f"{plain[:at]}[ -]{plain[at:]}" for at in range(3, len(plain) - 2))))
    before = rf"(?:{re.escape(article[0].strip())}\s+)?" if article else ""
    whole = r"(?<!ty[ -])" if parts[0].startswith("(") else ""  # the twenty-third is no third
    ends = r"(?!\w|[.,]\d)" if plain[-1:].isdigit() else r"(?!\w)"  # version 3.1 is no version 3
    if len(plain) == 1 and plain.isupper() and not copied:  # size S is not in "it's", nor row A in "a row"
        yield rf"(?<![\w'\N{{RIGHT SINGLE QUOTATION MARK}}])(?-i:{plain})(?![\w'\N{{RIGHT SINGLE QUOTATION MARK}}])"
    else:
        yield rf"(?<!\w){before}{whole}(?:{flexible})s?{ends}"
    kind_of = re.fullmatch(r"(.+) (visits?)", value, re.IGNORECASE)
    if kind_of:
        yield rf"(?<!\w){kind_of[2].removesuffix('s')}s? (?:from|by|via|through) {re.escape(kind_of[1])}(?!\w)"


def _word(word: str, place: int, of: int) -> str:
    """A word of a name, and what is as good: third and 3rd, page 7 and page seven, Saint and St., Monday and Mon."""
    plain = word.casefold().rstrip(".")
    ways = {**_DAYS, **(_SHORTER if of > 1 else {})}
    if plain == "st":  # Anne Street, but Saint Anne's
        del ways["saint" if place == of else "street"]
    for long, short in ways.items():
        if plain == long or re.fullmatch(short, word.rstrip("."), 0 if "(?-i" in short else re.IGNORECASE):
            return rf"(?:{long}|{short}\.?)"
    for long, figure in _FIGURES.items():
        if plain in (long, figure) and (of > 1 or not figure.isdigit()):
            return rf"(?:{long}|{figure})"
    return re.escape(word).replace("'", "['\N{RIGHT SINGLE QUOTATION MARK}]?")


_GROUPS: Final = (
    r"more|above|over|higher|greater|beyond|exceed(?:s|ed|ing)?|upwards? of|up",
    r"less|fewer|below|under|lower|beneath|smaller|shorter|down",
)
_DRAWN: Final = {"bar": "bars?", "line": "lines?", "scatter": "scatter|dots|cloud of points", "pie": "pie"}


@lru_cache(maxsize=4096)
def loosely(kind: str, value: str) -> re.Pattern[str] | None:
    """Ways to mean a value that say it only beside the question: "bars" for a bar plot, "four" for four boxes.

    None where there are none. In a text of its own such a word says nothing.
    """
    plain = value.strip().casefold()
    if kind == "comparison":
        ways = [f"(?:{words})" for words in _GROUPS if re.fullmatch(words, plain)]
    elif kind == "plot_type":
        drawn = re.fullmatch(r"(\w+)(?:[ -](?:plot|chart|graph|diagram))?", plain)
        ways = [rf"(?:{_DRAWN[drawn[1]]})(?: (?:plot|chart|graph|diagram)s?)?"] if drawn and drawn[1] in _DRAWN else []
    elif kind in ("metric", "traffic_source") and plain == "total visits":
        ways = [r"all (?:the )?visits", r"visits (?:in total|altogether|overall|in all)"]
    elif kind in ("metric", "traffic_source"):
        source = re.fullmatch(r"(?:visits (?:from|by|via|through) )?(.+?)(?: (?:visits?|traffic))?", plain)
        ways = [rf"{re.escape(source[1].removesuffix('s'))}s?"] if source and source[1] != plain else []
    elif kind == "size":
        found = next(((short, long) for short, long in _SIZES.items() if re.fullmatch(f"{short}|{long}", plain)), None)
        letters = rf"(?-i:{found[0].upper()})" if found else ""
        return (
            re.compile(rf"(?<![\w'])(?<!extra[ -])(?<!double[ -])(?<!x-)(?:{letters}|{found[1]})(?!\w)", re.IGNORECASE)
            if found
            else None
        )
    elif numbered := re.fullmatch(r"[a-z]+(?: [a-z]+)? (\d+)", plain):
        ways = [rf"(?<!\w)(?:#|n[or]\.? ?|number ){numbered[1]}(?![.,]\d)"]
    elif (counted := amount(plain)) and counted.noun and value.islower() and counted.number != 1 and not clock(plain):
        own = "|".join(map(re.escape, counted.noun.split()))
        return re.compile(rf"(?:{_number(counted, '')})(?! (?!(?:{own})\b)\w{{3,20}}[^s\W]s\b)", re.IGNORECASE)
    else:
        ways = []
    return re.compile(rf"(?<!\w)(?:{'|'.join(ways)})(?!\w)", re.IGNORECASE) if ways else None
