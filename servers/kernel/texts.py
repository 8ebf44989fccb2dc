"""What tools check and read in texts that an agent wrote."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, datetime, time
from functools import cache
from typing import Annotated, Any
from unicodedata import normalize
from zoneinfo import ZoneInfo, available_timezones

from pydantic import BeforeValidator, Field, PlainValidator, WithJsonSchema

from servers.kernel.bounds import quoted
from servers.kernel.errors import Rejected

__all__ = (
    "Clock", "Day", "Minutes", "Moment", "When", "Zone", "between", "bounded", "caseless", "containing", "day_of",
    "has_words", "in_order", "items_of", "moment", "one_line", "required", "to_minute", "worded", "words_of", "zone",
)  # fmt: skip

_FORMS = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d")
"""Spelled out, since `fromisoformat` takes others too, such as 20260312, and wants two digits of a month."""

_MOST_WORDS = 32
"""Different words of a query."""


def required(**texts: str) -> None:
    """Texts by argument name, none of which may be empty. Raises `Rejected`, naming those that are."""
    if empty := [name for name, text in texts.items() if not text]:
        raise Rejected(f"{' and '.join(empty)} must not be empty.")


def bounded(most: int, **texts: str) -> None:
    """Texts by argument name, each of at most so many characters. Raises `Rejected`, naming the first that has more."""
    for name, text in texts.items():
        if len(text) > most:
            raise Rejected(f"{name} has {len(text):,} characters; it may have {most:,}.")


def one_line(**texts: str) -> None:
    """Texts by argument name, each of one line. Raises `Rejected`, naming the first that has more."""
    for name, text in texts.items():
        if len(f"{text}.".splitlines()) > 1:  # one at the end is one, too
            raise Rejected(f"{name} has a line break; write it in one line.")


def in_order(after: date | None, before: date | None, of: str = "") -> None:
    """The first and the last day to look at. Raises `Rejected` for a first one that is later than the last.

    `of` is what the names of the two parameters begin with: `due_`.
    """
    if after and before and after > before:
        raise Rejected(f"{of}after, {after}, is later than {of}before, {before}.")


def between(day: date, after: date | None, before: date | None) -> bool:
    """Whether a day is one to look at: of the first and the last one, and those between; None leaves that end open."""
    return (after is None or after <= day) and (before is None or day <= before)


def words_of(query: str) -> list[str]:
    """The different words of a query, in order. Raises `Rejected` for too many."""
    words = list(dict.fromkeys(query.split()))
    if len(words) > _MOST_WORDS:
        raise Rejected(f"query has {len(words)} different words; it may have {_MOST_WORDS}.")
    return words


def containing(text: str) -> str:
    """That a text in SQL, such as a column, contains a parameter: case, and how accents are encoded, do not matter."""
    # A normal form of the lower case takes a seventh longer among ten thousand mails; the other way round, three times.
    return f"contains(nfc_normalize(lower({text})), nfc_normalize(lower(?)))"


def items_of(column: str) -> str:
    """The items of a column of `list[str]`, one a line, as a text in SQL: stored, they are JSON."""
    return f"array_to_string(from_json({column}, '[\"VARCHAR\"]'), chr(10))"


def worded(query: str, *columns: str) -> tuple[str, list[str]]:
    """That each word is in one of the columns, as a condition in SQL and its parameters. Raises `Rejected`."""
    words = words_of(query)
    each = "(" + " OR ".join(map(containing, columns)) + ")"
    return " AND ".join([each] * len(words)) or "true", [word for word in words for _ in columns]


def has_words(query: str, *texts: str) -> bool:
    """Whether each word is in one of the texts: `worded` for texts that are not in SQL. Raises `Rejected`."""
    words, within = words_of(caseless(query)), [caseless(text) for text in texts]
    return all(any(word in text for text in within) for word in words)


def caseless(text: str) -> str:
    """A text without what does not matter where texts are compared: case, and how accents are encoded."""
    return normalize("NFC", text.casefold())


def _day(value: Any) -> Any:
    if isinstance(value, str) and (found := day_of(value)):
        return found
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    raise ValueError(f"{quoted(value)} is not a day; write YYYY-MM-DD, such as 2026-03-12")


def _moment(value: Any) -> Any:
    if isinstance(value, str):
        with suppress(ValueError):
            return datetime.fromisoformat(value)
        if found := moment(value):
            return found
    if isinstance(value, datetime):
        return value
    raise ValueError(f"{quoted(value)} is not a time; write YYYY-MM-DD HH:MM, such as 2026-03-12 09:30")


def _when(value: Any) -> date:
    found: datetime = _moment(value)
    if isinstance(value, str):
        with suppress(ValueError):
            return date.fromisoformat(value)
        with suppress(ValueError):
            return datetime.strptime(value, "%Y-%m-%d").date()
    return found


def _clock(value: Any) -> Any:
    if isinstance(value, time):
        return value
    try:
        return datetime.strptime(value.removesuffix(":00") if value.count(":") == 2 else value, "%H:%M").time()
    except (AttributeError, TypeError, ValueError):
        raise ValueError(f"{quoted(value)} is not a time of day; write HH:MM, such as 09:30") from None


def _minutes(value: Any) -> Any:
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise ValueError(f"{quoted(value)} is not a number of minutes; write 90 for an hour and a half")


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def _zone(value: Any) -> Any:
    if isinstance(value, str) and value in _zones():
        return value
    raise ValueError(f"{quoted(value)} is not a time zone; write its IANA name, such as Europe/Lisbon")


Day = Annotated[date, BeforeValidator(_day)]
"""A day, written YYYY-MM-DD."""

Moment = Annotated[datetime, BeforeValidator(_moment)]
"""A day and a time of day, written YYYY-MM-DD HH:MM. It has a zone where one was written (an offset or Z)."""

Clock = Annotated[time, BeforeValidator(_clock)]
"""A time of day, written HH:MM."""

When = Annotated[date, PlainValidator(_when), WithJsonSchema({"type": "string", "format": "date-time"})]
"""As `Moment`; a day without a time of day is also taken, and is a `date` alone, for tools that tell the two apart."""

Minutes = Annotated[int, Field(ge=1, le=60 * 24 * 366), BeforeValidator(_minutes)]
"""A length of time, in whole minutes. The bounds stand before the validator: behind it, schemas would not know them."""

Zone = Annotated[str, BeforeValidator(_zone)]
"""A time zone, by its IANA name."""


def zone(name: str) -> ZoneInfo:
    """The time zone of that IANA name, UTC for "". Raises `Rejected` for one that is not there."""
    if name and name not in _zones():
        raise Rejected(f"{quoted(name)} is not a time zone; write its IANA name, such as Europe/Lisbon.")
    return ZoneInfo(name or "UTC")


def moment(text: str) -> datetime | None:
    """A date, or a date and a time of day without zone; None for anything else."""
    for form in _FORMS:
        with suppress(ValueError):
            return datetime.strptime(text, form)
    return None


def day_of(text: str) -> date | None:
    """A date alone, as in 2026-03-12; None for anything else."""
    found = moment(text)
    return found.date() if found and len(text) == len("2026-03-12") else None


def to_minute(when: datetime) -> str:
    """A time as tools show it and take it, such as 2026-03-12 09:30."""
    return when.isoformat(" ", "minutes")
