"""A user for whom a model speaks: first which things a question asks for, then what is said of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from servers.kernel import Answer, Part, Question
from userssim.leave import beyond
from userssim.listening import Heard, listen, named, right
from userssim.revealed import reveals
from userssim.saying import Saying, say, telling
from userssim.speech import check_bearing
from userssim.values import said, spoken
from userssim.voice import Voice, messages, rendered, whole
from userssim.wish import Known, Wish, holds

__all__ = ("LlmUser", "PaperUser")


class LlmUser:
    """Answers from a `Wish` in the words of a model: what was asked for, and only that.

    The model is asked twice. First it names the items of the wish that the question asks for, or has values for,
    without seeing any value that was not told yet; whether a value is right is found out here. Then it is given the
    values of those items alone and writes the answer, which has to hold them, in the words of their slots
    (`Known.says`), as people say them or as the wish has them, and nothing that was not asked for. A reply that will
    not do is asked for again, and the model told why.

    It remembers what it said. `persona` is about its manner, and only the answer is written with it in view.
    """

    def __init__(self, wish: Wish, voice: Voice, *, persona: str = "") -> None:
        self._wish, self._voice, self._persona = wish, voice, persona
        self._items = {item.id: item for item in (*wish.withheld, *wish.stated)}
        self._earlier: list[tuple[str, str]] = []
        self._told: set[str] = set()

    async def answer(self, question: Question) -> Answer:
        """Hear the question, with its candidates, and answer. Its context is the agent's own and asks for nothing."""
        asked = whole(question)
        heard = await listen(self._voice, self._wish, question, self._earlier)
        sayings = list(self._sayings(heard, asked))
        if not sayings:
            if question.end_of_turn:
                return Answer(text="Thank you.", goes_on=False)
            sayings = [_LOST]
        text = await self._say(question, asked, sayings)
        told = {saying.item.id for saying in sayings if saying.item}
        self._told |= told
        self._earlier.append((asked, text))
        about = tuple(item.id for item in self._wish.withheld if item.id in told)
        lost = sayings == [_LOST]
        return Answer(
            text=text,
            targets=about,
            revealed=about,
            parts=tuple(_part(saying, text) for saying in sayings),
            goes_on=not (question.end_of_turn and lost) or question.text.rstrip().endswith("?"),
        )

    def _sayings(self, heard: Heard, asked: str) -> Iterator[Saying]:
        """What the answer has to do, in the order of the wish; nothing where nothing is wanted."""
        proposed = {each.fact: each.words for each in heard.proposed}
        wrong = False
        for item in self._items.values():
            if item.id in proposed:
                fits = right(asked, proposed[item.id], item)
                wrong |= not fits
                yield self._telling("confirmed" if fits else "corrected", item)
            elif item.id in heard.asked:
                yield self._telling("given", item)
        if heard.leave:
            if not wrong:
                yield _NOT_ASKED if beyond(asked, self._wish) else _GO
        elif not (heard.asked or heard.proposed):
            if heard.other:
                yield _LEFT
            elif heard.sense == "clear":
                yield _STANDS
            elif heard.sense == "unclear":
                yield _LOST

    def _telling(self, kind: Literal["given", "confirmed", "corrected"], item: Known) -> Saying:
        forms = _forms(item, self._wish.full)
        what = named(item)
        begins = {
            "given": f"Tell it the {what}",
            "confirmed": f"Say that it has the {what} right, and repeat it",
            "corrected": f"Say that it has the {what} wrong, and tell it the right one",
        }
        return Saying(kind, f"{begins[kind]}, word for word: {' -- or: '.join(forms)}", item, forms)

    async def _say(self, question: Question, asked: str, sayings: Sequence[Saying]) -> str:
        """The answer in the model's words."""
        system = rendered("say", persona=self._persona.strip(), sent=self._wish.sent or self._wish.full)
        now = self._told | {saying.item.id for saying in sayings if saying.item}
        known = f"{self._wish.sent}\n{asked}"
        kinds = {saying.kind for saying in sayings}
        return await say(
            self._voice,
            system,
            question,
            sayings,
            earlier=self._earlier,
            secret=[item for item in self._wish.withheld if item.id not in now and not said(known, item)],
            told=any(saying.item for saying in sayings),
            denies="corrected" in kinds and "confirmed" not in kinds,
        )


class PaperUser:
    """LHAW's user (appendix G.2): one call that sees the request as meant, as sent, and what was removed.

    It remembers nothing. What was removed and stands in the answer was revealed, and since nobody says what was asked
    for it counts as asked for too: of this user's precision nothing can be known.
    """

    def __init__(self, wish: Wish, voice: Voice) -> None:
        self._wish, self._voice = wish, voice

    async def answer(self, question: Question) -> Answer:
        """Answer the question; at the end of a turn it goes on where the answer reveals something."""
        wish = self._wish
        removed = [item.value for item in wish.withheld]
        system = rendered("paper", full=wish.full, sent=wish.sent or wish.full, removed=removed)

        def read(text: str) -> str:
            check_bearing(text, removed)
            return text.strip()

        text = await self._voice.checked(messages(system, question), read)
        return telling(question, text, reveals(text, wish))


_GO: Final = Saying("confirmed", "Tell it to go ahead with what you asked for.")
_NOT_ASKED: Final = Saying("corrected", "Say that you did not ask for that. Give it no leave to do it.")
_LEFT: Final = Saying("no_preference", "Say that you have no preference there, and leave it to the assistant.")
_STANDS: Final = Saying("given", "Answer from your message, in its words. Add nothing that is not there.")
_LOST: Final = Saying(
    "not_understood",
    "Say that you do not follow, and ask what it needs to know. Tell it nothing, and leave nothing to it.",
)


def _forms(item: Known, request: str) -> tuple[str, ...]:
    """The words in which a value may be told. A number that people say with a unit is never told without."""
    form = item.says.replace("{value}", item.value) if item.says else spoken(item, request)
    bare = form != item.value and re.fullmatch(r"[\d.,]+", item.value) and not item.says
    return (form,) if bare else tuple(dict.fromkeys((form, item.value)))


def _part(saying: Saying, text: str) -> Part:
    if not saying.item:
        return Part(kind=saying.kind, text=text)
    words = next(form for form in saying.forms if holds(text, form))
    return Part(kind=saying.kind, target=saying.item.id, text=words)
