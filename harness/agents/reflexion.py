"""The agent that makes several attempts, judges each by itself, learns from it in words, and carries one out.

After Shinn et al. (2023), as PROBE has it (appendix A.2). In an attempt tools that change something are held back, so
no attempt leaves a trace in the world; of the attempt chosen the calls are made then, in their order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from harness.agents.holding import Draft, TurnsUsed, carry_out
from harness.agents.talking import Wire, consult, found, rendered, transcript
from harness.core.agent_config import Aspect, Prompts, Reflexion
from harness.core.desk import Agent, AgentFailed, Desk, LimitReached
from harness.core.trajectory import Message
from harness.models.replies import Completes

__all__ = ("RUBRIC", "ReflexionAgent", "self_score")

RUBRIC = (
    Aspect(name="grounds", weight=0.3, about="Is what the work rests on found in what tools showed, and all of it?"),
    Aspect(name="complete", weight=0.4, about="Do answer and calls do all that the request calls for?"),
    Aspect(name="exact", weight=0.3, about="Is every value in them right, and is nothing done besides?"),
)
"""What an agent scores its own work by where neither its settings nor the suite say."""


class _Attempt(NamedTuple):
    """An attempt: its desk, what it said at the end, its score, and what cut it short, if anything did."""

    desk: Draft
    said: str
    score: float
    ended: LimitReached | AgentFailed | None


class ReflexionAgent:
    """Lets `worker` attempt a turn, up to `settings.attempts` times, and carries out one attempt.

    The score is the model's own, by `rubric`, from 0 to 1; nobody else's is shown to it. One that cannot be read counts
    as 0, and its model call says so (`problem`). An attempt that used up its turns or made nothing that could be read
    is scored 0 without asking, and never carried out: where no other is there, the trial ends as it did. Where a call
    is refused when it is made, the worker is told and goes on from there, its calls being made at once.
    """

    def __init__(
        self,
        model: Completes,
        worker: Agent,
        wire: Wire,
        settings: Reflexion,
        *,
        rubric: Sequence[Aspect] = (),
        prompts: Prompts | None = None,
    ) -> None:
        self._model, self._worker, self._wire, self._settings = model, worker, wire, settings
        self._rubric = settings.rubric or tuple(rubric) or RUBRIC
        self._prompts = prompts or Prompts()
        self._past: Sequence[Message] = ()

    async def turn(self, desk: Desk, message: str) -> str:
        if not desk.messages:
            self._past = ()
        attempts: list[_Attempt] = []
        reflections: list[str] = []
        while True:
            attempts.append(await self._attempt(desk, message, reflections))
            if attempts[-1].score >= self._settings.stop or len(attempts) == self._settings.attempts:
                break
            reflections.append(await self._reflection(desk, attempts[-1], len(attempts)))
        chosen = self._chosen(attempts)
        if chosen.ended:
            raise chosen.ended
        said = await self._carry_out(chosen)
        self._past = tuple(chosen.desk.messages)
        return said

    async def _attempt(self, desk: Desk, message: str, reflections: Sequence[str]) -> _Attempt:
        kept = reflections[max(len(reflections) - self._settings.memory, 0) :]
        asked = rendered("attempt.j2", self._prompts.attempt, message=message, reflections=kept)
        draft = Draft(desk, self._past, self._settings.turns)
        try:
            said = await self._worker.turn(draft, asked)
        except (TurnsUsed, AgentFailed) as ended:
            return _Attempt(draft, "", 0, ended)
        instruction = rendered("score.j2", self._prompts.score, rubric=self._rubric)
        answer = await consult(
            self._model, desk, instruction, self._told(draft, said), lambda text: self_score(text, self._rubric)[1]
        )
        return _Attempt(draft, said, self_score(answer, self._rubric)[0], None)

    async def _reflection(self, desk: Desk, attempt: _Attempt, number: int) -> str:
        ended = str(attempt.ended or "")
        instruction = rendered("reflection.j2", self._prompts.reflection, number=number, ended=ended)
        return (await consult(self._model, desk, instruction, self._told(attempt.desk, attempt.said))).strip()

    def _told(self, draft: Draft, said: str) -> str:
        """An attempt in words: its conversation, and what would be carried out."""
        held = "\n".join(f"{number}. {call}" for number, call in enumerate(draft.held, start=1)) or "nothing"
        conversation = transcript(draft.messages[len(self._past) :], self._wire)
        return f"{conversation}\n\nWould be carried out:\n{held}\n\nWould be answered:\n{said or 'nothing'}"

    def _chosen(self, attempts: Sequence[_Attempt]) -> _Attempt:
        whole = [attempt for attempt in attempts if not attempt.ended]
        if self._settings.commit == "last" or not whole:
            return attempts[-1]
        return max(reversed(whole), key=lambda attempt: attempt.score)

    async def _carry_out(self, chosen: _Attempt) -> str:
        """Make the calls of an attempt; what is said in the end."""
        desk, held = chosen.desk, chosen.desk.held
        replies = await carry_out(desk.behind, held)
        if not replies or not replies[-1].is_error:
            return chosen.said
        told = [f"{call}: {reply.text}" for call, reply in zip(held, replies, strict=False)]
        told += [f"{call}: not carried out" for call in held[len(replies) :]]
        desk.live = True
        return await self._worker.turn(desk, rendered("refused.j2", told=told))


def self_score(reply: str, rubric: Sequence[Aspect]) -> tuple[float, str]:
    """The weighted mean of the scores in a reply and "", or 0 and why it cannot be read."""
    given = found(reply, *(aspect.name for aspect in rubric))
    if given is None:
        return 0, "the self-score is not a JSON object with the names of the rubric"
    for aspect in rubric:
        value = given.get(aspect.name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            return 0, f"the self-score's {aspect.name!r} is {value!r}, not a number from 0 to 1"[:200]
    weights = math.fsum(aspect.weight for aspect in rubric)
    return math.fsum(aspect.weight * given[aspect.name] for aspect in rubric) / weights, ""
