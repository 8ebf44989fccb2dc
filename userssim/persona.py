"""A user with patience, without a model: what is told is the grounded user's, when it is told is the persona's.

The five personas are named after the styles of the General Decision-Making Style inventory (Scott and Bruce 1995),
and are data: cards in `personas/`. Without a model nothing of a style is played but a few numbers of ours, which is
why such a user is labelled *patience dials*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from servers.kernel import Answer, Part, Question
from userssim.amounts import NUMBER, measure_of
from userssim.hearing import Hearing, hear
from userssim.hearing.marks import NOTHING, Before
from userssim.hearing.standing import stand_ins
from userssim.leave import GO_ON, NOT_ASKED, beyond
from userssim.patience import NOISE, Beside, Card, Disclosure, Patience, PersonaName, apart, card, named_at, opens
from userssim.proposed import Judged, proposed, reported
from userssim.wish import Known, Wish
from userssim.wording import LEFT, awaits, explained, followed, listed, pick, told

__all__ = ("NOISE", "Card", "PersonaName", "PersonaUser", "PlaceboUser", "card", "named_at", "shares")

_SEASONS: Final = ("winter", "winter", "spring", "spring", "spring", "summer", "summer", "summer", "autumn", "autumn")
_Kind = Literal["given", "confirmed", "corrected", "no_preference", "not_understood", "put_off"]

_BESIDE: Final[dict[Beside, tuple[_Kind, tuple[str, ...]]]] = {
    "ignore": (
        "no_preference",
        ("Ignore that, it has nothing to do with it.", "Oh, ignore that, I was just talking."),
    ),
    "depends": (
        "not_understood",
        ("That depends on what exactly you are about to do.", "Not before I know what exactly you would do."),
    ),
    "as_written": ("corrected", ("No, it is as I wrote.",)),
    "go": ("confirmed", (GO_ON,)),
    "within": ("corrected", ("Only what I wrote, please, as I wrote it.",)),
    "beyond": ("corrected", (NOT_ASKED,)),
    "right": ("confirmed", ("Yes, as I wrote.",)),
    "written": ("given", ("That stands in what I wrote.", "It is in what I wrote.")),
    "left": ("no_preference", LEFT["best_judgment"]),
}
_WHAT: Final = re.compile(r"\bwhat\b", re.IGNORECASE)
_MEANS: Final = re.compile(r"\b(?:mean|meant|stands? for|refers? to)\b", re.IGNORECASE)
_HOW: Final = re.compile(r"\bhow (?:do|should|am) I\b", re.IGNORECASE)
_TAKES: Final = re.compile(r"\b(?:understand|interpret|take)\b", re.IGNORECASE)
_IN_WHAT_SENSE: Final = re.compile(r"\bin what sense\b", re.IGNORECASE)
_POINTING: Final = re.compile(
    r"\bwhat (?:exactly )?(?:do(?:es)?|did) (?:you mean(?: by (?:that|this|it))?|(?:that|this|it) mean)(?: exactly)?\?",
    re.IGNORECASE,
)
_PLAIN: Final = "I mean {value}."
"""How a value is told again: whoever asks twice wants to be sure of it."""
_EMPTY: Final = (
    "I have nothing to add to that.",
    "Sorry, I cannot say more about it.",
    "There is nothing more that I could tell you there.",
)


class PersonaUser:
    """Answers from a `Wish` with the patience of a card (docs/benchmarks/drift.md, User).

    An ask counts for each item that the reply to it is about. What is asked for is heard as the grounded user hears it;
    besides, whoever quotes the words that stand in a value's place asks for that value. A question that proposes values
    is refused where these are others. One that names nothing gets nothing.
    """

    def __init__(self, wish: Wish, persona: PersonaName) -> None:
        self._card = card(persona)
        self._wish, self._noise = apart(wish)
        self._patience = Patience(self._card, self._wish.withheld)
        self._before: Before = NOTHING
        self._last = ""  # what was said last in place of a value

    async def answer(self, question: Question) -> Answer:
        """What is said to it: about items that are withheld, else about what stands in the request, else nothing."""
        if question.end_of_turn and not awaits(question.text):
            return Answer(text="", goes_on=False)
        if self._patience.unread(question):
            return _without(_one_of(self._card.unread or self._card.until, question.text), "put_off")
        text = question.text + listed(question.candidates)
        heard = hear(self._wish, text, self._before)
        about = self._patience.chosen(self._about(heard, question, text), lambda item: named_at(text, item))
        if about:
            closed = self._patience.closed(question, bool(heard.right or heard.wrong))
            parts = [self._part(item, closed, item.id in heard.bending, question) for item in about]
        elif about := self._meant(question, text):
            parts = [Part(kind="given", target=item.id, text=explained(item)) for item in about]
        else:
            return self._beside(heard, question, text)
        revealed = tuple(part.target for part in parts if part.kind in ("given", "confirmed"))
        self._before = Before(frozenset(self._patience.told), frozenset(revealed), text)
        words = list(dict.fromkeys(part.text for part in parts))
        return Answer(
            text=" ".join(words), targets=tuple(item.id for item in about), revealed=revealed, parts=tuple(parts)
        )

    def _about(self, heard: Hearing, question: Question, text: str) -> Iterator[Known]:
        """Withheld items that the question is about, in the order of the wish.

        Where none was heard, those whose value, or the words in its place, the question has; and those for which a
        closed question has another value, if it is about nothing else or wants leave to act on that; and those of whose
        false words a report has one ("There is no Alder Mews."). Where a request does not say what is to be done, and
        nothing else is open, questions about what it names ask for that.
        """
        withheld = self._wish.withheld
        if spoken := [item for item in withheld if item.id in heard.spoken]:
            yield from spoken
            return
        stands = stand_ins(self._wish)
        stems = {word[:4] for word in re.findall(r"[^\W_]+", text.casefold())}
        for item in withheld:
            there = self._proposed(question, item)
            if self._patience.refused(question, item, there, alone=not heard.spoken):
                yield item
            elif item.id not in self._patience.told:
                quoted = bool(stands.get(item.id)) and stands[item.id] <= stems
                named = quoted or there == "right" or self._reported(question, item)
                if named or (not heard.generic and (self._deed(item, text) or self._measured(item, text))):
                    yield item

    def _reported(self, question: Question, item: Known) -> bool:
        """Whether a blocker is reported in words of the request that are false of the item."""
        blocks = question.strategy == "report_blocker"
        return blocks and reported(question.text, item, self._wish.sent, self._wish.full)

    def _deed(self, item: Known, text: str) -> bool:
        """Whether the item alone is open, is what is to be done, and a question speaks of what the request names."""
        if item.dimension != "action" or [item] != self._patience.left:
            return False
        named, sent = (set(re.findall(r"[^\W_]{4,}", words.casefold())) for words in (text, self._wish.sent))
        return bool(named & sent)

    def _measured(self, item: Known, text: str) -> bool:
        """Whether the item alone is an amount of its measure, and a question names an amount that the request has not.

        "Would 8 days do?" asks for the six days that are meant.
        """
        own, named = _measures(_amounts(item.value)), _measures(_amounts(text) - _amounts(self._wish.sent))
        rivals = (other for other in self._patience.left if other != item)
        return bool(own & named) and not any(own & _measures(_amounts(other.value)) for other in rivals)

    def _meant(self, question: Question, text: str) -> list[Known]:
        """Values that were told, where the question is what they mean."""
        if not asks_what_is_meant(text):
            return []
        known = [item for item in self._wish.withheld if item.id in self._patience.told]
        said = [item for item in known if self._proposed(question, item) == "right"]
        return said or [item for item in known if item.id in self._before.last and _POINTING.search(text)]

    def _proposed(self, question: Question, item: Known) -> Judged:
        return proposed(question.text, question.candidates, item, self._wish.sent, self._wish.stated)

    def _part(self, item: Known, closed: bool, bending: bool, question: Question) -> Part:
        there, again = self._proposed(question, item), item.id in self._patience.told
        disclosure = self._patience.asked(item, closed=closed, proposed=there, opens=opens(question))
        text = question.text + listed(question.candidates)
        worded = told(item, _PLAIN) if again else self._worded(disclosure, item, text)
        if closed and there == "wrong" and disclosure in ("given", "put_off"):
            worded = f"{_one_of(self._card.refuses, text)} {worded}"
        elif disclosure == "confirmed" and not (bending or re.search(r"\bor\b", text)):
            # a yes to one thing, which may have another name
            worded = f"Yes. {worded}"
        return Part(kind=disclosure, target=item.id, text=worded)

    def _worded(self, disclosure: Disclosure, item: Known, text: str) -> str:
        if disclosure == "corrected":
            return _one_of(self._card.refuses, text)
        if disclosure == "put_off":
            return self._until(text, item)
        return told(item, _one_of(self._card.gives, text))

    def _until(self, text: str, item: Known | None = None) -> str:
        if item and self._card.coarse and item.day:
            return f"Around {[*_SEASONS, 'autumn', 'winter'][int(item.day[5:7]) - 1]}, I would say."
        left = [wording for wording in self._card.until if wording != self._last]
        self._last = _one_of(left or self._card.until, text)
        return self._last

    def _beside(self, heard: Hearing, question: Question, text: str) -> Answer:
        """What is said to a question that is about nothing withheld."""
        what = self._patience.beside(
            question,
            noise=any(shares(text, item.value, self._wish.full) for item in self._noise),
            leave=heard.leave,
            beyond=beyond(text, self._wish),
            wrong=bool(heard.wrong),
            right=bool(heard.right),
            asked=bool(heard.asked),
            other=heard.other and not heard.doubted and not heard.generic,
        )
        if what == "until":
            return _without(self._until(text), "not_understood")
        kind, wordings = _BESIDE[what]
        return _without(_one_of(wordings, text), kind, NOISE if what == "ignore" else "")


class PlaceboUser:
    """Answers every question and adds nothing: what asking does by itself, without what is learned from it.

    What a question is about is heard all the same (`targets`), as the rational persona hears a first question.
    """

    def __init__(self, wish: Wish) -> None:
        self._wish = wish

    async def answer(self, question: Question) -> Answer:
        if question.end_of_turn:
            return Answer(text="", goes_on=False)
        heard = await PersonaUser(self._wish, "rational").answer(question)  # a new one, which has told nothing yet
        text = _one_of(_EMPTY, question.text)
        return Answer(text=text, targets=heard.targets, parts=(Part(kind="not_understood", text=text),))


def asks_what_is_meant(text: str) -> bool:
    """Whether a question is what a value means, or how it is to be understood."""
    means = followed(text, _WHAT, _MEANS, ".?!") or followed(text, _HOW, _TAKES, ".?!")
    return means or bool(_IN_WHAT_SENSE.search(text))


def shares(text: str, noise: str, full: str) -> bool:
    """Whether a question takes up a remark: two of its longer words, or one that has a figure in it."""

    def telling(words: str) -> set[str]:
        return {word for word in re.findall(r"[\w-]+", words.casefold()) if len(word) > 4 or re.search(r"\d", word)}

    shared = (telling(noise) - telling(full)) & telling(text)
    return len(shared) > 1 or any(re.search(r"\d", word) for word in shared)


def _amounts(text: str) -> set[tuple[str, str]]:
    """Numbers of a text that have a measure, with it."""
    found = ((number[1].casefold(), measure_of(number[2])) for number in NUMBER.finditer(text))
    return {(number, measure) for number, measure in found if measure}


def _measures(amounts: set[tuple[str, str]]) -> set[str]:
    return {measure for _, measure in amounts}


def _without(text: str, kind: _Kind, target: str = "") -> Answer:
    """An answer that tells nothing that is withheld."""
    return Answer(text=text, parts=(Part(kind=kind, target=target, text=text),))


def _one_of(wordings: Sequence[str], question: str) -> str:
    return wordings[pick(question, len(wordings))]
