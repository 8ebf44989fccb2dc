"""One session as an agent has it: its desk, its budgets, and the record it may have to follow."""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, cached_property
from typing import Any

import anyio

from harness.core.config import Limits
from harness.core.desk import Agent, LimitReached, Reply, ToolSpec
from harness.core.task import SessionLimits
from harness.core.trajectory import CallRecord, HandOver, Message, ModelCall, Trajectory, Usage
from harness.models.rate_limit import Waits, counted
from harness.play.delegating import alone, handing_on
from harness.play.differing import otherwise
from harness.serving.links import Link
from harness.serving.sandbox import since
from servers.kernel import Answer, Fault, NoWorker, Question, Toolset, User, canonical, prefixed, whole

__all__ = ("Diverged", "Prefix", "SessionDesk", "Spent", "specs")

_OF_SESSION = " of the session"


@dataclass
class Spent:
    """Budgets used so far, over all sessions of a try. `before` is what earlier tries took.

    `usage` is the agent's, `users` that of whoever answers: it counts as cost, but not as tokens of the agent.

    Time runs from the start of the first session, save where a model waits for room in its rate or is asked in vain.
    """

    limits: Limits
    before: Usage = field(default_factory=Usage)
    turns: int = 0
    tool_calls: int = 0
    hand_overs: int = 0
    waits: Waits = field(default_factory=counted)
    users: Usage = field(default_factory=Usage)
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
            self._ends = now - self.waits.seconds + (self.limits.seconds or math.inf)
        left, of_session = self._ends + self.waits.seconds - now, own.seconds or math.inf
        try:
            with anyio.fail_after(min(left, of_session)) as scope, self.waits.deadline(scope):
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
        self._check("cost_usd", (total + self.users).cost_usd or 0, self.limits.cost_usd)

    def call(self) -> None:
        self.tool_calls += 1
        self._check("tool_calls", self.tool_calls, self.limits.tool_calls)
        self._check(f"tool_calls{_OF_SESSION}", self.tool_calls - self._calls_before, self._own.tool_calls)

    def calls_of(self, own: SessionLimits) -> int | None:
        """Tool calls of a session that has a number of its own, and no more than are left of the run's limit."""
        if own.tool_calls is None or self.limits.tool_calls is None:
            return own.tool_calls
        return min(own.tool_calls, self.limits.tool_calls - self.tool_calls)

    def hand_over(self) -> None:
        """A hand-over after which it goes on is a tool call too, as the budget counts them."""
        self.call()
        self.hand_overs += 1
        self._check("hand_overs", self.hand_overs, self.limits.hand_overs)

    @staticmethod
    def _check(name: str, used: float, limit: float | None) -> None:
        if limit is not None and used > limit:
            raise LimitReached(name)


@dataclass(frozen=True)
class Prefix:
    """A recorded trial to follow for its first `step` steps (calls and hand-overs) before going on live."""

    trajectory: Trajectory
    step: int

    @cached_property
    def steps(self) -> Sequence[CallRecord | HandOver]:
        """The steps to follow."""
        return self.trajectory.steps[: self.step]

    @property
    def model_calls(self) -> list[ModelCall]:
        """The replies to the agent that led to those steps."""
        if not self.step:
            return []
        last = self.steps[-1]
        replies = [call for call in self.trajectory.model_calls if call.purpose == "agent"]
        return [call for call in replies if (call.session, call.turn) <= (last.session, last.turn)]

    @property
    def user_calls(self) -> list[ModelCall]:
        """The replies to the user that led to the answers given in those steps, and to the requests before them."""
        return self.trajectory.user_calls(self.step)

    def check(self, step: CallRecord | HandOver) -> None:
        """Raise `Diverged` unless the step, what it wrote and what it was told are the recorded ones."""
        recorded = self.steps[step.n]
        if step != recorded:
            was, now = _named(recorded), _named(step)
            how = f"{was}, now {now}" if was != now else f"{was} and went differently: {otherwise(recorded, step)}"
            raise Diverged(f"step {step.n} was {how}")


def _named(step: CallRecord | HandOver) -> str:
    if isinstance(step, HandOver):
        return f"a hand-over ({step.text[:200]!r})"
    return f"{step.app}.{step.tool}({step.arguments})"


class Diverged(Fault):
    """A replay did something else than what was recorded."""


@cache
def specs(toolset: Toolset) -> tuple[ToolSpec, ...]:
    """The tools of a toolset as an agent is offered them, who has those of several apps side by side."""
    app = toolset.app.name
    return tuple(
        ToolSpec(tool.shown, app, tool.name, tool.description, tool.input_schema)
        for tool in prefixed(toolset).tools.values()
    )


