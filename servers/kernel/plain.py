"""Values as JSON has them: what they are given as, what cannot be said, and equal bytes for equal ones."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Annotated, Any

from pydantic import AfterValidator, TypeAdapter
from pydantic_core import to_jsonable_python

from servers.kernel.bounds import refusal

__all__ = ("Plain", "canonical", "unwritable")


def canonical(value: Any) -> bytes:
    """JSON with sorted keys and no white space: equal values give equal bytes in any process."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def unwritable(row: Any) -> str:
    """What of a row JSON cannot say, and what to write in its place; "" where there is nothing."""
    if not isinstance(row, Mapping):
        return f"{row!r:.60} is no row: write an object of its fields"
    for name, value in row.items():
        try:
            canonical(value)
        except UnicodeEncodeError:
            return f"{name} is {value!r:.60}, which holds an unpaired surrogate"
        except (TypeError, ValueError):
            return f"{name} is {value!r:.60}, which JSON does not have{_instead(value)}"
    return ""


def _instead(value: Any) -> str:
    try:
        instead = to_jsonable_python(value)
        canonical(instead)
    except (TypeError, ValueError):
        return ""
    return f": write {instead!r:.60}"


_ANY = TypeAdapter[Any](Any)


def _plain(value: Any) -> Any:
    plain = value if type(value) in _PLAIN else _jsonable(value)
    if problem := refusal(plain, values=sys.maxsize, size=sys.maxsize):
        raise ValueError(f"{value!r:.60} {problem}")
    return plain


_PLAIN = frozenset((str, int, bool, type(None)))
"""Most values are of these types, and JSON has them as they are."""


def _jsonable(value: Any) -> Any:
    # Models in it are fields, and sets are still sets.
    if problem := _unordered(_ANY.dump_python(value)):
        raise ValueError(f"{value!r:.60} is or holds {problem}: write a list")
    try:
        return to_jsonable_python(value)
    except (TypeError, ValueError):
        raise ValueError(f"{value!r:.60} is nothing that JSON has: write text, a number, a list or an object") from None


def _unordered(value: Any) -> str:
    """What in a value is no list, though it would be written as one; "" where nothing is."""
    left, seen = [value], set[int]()
    while left:
        each = left.pop()
        if isinstance(each, Set):
            return "a set, whose order differs between processes"
        if isinstance(each, Iterator):
            return "an iterator, which can be read but once"
        if isinstance(each, (Mapping, Sequence)) and not isinstance(each, (str, bytes)) and id(each) not in seen:
            seen.add(id(each))
            left += each.values() if isinstance(each, Mapping) else each
    return ""


Plain = Annotated[Any, AfterValidator(_plain)]
"""A value as JSON has it, whatever it is given as: a date becomes its text, a member of an enum its value."""
