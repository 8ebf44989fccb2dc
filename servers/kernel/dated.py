"""Dates in rows, which move together when a world does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Annotated, Any, get_args

__all__ = ("Dated", "form", "is_dated", "moved", "moved_within")

_FORMS = {"date": "2025-03-20", "datetime": "2025-03-20T09:00", "time": "09:00"}


class _Dates:
    """Marks texts with dates in them."""


Dated = Annotated[str, _Dates]
"""Text that is or holds dates, as YYYY-MM-DD: they move when its world does. `date` and `datetime` do unmarked."""

_DATE = re.compile(r"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")


def is_dated(annotation: Any, marks: Iterable[Any] = ()) -> bool:
    """Whether values of a type have dates to move; `marks` are what `Annotated` added to it."""
    if isinstance(annotation, type) and issubclass(annotation, (date, _Dates)):
        return True
    return any(is_dated(inner) for inner in (*get_args(annotation), *marks))


def moved(value: Any, days: int) -> Any:
    """A date, or a text with its dates, so many days later; what would leave the calendar stays."""
    if isinstance(value, str):
        return _DATE.sub(lambda found: _text(found[0], days), value)
    if not isinstance(value, date):
        return value
    try:
        return value + timedelta(days=days)
    except OverflowError:
        return value


def moved_within(value: Any, days: int) -> Any:
    """A JSON value with its dates so many days later."""
    if isinstance(value, Mapping):
        return {key: moved_within(each, days) for key, each in value.items()}
    return [moved_within(each, days) for each in value] if isinstance(value, list) else moved(value, days)


def _text(day: str, days: int) -> str:
    try:
        return str(date.fromisoformat(day) + timedelta(days=days))
    except (ValueError, OverflowError):
        return day


def form(problem: str) -> str:
    """What to write, to be put behind a problem of that type of pydantic's; "" where no date or time was misread."""
    kind, _, what = problem.partition("_")
    misread = what.endswith(("parsing", "inexact")) and not what.startswith("delta")  # `time_delta` is a duration
    return f": write {_FORMS[kind]}" if kind in _FORMS and misread else ""
