"""Full text: which trials hold all of some words, in their records, tasks or annotations.

A record is looked through as it lies on disk first; only one that seems to hold everything is read. What counts is
texts that somebody said, wrote or named: names of fields do not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic_core import from_json

__all__ = ("holds", "text_of", "wanted")

_WANTED = re.compile(r'"([^"]*)"?|(\S+)')


def wanted(query: str) -> list[str]:
    """The words of a query, and its phrases in quotes, case folded, white space single."""
    found = (_plain(match[1] if match[1] is not None else match[2]) for match in _WANTED.finditer(query))
    return [each for each in dict.fromkeys(found) if each]


def holds(words: Iterable[str], path: Path, beside: str) -> bool:
    """Whether a record, or what is told `beside` it (plain already), holds all of the words.

    `words` are of `wanted`. A file that is gone holds nothing.
    """
    left = [word for word in words if word not in beside]
    if not left:
        return True
    try:
        raw = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    folded = raw.casefold()
    if "\\u" not in folded and not all(token in folded for word in left for token in _tokens(word)):
        return False
    try:
        record = from_json(raw)
    except ValueError:
        return False
    text = text_of(record)
    return all(word in text for word in left)


def text_of(*values: Any) -> str:
    """All texts of JSON values, each once, plain: case folded, white space single, a line for each."""
    return "\n".join(dict.fromkeys(_plain(text) for value in values for text in _texts(value)))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _tokens(word: str) -> Iterator[str]:
    """What a record holds as it lies on disk if it holds the word."""
    for token in word.split():
        yield json.dumps(token, ensure_ascii=False)[1:-1]
