"""In what something on record and the same, played again, first differ."""

from __future__ import annotations

from typing import Any

from pydantic_core import to_jsonable_python

from harness.core.trajectory import Arrival, CallRecord, HandOver, Landing, Request
from servers.kernel import canonical

__all__ = ("otherwise",)

_Compared = CallRecord | HandOver | Landing | Arrival | Request

_BEFORE, _FROM = 60, 140
"""Characters that are shown of two texts before and from where they first differ."""

_FIRST, _TIMES = ("status", "text"), ("start", "duration")
"""Fields that say most of what happened, and those in which no two events are compared."""


def otherwise(then: _Compared, now: _Compared) -> str:
    """The first field in which two events differ, as it was and as it is, around where it does.

    Of a status that differs, the next such field says why.
    """
    names = dict.fromkeys((*_FIRST, *type(then).model_fields))
    differing = [name for name in names if name not in _TIMES and getattr(then, name, None) != getattr(now, name, None)]
    shown = differing[: 2 if "status" in differing else 1]
    return "; ".join(f"{name}: {_around(getattr(then, name), getattr(now, name, None))}" for name in shown)


def _around(then: Any, now: Any) -> str:
    was, is_ = _spelled(then), _spelled(now)
    place = next((n for n, (a, b) in enumerate(zip(was, is_, strict=False)) if a != b), min(len(was), len(is_)))
    first = max(0, place - _BEFORE)
    return f"{_part(was, first, place)} then, {_part(is_, first, place)} now"


def _part(text: str, first: int, place: int) -> str:
    last = place + _FROM
    return f"{'...' * (first > 0)}{text[first:last]!r}{'...' * (last < len(text))}"


def _spelled(value: Any) -> str:
    return value if isinstance(value, str) else canonical(to_jsonable_python(value)).decode()
