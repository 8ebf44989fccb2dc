"""A user with patience, without a model: what is told is the grounded user's, when it is told is the persona's.

The five personas are named after the styles of the General Decision-Making Style inventory (Scott and Bruce 1995),
and are data: cards in `personas/`. Without a model nothing of a style is played but a few numbers of ours, which is
why such a user is labelled *patience dials*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from servers.kernel import Answer, Part, Question
from userssim.hearing import Hearing, hear
from userssim.hearing.marks import NOTHING, Before
from userssim.hearing.standing import stand_ins
from userssim.values import said
from userssim.wish import Known, Wish, holds
from userssim.wording import GO, LEFT, awaits, listed, pick

__all__ = ("NOISE", "Card", "PersonaName", "PersonaUser", "PlaceboUser", "card")

PersonaName = Literal["rational", "intuitive", "dependent", "avoidant", "spontaneous"]

NOISE: Final = "noise"
"""The kind of a stated item that has nothing to do with the request: the user says to ignore it."""

_CLOSED: Final = frozenset({"disambiguate", "propose_solution", "confirm_risk"})
_IGNORE: Final = ("Ignore that, it has nothing to do with it.", "Oh, ignore that, I was just talking.")
_WRITTEN: Final = ("That stands in what I wrote.", "It is in what I wrote.")
_DEPENDS: Final = ("That depends on what exactly you are about to do.", "Not before I know what exactly you would do.")
_SEASONS: Final = ("winter", "winter", "spring", "spring", "spring", "summer", "summer", "summer", "autumn", "autumn")
_EMPTY: Final = (
    "I have nothing to add to that.",
    "Sorry, I cannot say more about it.",
    "There is nothing more that I could tell you there.",
)


class Card(BaseModel):
    """A persona as data.

    `open` and `closed` are the ask at which an item is given: to a question for it, and to one that has its value in
    it. `items`: a reply is about `all` items that are asked for, `one` of them, or the `first` that is named. `until`
    is what is said before; `coarse` says a season in place of a date. Beyond `longest` characters nothing is read.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: PersonaName
    weights: dict[PersonaName, float]
    open: int = Field(ge=1)
    closed: int = Field(ge=1)
    items: Literal["all", "one", "first"]
    coarse: bool = False
    longest: int | None = None
    until: tuple[str, ...]
    gives: tuple[str, ...]
    refuses: tuple[str, ...]
    card: str


@cache
def card(name: PersonaName) -> Card:
    """The card of that name. Raises KeyError, which lists those there are."""
    import yaml

    if name not in get_args(PersonaName):
        raise KeyError(f"there is no persona {name!r}; there are {', '.join(get_args(PersonaName))}")
    path = Path(__file__).parent / "personas" / f"{name}.yaml"
    return Card.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))


