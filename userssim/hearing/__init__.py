"""What a question is about: each item of a wish asked for, proposed or neither, told by a small encoder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from userssim.wish import Known, Wish

__all__ = ("Hearing", "hear")

SURE: Final = 0.6
"""Probability from which an item counts as spoken of, chosen on questions of the half to tune on."""

DOUBT: Final = 0.1
"""And up to which it counts as not: in between the user asks back rather than leave it to the agent."""


@dataclass(frozen=True, kw_only=True)
class Hearing:
    """What a user heard in a question.

    `asked` and `proposed` are ids of items in the order of the wish: its value is wanted, or the question has one for
    it; `right` those whose own value the question says. `doubted`: an item may have been spoken of. `other`: what is
    no part of the wish is asked for; `leave`: leave to act; `generic`: whether anything is missing.
    """

    asked: tuple[str, ...] = ()
    proposed: tuple[str, ...] = ()
    right: frozenset[str] = frozenset()
    doubted: bool = False
    other: bool = False
    leave: bool = False
    generic: bool = False

    @property
    def spoken(self) -> tuple[str, ...]:
        """All items that it is about."""
        return (*self.asked, *self.proposed)


@lru_cache(maxsize=4096)
def hear(wish: Wish, question: str) -> Hearing:
    """What a question asks of a wish. The same question is heard the same, whatever was said before."""
    from userssim.hearing.encoder import read, vocabulary
    from userssim.hearing.marks import marked

    text = marked(wish, question, vocabulary())
    found = read(text)
    asked, proposed, doubted = [], [], False
    for item in (*wish.withheld, *wish.stated):
        none, wanted, offered = found.items.get(item.id, (1.0, 0.0, 0.0))
        if _in_its_words(item, question):
            none, wanted = 0.0, max(wanted, offered + 0.01)
        if 1 - none >= SURE:
            (asked if wanted >= offered else proposed).append(item.id)
        elif item in wish.withheld:
            doubted |= 1 - none > DOUBT
    return Hearing(
        asked=tuple(asked),
        proposed=tuple(proposed),
        right=text.said,
        doubted=doubted,
        other=max(found.other, found.off_topic) >= 0.5,
        leave=found.leave >= 0.5,
        generic=found.generic >= 0.5 and not (asked or proposed),
    )


def _in_its_words(item: Known, question: str) -> bool:
    """Whether the question has all the words of one of the slot's own wordings (`Slot.asks`)."""
    heard = _words(question)
    return any(wording and wording <= heard for wording in map(_words, item.asks))


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w']+", text.casefold()))


def listed(candidates: Sequence[str]) -> str:
    """Candidates as if they were said with the question."""
    return f" {' or '.join(candidates)}?" if candidates else ""
