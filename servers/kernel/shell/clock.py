"""Dates as `date` takes and gives them, seen from the sandbox's own moment. Everything is in UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from dateutil.parser import ParserError, parse

__all__ = ("Unread", "formatted", "understood")

_SECONDS = {"sec": 1, "second": 1, "min": 60, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
_MONTHS = {"month": 1, "year": 12}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_STEP = re.compile(r"([+-]?\s*\d+|next|last)\s*(sec|second|min|minute|hour|day|week|month|year)s?\b(\s+ago\b)?")
_WORDS = re.compile(r"\b(now|today|yesterday|tomorrow|midnight|noon|utc)\b")
_PIECE = re.compile(
    r"[\s,]*(?:(?P<date>\d{4}-\d\d?-\d\d?|\d{4}/\d\d?/\d\d?|(?:0?[1-9]|1[0-2])/\d\d?(?:/\d\d(?:\d\d)?)?|\d{8}"
    r"|\d\d?-[a-z]{3,9}-\d{4})(?:(?![-./:\d\w])|t(?=\d))"
    r"|(?P<time>\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s*[ap]m\b)?|\d\d?\s*[ap]m\b)"
    r"|(?P<zone>(?:z|gmt)\b|[-+]\d\d:?\d\d(?!\d))"
    r"|(?P<weekday>(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b)"
    r"|(?P<month>(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b)"
    r"|(?P<year>\d{4})(?![-./:\d])|(?P<day>\d\d?)(?![-./:\d]))"
)
"""What is read of dates. Everything else is refused, of which the library would guess what it means."""

_ALWAYS = re.compile(r"%([-_0^#]?)(\d*)([A-Za-z%:])")


class Unread(Exception):
    """A date that cannot be understood."""

    def __init__(self, text: str) -> None:
        super().__init__(f"invalid date '{text}'")


def understood(text: str, now: datetime) -> datetime:
    """The moment that a text such as "2024-03-01", "yesterday" or "2 weeks ago" means. Raises `Unread`."""
    left = text.strip().lower()
    if not left:
        return now
    try:
        if left.startswith("@"):
            return datetime.fromtimestamp(int(float(left[1:])), UTC).replace(tzinfo=None)
        months, moved, left = _moved(left)
        words = set(_WORDS.findall(left))
        left = _WORDS.sub(" ", left).strip(" ,")
        moved += timedelta(days=("tomorrow" in words) - ("yesterday" in words))
        hour = 12 if "noon" in words else 0
        if "midnight" in words or "noon" in words:
            now = now.replace(hour=hour, minute=0, second=0)
        found = re.fullmatch(r"(next |last )?(\w+)", left)
        if found and found[2] in _DAYS:
            ahead = (_DAYS.index(found[2]) - now.weekday()) % 7
            ahead = ahead - 7 if found[1] == "last " else ahead or (7 if found[1] else 0)
            return _shifted(now.replace(hour=hour, minute=0, second=0) + timedelta(days=ahead), months) + moved
        if left:
            _check(left)
            read = parse(left, default=now.replace(hour=hour, minute=0, second=0, microsecond=0))
            now = read.astimezone(UTC).replace(tzinfo=None) if read.tzinfo else read
        return _shifted(now, months) + moved
    except (ParserError, ValueError, OverflowError, TypeError):
        raise Unread(text) from None


def _check(text: str) -> None:
    """Raises `ValueError` for what is no date or time whose parts have but one meaning."""
    pieces, at = list[str](), 0
    while found := _PIECE.match(text, at):
        pieces.append(str(found.lastgroup))
        at = found.end()
    named = {"month", "day"} <= {*pieces} and "date" not in pieces
    if text[at:].strip(" ,") or len({*pieces}) < len(pieces) or (not named and {*pieces} & {"month", "day", "year"}):
        raise ValueError


def _moved(text: str) -> tuple[int, timedelta, str]:
    """How far a text goes from the moment that is left of it, in months and in what is as long at any time."""
    months, moved = 0, timedelta()
    for amount, unit, ago in _STEP.findall(text):
        number = {"next": 1, "last": -1}.get(amount) or int(amount.replace(" ", ""))
        number = -number if ago else number
        months += number * _MONTHS.get(unit, 0)
        moved += timedelta(seconds=number * _SECONDS.get(unit, 0))
    return months, moved, _STEP.sub(" ", text).strip()


def _shifted(moment: datetime, months: int) -> datetime:
    """The same day so many months on; a 31st of a month of 30 days is the first of the next, as `date` counts."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    return moment.replace(year=year, month=month + 1, day=1) + timedelta(days=moment.day - 1)


def formatted(moment: datetime, shape: str) -> str:
    """A moment in the letters of `date +FORMAT`; letters that are not known stay as they are."""
    return _ALWAYS.sub(lambda found: _part(moment, found[1], found[2], found[3], found[0]), shape)


def _part(moment: datetime, flag: str, width: str, letter: str, whole: str) -> str:
    fixed = {
        "%": "%", "n": "\n", "t": "\t", "Z": "UTC", "z": "+0000",
        "N": f"{moment.microsecond:06d}000"[: int(width or 9)], "C": f"{moment.year // 100:02d}",
        "s": str(int(moment.replace(tzinfo=UTC).timestamp())), "F": f"{moment:%Y-%m-%d}", "T": f"{moment:%H:%M:%S}",
        "D": f"{moment:%m/%d/%y}", "R": f"{moment:%H:%M}", "e": f"{moment.day:2d}", "k": f"{moment.hour:2d}",
        "l": f"{(moment.hour - 1) % 12 + 1:2d}", "u": str(moment.isoweekday()), "w": str(moment.isoweekday() % 7),
        "h": f"{moment:%b}", "P": "am" if moment.hour < 12 else "pm", "q": str((moment.month + 2) // 3),
        "c": f"{moment:%a %b} {moment.day:2d} {moment:%H:%M:%S %Y}", "x": f"{moment:%m/%d/%y}",
        "X": f"{moment:%H:%M:%S}", "r": f"{moment:%I:%M:%S %p}",
        "V": f"{moment.isocalendar()[1]:02d}", "G": str(moment.isocalendar()[0]),
    }  # fmt: skip
    if letter in fixed:
        said = fixed[letter]
    elif letter in "YmdHMSyjaAbBIpUW":
        said = moment.strftime(f"%{letter}")
    else:
        return whole
    if flag == "-" and letter != "N":
        return said.lstrip("0 ") or "0"
    if flag in ("^", "#"):
        said = said.lower() if flag + letter == "#p" else said.upper()
    bare, wide = said.lstrip("0 ") or "0", max(int(width or 0), len(said))
    if letter == "N" or not bare.isdigit():
        return said.rjust(wide)
    return bare.rjust(wide, "0" if flag == "0" or (flag != "_" and said[0] != " ") else " ")
