"""A user who knows what was meant and answers what is asked, without a model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from servers.kernel import Answer, Part, Question
from userssim.first.router import Routed, route
from userssim.wish import Known, Wish
from userssim.wording import GO, LEFT, Deferral, Policy, Probe, awaits, listed, pick

__all__ = ("Deferral", "GroundedUser", "Policy", "Probe")

_NOUNS = {
    "body": "message",
    "event_name": "name of the event",
    "task_name": "name of the task",
    "due_date": "due date",
    "plot_type": "type of plot",
    "traffic_source": "traffic source",
    "count": "number",
    "to": "new owner",
    "from": "current owner",
}

_WORDS = frozenset({"subject", "body", "title", "event_name", "task_name"})


_PERMISSION = re.compile(
    r"\b((shall|should|may|can|could) (i|we)|(do|would) you (want|like) (me|us) to|go ahead|proceed"
    r"|is (that|this|it) (ok(ay)?|all ?right|fine)|(please )?confirm|are you sure)\b",
    re.IGNORECASE,
)


class GroundedUser:
    """Answers from a `Wish` (docs/benchmarks/lhaw.md, The simulated user).

    It reveals the exact value of each withheld fact that a question asks for, and of no other; the rest it
    defers, as `deferral` says. Under `policy` `original_prompt` it also repeats facts that the request states.
    A question that names nothing in particular reveals nothing under `probe` `strict`, and the first fact under
    `lenient` (the first not yet given, with `memory` `on`). `memory` `on` says so when it repeats itself;
    `off` is stateless. With `consent` `on`, an agent that ends its turn with a question, other than whether anything
    else is wanted, gets its leave (`confirmed`) or the choice (`no_preference`), and goes on.
    """

    def __init__(
        self,
        wish: Wish,
        *,
        policy: Policy = "segments",
        deferral: Deferral = "best_judgment",
        memory: Literal["off", "on"] = "off",
        probe: Probe = "strict",
        consent: Literal["off", "on"] = "off",
    ) -> None:
        self._wish, self._policy, self._deferral, self._probe = wish, policy, deferral, probe
        self._memory, self._consent = memory == "on", consent == "on"
        self._told: set[str] = set()

    async def answer(self, question: Question) -> Answer:
        """Route on the question's text, and on candidates as if they were said with it ("A or B?").

        Its context is the agent's own and asks for nothing, and what is asked does not depend on the strategy.
        """
        answer = self.reply(question.text + listed(question.candidates))
        if self._consent and question.end_of_turn and not answer.targets and awaits(question.text):
            return self._agreed(question.text, answer)
        return answer

    def reply(self, question: str) -> Answer:
        """The same, without the protocol around it."""
        withheld = self._wish.withheld
        facts = (*withheld, *self._wish.stated) if self._policy == "original_prompt" else withheld
        routed = route(question, facts, self._wish.full)
        given = list(routed.targets)
        if routed.generic and self._probe == "lenient":
            given = [fact for fact in withheld if not (self._memory and fact.id in self._told)][:1]
        text = self._words(question, given, routed)
        ids = [fact.id for fact in withheld]
        self._told |= {fact.id for fact in given}
        return Answer(
            text=text,
            targets=tuple(fact.id for fact in routed.targets if fact.id in ids),
            revealed=tuple(fact.id for fact in given if fact.id in ids),
        )

    @staticmethod
    def _agreed(question: str, answer: Answer) -> Answer:
        """Leave to do what the agent proposes; the choice where it asks for more than leave."""
        if _PERMISSION.search(question):
            return Answer(text=GO, parts=(Part(kind="confirmed", text=GO),), revealed=answer.revealed)
        return answer.model_copy(update={"parts": (Part(kind="no_preference", text=answer.text),), "goes_on": True})

    def _words(self, question: str, given: Sequence[Known], routed: Routed) -> str:
        said = [self._say(fact, question, routed) for fact in given]
        if not said or (routed.rest and routed.targets):
            said.append(self._defer(question))
        return " ".join(said)

    def _say(self, fact: Known, question: str, routed: Routed) -> str:
        """One fact, its value verbatim; in double quotes where it is words, to show where it ends."""
        opening = "As I said, the" if self._memory and fact.id in self._told else "The"
        if fact in routed.guessed:
            opening = "Yes, the"
        noun = _NOUNS.get(fact.role) or fact.role or _NOUNS.get(fact.kind) or fact.kind.replace("_", " ")
        value = f'"{fact.value}"' if fact.kind in _WORDS else fact.value
        return f"{opening} {noun} is {value}."

    def _defer(self, question: str) -> str:
        """One of a few wordings, picked by the question alone, so that it gives nothing away."""
        options = LEFT[self._deferral]
        return options[pick(question, len(options))]
