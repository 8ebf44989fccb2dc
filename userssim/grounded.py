"""A user who knows what was meant and answers what is asked, without a model (docs/clarification.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from servers.kernel import Answer, Part, Question
from userssim.apart import another
from userssim.hearing import Hearing, hear
from userssim.hearing.marks import NOTHING, Before
from userssim.leave import GO_ON, NO_MORE, NOT_ASKED, adds, asks_leave, beyond, unquoted
from userssim.times import weekdays_asked_for
from userssim.values import begun, spoken
from userssim.wish import Known, Wish, holds
from userssim.wording import LEFT, Deferral, Policy, Probe, asks_for_fact, awaits, listed, pick

__all__ = ("NAME", "Deferral", "GroundedUser", "Manner", "Policy", "Probe")

NAME: Final = "grounded@2"

_Kind = Literal["given", "confirmed", "corrected"]
Manner = Literal["plain", "terse", "chatty", "one_at_a_time", "reluctant"]

_LOST: Final = (
    "I don't follow. What do you need to know?",
    "Sorry, I don't understand the question. Which thing do you mean?",
    "I'm not sure what you're asking. Can you put it another way?",
)
_NOTHING: Final = "Not that I can think of. What do you need to know?"
_PUT_OFF: Final = (
    "Do you really need me for that?",
    "I'm in the middle of something. Is that needed?",
    "Can't you do that without me?",
)
_WRITTEN: Final[dict[_Kind, str]] = {
    "corrected": "No, as I wrote.",
    "given": "That's in what I wrote.",
    "confirmed": "Yes, as I wrote.",
}
_NO_FURTHER: Final = "All I can say is:"
_CHATTY: Final = (
    ("Ah, glad you asked! ", "Thanks for taking care of this."),
    ("Oh, sorry, I should have said so. ", "Shout if anything else is unclear."),
    ("Right, let me see... ", "I'm off to my next meeting now."),
)


@dataclass(frozen=True)
class _Said:
    """What the user does about one thing, and its value as it is told; none where the request has it.

    `reaching`: the question has that value, and wants to know more about it than the user can say; `bending`: whether
    it could be otherwise.
    """

    kind: _Kind
    item: Known
    text: str
    reaching: bool = False
    bending: bool = False


class GroundedUser:
    """Answers from a `Wish`: what was asked for, and only that.

    Each thing that a question is about has its part in the answer: its value is `given`, or the value that the question
    has for it `confirmed` or `corrected`. Where it asks for what is no part of the wish, the user has `no_preference`;
    where it cannot be told what it asks, the user says so (`not_understood`) and leaves nothing to the agent. Neither
    ever follows a value. Leave to act is given for what was asked for; where a question would do away with anything
    else (`userssim.leave`), it is refused (`corrected`).

    `policy`: what the request states is repeated (`original_prompt`), or only said to stand there (`segments`);
    `deferral` words `no_preference`, but a fact is never known. A question that names nothing gets nothing under
    `probe` `strict`, and the first withheld value under `lenient` (the first not yet given, with `memory` `on`).
    `memory` `on` says when it repeats itself. At the end of a turn the session goes on if the agent awaits an answer,
    or the user has one to give, which is not what it said to the same words at the end of the last turn: where nothing
    has changed since then, the session ends.

    `manner` changes how it answers, never what: `terse` says values alone, `chatty` more than is needed,
    `one_at_a_time` one of the things that a question asks for, `reluctant` answers what it is asked for the second
    time.
    """

    def __init__(
        self,
        wish: Wish,
        *,
        policy: Policy = "segments",
        deferral: Deferral = "best_judgment",
        memory: Literal["off", "on"] = "off",
        probe: Probe = "strict",
        manner: Manner = "plain",
    ) -> None:
        self._wish, self._policy, self._deferral, self._probe, self._manner = wish, policy, deferral, probe, manner
        self._memory = memory == "on"
        self._told: set[str] = set()
        self._before = NOTHING
        self._put_off: set[str] = set()
        self._last: tuple[str, tuple[tuple[str, str], ...]] | None = None  # the last end of a turn, and what was said

    async def answer(self, question: Question) -> Answer:
        """Hear the question, and candidates as if they were said with it ("A or B?").

        Its context is the agent's own and asks for nothing, and what is asked does not depend on the strategy.
        """
        text = question.text + listed(question.candidates)
        if not question.end_of_turn:
            return self.reply(text)
        heard = hear(self._wish, text, self._before)
        answer = self.reply(text)
        last, self._last = self._last, (text, tuple((part.kind, part.target) for part in answer.parts))
        again = self._last == last and not question.since.changed
        if again or not (awaits(question.text) or heard.asked or heard.wrong):
            about = any(part.target for part in answer.parts)
            return answer.model_copy(update={"goes_on": False}) if about else Answer(text="", goes_on=False)
        return answer

    def reply(self, question: str) -> Answer:
        """The same, without the protocol around it."""
        heard = hear(self._wish, question, self._before)
        withheld = [item.id for item in self._wish.withheld]
        said = list(self._about(heard, question))
        beside = (heard.leave or asks_leave(question)) and beyond(question, self._wish)
        leave = NOT_ASKED if beside else GO_ON if heard.leave else ""
        if leave == NOT_ASKED and not any(each.text for each in said):
            said = []  # that what it would do away with stands in the request is no leave
        put_off = self._manner == "reluctant" and {each.item.id for each in said} - self._put_off
        if put_off:
            self._put_off |= put_off
            parts = [Part(kind="put_off", target=id, text=_one_of(_PUT_OFF, question)) for id in sorted(put_off)]
            text = parts[0].text
            said = []
        elif said:
            if self._manner == "one_at_a_time":
                said = [next((each for each in said if each.item.id not in self._told), said[0])]
            parts = [Part(kind=each.kind, target=each.item.id, text=each.text) for each in said]
            text = self._worded(said, leave, question)
        else:
            parts = [self._without(heard, leave, question)]
            text = parts[0].text
        new = {each.item.id for each in said}
        self._told |= new
        self._before = Before(frozenset(self._told), frozenset(new), question)
        return Answer(
            text=text,
            targets=tuple(id for id in withheld if id in heard.spoken),
            revealed=tuple(id for id in withheld if id in {each.item.id for each in said}),
            parts=tuple(parts),
        )

    def _about(self, heard: Hearing, question: str) -> Iterator[_Said]:
        """What is said of each item that the question is about, in the order of the wish.

        Of those that the request states, under `policy` `segments`, only that they stand there, and that only where
        nothing else is to be said.
        """
        spoken_of = set(heard.spoken)
        if heard.generic and self._probe == "lenient":
            first = [item.id for item in self._wish.withheld if not (self._memory and item.id in self._told)][:1]
            spoken_of |= set(first)
        withheld = [item for item in self._wish.withheld if item.id in spoken_of]
        stated = [item for item in self._wish.stated if item.id in spoken_of]
        by_heart = self._policy == "original_prompt"
        for item in (*withheld, *stated) if by_heart or not withheld else withheld:
            value = item.says.replace("{value}", item.value) if item.says else spoken(item, self._wish.full)
            if item in stated and not by_heart:
                value = ""
            reaching = item.id in heard.reaching and not item.says
            yield _Said(self._kind(heard, question, item), item, value, reaching, item.id in heard.bending)

    def _kind(self, heard: Hearing, question: str, item: Known) -> _Kind:
        """What is said is no denial where the question may have the value in words that are not known for it."""
        if item.id in heard.right:
            return "confirmed"
        return "corrected" if item.id in heard.wrong and another(question, item, self._wish) else "given"

    def _worded(self, said: Sequence[_Said], leave: str, question: str) -> str:
        """Values first, what was wrong before what was right; leave to act behind them, where nothing was wrong."""
        if not any(each.text for each in said):
            answers: list[_Kind] = ["corrected" if each.bending else each.kind for each in said]
            return _WRITTEN[min(answers, key=list(_WRITTEN).index)]
        kinds = [[each for each in said if each.kind == kind] for kind in ("corrected", "confirmed", "given")]
        wrong, right, given = (_listed([self._labelled(each, said) for each in some]) for some in kinds)
        if self._manner == "terse":
            first = next(each for some in kinds for each in some)
            return _sentence(begun(first.item, _listed([text for text in (wrong, right, given) if text])))
        sentences = []
        if wrong:
            sentences.append(f"No, {wrong}.")
        if right:
            verb = "are" if len(kinds[1]) > 1 else "is"
            answer = "No" if any(each.bending for each in kinds[1]) else "Yes"
            whole = f"{begun(kinds[1][0].item, right)} {verb} right."
            sentences.append(whole if wrong else f"{answer}, {right}.")
        if given:
            again = self._memory and all(each.item.id in self._told for each in said)
            reaching = all(each.reaching for each in kinds[2])
            alone = f"{_NO_FURTHER} {given}." if reaching else _sentence(begun(kinds[2][0].item, given))
            sentences.append(f"As I said, {given}." if again else f"And {given}." if sentences else alone)
        if leave and not wrong:
            sentences.append(NOT_ASKED if leave == NOT_ASKED else "Please go ahead.")
        text = " ".join(sentences)
        if self._manner == "chatty":
            before, after = _CHATTY[pick(question, len(_CHATTY))]
            text = f"{before}{text} {after}"
        return text

    @staticmethod
    def _labelled(each: _Said, said: Sequence[_Said]) -> str:
        """A value, with what it is where several of one kind are told at once."""
        alike = [other for other in said if other.item.kind == each.item.kind]
        if len(alike) < 2 or each.item.says or not each.item.role:
            return each.text
        return f"{each.text} ({each.item.role})"

    def _without(self, heard: Hearing, leave: str, question: str) -> Part:
        """What is said where no item is spoken of."""
        if heard.generic:
            return Part(kind="not_understood", text=_NOTHING)
        if leave == NOT_ASKED:
            return Part(kind="corrected", text=leave)
        more = adds(question, self._wish, leave=heard.leave)
        sent = unquoted(self._wish.sent)
        if not leave and any(holds(sent, day) for day in weekdays_asked_for(question)):  # no item has it
            return Part(kind="given", text=_WRITTEN["given"])
        if heard.doubted and not more:
            return Part(kind="not_understood", text=_one_of(_LOST, question))
        if leave:
            return Part(kind="confirmed", text=NO_MORE if more else leave)
        if more:
            return Part(kind="no_preference", text=NO_MORE)
        if heard.other:
            words = LEFT["dont_know" if asks_for_fact(question) else self._deferral]
            return Part(kind="no_preference", text=_one_of(words, question))
        return Part(kind="not_understood", text=_one_of(_LOST, question))


def _one_of(wordings: Sequence[str], question: str) -> str:
    return wordings[pick(question, len(wordings))]


def _listed(values: Sequence[str]) -> str:
    return " and ".join([", ".join(values[:-1]), values[-1]] if len(values) > 1 else values)


def _sentence(text: str) -> str:
    return text if text.endswith('."') else f"{text}."
