"""What a call may hold, and what a result: what JSON can say and a record can keep.

A record has to read back. Python takes for JSON what no file can hold (unpaired surrogates), numbers that are none
(NaN), and nesting that readers do not follow: Pydantic's gives up at 200 levels, of which a record needs a few itself.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from math import isfinite
from typing import Any

from pydantic import BaseModel

__all__ = (
    "DEPTH",
    "NAME",
    "SIZE",
    "VALUES",
    "excerpt",
    "misnamed",
    "quoted",
    "refusal",
    "refused",
    "tidied",
    "ungivable",
    "whole",
)

DEPTH = 64
"""Levels of lists and objects, one inside the other."""

VALUES = 10_000
"""Values in the arguments of a call, names of fields included."""

SIZE = 5 * 2**20
"""Bytes of text in the arguments of a call, in UTF-8, names of fields included: the largest file, and some room."""

NAME = 200
"""Characters of the name of a tool or an argument."""

EXCERPT = 2_000
"""Characters that are kept of what could not be taken."""

_QUOTED, _LISTED = 200, 1_000
"""Characters of a value that an error repeats, and of several together."""

_LARGEST = sys.float_info.max

_NO_NUMBER = "holds a number that JSON does not have, or one beyond 1.8e308"
_NO_VALUE = "holds a value of type {}, which JSON does not have"
_TOO_DEEP = f"is nested more than {DEPTH} levels deep"


def refused(arguments: Mapping[str, Any]) -> str:
    """Why the arguments of a call cannot be taken, naming the one at fault; "" where they can."""
    problem = refusal(arguments)
    if not problem:
        return ""
    for name, value in arguments.items():
        if not isinstance(name, str) or misnamed(name):
            return f"the name of an argument {misnamed(name) if isinstance(name, str) else 'is not a text'}"
        if why := refusal(value):
            return f"{name!r} {why}"
    return f"the object of arguments {problem}"


def misnamed(tool: str) -> str:
    """Why nothing can be called by that name, in words that follow it; "" where it can."""
    return f"has {len(tool):,} characters, where {NAME} are the limit" if len(tool) > NAME else refusal(tool)


def refusal(value: object, *, values: int = VALUES, size: int = SIZE) -> str:
    """Why a value cannot be taken, in words that follow its name; "" where it can.

    It has to be what JSON can say, nested at most `DEPTH` levels deep, of at most so many values and bytes of text.
    Whatever it is, finding out takes time in proportion to these bounds, and no recursion.
    """
    level: list[Any] = [value]
    count = taken = 0
    for _ in range(DEPTH + 1):
        inner: list[Any] = []
        for each in level:
            kind = type(each)
            if kind is str or isinstance(each, str):
                taken += len(each)
                if not each.isascii():
                    try:
                        taken += len(each.encode()) - len(each)
                    except UnicodeEncodeError as error:
                        return f"holds an unpaired surrogate (U+{ord(each[error.start]):04X}), which is not text"
            elif each is None or kind is bool:
                pass
            elif isinstance(each, (int, float)):
                if not -_LARGEST <= each <= _LARGEST:
                    return _NO_NUMBER
            elif isinstance(each, (dict, Mapping)):
                count += 2 * len(each)
                if count > values:
                    break
                for name in each:
                    if not isinstance(name, str):
                        return "holds an object with a field whose name is not a text"
                inner += each
                inner += each.values()
            elif isinstance(each, (list, tuple)):
                count += len(each)
                if count > values:
                    break
                inner += each
            else:
                return _NO_VALUE.format(kind.__name__)
        if count > values:
            return f"holds more than {values:,} values"
        if taken > size:
            return f"holds more than {size:,} bytes of text"
        if not inner:
            return ""
        level = inner
    return _TOO_DEEP


def ungivable(value: object) -> str:
    """Why a tool's value, models included, cannot be given, in words that follow its name; "" where it can.

    It is for types that say nothing of what is within: there Pydantic writes NaN as null. Raises TypeError for a set.
    """
    level: list[Any] = [value]
    for _ in range(DEPTH + 1):
        inner: list[Any] = []
        for each in level:
            if isinstance(each, Enum):
                inner.append(each.value)
            elif isinstance(each, (str, int)):
                pass
            elif isinstance(each, float):
                if not isfinite(each):
                    return _NO_NUMBER
            elif isinstance(each, complex):
                return _NO_VALUE.format(complex.__name__)
            elif isinstance(each, (set, frozenset)):
                raise TypeError("it returned a set, whose order differs between processes: return a list")
            elif isinstance(each, Mapping):
                inner += each.values()
            elif isinstance(each, (list, tuple)):
                inner += each
            elif isinstance(each, BaseModel):
                inner += (*vars(each).values(), *(each.__pydantic_extra__ or {}).values())
            elif is_dataclass(each) and not isinstance(each, type):
                inner += (getattr(each, field.name) for field in fields(each))
        if not inner:
            return ""
        level = inner
    return _TOO_DEEP


def whole(text: str) -> str:
    """The text, with unpaired surrogates spelled out, as in JSON."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def excerpt(value: object, length: int = EXCERPT) -> str:
    """The start of a text, or of a value as JSON or what is nearest to it: `length` characters that can be kept."""
    text = value if isinstance(value, str) else _start(value, length)
    more = f"{len(text) - length:,} more characters" if isinstance(value, str) else "and more"
    return whole(text if len(text) <= length else f"{text[:length]} [... {more}]")


def quoted(*values: object) -> str:
    """What was given, as an error repeats it: texts in quotes, of long ones the start, of many values the first."""
    said: list[str] = []
    for value in values:
        start = excerpt(value, _QUOTED)
        said.append(repr(start) if isinstance(value, str) else start)
        if len(", ".join(said)) > _LISTED:
            break
    more = f" and {len(values) - len(said):,} more" if len(values) > len(said) else ""
    return ", ".join(said) + more


def _start(value: object, enough: int) -> str:
    """As much of a value's JSON as an excerpt needs, up to what cannot be spelled."""
    parts: list[str] = []
    length = 0
    try:
        for part in json.JSONEncoder(ensure_ascii=False, default=repr).iterencode(value):
            parts.append(part)
            length += len(part)
            if length > enough:
                break
    except (ValueError, TypeError, RecursionError):  # too long a number, a name that is no text, too deep
        parts.append(" [... and more]")
    return "".join(parts)


def tidied(value: Any, depth: int = DEPTH) -> Any:
    """The same JSON-able value with as little changed as makes it one that can be kept, however deep or odd it is."""
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, (Mapping, list, tuple)) and not depth:
        return excerpt(value)
    if isinstance(value, Mapping):
        return {whole(str(name)): tidied(each, depth - 1) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [tidied(each, depth - 1) for each in value]
    return excerpt(value) if refusal(value) else value
