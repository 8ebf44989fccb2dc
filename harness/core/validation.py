"""What pydantic says of values that do not fit, made fit to be told."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

__all__ = ("own_words", "unechoed")


def own_words(message: str) -> str:
    """A message in the words of the validator that raised it, without what pydantic puts before them."""
    return message.removeprefix("Value error, ")


def unechoed(error: ValidationError) -> list[Any]:
    """Problems of a validation by themselves, without those that only follow from others that it tells."""
    return [
        each
        for each in error.errors()
        if each["type"] != "default_factory_not_called"  # for want of a setting whose problem is told
        and not (each["type"] == "too_short" and each["input"])  # echoes problems of the items
    ]
