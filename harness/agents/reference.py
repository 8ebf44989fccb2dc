"""The reference agent: a seeded policy that plays a template's program through tools alone.

It finds every row by calling tools and knows of a task only what the prompt gives away. What the
prompt withholds it explores, asks for or guesses, each with the probability that its dial says.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any, Final

from harness.agents.parse import parse
from harness.core.desk import on_offer
from harness.core.program import Explore, GiveUp, SlotView, ToolRefused, Words, Worker
from harness.core.suite import SuiteError, Whole
from servers.clarify import LEFT

if TYPE_CHECKING:
    from harness.core.desk import Desk

__all__ = ("GAVE_UP", "Explore", "GiveUp", "ReferenceAgent", "SlotView", "ToolRefused", "Words", "Worker", "question")

GAVE_UP: Final = "I stopped before the end. "
"""What it begins with where it gives up, for want of a value."""

ASKS: Mapping[str, Callable[[str], dict[str, str]]] = {
    "ask_user": lambda text: {"question": text},
    "clarify": lambda text: {"strategy": "ask_parameter", "content": text},
}
"""The apps whose tool reaches the user, and how each is asked for a value."""


class ReferenceAgent:
    """Plays `program` once a session; dials are probabilities, drawn per slot and trial.

    A program that is an async generator talks: what it yields ends a turn, and what the person says to it comes back.
    """

    def __init__(
        self,
        program: Callable[[Worker], Awaitable[None] | AsyncGenerator[str, str]],
        slots: Mapping[str, SlotView],
        *,
        explore: float = 1.0,
        ask: float = 1.0,
        guess: float = 0.0,
        settings: Any = None,
        whole: Callable[[], Whole] | None = None,
    ) -> None:
        self._program, self._slots = program, slots
        self._settings, self._whole = settings, whole
        self._dials = {"explore": explore, "ask": ask, "guess": guess}
        self._played: set[int] = set()
        self._talk: AsyncGenerator[str, str] | None = None

    async def turn(self, desk: Desk, message: str) -> str:
        """Do the work and say so, or say what was missing or refused."""
        try:
            if desk.session not in self._played:
                self._played.add(desk.session)
                at = _AtDesk(desk, message, self._slots, self._dials, self._settings, self._whole)
                played, self._talk = self._program(at), None
                if not isinstance(played, AsyncGenerator):
                    await played
                    return "Done."
                self._talk = played
                return await anext(played)
            if self._talk:
                return await self._talk.asend(message)
        except StopAsyncIteration:
            self._talk = None
        except GiveUp as lack:
            return f"{GAVE_UP}{lack}"
        except ToolRefused as refusal:
            return f"I stopped before the end, because a tool refused: {refusal}"
        return "I have nothing to add."


class _AtDesk:
    """A `Worker` at a desk. What it once found out or failed to, it does not try again."""

    def __init__(
        self,
        desk: Desk,
        request: str,
        slots: Mapping[str, SlotView],
        dials: Mapping[str, float],
        settings: Any,
        whole: Callable[[], Whole] | None,
    ) -> None:
        self.now, self.session, self.request, self.settings = desk.now, desk.session, request, settings
        self._whole = whole
        self._desk, self._slots, self._dials = desk, slots, dials
        self._found = {name: view.value for name, view in slots.items() if view.known}
        self._lacking: set[str] = set()

    def random(self, decision: str, purpose: str) -> Random:
        return self._desk.random(decision, purpose)

    def whole(self) -> str:
        if self._whole is None:
            raise SuiteError("this task cannot be shown as one text")
        return self._whole().text

    def takes(self, app: str, tool: str, argument: str) -> bool:
        offered = (each for each in self._desk.tools if (each.app, each.tool) == (app, tool))
        return any(argument in each.input_schema.get("properties", {}) for each in offered)

    async def call(self, app: str, tool: str, **arguments: Any) -> Any:
        reply = await self._desk.call(on_offer(self._desk, app, tool), arguments)
        if reply.is_error:
            raise ToolRefused(f"{app}_{tool}: {reply.text}")
        return reply.value

    async def slot(self, name: str, *, explore: Explore | None = None, words: Words | None = None) -> Any:
        if name not in self._found:
            view = self._slots[name]
            if name in self._lacking:
                raise GiveUp(_lack(view))
            self._lacking.add(name)  # also while it is being looked for: nothing may depend on itself
            self._found[name] = await self._obtain(view, explore, words)
        return self._found[name]

    async def _obtain(self, view: SlotView, explore: Explore | None, words: Words | None) -> Any:
        if explore and self._willing(view, "explore"):
            value = await self._explored(explore)
            if value is not None:
                return value
        tool = next((tool for tool in self._desk.tools if tool.app in ASKS), None)
        if tool and self._willing(view, "ask"):
            reply = await self._desk.call(tool.name, ASKS[tool.app](question(view)))
            known = await words(self) if words else None
            said = reply.text.partition(LEFT)[0]  # the number of questions left is no answer
            value = None if reply.is_error else parse(view.kind, said, now=self.now, role=view.role, words=known)
            if value is not None:
                return value
        if self._willing(view, "guess") and (options := await self._plausible(view, words)):
            return self._desk.random(view.name, "guessed value").choice(options)
        raise GiveUp(_lack(view))

    async def _explored(self, explore: Explore) -> Any:
        try:
            return await explore(self)
        except GiveUp:
            return None

    async def _plausible(self, view: SlotView, words: Words | None) -> Sequence[Any]:
        if words:
            return list(dict.fromkeys((await words(self)).values()))
        return _PLAUSIBLE[view.kind](self.now) if view.kind in _PLAUSIBLE else ()

    def _willing(self, view: SlotView, way: str) -> bool:
        return self._desk.random(view.name, way).random() < self._dials[way]


_ASKS: Final = re.compile(r"(who|whose|which|what|when|where|how)\b")
"""Roles that are half a question already: who gets the sum."""


def question(view: SlotView) -> str:
    """What the agent asks for a slot: one plain question, made of its kind and role."""
    noun = _noun(view)
    if _ASKS.match(noun):
        return f"{noun[0].upper()}{noun[1:]}?"
    return f"{'Who' if view.kind == 'person' else 'What'} is the {noun}?"


def _lack(view: SlotView) -> str:
    noun = _noun(view)
    return f"I do not know {noun}." if _ASKS.match(noun) else f"I do not know the {noun} that you have in mind."


def _noun(view: SlotView) -> str:
    return view.role or view.kind.replace("_", " ")


def _days(now: datetime) -> list[str]:
    days = (now.date() + timedelta(days=n) for n in range(1, 10))
    return [str(day) for day in days if day.weekday() < 5]


_PLAUSIBLE: Mapping[str, Callable[[datetime], Sequence[Any]]] = {
    "date": _days,
    "due_date": _days,
    "time": lambda _: [f"{hour:02d}:00:00" for hour in range(9, 17)],
    "duration": lambda _: [30, 60],
    "period": lambda _: [7, 14, 30],
    "threshold": lambda _: [5, 10],
    "event_name": lambda _: ["Catch up", "Follow-up"],
    "task_name": lambda _: ["Follow-up"],
    "title": lambda _: ["Follow-up"],
    "body": lambda _: ["Thank you."],
}
"""What anybody might guess; kinds that are missing need words of the workplace."""
