"""One session as an agent has it: its desk, its budgets, and the record it may have to follow."""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

import anyio

from harness.agents.desk import LimitReached, Reply, ToolSpec
from harness.config import Limits
from harness.links import Link
from harness.task import SessionLimits
from harness.trajectory import Asked, CallRecord, Message, ModelCall, Trajectory, Usage
from servers.kernel import Answer, Fault, Question, Toolset, User, canonical

__all__ = ("END_OF_TURN", "Diverged", "Prefix", "SessionDesk", "Spent")

END_OF_TURN = ("user", "end_of_turn")
"""App and tool that are on record for what was said at the end of a turn; no app is called so."""

_OF_SESSION = " of the session"


@dataclass
class Spent:
    """Budgets used so far, over all sessions of a try. `before` is what earlier tries took.

    Time runs from the start of the first session.
    """

    limits: Limits
    before: Usage = field(default_factory=Usage)
    turns: int = 0
    tool_calls: int = 0
    usage: Usage = field(default_factory=Usage)
    _ends: float | None = None
    _own: SessionLimits = field(default_factory=SessionLimits)
    _turns_before: int = 0
    _calls_before: int = 0

    @contextmanager
    def session(self, own: SessionLimits) -> Iterator[None]:
        """One session, whose own limits count from here. Raises `LimitReached` out of what hangs when time is up."""
        self._own, self._turns_before, self._calls_before = own, self.turns, self.tool_calls
        now = anyio.current_time()
        if self._ends is None:
            self._ends = now + (self.limits.seconds or math.inf)
        left, of_session = self._ends - now, own.seconds or math.inf
        try:
            with anyio.fail_after(min(left, of_session)):
                yield
        except TimeoutError:
            raise LimitReached("seconds" if left <= of_session else f"seconds{_OF_SESSION}") from None

    def turn(self, call: ModelCall) -> None:
        self.turns += 1
        self.usage = self.usage + call.usage
        self._check("turns", self.turns, self.limits.turns)
        self._check(f"turns{_OF_SESSION}", self.turns - self._turns_before, self._own.turns)
        total = self.before + self.usage
        self._check("tokens", total.prompt_tokens + total.completion_tokens, self.limits.tokens)
        self._check("cost_usd", total.cost_usd or 0, self.limits.cost_usd)

    def call(self) -> None:
        self.tool_calls += 1
        self._check("tool_calls", self.tool_calls, self.limits.tool_calls)
        self._check(f"tool_calls{_OF_SESSION}", self.tool_calls - self._calls_before, self._own.tool_calls)

    @staticmethod
    def _check(name: str, used: float, limit: float | None) -> None:
        if limit is not None and used > limit:
            raise LimitReached(name)


@dataclass(frozen=True)
class Prefix:
    """A recorded trial to follow for its first `step` calls before going on live."""

    trajectory: Trajectory
    step: int

    @property
    def model_calls(self) -> list[ModelCall]:
        """The replies that led to those calls."""
        if not self.step:
            return []
        last = self.trajectory.calls[self.step - 1]
        return [c for c in self.trajectory.model_calls if (c.session, c.turn) <= (last.session, last.turn)]

    def check(self, record: CallRecord) -> None:
        """Raise `Diverged` unless the call, what it wrote and what it was told are the recorded ones."""
        recorded = self.trajectory.calls[record.n]
        if record != recorded:
            raise Diverged(
                f"call {record.n} was {recorded.app}.{recorded.tool}({recorded.arguments}), "
                f"now {record.app}.{record.tool}({record.arguments}) or another result"
            )


class Diverged(Fault):
    """A replay did something else than what was recorded."""


@cache
def _specs(toolset: Toolset) -> tuple[ToolSpec, ...]:
    app = toolset.app.name
    return tuple(
        ToolSpec(f"{app}_{tool.name}", app, tool.name, tool.description, tool.input_schema)
        for tool in toolset.tools.values()
    )


class SessionDesk:
    """The `Desk` of one session."""

    def __init__(
        self,
        link: Link,
        spent: Spent,
        trajectory: Trajectory,
        prefix: Prefix | None,
        *,
        system: str,
        now: datetime,
    ) -> None:
        self._link, self._spent, self._trajectory, self._prefix = link, spent, trajectory, prefix
        self.session = link.sandbox.session
        self.system, self.now = system, now
        self.tools: Sequence[ToolSpec] = [spec for set_ in link.sandbox.toolsets.values() for spec in _specs(set_)]
        self.messages: list[Message] = []
        self._by_name = {spec.name: spec for spec in self.tools}

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        """Call a tool. What cannot be taken goes no further than here: no client could pass it on."""
        self._spent.call()
        if untaken := self._link.sandbox.untaken(name, arguments):
            return self._told(untaken)
        spec = self._by_name.get(name)
        if spec is None:
            known = ", ".join(self._by_name)
            text = f"There is no tool {name!r}. Available: {known}."
            return self._told(self._link.sandbox.record("", name, arguments, "unknown", text))
        reply = await self._link.call(spec.app, spec.tool, arguments)
        self._check(self._link.sandbox.calls[-1])
        return reply

    def garbled(self, name: str, raw: str, problem: str) -> Reply:
        self._spent.call()
        return self._told(self._link.sandbox.garbled(name, raw, problem))

    def spend(self, call: ModelCall) -> None:
        self._trajectory.model_calls.append(call)
        self._link.sandbox.turn += 1
        self._spent.turn(call)

    async def hand_over(self, reply: str, user: User) -> Answer:
        """Give the user what was said at the end of a turn; on record as a question where the answer goes on."""
        answer = await user.answer(Question(text=reply, end_of_turn=True))
        if answer.goes_on:
            self._spent.call()
            asked = Asked(text=reply, answer=answer.text, targets=answer.targets, revealed=answer.revealed)
            self._check(self._link.sandbox.record(*END_OF_TURN, {}, "ok", answer.text, asked=[asked]))
        return answer

    def _told(self, record: CallRecord) -> Reply:
        """The reply to a call that reached no app."""
        self._check(record)
        return Reply(record.text, {}, True)

    def _check(self, record: CallRecord) -> None:
        """Stop at a fault of ours, and where a replay leaves its record."""
        if record.status in ("defect", "fault"):
            raise Fault(record.text)
        if self._prefix and record.n < self._prefix.step:
            self._prefix.check(record)

    def random(self, decision: str, purpose: str) -> random.Random:
        key = canonical([self._trajectory.seed, self.session, decision, purpose])
        return random.Random(hashlib.sha256(key).digest())
