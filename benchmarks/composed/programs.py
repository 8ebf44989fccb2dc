"""The reference agent on faulty requests of a suite: it asks or guesses first, then does what the suite's program does.

What a request leaves open it takes from the readings of its text; it learns of no other value than by being told.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from datetime import datetime
from random import Random
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from benchmarks.composed.making import Composed
from benchmarks.drift.template import Value
from harness.agents.parse import parse
from harness.agents.reference import Explore, GiveUp, SlotView, ToolRefused, Words, Worker, question
from harness.suite import Program, Suite, SuiteError
from harness.task import Slot
from servers.clarify import LEFT

__all__ = ("Dials", "asked", "programs")

_OPENING = "I cannot carry this out as it stands: I find nothing that fits {words!r}."


class Dials(BaseModel):
    """What the reference agent does about what a request leaves open.

    `ask`: `never`, or `openly`, for the value by name, up to `limit` times. `guess`: `uniform` among the readings where
    it was not told, or `none`, and it stops. As in Drift-Bench.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    ask: Literal["never", "openly"] = "openly"
    limit: int = Field(default=5, ge=1)
    guess: Literal["uniform", "none"] = "none"


def programs(source: Suite, faulty: Sequence[Composed]) -> dict[str, Program]:
    """A program for each template that the source has one for."""
    index = {each.variant.text: each for each in faulty}
    return {name: _program(program, index) for name, program in source.programs.items()}


def _program(program: Program, index: Mapping[str, Composed]) -> Program:
    async def play(worker: Worker) -> None:
        read = index.get(worker.request)
        if read is None or not read.variant.hidden:
            await _done(program, worker)
            return
        gone = read.variant.hidden[0].slot
        await _done(program, _Settled(worker, gone, await _taken(worker, read)))

    return play


async def _done(program: Program, worker: Worker) -> None:
    """Raises `SuiteError` for a program that talks: whoever is asked here is asked with a tool."""
    played = program(worker)
    if isinstance(played, AsyncGenerator):
        raise SuiteError("a suite whose programs talk has no composed variants")
    await played


class _Settled:
    """A worker that has made up its mind about one slot."""

    def __init__(self, worker: Worker, gone: str, value: Any) -> None:
        self.now: datetime = worker.now
        self.session = worker.session
        self.request, self.settings, self.whole = worker.request, worker.settings, worker.whole
        self.takes = worker.takes
        self._worker, self._gone, self._value = worker, gone, value

    def random(self, decision: str, purpose: str) -> Random:
        return self._worker.random(decision, purpose)

    async def call(self, app: str, tool: str, **arguments: Any) -> Any:
        return await self._worker.call(app, tool, **arguments)

    async def slot(self, name: str, *, explore: Explore | None = None, words: Words | None = None) -> Any:
        if name == self._gone:
            return self._value
        return await self._worker.slot(name, explore=explore, words=words)


async def _taken(worker: Worker, read: Composed) -> Any:
    """What it takes for the value that the request leaves open. Raises `GiveUp`."""
    dials, gone = worker.settings or Dials(), read.variant.hidden[0]
    if read.variant.need == "discoverable":
        return gone.value  # what looking it up leaves
    if dials.ask == "openly" and (told := await asked(worker, read, dials.limit)) is not None:
        return told.value
    if dials.guess == "uniform":
        return worker.random(gone.slot, "guess").choice([each.value for each in read.readings])
    raise GiveUp(f"I do not know which {gone.slot.replace('_', ' ')} is meant.")


async def asked(worker: Worker, read: Composed, limit: int) -> Value | None:
    """The value that the user tells when asked for it up to so often, None where they do not."""
    slot = next(slot for slot in read.task.slots if slot.name == read.variant.hidden[0].slot)
    what = question(SlotView(slot.name, slot.kind, slot.role))
    words = read.variant.mention
    for n in range(limit):
        blocked = read.variant.need == "blocked" and n == 0
        try:
            reply = await worker.call(
                "clarify",
                "clarify",
                strategy="report_blocker" if blocked else "ask_parameter",
                content=f"{_OPENING.format(words=words)} {what}" if blocked else what,
            )
        except ToolRefused:
            return None
        if (told := _heard(str(reply).partition(LEFT)[0], slot, read.readings, worker.now)) is not None:
            return told
    return None


def _heard(said: str, slot: Slot, readings: Sequence[Value], now: datetime) -> Value | None:
    """Which of the readings an answer tells: as a request would say it, or in other words of the same kind."""
    found = [each for each in readings if _ends_at(said, each.text)]
    if found:  # what is wrong with the request is said before what is meant, and may name other values
        return max(found, key=lambda each: (_ends_at(said, each.text), len(each.text)))
    value = parse(slot.kind, said, now=now, role=slot.role, words=None)
    return None if value is None else next((each for each in readings if each.value == value), None)


def _ends_at(text: str, value: str) -> int:
    """Where a value is said last in a text, 0 where it is not."""
    told = re.finditer(rf"(?<!\w){re.escape(value.casefold())}(?!\w)", text.casefold())
    return max((each.end() for each in told), default=0)
