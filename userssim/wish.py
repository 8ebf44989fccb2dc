"""What a simulated user wants, and which parts of it the agent was not told."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ("Known", "Wish", "holds")


@dataclass(frozen=True, kw_only=True)
class Known:
    """One fact of a request. `value` is its exact text there.

    `kind` and `role` say what sort of thing it is and which one of several (`person` and `recipient`,
    `traffic_source` and `first traffic source`). `asks` are wordings that ask for it, each heard where a question has
    all its words; `says` is how the user says it, with `{value}` for the value. `day` is the date that it means
    (YYYY-MM-DD), where it means one: of "last Monday", too. `key` is what tools call it, where its words do not have
    that; `others` are values that somebody might take for it, a key of theirs behind them in brackets.
    """

    id: str
    kind: str
    value: str
    role: str = ""
    dimension: str = ""
    subdimension: str = ""
    asks: tuple[str, ...] = ()
    says: str = ""
    day: str = ""
    key: str = ""
    others: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Wish:
    """A request as meant (`full`) and as given (`sent`), the facts it lacks and those that it states."""

    full: str
    sent: str = ""
    withheld: tuple[Known, ...] = ()
    stated: tuple[Known, ...] = ()


def holds(text: str, value: str) -> bool:
    """Whether a text has a value in it, as whole words and in any letter case."""
    return bool(re.search(rf"(?<!\w){re.escape(value.casefold())}(?!\w)", text.casefold()))
