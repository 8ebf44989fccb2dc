"""Days and times of day: read from a value, found in a text, and the ways in which people say them."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from servers.kernel import ordinal
from userssim.amounts import MONTHS, NO_DATE, words

__all__ = (
    "HOURS",
    "ORDINALS",
    "Clock",
    "Half",
    "clock",
    "clock_forms",
    "clocks",
    "day",
    "day_forms",
    "days",
    "half_of",
    "lasting",
    "no_other_weekday",
    "nth",
    "weekdays_asked_for",
)

Half = Literal["", "am", "pm"]
"""Which half of the day something is about, where that is known."""

ORDINALS: Final = (
    "", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth", "twenty-first", "twenty-second", "twenty-third", "twenty-fourth", "twenty-fifth", "twenty-sixth",
    "twenty-seventh", "twenty-eighth", "twenty-ninth", "thirtieth", "thirty-first",
)  # fmt: skip
"""Those of the days of a month, each at its own number."""
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WHICH: Final = re.compile(rf"\b(?:which|what) ({'|'.join(_WEEKDAYS)})\b", re.IGNORECASE)
_WEEKDAY: Final = rf"(?:({'|'.join(_WEEKDAYS)}),? )?"
_LEAD: Final = r"(?<![\w:./-])"
_NAMED: Final = rf"(?:{'|'.join(f'{month}|{month[:3]}' for month in MONTHS)}|sept)"
_ORDINAL: Final = "|".join(sorted(filter(None, ORDINALS), key=len, reverse=True)).replace("-", "[ -]")
_OF_MONTH: Final = "(?= of (?:the|each|every|this|next|that) month)"
_NO_NOUN: Final = r"(?=\W*$|[.,;:?!)]| (?:to|and|or|at|on|is|as|for|then|instead|with|it|in|an?)\b)"
"""Behind "the fifteenth", where it is not the fifteenth of some things."""
_DAY: Final = re.compile(
    rf"(?<![\w:./-])(?:"
    rf"(?P<month>{_NAMED})\.?,? (?:the )?(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?|(?P<word>{_ORDINAL}))"
    rf"|(?P<day2>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<month2>{_NAMED})"
    rf"|(?P<word2>{_ORDINAL}) (?:of )?(?P<month3>{_NAMED})"
    rf"|the (?P<word3>(?!first|second|third)(?:{_ORDINAL})){_NO_NOUN}"
    rf"|(?P<word4>{_ORDINAL}){_OF_MONTH}"
    r"|(?:the (?P<day5>\d{1,2})|(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)(?:(?:nes|ur)?day)?,? (?P<day6>1[3-9]|[23]\d))"
    r"(?=\.?\W*$|[.,;?!)](?!\d)| (?:then|instead)\b)"
    r"|\d{4}-(?P<month4>\d\d)-(?P<day3>\d\d)"
    rf"|(?:the )?(?P<day4>\d{{1,2}})(?:st|nd|rd|th)"
    r")(?![\w:])",
    re.IGNORECASE,
)
_MONTH: Final = re.compile(
    rf"(?<![\w-])(?:(?P<plain>{'|'.join(each for each in MONTHS if each not in ('march', 'may'))})"
    r"|(?:in|of|from|until|till|by|since|mid|early|late)[ -](?P<name>(?-i:March|May)))(?![\w'-])",
    re.IGNORECASE,
)
"""A month by itself; "may" and "march" are other words, too."""

HOURS: Final = {words(hour): hour for hour in range(1, 13)}
"""Hours of a clock by their words."""
_PARTS: Final = {"five": 5, "ten": 10, "quarter": 15, "twenty": 20, "twenty-five": 25, "half": 30}
_HALF: Final = r"(?: ?[ap]\.?m(?!\w)\.?| (?:in the|this) (?:morning|afternoon|evening)| at night| tonight)"
_NO_PART: Final = "(?<!past )(?<!quarter to )(?<!twenty to )(?<!ten to )(?<!five to )"
"""Before an hour that is no end of "half past eight"."""
_CLOCK: Final = re.compile(
    r"(?<![\w:./-])(?:(?:"
    r"(?P<digits>\d{1,2}:\d\d)"
    rf"|(?:an? )?(?P<part>{'|'.join(_PARTS)}|twenty five)(?: minutes)? past (?P<past>\d{{1,2}}|{'|'.join(HOURS)})"
    rf"|(?:an? )?(?P<left>quarter|twenty[ -]five|twenty)(?: minutes)? to (?P<to>\d{{1,2}}|{'|'.join(HOURS)})"
    rf"|half (?P<over>{'|'.join(HOURS)}|\d{{1,2}})(?= (?:then|on|at|it)\b|\W*$|[,.;?!])"
    rf"|(?P<sharp>\d{{1,2}}|{'|'.join(HOURS)}) (?:o'clock|sharp)"
    rf"|{_NO_PART}(?P<noon>noon|midnight)){_HALF}?"
    rf"|(?P<hour>\d{{1,2}}|{'|'.join(HOURS)}){_HALF}"
    r")(?![\w:])",
    re.IGNORECASE,
)
_CUES: Final[dict[Half, re.Pattern[str]]] = {
    "am": re.compile(r"\b(?:morning|breakfast|alarm|wake|waken|woken|dawn|sunrise)\b", re.IGNORECASE),
    "pm": re.compile(
        r"\b(?:afternoon|evening|tonight|dinner|supper|a table|theatre|theater|concert|cinema|drinks)\b", re.IGNORECASE
    ),
}


class Clock(NamedTuple):
    """A time of day; where it may be in either half, `hour` is that of the morning and `sure` is False."""

    hour: int
    minute: int
    sure: bool

    def is_not(self, other: Clock) -> bool:
        """Whether the two are certainly not the same."""
        apart = self.hour != other.hour if self.sure and other.sure else (self.hour - other.hour) % 12 != 0
        return apart or self.minute != other.minute


def half_of(request: str) -> Half:
    """Which half of the day a request is about, as far as its words say so."""
    found: list[Half] = [half for half, cues in _CUES.items() if cues.search(request)]
    return found[0] if len(found) == 1 else ""


def clock(value: str, half: Half = "") -> Clock | None:
    """The time of day that a value as a whole is: 16:30, 9 pm, half past seven.

    `half` counts where it has none. Without, 5:45 is what it is on a clock of 24 hours, as 10:00 is in any case.
    """
    found = _CLOCK.fullmatch(value.strip())
    time = _read(found) if found else None
    if found is None or time is None or time.sure:
        return time
    if half and (found["digits"] is None or len(found["digits"]) < 5):
        return Clock(time.hour % 12 + 12 * (half == "pm"), time.minute, True)
    return Clock(int(found["digits"].split(":")[0]), time.minute, True) if found["digits"] else time


def clocks(text: str) -> Iterator[tuple[tuple[int, int], Clock]]:
    """Where a text has times of day, and which."""
    for found in _CLOCK.finditer(text):
        if time := _read(found):
            yield found.span(), time


def _read(found: re.Match[str]) -> Clock | None:
    if found["noon"]:
        return Clock(12 if found["noon"].casefold() == "noon" else 0, 0, True)
    if found["digits"]:
        hour, minute = map(int, found["digits"].split(":"))
    else:
        said = next(found[each] for each in ("past", "over", "to", "sharp", "hour") if found[each]).casefold()
        hour = int(said) if said.isdigit() else HOURS[said]
        part = (found["part"] or found["left"] or "").casefold().replace(" ", "-")
        minute = 30 if found["over"] else _PARTS[part] if part else 0
        if found["to"]:
            hour, minute = (hour - 1) % 24 or 12, 60 - minute
    if hour > 24 or minute > 59:
        return None
    behind = re.search(rf"{_HALF}\Z", found[0], re.IGNORECASE)
    if behind and hour <= 12:
        late = bool(re.search(r"p\.?m|afternoon|evening|night", behind[0], re.IGNORECASE))
        return Clock(hour % 12 + 12 * late, minute, True)
    told = bool(found["digits"]) and (hour > 12 or hour == 0 or found["digits"][0] == "0")
    return Clock(hour % 24, minute, True) if told else Clock(hour % 12, minute, False)


def clock_forms(time: Clock) -> Iterator[str]:
    """Regular expressions of the ways to say a time of day; one of the other half is another time."""
    late = time.hour >= 12
    minute = time.minute
    half = "p" if late else "a"
    own = "afternoon|evening" if late else "morning"
    other = (
        r" ?a\.?m(?!\w)| (?:in the|this) morning" if late else r" ?p\.?m(?!\w)| (?:in the|this) (?:afternoon|evening)"
    )
    suffix = rf"(?: ?{half}\.?m\.?(?!\w)| (?:in the|this) (?:{own}))" if time.sure else "(?!)"
    ends = rf"(?:{suffix}|(?!\w)(?!{other if time.sure else _HALF}))"
    for shown in dict.fromkeys((time.hour, time.hour % 12 or 12) if time.sure else (time.hour or 12,)):
        here = suffix if time.sure and (time.hour, shown) == (0, 12) else ends  # 12:30 alone is past noon
        either = rf"(?:{shown}|{words(shown)})"
        zero = "0?" if time.sure and shown == time.hour else ""
        yield rf"{_LEAD}{zero}{shown}[:.]{minute:02d}{here}"
        if minute == 0:
            yield rf"{_LEAD}{_NO_PART}(?<!half ){either}(?:{suffix}| (?:o'clock|sharp){here})(?!\w)"
            yield rf"(?<=at ){either}(?!:){here}"
        elif minute >= 10:
            yield rf"{_LEAD}{words(shown)}[ -]{words(minute).replace(' ', '[ -]')}{here}"
        if minute in (15, 30):
            part = r"(?:a )?quarter past" if minute == 15 else "half(?: past)?"
            yield rf"{_LEAD}{part} {either}(?![ -](?:an? )?(?:minute|hour|day|week|month|year|percent)){here}"
        elif 0 < minute < 30:
            yield rf"{_LEAD}{_minutes(minute)} past {either}{here}"
    hours = (time.hour + 1) % 24, (time.hour + 1) % 12 or 12
    for shown in dict.fromkeys(hours if time.sure else hours[1:]) if minute > 30 else ():
        left = "(?:a )?quarter" if minute == 45 else _minutes(60 - minute)
        yield rf"{_LEAD}{left} to (?:{shown}|{words(shown)}){ends}"
    if (time.hour, minute, time.sure) == (0, 0, True):
        yield rf"(?<!\w){_NO_PART}midnight(?!\w)"
    if (time.hour, minute, time.sure) == (12, 0, True):
        yield rf"(?<!\w){_NO_PART}noon(?! thirty)(?!\w)"


def _minutes(number: int) -> str:
    return rf"(?:{number}|{words(number).replace(' ', '[ -]')})(?: minutes)?"


_FROM_TO: Final = re.compile(
    r"(?<![\w:./-])(\d{1,2})(?:[:.](\d\d))?(?: ?([ap])\.?m\.?)?"
    r"( ?(?:to|till|until|-|\N{EN DASH}) ?(\d{1,2})(?:[:.](\d\d))?(?: ?([ap])\.?m\.?)?)(?![\w:/]|[.-]\d)",
    re.IGNORECASE,
)


def lasting(text: str) -> Iterator[tuple[tuple[int, int], int]]:
    """Where a text says how long something lasts by its two ends ("13:00 to 13:30"), and the minutes between them.

    The span is that of the second end, since the first is a time of day in its own right. Bare numbers ("10 to 12") are
    anything; at least one of the two has minutes or is in the morning or the afternoon.
    """
    for found in _FROM_TO.finditer(text):
        hour, minute, half, _, to_hour, to_minute, to_half = found.groups()
        if minute or half or to_minute or to_half:
            between = 60 * (int(to_hour) - int(hour)) + int(to_minute or 0) - int(minute or 0)
            yield found.span(4), between % 720


def day(value: str) -> tuple[int, int] | None:
    """Month and day of a date that names both."""
    month, number = nth(value)
    return (month, number) if month else None


def nth(value: str) -> tuple[int, int]:
    """Month and day of a date that names a day at least: month 0 of "the 15th", both 0 of what is no date."""
    plain = re.sub(rf"\A{_WEEKDAY}(?:the )?", "", value.strip(), flags=re.IGNORECASE)
    found = None if value.strip().isdigit() else _DAY.fullmatch(plain) or _DAY.fullmatch(f"the {plain}")
    return _dated(found) if found else (0, 0)


def no_other_weekday(value: str) -> str:
    """A regular expression of what may stand before a day: not Friday, of a value that names another weekday."""
    own = re.match(_WEEKDAY, value.strip(), re.IGNORECASE)
    others = (each for each in _WEEKDAYS if own and own[1] and each != own[1].casefold())
    return "".join(rf"(?<!{each} )(?<!{each}, )(?<!{each} the )(?<!{each}, the )" for each in others)


def weekdays_asked_for(text: str) -> list[str]:
    """The weekdays of which a text asks which one is meant ("Which Friday, the 21st or the 28th?")."""
    return _WHICH.findall(text)


def days(text: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Where a text has days of a month, and which; month 0 where it has none ("the 19th"), day 0 of a month alone."""
    ends = 0
    for found in _DAY.finditer(text):
        month, number = _dated(found)
        if number:
            yield from _months(text, ends, found.start())
            yield found.span(), (month, number)
            ends = found.end()
    yield from _months(text, ends, len(text))


