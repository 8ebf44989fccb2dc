"""When a persona tells what: at which ask, how much in one reply, and what it says where nothing is to be told."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from servers.kernel import Question
from userssim.proposed import Judged
from userssim.wish import Known, Wish
from userssim.wording import followed

__all__ = ("NOISE", "Beside", "Card", "Disclosure", "Patience", "PersonaName", "apart", "card", "named_at", "opens")

PersonaName = Literal["rational", "intuitive", "dependent", "avoidant", "spontaneous"]

NOISE: Final = "noise"
"""The kind of a stated item that has nothing to do with the request: the user says to ignore it."""

_CLOSED: Final = frozenset({"disambiguate", "propose_solution", "confirm_risk"})

Disclosure = Literal["given", "confirmed", "corrected", "put_off"]
"""What becomes of an item: told, agreed to, refused without a value in its place, or not yet told."""

_ASKING: Final = r"(?:which|what|who|whom|whose|when|where|how)\b"
_IF_NOT: Final = re.compile(
    r"\b(?:if (?:not|so|neither|none|it(?:'s| is)(?: not|n't)|that(?:'s| is)(?: not|n't| wrong)|i(?:'m| am) wrong)"
    r"|otherwise|or else|failing that)\b",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(rf"\b(?:{_ASKING}|(?:tell|name|give|say|correct|let me know)\b)", re.IGNORECASE)
_OR_IS: Final = re.compile(r"\bor (?:do|did|is|are|was|were|would|should)\b", re.IGNORECASE)
_ANOTHER: Final = re.compile(
    r"\b(?:another|a different|some other|someone else|somebody else|something else)\b", re.IGNORECASE
)
_OR_WHICH: Final = re.compile(rf"\bunless you (?:tell|say|name)\b|\bor {_ASKING}", re.IGNORECASE)
_WHICH: Final = re.compile(rf"(?:;|:| [-\u2013\u2014])\s*(?:and )?{_ASKING}", re.IGNORECASE)
"""Behind a proposal: "if not, which one?", "or which one is it?", "- how many?", "or did you mean another one?"."""
_TELL: Final = re.compile(
    r"^(?:an?other|a different|some other|some(?:thing|body|one) else|none)\b.*\b(?:tell|say|name|which|what)\b",
    re.IGNORECASE,
)
"""A candidate that asks: "another date, which you tell me"."""

Beside = Literal["ignore", "depends", "as_written", "go", "within", "beyond", "right", "written", "left", "until"]
"""What is said to a question that is about nothing withheld."""


class Card(BaseModel):
    """A persona as data.

    `weights` are of the five styles of the GDMS. The dials count with and without a model: `open` and `closed` are the
    ask at which an item is given, to a question for it and to one that has its value in it; a reply is about `all`
    `items` that are asked for, `one` of them, or the `first` that is named; beyond `longest` characters nothing is
    read.

    For a model: `card` says who the person is, `rules` how they answer, `holds_back` what they do instead of telling.
    Without one there are wordings: `until` is what is said before a value is given, where `coarse` says a season in
    place of a date, and `unread` what is said to a question that is too long.
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
    unread: tuple[str, ...] = ()
    gives: tuple[str, ...]
    refuses: tuple[str, ...]
    card: str
    rules: tuple[str, ...] = Field(min_length=1)
    holds_back: str

    @property
    def dials(self) -> str:
        """The numbers, for those who play nothing but them: `2/1 one` (`open`, `closed`, `items`)."""
        return f"{self.open}/{self.closed} {self.items}"


@cache
def card(name: PersonaName) -> Card:
    """The card of that name. Raises KeyError, which lists those there are."""
    import yaml

    if name not in get_args(PersonaName):
        raise KeyError(f"there is no persona {name!r}; there are {', '.join(get_args(PersonaName))}")
    path = Path(__file__).parent / "personas" / f"{name}.yaml"
    return Card.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))


def apart(wish: Wish) -> tuple[Wish, tuple[Known, ...]]:
    """The wish without the remarks that do not belong to it, and these."""
    noise = tuple(item for item in wish.stated if item.kind == NOISE)
    return replace(wish, stated=tuple(item for item in wish.stated if item.kind != NOISE)), noise