class SessionDesk:
    """The `Desk` of one session, or that of subagent `number` in it.

    `again` makes the agent once more, as the subagent of a number; None where it cannot be. A subagent has neither
    users nor subagents, is told `plain` in place of `system`, and draws numbers of its own. All else is shared:
    budgets, sandbox, record.
    """

    def __init__(
        self,
        link: Link,
        spent: Spent,
        trajectory: Trajectory,
        prefix: Prefix | None,
        *,
        system: str,
        now: datetime,
        plain: str = "",
        again: Callable[[int], Agent | None] = lambda _: None,
        number: int = 0,
    ) -> None:
        self._link, self._spent, self._trajectory, self._prefix = link, spent, trajectory, prefix
        self._plain, self._again, self._number = plain, again, number
        self.session = link.sandbox.session
        self.system, self.now = system, now
        self.toolsets, self.owner = link.sandbox.toolsets, link.sandbox.owner
        if number:
            self.toolsets = alone(self.toolsets)
        self.tools: Sequence[ToolSpec] = [spec for set_ in self.toolsets.values() for spec in specs(set_)]
        self.messages: list[Message] = []
        self._by_name = {spec.name: spec for spec in self.tools}

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        """Call a tool. What cannot be taken goes no further than here: no client could pass it on."""
        self._spent.call()
        if untaken := self._link.sandbox.untaken(name, arguments):
            return self._told(untaken)
        spec = self._by_name.get(name)
        if spec is None:
            return self._told(self._link.sandbox.record("", name, arguments, "unknown", self._lacking(name)))
        reply = await self._passed_on(spec, arguments)
        events = reversed(self._link.sandbox.events)  # what arrives after a call stands behind it
        self._check(next(event for event in events if isinstance(event, CallRecord)))
        return reply

    def _lacking(self, name: str) -> str:
        """What is said of a tool that is not on offer here."""
        served = self._link.sandbox.toolsets.values()
        if any(name == spec.name for toolset in served for spec in specs(toolset)):
            return f"{name!r} is not for subagents: they ask nobody and start no subagents of their own. Do without it."
        return f"There is no tool {name!r}. Available: {', '.join(self._by_name)}."

    async def _passed_on(self, spec: ToolSpec, arguments: Mapping[str, Any]) -> Reply:
        def call() -> Awaitable[Reply]:
            return self._link.call(spec.app, spec.tool, arguments)

        if self.toolsets[spec.app].tool(spec.tool).kind == "delegates":
            return await handing_on(self._link.sandbox, call, self._worked_on)
        return await call()

    async def _worked_on(self, task: str) -> str:
        """What a subagent says of a task at its end. Raises `NoWorker` where the agent cannot be one."""
        number = self._link.sandbox.subagent
        if (agent := self._again(number)) is None:
            raise NoWorker
        desk = SessionDesk(
            self._link, self._spent, self._trajectory, self._prefix, system=self._plain, now=self.now, number=number
        )
        return whole(await agent.turn(desk, task))

    def garbled(self, name: str, raw: str, problem: str) -> Reply:
        self._spent.call()
        return self._told(self._link.sandbox.garbled(name, raw, problem))

    def say(self, message: Message) -> None:
        message.start, message.subagent = self._link.sandbox.clock(), self._number
        self.messages.append(message)
        self._link.sandbox.events.append(message)

    def spend(self, call: ModelCall) -> None:
        call.start = round(max(self._link.sandbox.clock() - call.duration, 0), 4)
        self._link.sandbox.events.append(call)
        self._link.sandbox.turn += 1
        call.turn, call.subagent = self._link.sandbox.turn, self._number
        self._spent.users = self._link.sandbox.users
        self._spent.turn(call)

    async def hand_over(self, reply: str, user: User) -> Answer:
        """Give the user what was said at the end of a turn, and done in it; it counts where the answer goes on."""
        sandbox = self._link.sandbox
        began = sandbox.clock()
        answer = await user.answer(Question(text=reply, end_of_turn=True, since=since(sandbox.events, sandbox.session)))
        if answer.goes_on:
            self._spent.hand_over()
        self._check(sandbox.hand_over(reply, answer, began))
        return answer

    def _told(self, record: CallRecord) -> Reply:
        """The reply to a call that reached no app."""
        self._check(record)
        return Reply(record.text, {}, True)

    def _check(self, step: CallRecord | HandOver) -> None:
        """Stop at a fault of ours, and where a replay leaves its record."""
        if isinstance(step, CallRecord) and step.status in ("defect", "fault"):
            raise self._link.sandbox.faults.get(step.n) or Fault(step.text)
        if self._prefix and step.n < self._prefix.step:
            self._prefix.check(step)

    def random(self, decision: str, purpose: str) -> random.Random:
        own = [self._number] if self._number else []
        key = canonical([self._trajectory.seed, self.session, decision, purpose, *own])
        return random.Random(hashlib.sha256(key).digest())
