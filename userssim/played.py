"""A persona that a model plays: when a value is told follows from its card, how it is told is the model's.

The model sees what was meant, what the assistant got, who the person is, and the whole dialogue (Drift-Bench, section
3.3). Profile `paper` is the paper's single call (appendix H.3) in words of our own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from servers.kernel import Answer, Part, Question
from userssim.leave import beyond
from userssim.listening import Heard, listen, named
from userssim.patience import NOISE, Beside, Patience, PersonaName, apart, card, named_at, opens
from userssim.proposed import Judged, proposed
from userssim.revealed import reveals
from userssim.saying import Kind, Saying, say, telling
from userssim.speech import check_bearing, check_within
from userssim.values import says, verbatim
from userssim.voice import Voice, messages, rendered, whole
from userssim.wish import Known, Wish
from userssim.wording import awaits

__all__ = ("PaperPersona", "PlayedPersona")


class PlayedPersona:
    """Answers from a `Wish` with the patience of a card, in the words of a model (docs/users.md).

    The model is asked twice, as `LlmUser` asks it. First it says which facts a question is about, without seeing a
    value that was not told yet. The card's dials then decide what becomes of each. Then the model is told what to do,
    and writes the answer in the person's manner: values that are to be told stand in it word for word, and none that
    is not, nor any name or number that the person cannot know. A reply that will not do is asked for again, twice.
    """

    def __init__(self, wish: Wish, voice: Voice, persona: PersonaName) -> None:
        self._voice, self._card = voice, card(persona)
        self._wish, self._noise = apart(wish)
        self._patience = Patience(self._card, self._wish.withheld)
        self._earlier: list[tuple[str, str]] = []

    async def answer(self, question: Question) -> Answer:
        """Hear the question, with its candidates, and answer it."""
        if question.end_of_turn and not awaits(question.text):
            return Answer(text="", goes_on=False)
        sayings = [self._until()] if self._patience.unread(question) else await self._heard(question)
        text = await self._say(question, sayings)
        self._earlier.append((whole(question), text))
        return Answer(
            text=text,
            targets=tuple(saying.item.id for saying in sayings if saying.item),
            revealed=tuple(saying.item.id for saying in sayings if saying.item and saying.forms),
            parts=tuple(Part(kind=saying.kind, target=saying.target, text=text) for saying in sayings),
        )

    async def _heard(self, question: Question) -> list[Saying]:
        """What the answer has to do: about what is withheld, else about what stands in the request, else nothing."""
        asked = whole(question)
        heard = await listen(
            self._voice,
            self._wish,
            question,
            self._earlier,
            sent=self._wish.sent or self._wish.full,
            noise=self._noise,
        )
        offered = {each.fact: each.words for each in heard.proposed}
        spoken = {*heard.asked, *offered}
        withheld = [item for item in self._wish.withheld if item.id in spoken] or [
            item
            for item in self._wish.withheld
            if self._patience.refused(question, item, self._proposed(question, item), alone=not spoken)
        ]
        about = self._patience.chosen(withheld, lambda item: named_at(asked, item, offered.get(item.id, "")))
        if not about:
            return [self._beside(question, heard, offered)]
        closed = self._patience.closed(question, any(item.id in offered for item in about))
        return [self._about(question, item, closed) for item in about]

    def _proposed(self, question: Question, item: Known) -> Judged:
        return proposed(question.text, question.candidates, item, self._wish.sent, self._wish.stated)

    def _about(self, question: Question, item: Known, closed: bool) -> Saying:
        """What becomes of an item, as the model is told."""
        there = self._proposed(question, item)
        disclosure = self._patience.asked(item, closed=closed, proposed=there, opens=opens(question))
        what = named(item)
        notes = {
            "given": f"Tell it the {what}. These words stand in your answer as they are: {verbatim(item)}",
            "confirmed": f"Say that it has the {what} right, and repeat it word for word: {verbatim(item)}",
            "corrected": f"Say that what it has for the {what} is not it. Do not tell the right one.",
            "put_off": f"Do not tell the {what} yet, and agree to nothing. In place of it, {self._card.holds_back}.",
        }
        note = notes[disclosure]
        if closed and there == "wrong" and disclosure in ("given", "put_off"):
            note = f"What it has for the {what} is not it: say so first. {note}"
        if disclosure == "given" and item.says:
            note += f"\n  Say it so, in your manner: {item.says.replace('{value}', item.value)}"
        forms = (item.value,) if disclosure in ("given", "confirmed") else ()
        return Saying(disclosure, note, item, forms, item.id)

    def _beside(self, question: Question, heard: Heard, offered: dict[str, str]) -> Saying:
        """What is said to a question that is about nothing withheld."""
        asked = whole(question)
        stated = [item for item in self._wish.stated if item.id in offered]
        noise = {item.id for item in self._noise}
        what = self._patience.beside(
            question,
            noise=bool(noise & {*heard.asked, *offered}),
            leave=heard.leave,
            beyond=beyond(asked, self._wish),
            wrong=any(not says(asked, item) for item in stated),
            right=bool(stated),
            asked=bool(heard.asked) or _clear(heard),
            other=heard.other,
        )
        if what == "until":
            return self._until()
        kind, note = _NOTES[what]
        return Saying(kind, note, target=NOISE if what == "ignore" else "")

    def _until(self) -> Saying:
        return Saying("not_understood", f"Tell it nothing, and agree to nothing: {self._card.holds_back}.")

    async def _say(self, question: Question, sayings: Sequence[Saying]) -> str:
        """The answer in the model's words."""
        wish = self._wish
        sent = wish.sent or wish.full
        system = rendered("persona", card=self._card, full=wish.full, sent=sent)
        known = "\n".join((sent, *_texts(self._earlier), whole(question)))
        claims = "\n".join(item.says for item in wish.withheld)  # what is wrong with a request stands there
        kinds = {saying.kind for saying in sayings}
        unclear = any(saying.item and saying.kind == "not_understood" for saying in sayings)
        tells = any(saying.forms for saying in sayings)
        return await say(
            self._voice,
            system,
            question,
            sayings,
            earlier=self._earlier,
            secret=[item for item in self._patience.left if not says(known, item)],
            told=False,
            denies=bool(unclear or kinds & {"corrected", "put_off"}) and not tells,
            within=f"{known}\n{wish.full}\n{claims}",
        )


