"""What an answer has to do, and the model's words for it: asked for again until they do that and no more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from servers.kernel import Answer, Part, Question
from userssim.speech import check_bearing, check_refusal, check_secrets, check_verdict, check_within
from userssim.voice import Voice, messages
from userssim.wish import Known, holds

__all__ = ("Kind", "Saying", "say", "telling")

Kind = Literal["given", "confirmed", "corrected", "no_preference", "not_understood", "put_off"]


@dataclass(frozen=True)
class Saying:
    """One thing that an answer has to do: a part of it, how the model is told, and what it is about.

    One of the `forms` has to stand in the answer, where there are any.
    """

    kind: Kind
    note: str
    item: Known | None = None
    forms: tuple[str, ...] = ()
    target: str = ""


async def say(
    voice: Voice,
    system: str,
    question: Question,
    sayings: Sequence[Saying],
    *,
    earlier: Sequence[tuple[str, str]],
    secret: Sequence[Known],
    told: bool,
    denies: bool,
    within: str = "",
) -> str:
    """An answer in the model's words: it does what it has to, holds nothing `secret` and contradicts none of it.

    `told`: it tells something, and so cannot say that it does not know. `denies`: it has no yes to begin with.
    `within` has the names and numbers that may stand in it; "" is any.
    """
    forms = [form for saying in sayings for form in saying.forms]
    kinds = {saying.kind for saying in sayings}

    def read(text: str) -> str:
        text = text.strip()
        check_bearing(text, forms)
        for saying in sayings:
            if saying.forms and not any(holds(text, form) for form in saying.forms):
                raise ValueError(f"missing: it does not have {' or '.join(map(repr, saying.forms))}, word for word")
        check_secrets(text, forms, secret)
        if within:
            check_within(text, within)
        if "no_preference" not in kinds:
            check_refusal(text, forms, told=told)
        if denies:
            check_verdict(text, wrong=True)
        elif kinds == {"confirmed"}:
            check_verdict(text, wrong=False)
        return text

    notes = [saying.note for saying in sayings]
    return await voice.checked(messages(system, question, earlier=earlier, notes=notes), read)


def telling(question: Question, text: str, revealed: tuple[str, ...]) -> Answer:
    """An answer of which nobody says what was asked for: what it revealed counts as that too.

    At the end of a turn it goes on where it reveals something.
    """
    return Answer(
        text=text,
        targets=revealed,
        revealed=revealed,
        parts=tuple(Part(kind="given", target=id, text=text) for id in revealed),
        goes_on=bool(revealed) or not question.end_of_turn,
    )