def _months(text: str, start: int, end: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    for found in _MONTH.finditer(text, start, end):
        yield found.span(), (MONTHS.index((found["plain"] or found["name"]).casefold()) + 1, 0)


def _dated(found: re.Match[str]) -> tuple[int, int]:
    figure = next((found[each] for each in ("day", "day2", "day3", "day4", "day5", "day6") if found[each]), "")
    word = next((found[each] for each in ("word", "word2", "word3", "word4") if found[each]), "").replace(" ", "-")
    number = int(figure) if figure else ORDINALS.index(word.casefold())
    name = (found["month"] or found["month2"] or found["month3"] or "")[:3].casefold()
    month = int(found["month4"] or 0) or next(
        (n for n, each in enumerate(MONTHS, 1) if name and each.startswith(name)), 0
    )
    return (month, number) if month <= 12 and 1 <= number <= 31 else (0, 0)


def day_forms(month: int, day: int, year: str = r"\d{4}") -> Iterator[str]:
    """Regular expressions of a day with or without its year; with another it is another day. Of month 0, of any."""
    behind = rf"(?!\w)(?:,? {year}(?![\w-])|(?!,? \d{{4}}(?![\w-])))"
    word, figure = ORDINALS[day].replace("-", "[ -]"), ordinal(day)
    said = rf"(?:{figure}|{word})"
    bare = rf"(?:{figure}|{word}(?:{_OF_MONTH}{'' if day < 4 else f'|{_NO_NOUN}'}))"  # the third may be any third
    if not month:
        yield rf"{_LEAD}(?<!ty[ -])(?:the )?{said}{behind}"
        return
    name = MONTHS[month - 1]
    named = rf"(?:{name}|{'sept?' if name == 'september' else name[:3]}\.?)"
    either = rf"(?:0?{day}|{said})"
    yield rf"(?<!\w){named},? (?:the )?{either}{behind}"
    yield rf"{_LEAD}(?:the )?{either} (?:of )?{named}{behind}"
    others = "|".join(f"{other}|{other[:3]}" for other in MONTHS if other != name)
    other = rf"(?!\w)(?! (?:of )?(?:{others})(?!\w))"
    yield rf"{_LEAD}{NO_DATE}the {bare}{other}"
    yield rf"(?<=on |by )the {word}{_NO_NOUN}{other}"
    yield rf"{_LEAD}(?<!the ){NO_DATE}{figure}{other}"
    if day == monthrange(2025, month)[1]:
        yield rf"{_LEAD}(?:the )?(?:last day|end) of {named}(?!\w)"
    yield rf"(?<!\d)(?:(?:{year})-|(?<!\d\d\d\d-)){month:02d}-{day:02d}(?!\d)"
    if day > 12 or day == month:  # 3/4 is a day of April or of March, by who writes it
        yield rf"{_LEAD}(?:0?{month}/0?{day}|0?{day}/0?{month})(?!\d)"
    yield rf"{_LEAD}0?{day}\.0?{month}\."
