"""What a question is about: each item of a wish asked for, proposed or neither, told by a small encoder."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from userssim.apart import lone, measured
from userssim.hearing.closing import closes, reported
from userssim.hearing.firmness import firmness
from userssim.hearing.marks import NOTHING, Before, marked
from userssim.hearing.naming import names_something
from userssim.hearing.past import ASKING, asks_for_past
from userssim.hearing.places import elsewhere, misplaced
from userssim.hearing.reach import asks_for_reach
from userssim.hearing.standing import asked_for_by_phrase
from userssim.wish import Known, Wish

__all__ = ("Hearing", "hear")

SURE: Final = 0.5
"""Probability from which an item counts as spoken of, from questions to tune on and sums of the earlier half."""

SURE_OF_YES: Final = 0.95
"""Probability from which a value counts as the right one: below, it is told, and not agreed to."""

DOUBT: Final = 0.1
"""And up to which it counts as not: in between the user asks back rather than leave it to the agent."""

MENTIONED: Final = 0.05
"""Up to which what stands in its place in the request is only mentioned, once the item was told ("Since when is she
team lead?"): of 78 such questions in conversations to train on, three ask for it."""


@dataclass(frozen=True, kw_only=True)
class Hearing:
    """What a user heard in a question.

    Ids of items in the order of the wish: of those `asked` the value is wanted, for those `right` and `wrong` the
    question has a value. `reaching` are those of the asked whose value it has, to ask what that includes or how far it
    reaches; `bending` those of the right, to ask if they could be otherwise. `doubted`: an item may have been spoken
    of. `other`: what is no part of the wish is asked for; `leave`: leave to act; `generic`: whether anything is
    missing.
    """

    asked: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    reaching: tuple[str, ...] = ()
    bending: tuple[str, ...] = ()
    doubted: bool = False
    other: bool = False
    leave: bool = False
    generic: bool = False

    @property
    def spoken(self) -> tuple[str, ...]:
        """All items that it is about."""
        return (*self.asked, *self.right, *self.wrong)


@lru_cache(maxsize=4096)
def hear(wish: Wish, question: str, before: Before = NOTHING) -> Hearing:
    """What a question asks of a wish, in a conversation in which so much was said before."""
    from userssim.hearing.encoder import read, vocabulary

    text = marked(wish, question, vocabulary(), before)
    found = read(text)
    asked: list[str] = []
    right: list[str] = []
    wrong: list[str] = []
    doubted = False
    named = (
        bool(text.said)
        or names_something(question, before.question, vocabulary(), _words_of(wish))
        or measured(question)
    )
    for item in (*wish.withheld, *wish.stated):
        if not named and not _in_its_words(item, question):
            continue
        none, wanted, fits, unlike = found.items.get(item.id, (1.0, 0.0, 0.0, 0.0))
        if none > 1 - SURE and not _in_its_words(item, question):
            doubted |= none < 1 - DOUBT and item in wish.withheld
        elif max(fits, unlike) <= wanted:
            asked.append(item.id)
        elif unlike > fits:
            wrong.append(item.id)
        else:  # what is not said in any form that is known is better told than agreed to, too
            (right if fits >= SURE_OF_YES and item.id in text.said else asked).append(item.id)
    held = {item.id: item for item in wish.withheld}
    value = lone(question, wish)
    heard = {*asked, *right, *wrong} & held.keys()
    if value and heard <= {value.item} and (value.how != "asked" or heard <= {*asked}):
        asked, right, wrong = ([value.item] if how == value.how else [] for how in ("asked", "right", "wrong"))
    closing = closes(question)
    if closing:
        asked, (right, wrong) = [], reported(question, wish, text.said, [*asked, *right], wrong)
    firm = {item.id: firmness(question, item, wish) for item in (*held.values(), *wish.stated) if item.id in text.said}
    if fixed := [id for id, how in firm.items() if how and id not in wrong]:
        alone = not (ASKING.search(question) or _GOES_ON.search(question))  # what else was heard is not in it
        asked, wrong = ([id for id in ids if id not in fixed and not alone] for ids in (asked, wrong))
        right += [id for id in fixed if id not in right]
    past = not closing and asks_for_past(question, wish)
    if past:
        asked = [id for id in asked if id in text.said]
    leave = not closing and (found.leave >= 0.5 or bool(_SHALL_I.search(question)))
    swapped = misplaced(wish, question, text.said)
    if swapped and swapped.place not in (*asked, *right, *wrong) and (leave or swapped.item in (*asked, *right)):
        asked, right = ([id for id in ids if id != swapped.item] for ids in (asked, right))
        wrong.append(swapped.place)
    if leave:
        named_other = [id for id in asked if id not in text.said and id in held and elsewhere(wish, question, held[id])]
        asked, wrong = [id for id in asked if id not in named_other], [*wrong, *named_other]
    if not (closing or past or {*asked, *right, *wrong} & held.keys()):
        mentioned = {id for id in before.told & found.items.keys() if 1 - found.items[id][0] < MENTIONED}
        asked += _named(wish, question) or asked_for_by_phrase(wish, question, mentioned)
        if leave:
            wrong += _to_all(wish, question)
    return Hearing(
        asked=tuple(asked),
        right=tuple(right),
        wrong=tuple(wrong),
        reaching=tuple(
            id
            for id in asked
            if id in held
            and id in text.said
            and found.items[id][1] >= found.items[id][2]
            and asks_for_reach(question, held[id], wish, told=id in before.told)
        ),
        bending=tuple(id for id in right if firm.get(id) == "bends"),
        doubted=doubted and not (closing or past),
        other=past or (named and not closing and max(found.other, found.off_topic) >= 0.5),
        leave=not closing and found.leave >= 0.5 and bool(_WORD.search(question)),
        generic=found.generic >= 0.5 and not (asked or right or wrong),
    )


def _words_of(wish: Wish) -> str:
    """The request, as meant and as sent, and what its items are called."""
    called = (f"{item.kind} {item.role}".replace("_", " ") for item in (*wish.withheld, *wish.stated))
    return " ".join((wish.full, wish.sent, *called))


def _named(wish: Wish, question: str) -> list[str]:
    """The withheld item whose role or kind a question asks for by its very name ("What is the due date?"), if any."""
    items = (*wish.withheld, *wish.stated)
    names = {item.id: (item.role or item.kind).replace("_", " ").casefold() for item in items}
    called = [
        id
        for id, name in names.items()
        if re.search(rf"\b(what|who|which) (is|are) the {re.escape(name)}\W*$", question.casefold())
    ]
    withheld = {item.id for item in wish.withheld}
    return called if len(called) == 1 and called[0] in withheld else []


_WORD: Final = re.compile(r"[^\W\d_]{2}")
_GOES_ON: Final = re.compile(r"\band\b|[,.?!;:]\s+\w", re.IGNORECASE)
"""That a question may be about more than one thing."""
_SHALL_I: Final = re.compile(r"\b(?:shall|should|may|can|could|do) I\b", re.IGNORECASE)
_ALL: Final = re.compile(
    r"\b(?:to|with|for|tell|mail|e-mail|inform|invite|include|notify|copy)"
    r" (?:everybody|everyone|(?:all|the whole|the entire) (?:[\w'-]+ ){0,2}"
    r"(?:company|office|team|staff|department|board|hands|people|colleagues|employees))\b",
    re.IGNORECASE,
)


def _to_all(wish: Wish, question: str) -> list[str]:
    """The one withheld person, where leave is wanted to turn to everybody instead, and the wish does so nowhere."""
    people = [item.id for item in wish.withheld if item.kind == "person"]
    return people if len(people) == 1 and _ALL.search(question) and not _ALL.search(wish.full) else []


def _in_its_words(item: Known, question: str) -> bool:
    """Whether the question has all the words of one of the slot's own wordings (`Slot.asks`)."""
    heard = _words(question)
    return any(wording and wording <= heard for wording in map(_words, item.asks))


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w']+", text.casefold()))