class PersonaUser:
    """Answers from a `Wish` with the patience of a card (docs/benchmarks/drift.md, User).

    An ask counts for each item that the reply to it is about. What is asked for is heard as the grounded user hears it;
    besides, whoever quotes the words that stand in a value's place asks for that value. A question that proposes values
    is refused where the right one is not among them. A question that names nothing gets nothing.
    """

    def __init__(self, wish: Wish, persona: PersonaName) -> None:
        self._card = card(persona)
        self._noise = tuple(item for item in wish.stated if item.kind == NOISE)
        self._wish = Wish(
            full=wish.full,
            sent=wish.sent,
            withheld=wish.withheld,
            stated=tuple(item for item in wish.stated if item.kind != NOISE),
        )
        self._asks: dict[str, int] = {}
        self._told: set[str] = set()
        self._before: Before = NOTHING

    async def answer(self, question: Question) -> Answer:
        """What is said to it: about items that are withheld, else about what stands in the request, else nothing."""
        if question.end_of_turn and not awaits(question.text):
            return Answer(text="", goes_on=False)
        if self._card.longest and len(question.text) > self._card.longest:
            return self._without(self._until(question.text), "put_off")
        text = question.text + listed(question.candidates)
        heard = hear(self._wish, text, self._before)
        about = self._chosen([*self._about(heard, text)], text)
        if not about:
            return self._beside(heard, question, text)
        closed = self._closed(question, heard, text)
        parts = [self._part(item, closed, text) for item in about]
        revealed = tuple(part.target for part in parts if part.kind in ("given", "confirmed"))
        self._told |= {*revealed}
        self._before = Before(frozenset(self._told), frozenset(revealed), text)
        words = list(dict.fromkeys(part.text for part in parts))
        return Answer(
            text=" ".join(words), targets=tuple(item.id for item in about), revealed=revealed, parts=tuple(parts)
        )

    def _about(self, heard: Hearing, text: str) -> Iterator[Known]:
        """Withheld items that the question is about, in the order of the wish."""
        stands = stand_ins(self._wish)
        stems = {word[:4] for word in re.findall(r"[^\W_]+", text.casefold())}
        for item in self._wish.withheld:
            quoted = bool(stands.get(item.id)) and stands[item.id] <= stems
            if item.id in heard.spoken or quoted or _says(text, item):
                yield item

    def _chosen(self, items: Sequence[Known], text: str) -> list[Known]:
        """Those that the reply is about."""
        if self._card.items == "all" or not items:
            return list(items)
        if self._card.items == "first":
            return [min(items, key=lambda item: (_named_at(text, item), self._wish.withheld.index(item)))]
        return [next((item for item in items if item.id not in self._told), items[0])]

    def _closed(self, question: Question, heard: Hearing, text: str) -> bool:
        """Whether the question proposes values, by its strategy or, without one, by what it says."""
        if question.strategy:
            return question.strategy in _CLOSED
        return bool(heard.right or heard.wrong)

    def _part(self, item: Known, closed: bool, text: str) -> Part:
        self._asks[item.id] = self._asks.get(item.id, 0) + 1
        if item.id in self._told:
            return Part(kind="given", target=item.id, text=self._given(item, text))
        if closed and not _says(text, item):
            return Part(kind="corrected", target=item.id, text=_one_of(self._card.refuses, text))
        if self._asks[item.id] < (self._card.closed if closed else self._card.open):
            return Part(kind="put_off", target=item.id, text=self._until(text, item))
        return Part(kind="confirmed" if closed else "given", target=item.id, text=self._given(item, text))

    def _given(self, item: Known, text: str) -> str:
        """The value word for word, or as its slot has it said."""
        if item.says:
            told = item.says.replace("{value}", item.value)
            return f"{told[:1].upper()}{told[1:]}{'' if told.endswith(('.', '!', '?')) else '.'}"
        return _one_of(self._card.gives, text).replace("{value}", item.value)

    def _until(self, text: str, item: Known | None = None) -> str:
        if item and self._card.coarse and item.day:
            return f"Around {[*_SEASONS, 'autumn', 'winter'][int(item.day[5:7]) - 1]}, I would say."
        return _one_of(self._card.until, text)

    def _beside(self, heard: Hearing, question: Question, text: str) -> Answer:
        """What is said to a question that is about nothing withheld."""
        if any(_shares(text, item.value, self._wish.full) for item in self._noise):
            return self._without(_one_of(_IGNORE, text), "no_preference", NOISE)
        left = [item for item in self._wish.withheld if item.id not in self._told]
        if heard.leave or question.strategy == "confirm_risk":
            if left:
                return self._without(_one_of(_DEPENDS, text), "not_understood")
            wrong = heard.wrong
            return self._without("No, it is as I wrote." if wrong else GO, "corrected" if wrong else "confirmed")
        if heard.wrong:
            return self._without("No, it is as I wrote.", "corrected")
        if heard.right:
            return self._without("Yes, as I wrote.", "confirmed")
        if heard.asked:
            return self._without(_one_of(_WRITTEN, text), "given")
        if heard.other and not heard.doubted and not heard.generic:
            return self._without(_one_of(LEFT["best_judgment"], text), "no_preference")
        return self._without(self._until(text), "not_understood")

    @staticmethod
    def _without(
        text: str,
        kind: Literal["given", "confirmed", "corrected", "no_preference", "not_understood", "put_off"],
        target: str = "",
    ) -> Answer:
        return Answer(text=text, parts=(Part(kind=kind, target=target, text=text),))


class PlaceboUser:
    """Answers every question and adds nothing: what asking does by itself, without what is learned from it."""

    async def answer(self, question: Question) -> Answer:
        if question.end_of_turn:
            return Answer(text="", goes_on=False)
        text = _one_of(_EMPTY, question.text)
        return Answer(text=text, parts=(Part(kind="not_understood", text=text),))


def _says(text: str, item: Known) -> bool:
    """Whether a question has the item's value in it."""
    return bool(said(text, item)) or holds(text, item.value)


def _named_at(text: str, item: Known) -> int:
    """Where a question first says the item's value, role or kind; its end where it says none."""
    words = [item.value, *(item.role or item.kind).replace("_", " ").split()]
    places = [text.casefold().find(word.casefold()) for word in words if word]
    return min((place for place in places if place >= 0), default=len(text))


def _shares(text: str, noise: str, full: str) -> bool:
    """Whether a question takes up a remark: two of its longer words, or one that has a figure in it."""

    def telling(words: str) -> set[str]:
        return {word for word in re.findall(r"[\w-]+", words.casefold()) if len(word) > 4 or re.search(r"\d", word)}

    shared = (telling(noise) - telling(full)) & telling(text)
    return len(shared) > 1 or any(re.search(r"\d", word) for word in shared)


def _one_of(wordings: Sequence[str], question: str) -> str:
    return wordings[pick(question, len(wordings))]
