"""What a trial did otherwise than it should have: expected changes that were made with another value, in words.

The outcome check counts such a change twice, as missing and as unexpected, and describes both in its score's detail
(`harness.scoring.outcome`). What is told here comes from these descriptions, so that a list needs no task.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

__all__ = ("mistake",)

_TOLD: Final = 3
_LONGEST: Final = 32
"""Characters of a value: of two long ones the beginnings, so that a line has room for both."""

_HEAD = re.compile(r"(insert|update|delete) ([\w-]+\.[\w-]+)(?: (.+?))?(?:: |$)")
_FIELD = re.compile(r"(?:, )?(\w+)=")
_ESCAPED = re.compile(r"\\[nrt]")
_KEPT: Final = 57
"""Characters of a value that a description keeps, before three dots, where it cuts one."""


class _Described(NamedTuple):
    """A change as a score describes it: `update crm.customers 00000012: status="Lost"`."""

    row: tuple[str, ...]
    values: Mapping[str, Any]


def mistake(detail: Mapping[str, Any]) -> str:
    """What was made with another value, such as `status Lost instead of Won`, "" where nothing was.

    `detail` is that of a score; the first few differences are told, each once. Changes of one row belong together, and
    of new rows of a table those that have most in common.
    """
    missing, extra = (_all(detail.get(name)) for name in ("missing", "extra"))
    said: dict[str, None] = {}
    for wanted in missing:
        alike = [each for each in extra if each.row == wanted.row]
        if not alike:
            continue
        made = max(alike, key=lambda each: sum(each.values.get(n) == v for n, v in wanted.values.items()))
        extra.remove(made)
        for name, value in wanted.values.items():
            if name in made.values and made.values[name] != value:
                said[f"{name} {_in_words(made.values[name])} instead of {_in_words(value)}"] = None
    told = "; ".join(list(said)[:_TOLD])
    return f"{told}; and {len(said) - _TOLD} more" if len(said) > _TOLD else told


def _all(found: Any) -> list[_Described]:
    if not isinstance(found, Sequence) or isinstance(found, str):
        return []
    return [read for each in found if isinstance(each, str) and (read := _read(each)) is not None]


def _read(text: str) -> _Described | None:
    """A description taken apart; None for what is not one. A value that was cut is what is left of it."""
    head = _HEAD.match(text)
    if head is None:
        return None
    values: dict[str, Any] = {}
    at, decoder = head.end(), json.JSONDecoder()
    while field := _FIELD.match(text, at):
        begins, until = field.end(), field.end() + _KEPT
        if text.startswith("...", until) and (until + 3 == len(text) or _FIELD.match(text, until + 3)):
            values[field[1]], at = f"{_ESCAPED.sub(' ', text[begins:until]).lstrip(chr(34))}…", until + 3
            continue
        try:
            values[field[1]], at = decoder.raw_decode(text, begins)
        except ValueError:
            break
    return _Described(tuple(part or "" for part in head.groups()), values)


def _in_words(value: Any) -> str:
    """A value in a sentence, in quotes where it is several words."""
    if value is None or value == "":
        return "nothing"
    text = " ".join(value.split()) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"
    return f'"{text}"' if " " in text else text
