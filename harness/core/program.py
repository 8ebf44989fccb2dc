"""What a template's program works with when the reference agent plays it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from harness.core.task import Task

__all__ = ("Explore", "GiveUp", "SlotView", "ToolRefused", "Words", "Worker")


class ToolRefused(Exception):
    """A call came back as an error; the text is what the tool said."""


class GiveUp(Exception):
    """The agent lacks a value that it neither found, was told, nor guessed; it stops there."""


class Worker(Protocol):
    """What a program works with. It sees slot values that the prompt gives, and tools; nothing else."""

    now: datetime
    session: int
    """Which of the task's sessions it is, counted from 0."""
    request: str
    """What the session began with, word for word."""
    settings: Any
    """What the program is set to, an instance of `Suite.settings`; None where the suite has none."""

    def random(self, decision: str, purpose: str) -> Random:
        """A generator keyed by (trial seed, decision, purpose), so that order of use changes nothing."""

    def whole(self) -> str:
        """All of the task in one text, as agents are shown it that answer once. Raises `SuiteError`."""

    def takes(self, app: str, tool: str, argument: str) -> bool:
        """Whether the tool is on offer with that argument, which an overlay may hide."""

    async def call(self, app: str, tool: str, **arguments: Any) -> Any:
        """The structured result, unwrapped (`{"result": x}` gives x). Raises `ToolRefused`."""

    async def slot(self, name: str, *, explore: Explore | None = None, words: Words | None = None) -> Any:
        """The slot's value: from the prompt, else explored, asked for or guessed by the dials. Raises `GiveUp`.

        `explore` infers the value from the workplace; `words` gives what people say for each value
        that there may be, to understand an answer and to guess from.
        """


Explore = Callable[[Worker], Awaitable[Any]]
"""Infers a value through tools, None where it cannot."""

Words = Callable[[Worker], Awaitable[Mapping[str, Any]]]
"""What people say -> the value that they mean, from tools or from what tools document."""


class SlotView(NamedTuple):
    """A slot as the agent knows it; `value` is None unless `known`."""

    name: str
    kind: str
    role: str = ""
    known: bool = False
    value: Any = None

    @classmethod
    def of(cls, task: Task, prompt: str) -> dict[str, SlotView]:
        """Every slot of the task by name, with values only where that prompt variant gives them away."""
        known = task.known(prompt)
        return {
            slot.name: cls(slot.name, slot.kind, slot.role, True, known[slot.name].value)
            if slot.name in known
            else cls(slot.name, slot.kind, slot.role)
            for slot in task.slots
        }
