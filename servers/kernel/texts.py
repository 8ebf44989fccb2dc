"""What tools check and read in texts that an agent wrote."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from servers.kernel.errors import Rejected

__all__ = ("bounded", "moment", "required")

_FORMS = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d")
"""Spelled out, since what `fromisoformat` takes depends on the version of Python."""


def required(**texts: str) -> None:
    """Texts by argument name, none of which may be empty. Raises `Rejected`, naming those that are."""
    if empty := [name for name, text in texts.items() if not text]:
        raise Rejected(f"{' and '.join(empty)} must not be empty.")


def bounded(most: int, **texts: str) -> None:
    """Texts by argument name, each of at most so many characters. Raises `Rejected`, naming the first that has more."""
    for name, text in texts.items():
        if len(text) > most:
            raise Rejected(f"{name} has {len(text):,} characters; it may have {most:,}.")


def moment(text: str) -> datetime | None:
    """A date, or a date and a time of day without zone; None for anything else."""
    for form in _FORMS:
        with suppress(ValueError):
            return datetime.strptime(text, form)
    return None
