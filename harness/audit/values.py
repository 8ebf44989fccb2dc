"""Values that are off by one: what somebody who misread a request would have put there instead."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any, Literal, get_args

from harness.audit.workplace import Column

__all__ = ("KINDS", "Kind", "off_by_one")

Kind = Literal["number", "date", "time", "choice", "person", "text"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_FORMS = ("%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%H:%M:%S", "%H:%M")
_STEPS: Mapping[str, timedelta] = {"date": timedelta(days=1), "time": timedelta(minutes=30)}
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


def off_by_one(
    value: Any, schema: Mapping[str, Any], column: Column | None, addresses: Sequence[str], rng: Random
) -> tuple[Kind, Iterator[Any]] | None:
    """What kind of value it is, and near misses of it, likeliest first; None where nothing comes near.

    A number moves by one, a date by a day, a time by half an hour; a choice becomes another of its set, an
    address that of somebody else, any other text gains or loses a word.
    """
    options = schema.get("enum") or (column.values if column and column.choice else ())
    if isinstance(value, bool):
        return "choice", iter([not value])
    if isinstance(value, int | float):
        return "number", iter(rng.sample([value + 1, value - 1], 2))
    if isinstance(value, list):
        return ("number", iter([value[:-1]])) if value else None
    if not isinstance(value, str):
        return None
    if "enum" in schema:
        return "choice", _others(options, value, rng)
    if near := _near(value, rng):
        return near[0], iter(near[1])
    if _ADDRESS.fullmatch(value):
        known = [each for each in column.values if _is_address(each)] if column else []
        return "person", _others(known or addresses, value, rng)
    if value in options:
        return "choice", _others(options, value, rng)
    words = value.split(" ")
    return "text", iter([f"{value} indeed", " ".join(words[:-1])] if len(words) > 1 else [f"{value} indeed"])


def _near(text: str, rng: Random) -> tuple[Kind, list[str]] | None:
    """A number, date or time written as text, one step to either side, in the same form."""
    up, down = rng.sample((1, -1), 2)
    if re.fullmatch(r"\d{1,9}", text):
        return "number", [f"{number:0{len(text)}d}" for number in (int(text) + up, int(text) + down) if number >= 0]
    for form in _FORMS:
        if moment := _read(text, form):
            kind: Kind = "time" if "%H" in form else "date"
            return kind, [(moment + _STEPS[kind] * sign).strftime(form) for sign in (up, down)]
    return None


def _read(text: str, form: str) -> datetime | None:
    """The moment, if that is how the text would be written in that form."""
    try:
        moment = datetime.strptime(text, form)
    except ValueError:
        return None
    return moment if moment.strftime(form) == text and 1 < moment.year < 9999 else None


def _others(options: Sequence[Any], value: str, rng: Random) -> Iterator[Any]:
    others = [other for other in options if str(other).lower() != value.lower()]
    return iter(rng.sample(others, len(others)))


def _is_address(value: Any) -> bool:
    return isinstance(value, str) and _ADDRESS.fullmatch(value) is not None
