"""Dates as `date` takes and gives them, seen from the sandbox's own moment. Everything is in UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from dateutil.parser import ParserError, parse
from dateutil.relativedelta import relativedelta

__all__ = ("Unread", "formatted", "understood")

_UNITS = {"sec": "seconds", "min": "minutes", "hour": "hours", "day": "days", "week": "weeks", "month": "months"}
_UNITS |= {"second": "seconds", "minute": "minutes", "year": "years"}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_STEP = re.compile(r"([+-]?\s*\d+|next|last)\s*(sec|second|min|minute|hour|day|week|month|year)s?\b(\s+ago\b)?")
_WORDS = re.compile(r"\b(now|today|yesterday|tomorrow|midnight|noon|utc)\b")
_ALWAYS = re.compile(r"%([-_0^#]?)([A-Za-z%:])")


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
        moved, left = _moved(left)
        words = set(_WORDS.findall(left))
        left = _WORDS.sub(" ", left).strip(" ,")
        moved += relativedelta(days=("tomorrow" in words) - ("yesterday" in words))
        if "midnight" in words or "noon" in words:
            now = now.replace(hour=12 if "noon" in words else 0, minute=0, second=0)
        found = re.fullmatch(r"(next |last )?(\w+)", left)
        if found and found[2] in _DAYS:
            ahead = (_DAYS.index(found[2]) - now.weekday()) % 7
            ahead = ahead - 7 if found[1] == "last " else ahead or (7 if found[1] else 0)
            return now.replace(hour=0, minute=0, second=0) + timedelta(days=ahead) + moved
        if left:
            shifted = bool(re.search(r"\d\d?:\d\d", left)) and not re.search(r"\d{4}|[a-z]{3}", left)
            start = now if shifted else now.replace(hour=0, minute=0, second=0)
            read = parse(left, default=start.replace(microsecond=0))
            now = read.astimezone(UTC).replace(tzinfo=None) if read.tzinfo else read
        return now + moved
    except (ParserError, ValueError, OverflowError, TypeError):
        raise Unread(text) from None


def _moved(text: str) -> tuple[relativedelta, str]:
    """How far a text goes from the moment that is left of it."""
    moved = relativedelta()
    for amount, unit, ago in _STEP.findall(text):
        number = {"next": 1, "last": -1}.get(amount) or int(amount.replace(" ", ""))
        step: dict[str, Any] = {_UNITS[unit]: -number if ago else number}
        moved += relativedelta(**step)
    return moved, _STEP.sub(" ", text).strip()


def formatted(moment: datetime, shape: str) -> str:
    """A moment in the letters of `date +FORMAT`; letters that are not known stay as they are."""
    return _ALWAYS.sub(lambda found: _part(moment, found[1], found[2], found[0]), shape)


def _part(moment: datetime, flag: str, letter: str, whole: str) -> str:
    fixed = {
        "%": "%", "n": "\n", "t": "\t", "Z": "UTC", "z": "+0000", "N": "000000000", "C": f"{moment.year // 100:02d}",
        "s": str(int(moment.replace(tzinfo=UTC).timestamp())), "F": f"{moment:%Y-%m-%d}", "T": f"{moment:%H:%M:%S}",
        "D": f"{moment:%m/%d/%y}", "R": f"{moment:%H:%M}", "e": f"{moment.day:2d}", "k": f"{moment.hour:2d}",
        "l": f"{(moment.hour - 1) % 12 + 1:2d}", "u": str(moment.isoweekday()), "w": str(moment.isoweekday() % 7),
        "h": f"{moment:%b}", "P": "am" if moment.hour < 12 else "pm", "q": str((moment.month + 2) // 3),
        "c": f"{moment:%a %b} {moment.day:2d} {moment:%H:%M:%S %Y}", "x": f"{moment:%m/%d/%y}",
        "X": f"{moment:%H:%M:%S}",        "V": f"{moment.isocalendar()[1]:02d}", "G": str(moment.isocalendar()[0]),
    }  # fmt: skip
    if letter in fixed:
        said = fixed[letter]
    elif letter in "YmdHMSyjaAbBIpUW":
        said = moment.strftime(f"%{letter}")
    else:
        return whole
    if flag == "-":
        return said.lstrip("0 ") or "0"
    if flag in ("^", "#"):
        return said.upper()
    return said