class PaperPersona:
    """The paper's user: one call that sees what was meant and what was asked, and leads the assistant towards it.

    It thinks before it answers, and remembers the dialogue. No dial holds it back, and nobody says what a question
    asked for: what was withheld and stands in the answer was revealed, and counts as asked for. An answer with a name
    or a number that neither text nor the dialogue has is asked for again, twice.
    """

    def __init__(self, wish: Wish, voice: Voice, persona: PersonaName) -> None:
        self._wish, self._voice, self._card = wish, voice, card(persona)
        self._earlier: list[tuple[str, str]] = []

    async def answer(self, question: Question) -> Answer:
        """Answer the question; at the end of a turn it goes on where the answer reveals something."""
        wish = self._wish
        system = rendered("persona_paper", card=self._card, full=wish.full, sent=wish.sent or wish.full)
        values = [item.value for item in wish.withheld]
        known = "\n".join((wish.full, wish.sent, *_texts(self._earlier), *(item.says for item in wish.withheld)))

        def read(text: str) -> str:
            answer = text.rpartition("</think>")[2]
            if "<think>" in answer:
                raise ValueError("unreadable: <think> is not closed")
            answer = answer.strip()
            check_bearing(answer, values)
            check_within(answer, f"{known}\n{whole(question)}")
            return answer

        text = await self._voice.checked(messages(system, question, earlier=self._earlier), read)
        self._earlier.append((whole(question), text))
        return telling(question, text, reveals(text, wish))


_NOTES: Final[dict[Beside, tuple[Kind, str]]] = {
    "ignore": ("no_preference", "Say that this remark has nothing to do with what you want, and is to be ignored."),
    "depends": (
        "not_understood",
        "Say that this depends on what exactly it is about to do. Give it no leave to go ahead.",
    ),
    "as_written": ("corrected", "Say that this is not so, and that it is as you wrote."),
    "go": ("confirmed", "Tell it to go ahead with what you asked for."),
    "within": ("corrected", "Say that it is to do what you wrote, as you wrote it, and nothing else."),
    "beyond": ("corrected", "Say that you did not ask for that. Give it no leave to do it."),
    "right": ("confirmed", "Say that this is right, as you wrote."),
    "written": ("given", "Answer from what the assistant got, in its words. Add nothing that is not there."),
    "left": ("no_preference", "Say that you have no preference there, and leave it to the assistant."),
}


def _clear(heard: Heard) -> bool:
    """Whether it asks for what the words of the message answer, and no fact does."""
    return not (heard.proposed or heard.leave or heard.other) and heard.sense == "clear"


def _texts(earlier: Sequence[tuple[str, str]]) -> Iterator[str]:
    for said in earlier:
        yield from said