def opens(question: Question) -> bool:
    """Whether a question that is to propose something asks for the value in its last sentence, or by a candidate.

    Behind what it proposes, or in place of that: "Which order do you mean?", with no candidates.
    """
    if any(_TELL.match(each.strip()) for each in question.candidates):
        return True
    *_, last = re.split(r"(?<=[.!?])\s+", question.text.strip())
    bare = not question.candidates and re.match(_ASKING, last, re.IGNORECASE) and not re.search(r"[,:]|\bor\b", last)
    *_, tail, end = "", *re.split(r"[.!?]", last)
    return bool(
        bare
        or followed(last, _IF_NOT, _ASKS, "?!")
        or followed(last, _OR_IS, _ANOTHER, ".?!")
        or _OR_WHICH.search(last)
        or (last.endswith("?") and not end and _WHICH.search(tail))
    )


def named_at(text: str, item: Known, words: str = "") -> int:
    """Where a question first says the item's value, role or kind, or its own `words` for it; its end where none."""
    looked = (words, item.value, *(item.role or item.kind).replace("_", " ").split())
    places = [text.casefold().find(each.casefold()) for each in looked if each]
    return min((place for place in places if place >= 0), default=len(text))


class Patience:
    """How far a conversation with a persona has come: how often each item was asked for, and what was told.

    An ask counts for each item that the reply to it is about. Values that are proposed are refused where the right one
    is not among them, and a question that names nothing gets nothing.
    """

    def __init__(self, card: Card, withheld: Sequence[Known]) -> None:
        self.card, self.told = card, set[str]()
        self._withheld = withheld
        self._asks: dict[str, int] = {}

    @property
    def left(self) -> list[Known]:
        """Items that were not told yet."""
        return [item for item in self._withheld if item.id not in self.told]

    def unread(self, question: Question) -> bool:
        """Whether a question is too long to be read."""
        return bool(self.card.longest and len(question.text) > self.card.longest)

    def chosen(self, items: Iterable[Known], named_at: Callable[[Known], int]) -> list[Known]:
        """Those of the items asked for, in the order of the wish, that the reply is about."""
        asked = list(items)
        if self.card.items == "all" or not asked:
            return asked
        if self.card.items == "first":
            return [min(asked, key=lambda item: (named_at(item), self._withheld.index(item)))]
        return [next((item for item in asked if item.id not in self.told), asked[0])]

    @staticmethod
    def closed(question: Question, proposes: bool) -> bool:
        """Whether it proposes values: by its strategy or, without one, by what was heard in it."""
        return question.strategy in _CLOSED if question.strategy else proposes

    @classmethod
    def refused(cls, question: Question, item: Known, proposed: Judged, *, alone: bool) -> bool:
        """Whether a question that no item was heard in has a wrong value for one all the same.

        It does where it wants leave to act on that or suggests it, or is closed and about nothing else (`alone`).
        """
        closed = question.strategy in ("confirm_risk", "propose_solution") or (alone and cls.closed(question, False))
        return closed and bool(item.others) and proposed == "wrong"

    def asked(self, item: Known, *, closed: bool, proposed: Judged, opens: bool = False) -> Disclosure:
        """What comes of one more ask for an item, by what a closed question proposes for it.

        One that ends with an open ask (`opens`), or of which the user cannot tell what it proposes, is taken as an
        open one where the right value is not proposed.
        """
        count = self._asks[item.id] = self._asks.get(item.id, 0) + 1
        if item.id in self.told:
            return "given"
        if closed and proposed != "right":
            if proposed == "wrong" and not opens:
                return "corrected"
            closed = False
        if count < (self.card.closed if closed else self.card.open):
            return "put_off"
        self.told.add(item.id)
        return "confirmed" if closed else "given"

    def beside(
        self,
        question: Question,
        *,
        noise: bool,
        leave: bool,
        beyond: bool,
        wrong: bool,
        right: bool,
        asked: bool,
        other: bool,
    ) -> Beside:
        """What is said to a question that is about nothing withheld, by what was heard in it.

        Leave to act on what seems other than what stands in the request is given for the request alone (`within`).
        """
        if noise:
            return "ignore"
        if leave or question.strategy == "confirm_risk":
            if self.left:
                return "depends"
            return "beyond" if beyond else "within" if wrong else "go"
        if wrong:
            return "as_written"
        if right:
            return "right"
        if asked:
            return "written"
        asks = question.strategy != "report_blocker"  # a report leaves nothing to anybody
        return "left" if other and asks else "until"
