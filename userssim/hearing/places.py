"""Values in the place of others: the old day where the new one belongs, or a name that the request does not have."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Final, NamedTuple

from userssim.hearing.standing import stand_ins, stems
from userssim.values import meant
from userssim.wish import Known, Wish

__all__ = ("Misplaced", "elsewhere", "misplaced")

_BEFORE: Final = re.compile(r"\b(from|to|for|with|by|on|at|in|of|until|between|before|after)(?: the| an?)?\s*\Z", re.I)
_ADDRESSED: Final = re.compile(
    r"\b(?:send|sent|mail|e-mail|email|forward|address|write|deliver)(?: [\w'-]+){0,5} to(?: the)?\s*\Z", re.IGNORECASE
)
_RECIPIENT: Final = re.compile(r"recipient|addressee", re.IGNORECASE)
_ASKING: Final = re.compile(r"\b(?:what|who|whom|whose|which|when|where|how|why)\b(?<!one who)", re.IGNORECASE)
_EQUATES: Final = re.compile(r"\b(?:is|are|be|being|as)\b", re.IGNORECASE)
_SHORT: Final = 10
"""Words of a question that says no more than who or what somebody is."""

_NONE: Final = frozenset[str]()
_NAME: Final = r"(?: the| an?)? ([A-Z][\w'-]+)"


class Misplaced(NamedTuple):
    """The item whose value a question has, and the one in whose place it has it."""

    item: str
    place: str


def misplaced(wish: Wish, question: str, said: Set[str]) -> Misplaced | None:
    """Where a question has the value of one withheld item in the place of another of its kind, whose value it has not.

    The place is told by what the other is called and the item is not ("So Tuesday is the new day?"), by the words that
    stand in its place in the request, or by the word before it ("to Tuesday" where it moves from Tuesday to Thursday).
    """
    for item in wish.withheld:
        others = [each for each in wish.withheld if each.kind == item.kind and each.id != item.id]
        if item.id not in said or len(others) != 1 or others[0].id in said:
            continue
        if _in_place_of(item, others[0], wish, question):
            return Misplaced(item.id, others[0].id)
    return None


def _in_place_of(item: Known, other: Known, wish: Wish, question: str) -> bool:
    if _EQUATES.search(question) and not _ASKING.search(question) and len(question.split()) <= _SHORT:
        if _called(other.role, question) and not _called(item.role, question):
            return True
        stands = stand_ins(wish)
        if (
            other.id in stands
            and stands[other.id] <= stems(question)
            and not stands.get(item.id, _NONE) & stems(question)
        ):
            return True
    own, others = (_before(wish.full, wish.full.find(each.value)) for each in (item, other))
    moves = {own, others} == {"from", "to"} and wish.full.count(item.value) == 1
    for start, _ in meant(question, item, wish.full):
        if moves and _before(question, start) == others:
            return True
        if (
            _RECIPIENT.search(other.role)
            and not _RECIPIENT.search(item.role)
            and _ADDRESSED.search(question[max(0, start - 80) : start])
        ):
            return True
    return False


def elsewhere(wish: Wish, question: str, item: Known) -> bool:
    """Whether a question has a name behind the word that stands before an item's in the request, and it is another."""
    before = _before(wish.full, wish.full.find(item.value))
    if not before or not item.value[:1].isupper():
        return False
    names = re.findall(rf"\b{before}{_NAME}", question)
    return any(not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", f"{wish.full} {wish.sent}") for name in names)


def _called(role: str, question: str) -> bool:
    return bool(role) and bool(re.search(rf"\b{re.escape(role.replace('_', ' '))}\b", question, re.IGNORECASE))


def _before(text: str, at: int) -> str:
    """The small word before a place, that says how what stands there belongs to the rest; "" where there is none."""
    found = _BEFORE.search(text[max(0, at - 20) : at]) if at > 0 else None
    return found[1].casefold() if found else ""
