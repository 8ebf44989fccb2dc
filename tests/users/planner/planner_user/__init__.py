"""A user whom a plugin brings: wants one thing done after the other, in the words of a model, and remembers."""

from __future__ import annotations

from typing import Any, Literal

from harness.task import Brief
from harness.user import Completes, ModelUserSettings, UserEntry
from servers.kernel import Answer, Opening, Part, Question

__all__ = ("entry",)


class PlannerSettings(ModelUserSettings):
    """Asks for one thing after the other.

    `wants` are those of the whole trial, `each` how many of them it asks for in a session.
    """

    kind: Literal["planner"] = "planner"
    wants: tuple[str, ...]
    each: int = 2


class Planner:
    def __init__(self, settings: PlannerSettings, brief: Brief, model: Completes) -> None:
        self._model, self._each = model, settings.each
        self._left = list(settings.wants)
        self._asked = 0
        self._said: list[dict[str, Any]] = [{"role": "system", "content": settings.persona}]

    async def opens(self, session: Opening) -> str:
        self._asked = 0
        return await self._next(f"session {session.number} begins")

    async def answer(self, question: Question) -> Answer:
        if not question.end_of_turn:
            return Answer(text=await self._say(f"asked {question.text}"))
        done = [f"{call.app}.{call.tool} {call.status}" for call in question.since.calls]
        now = [f"{row.id} in {row.values['list_name']}" for row in question.since.changed if row.values]
        heard = f"heard {question.text} did {', '.join(done)} now {', '.join(now)}"
        if self._asked == self._each or not self._left:
            return Answer(text=await self._say(heard), goes_on=False)
        text = await self._next(heard)
        return Answer(text=text, parts=(Part(kind="confirmed", text=text),))

    async def _next(self, heard: str) -> str:
        self._asked += 1
        return await self._say(f"{heard}, wants {self._left.pop(0)}")

    async def _say(self, heard: str) -> str:
        self._said.append({"role": "user", "content": heard})
        text = (await self._model.complete(self._said)).text
        self._said.append({"role": "assistant", "content": text})
        return text


entry = UserEntry(PlannerSettings, Planner)
